// splitmix64: Steele, Lea and Flood, OOPSLA 2014.
#include "sim/model/memory/memory_traffic.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tessera::sim {

namespace {

[[nodiscard]] std::uint64_t splitmix64(std::uint64_t& state) {
  state += 0x9E3779B97F4A7C15;
  auto z = state;
  z = (z ^ z >> 30U) * 0xBF58476D1CE4E5B9;
  z = (z ^ z >> 27U) * 0x94D049BB133111EB;
  return z ^ z >> 31U;
}

/// How many of the first `count` requests write, where they are spread evenly.
[[nodiscard]] std::int64_t writes_among(std::uint64_t count, double write_fraction) {
  return static_cast<std::int64_t>(std::floor(static_cast<double>(count) * write_fraction));
}

[[nodiscard]] bool writes(MemoryTraffic const& traffic, std::uint64_t index, std::uint64_t& state) {
  auto const fraction = 1 - traffic.read_fraction;
  if (traffic.pattern == MemoryTraffic::Pattern::stride) {
    return writes_among(index + 1, fraction) > writes_among(index, fraction);
  }
  if (fraction <= 0) return false;            // draws nothing
  constexpr double range = 9007199254740992;  // 2^53: what a double counts exactly
  return static_cast<double>(splitmix64(state) >> 11U) < fraction * range;
}

[[nodiscard]] Time percentile(std::vector<Time> const& sorted, std::size_t per_cent) {
  auto const rank = (sorted.size() * per_cent + 99) / 100;
  return sorted[std::max<std::size_t>(rank, 1) - 1];
}

}  // namespace

std::vector<TimedRequest> make_requests(MemoryTraffic const& traffic, arch::DramSpec const& spec) {
  auto const burst = static_cast<std::uint64_t>(spec.organization.burst().value());
  EXPECTS(traffic.bytes >= burst && traffic.span >= traffic.bytes, traffic.bytes, traffic.span);
  auto const blocks = traffic.span / traffic.bytes;
  auto state = traffic.seed;
  std::vector<TimedRequest> all(traffic.requests);
  for (std::uint64_t index = 0; index < all.size(); ++index) {
    auto& request = all[index].request;
    request.tag = index;
    request.bursts = static_cast<std::uint16_t>(traffic.bytes / burst);
    request.access = writes(traffic, index, state) ? Access::write : Access::read;
    bool const is_random = traffic.pattern == MemoryTraffic::Pattern::random;
    request.address = is_random ? splitmix64(state) % blocks * traffic.bytes
                                : index * traffic.stride % traffic.span;
  }
  return all;
}

double MemoryRun::gigabytes_per_second() const {
  return finished > Time{0} ? static_cast<double>(bytes.value()) / seconds(finished) / 1e9 : 0;
}

LatencySummary summarize(std::vector<Time> latencies) {
  LatencySummary summary;
  if (latencies.empty()) return summary;
  std::sort(latencies.begin(), latencies.end());
  auto const sum = std::accumulate(latencies.begin(), latencies.end(), Time{0});
  summary.mean_ps = static_cast<double>(sum.value()) / static_cast<double>(latencies.size());
  summary.least = latencies.front();
  summary.median = percentile(latencies, 50);
  summary.p99 = percentile(latencies, 99);
  summary.most = latencies.back();
  return summary;
}

}  // namespace tessera::sim
