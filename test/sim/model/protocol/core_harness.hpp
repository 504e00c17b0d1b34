// Driving one core by hand: time is an argument, so a test is a list of instants.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/model/protocol/core.hpp"

namespace tessera::sim {

inline constexpr Time ns(std::int64_t count) { return Time{count * 1000}; }

inline Clock const ghz{Frequency{1'000'000'000}};  ///< 1 clock = 1 ns

/// What arrives at a core at one instant.
struct Arrival {
  Port port = 0;
  Message message;
};

/// Pushes the arrivals in canonical order, advances the core once and returns what it sends.
inline std::vector<Outbox::Entry> advance(Core& core, Time now,
                                          std::vector<Arrival> arrivals = {}) {
  std::sort(arrivals.begin(), arrivals.end(), [](Arrival const& a, Arrival const& b) {
    return a.port != b.port ? a.port < b.port : a.message < b.message;
  });
  for (Arrival const& arrival : arrivals) core.push(now, arrival.port, arrival.message);
  Outbox out{now};
  auto const wake = core.advance(now, out);
  EXPECTS(!wake || *wake > now, now);
  return out.entries();
}

[[nodiscard]] inline std::int64_t statistic(Core const& core, std::string const& name) {
  for (Statistic const& candidate : core.statistics()) {
    if (candidate.name == name) return candidate.value;
  }
  EXPECTS(false && "no such statistic", name);
  return 0;
}

[[nodiscard]] inline Message issue(TaskId task, Task const& what) {
  Message message;
  message.kind = Message::Kind::issue;
  message.task = task;
  message.source = what.accelerator;
  message.destination = completes_at(what);
  message.bytes = what.bytes;
  return message;
}

[[nodiscard]] inline Message packet(std::size_t task, std::size_t source, std::size_t destination,
                                    std::int64_t bytes, Time tail = Time{0}) {
  Message message;
  message.kind = Message::Kind::packet;
  message.task = TaskId{task};
  message.source = AcceleratorId{source};
  message.destination = AcceleratorId{destination};
  message.bytes = Bytes{bytes};
  message.tail = tail;
  return message;
}

}  // namespace tessera::sim
