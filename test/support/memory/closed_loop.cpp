// Offers request after request, clock by clock, and skips the clocks in which nothing can be accepted.
#include "test/support/memory/closed_loop.hpp"

#include <algorithm>
#include <functional>
#include <queue>

namespace tessera::test {

namespace {

std::uint64_t splitmix64(std::uint64_t& state) {
  state += 0x9E3779B97F4A7C15;
  auto z = state;
  z = (z ^ z >> 30U) * 0xBF58476D1CE4E5B9;
  z = (z ^ z >> 27U) * 0x94D049BB133111EB;
  return z ^ z >> 31U;
}

}  // namespace

std::vector<sim::DramStack::Request> make_requests(Traffic const& traffic,
                                                   arch::DramSpec const& spec) {
  auto const blocks = traffic.capacity / traffic.bytes;
  auto const bursts = traffic.bytes / static_cast<std::uint64_t>(spec.organization.burst().value());
  std::uint64_t state = 1;
  std::vector<sim::DramStack::Request> all;
  for (std::uint64_t i = 0; i < traffic.requests; ++i) {
    sim::DramStack::Request it{i, i * traffic.bytes % traffic.capacity, sim::Access::read,
                               static_cast<std::uint16_t>(bursts)};
    if (traffic.pattern == "rand") it.address = splitmix64(state) % blocks * traffic.bytes;
    if (traffic.pattern == "conflict") it.address = i * traffic.stride % traffic.capacity;
    if (traffic.pattern == "seqrw" && i % 2 == 1) it.access = sim::Access::write;
    if (traffic.pattern == "randrw") {
      auto const r = splitmix64(state);
      it.address = (r >> 1U) % blocks * traffic.bytes;
      if ((r & 1U) != 0) it.access = sim::Access::write;
    }
    all.push_back(it);
  }
  return all;
}

LoopResult closed_loop(arch::DramSpec const& spec, Traffic const& traffic, LoopRule const& rule) {
  sim::DramStack stack{spec};
  auto const requests = make_requests(traffic, spec);
  std::vector<std::int64_t> accepted(requests.size());
  std::vector<std::int64_t> answered(requests.size(), -1);
  std::vector<sim::DramCompletion> out;
  std::priority_queue<std::int64_t, std::vector<std::int64_t>, std::greater<>> answers;
  auto const collect = [&] {
    for (auto const& it : out) {
      answered[it.tag] = it.done;
      if (rule.outstanding != SIZE_MAX) answers.push(it.done);
    }
    out.clear();
  };
  std::int64_t cycle = 0;
  std::size_t outstanding = 0;
  int offered = 0;
  for (std::size_t next = 0; next < requests.size();) {
    if (rule.outstanding != SIZE_MAX) {
      stack.advance(cycle - 1, out);
      collect();
      while (!answers.empty() && answers.top() < cycle) answers.pop(), --outstanding;
    }
    if (outstanding >= rule.outstanding) {
      auto const wakeup = stack.next_wakeup();
      auto const answer = answers.empty() ? INT64_MAX : answers.top() + 1;
      cycle = std::max(cycle + 1, wakeup ? std::min(answer, *wakeup + 1) : answer);
      offered = 0;
      continue;
    }
    auto const retry = stack.offer(cycle, requests[next], out);
    collect();
    if (!retry) {
      accepted[next++] = cycle;
      ++outstanding;
    }
    if (retry || ++offered == rule.width) {
      cycle = retry ? *retry : cycle + 1;
      offered = 0;
    }
  }
  while (auto const wakeup = stack.next_wakeup()) {
    stack.advance(*wakeup, out);
    collect();
  }
  LoopResult result;
  result.least_latency = INT64_MAX;
  std::int64_t sum = 0;
  std::int64_t reads = 0;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    result.cycles = std::max(result.cycles, answered[i]);
    if (requests[i].access == sim::Access::write) continue;
    auto const latency = answered[i] - accepted[i];
    result.least_latency = std::min(result.least_latency, latency);
    sum += latency;
    ++reads;
  }
  auto const bytes = static_cast<double>(requests.size() * traffic.bytes);
  auto const nanoseconds = static_cast<double>(result.cycles * spec.clock_period.value()) / 1000;
  result.mean_latency = static_cast<double>(sum) / static_cast<double>(reads);
  result.gigabytes_per_second = bytes / nanoseconds;
  return result;
}

}  // namespace tessera::test
