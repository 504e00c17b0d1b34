// Everything that arrives, the host, then the cubes, then the links.
#include "test/support/memory/clocked_host.hpp"

#include <deque>
#include <numeric>

namespace tessera::test {

namespace {

Picoseconds step_of(arch::DramSpec const& spec) {
  auto step = std::gcd(spec.clock_period.value(), spec.hmc.value().link_latency.value());
  step = std::gcd(step, Clock{spec.hmc->crossbar_clock}.period().value());
  for (std::int64_t flits = 1; flits <= 17; ++flits) {
    step = std::gcd(step, ClockedLink::transfer(spec, flits));
  }
  return step;
}

class ClockedHost {
 public:
  ClockedHost(arch::DramSpec const& spec, std::vector<sim::TimedRequest> const& requests,
              sim::HostRule const& rule)
      : spec_{spec}, offered_{requests}, rule_{rule}, sent_(requests.size()), step_{step_of(spec)} {
    auto const links = static_cast<std::size_t>(spec.hmc.value().links);
    std::int64_t const unlimited = INT64_MAX / 2;
    requests_.assign(rule.cubes, Links(links, ClockedLink{spec, spec.hmc->tokens}));
    responses_.assign(rule.cubes, Links(links, ClockedLink{spec, unlimited}));
    for (std::size_t i = 0; i < rule.cubes; ++i) {
      cubes_.emplace_back(spec, requests_[i], responses_[i],
                          i + 1 < rule.cubes ? &requests_[i + 1] : nullptr);
    }
    result_.latency.resize(requests.size());
  }

  HostResult run() {
    for (Picoseconds now = 0; answered_ < offered_.size(); now += step_) {
      arrive(now);
      send(now);
      for (auto& cube : cubes_) cube.step(now);
      for (auto* const all : {&requests_, &responses_}) {
        for (auto& links : *all) {
          for (auto& link : links) link.step(now);
        }
      }
    }
    for (auto* const all : {&requests_, &responses_}) {
      for (auto const& links : *all) {
        for (auto const& link : links) result_.link_flits += link.flits();
      }
    }
    result_.commands = cubes_.back().commands();
    return result_;
  }

 private:
  using Links = ClockedCube::Links;

  void arrive(Picoseconds now) {
    for (std::size_t i = 0; i < cubes_.size(); ++i) {
      for (auto& link : requests_[i]) {
        for (auto const& packet : link.arriving(now)) cubes_[i].take(packet);
      }
      for (auto& link : responses_[i]) {
        for (auto const& packet : link.arriving(now)) {
          i == 0 ? answer(now, packet) : cubes_[i - 1].take(packet);
        }
      }
    }
    if (now % spec_.clock_period.value() != 0) return;
    for (auto const& packet : cubes_.front().local_answers(now)) answer(now, packet);
  }

  void answer(Picoseconds now, CubePacket const& packet) {
    result_.latency[packet.request.tag] = now - sent_[packet.request.tag];
    result_.finished = now;
    ++answered_;
  }

  void send(Picoseconds now) {
    while (next_ < offered_.size() && next_ - answered_ < rule_.outstanding &&
           offered_[next_].cycle * spec_.clock_period.value() <= now) {
      CubePacket packet;
      packet.request = offered_[next_].request;
      packet.link = next_ % requests_.front().size();
      packet.cubes_to_go = cubes_.size() - 1;
      packet.is_local = rule_.side == sim::HmcCube::Side::local;
      sent_[next_++] = now;
      packet.is_local ? cubes_.front().take(packet) : requests_.front()[packet.link].push(packet);
    }
  }

  arch::DramSpec const& spec_;
  std::vector<sim::TimedRequest> const& offered_;
  sim::HostRule rule_;
  std::vector<Links> requests_;   ///< to each cube, from the one before it or the host
  std::vector<Links> responses_;  ///< of each cube
  std::deque<ClockedCube> cubes_;
  std::vector<Picoseconds> sent_;
  std::size_t next_ = 0, answered_ = 0;
  Picoseconds step_;
  HostResult result_;
};

}  // namespace

HostResult run_clocked_host(arch::DramSpec const& spec,
                            std::vector<sim::TimedRequest> const& requests,
                            sim::HostRule const& rule) {
  return ClockedHost{spec, requests, rule}.run();
}

}  // namespace tessera::test
