// Wakes the cores of a run one after another, by time; carries their messages as the wiring says.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "sim/host/hosted_run.hpp"
#include "sim/host/instant.hpp"
#include "sim/model/protocol/hosted_core.hpp"

namespace tessera::sim::engine {

/// A heap of alarms. An alarm that was moved to an earlier time stays in the heap where it was and
/// is dropped when it comes up.
class EventLoop final {
 public:
  /// `run` must outlive the loop.
  explicit EventLoop(host::HostedRun& run);

  /// Until no core wants to wake, or the supervisor ends the run, or a core would wake later than
  /// at `last_moment`. Returns the time of the last activation.
  [[nodiscard]] Time run_until_quiet(Time last_moment = forever);

  static constexpr Time forever{std::numeric_limits<std::int64_t>::max()};

 private:
  struct Alarm {
    host::Instant at;
    std::uint32_t rank = 0;  ///< the order within an instant, which must not matter
    CoreId core;
  };
  struct Receiver {
    CoreId core;
    Port input = 0;
    bool is_connected = false;
  };

  struct ComesLater {
    bool operator()(Alarm const& a, Alarm const& b) const {
      return a.at != b.at ? b.at < a.at : b.rank < a.rank;
    }
  };

  void set(CoreId core);
  [[nodiscard]] Alarm take();
  void advance(Alarm const& alarm);
  void deliver(host::Instant now, CoreId from, Outbox::Entry const& entry);
  [[nodiscard]] Time next_activity() const;
  [[nodiscard]] std::uint32_t rank_of(CoreId core) const;

  host::HostedRun& run_;
  std::int64_t steps_;  ///< of a picosecond
  IdVector<CoreId, HostedCore<host::Instant>> cores_;
  IdVector<CoreId, std::size_t> first_receiver_;  ///< of a core's outputs; and the end
  std::vector<Receiver> receivers_;               ///< by core and output
  std::vector<Alarm> alarms_;                     ///< a heap, the earliest in front
};

}  // namespace tessera::sim::engine
