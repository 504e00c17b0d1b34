// Answers in order of time, and what they let the host send.
#include "sim/model/memory/hmc/hmc_host.hpp"

#include <algorithm>

namespace tessera::sim {

namespace {

using Side = HmcCube::Side;

constexpr Time never{INT64_MAX};

class Host {
 public:
  Host(arch::DramSpec const& spec, std::vector<TimedRequest> const& requests, HostRule const& rule,
       DramStack::Observer const& observer)
      : spec_{spec}, requests_{requests}, rule_{rule}, sent_(requests.size()) {
    latency_.resize(requests.size());
    cubes_.reserve(rule.cubes);
    bool const is_local = rule.side == Side::local;
    for (std::size_t i = 0; i < rule.cubes; ++i) {
      cubes_.emplace_back(spec, is_local ? HmcCube::LocalSide::used : HmcCube::LocalSide::unused,
                          i + 1 == rule.cubes ? observer : DramStack::Observer{});
    }
    if (!is_local) patience_ = spec.hmc.value().link_latency;
    links_.assign(static_cast<std::size_t>(spec.hmc.value().links),
                  HmcLink{*spec.hmc, spec.hmc->tokens});
    answers_.resize(links_.size() + 1);
  }

  MemoryRun run() {
    while (answered_ < requests_.size()) {
      auto const now = next_event();
      EXPECTS(now < never, answered_);
      send(now);
      for (std::size_t i = 0; i < cubes_.size(); ++i) advance(i, now);
    }
    for (auto const& cube : cubes_) {
      result_.link_flits += cube.flits_sent();
      result_.dram += cube.statistics();
    }
    for (auto const& link : links_) result_.link_flits += link.flits();
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      auto const& request = requests_[i].request;
      result_.bytes += spec_.organization.burst() * request.bursts;
      auto& latencies =
          request.access == Access::read ? result_.read_latency : result_.write_latency;
      latencies.push_back(latency_[i]);
    }
    return result_;
  }

 private:
  [[nodiscard]] Time next_event() const {
    auto next = never;
    for (auto const& cube : cubes_) next = std::min(next, cube.next_wakeup().value_or(never));
    if (auto const send = next_send(); send != never) next = std::min(next, send + patience_);
    return next;
  }

  /// When the next request is sent, as far as answers are known.
  [[nodiscard]] Time next_send() const {
    if (next_ == requests_.size()) return never;
    auto const place = waiting_ < rule_.outstanding ? place_free_ : next_answer_;
    return std::max(place, spec_.clock_period * requests_[next_].cycle);
  }

  /// Sends what is to be sent through `now`, when answers make place.
  void send(Time now) {
    for (auto time = next_send(); time <= now; time = next_send()) {
      if (waiting_ == rule_.outstanding) take_answer();
      sent_[next_] = time;
      ++waiting_;
      if (rule_.side == Side::local) {
        cubes_[0].push(time, Side::local, 0, packet_of(next_));
      } else {
        auto const link = next_ % links_.size();
        links_[link].push(time, packet_of(next_));
        advance_link(link);
      }
      ++next_;
    }
  }

  void take_answer() {
    place_free_ = next_answer_;
    next_answer_ = never;
    bool is_taken = false;
    for (auto& answers : answers_) {
      if (answers.empty()) continue;
      if (!is_taken && answers.front() == place_free_) {
        answers.pop_front();
        is_taken = true;
      }
      if (!answers.empty()) next_answer_ = std::min(next_answer_, answers.front());
    }
    --waiting_;
  }

  void advance_link(std::size_t link) {
    links_[link].advance([&](Time at, HmcPacket const& packet) {
      cubes_[0].push(at, Side::upstream, link, packet);
    });
  }

  void advance(std::size_t index, Time now) {
    cubes_[index].advance(now, out_);
    for (auto const& [at, side, link, packet] : out_) {
      if (side == Side::downstream) {
        cubes_[index + 1].push(at, Side::upstream, link, packet);
      } else if (side == Side::upstream && index > 0) {
        cubes_[index - 1].push(at, Side::downstream, link, packet);
      } else if (packet.kind == HmcPacket::Kind::tokens) {
        links_[link].give_back(at, packet.tokens);
        advance_link(link);
      } else {
        receive(at, side == Side::local ? links_.size() : link, packet);
      }
    }
    out_.clear();
  }

  void receive(Time at, std::size_t from, HmcPacket const& packet) {
    latency_[packet.tag] = at - sent_[packet.tag];
    result_.finished = std::max(result_.finished, at);
    answers_[from].insert(at);
    next_answer_ = std::min(next_answer_, at);
    ++answered_;
  }

  [[nodiscard]] HmcPacket packet_of(std::size_t index) const {
    auto const& request = requests_[index].request;
    HmcPacket packet;
    packet.tag = index;
    packet.address = request.address;
    packet.access = request.access;
    packet.bytes = static_cast<std::int32_t>((spec_.organization.burst() * request.bursts).value());
    packet.hops = static_cast<std::int32_t>(cubes_.size()) - 1;
    return packet;
  }

  arch::DramSpec const& spec_;
  std::vector<TimedRequest> const& requests_;
  HostRule rule_;
  std::vector<HmcCube> cubes_;
  std::vector<HmcLink> links_;
  std::vector<Time> sent_, latency_;
  std::size_t next_ = 0;
  std::size_t waiting_ = 0;
  std::size_t answered_ = 0;
  std::vector<Fifo<Time>> answers_;  ///< still to come, by link; local ones last
  Time next_answer_ = never;         ///< of these
  Time place_free_{0};               ///< the last answer that was taken
  Time patience_{0};                 ///< what is sent now is nowhere before
  std::vector<HmcCube::Output> out_;
  MemoryRun result_;
};

}  // namespace

MemoryRun run_host(arch::DramSpec const& spec, std::vector<TimedRequest> const& requests,
                   HostRule const& rule, DramStack::Observer const& observer) {
  return Host{spec, requests, rule, observer}.run();
}

}  // namespace tessera::sim
