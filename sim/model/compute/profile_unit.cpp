// Shares as fractions of whole numbers, so that nothing is rounded but the cycles.
#include "sim/model/compute/profile_unit.hpp"

#include <numeric>

namespace tessera::sim {

using workloads::Dim;
using workloads::Operator;
using workloads::Phase;

namespace {

__extension__ using Wide = __int128;

/// A number of iterations out of so many, in lowest terms.
struct Share {
  std::int64_t part = 1;
  std::int64_t whole = 1;

  void scale(std::int64_t own, std::int64_t all) {
    EXPECTS(own >= 0 && all > 0, own, all);
    auto const a = std::gcd(own, all);
    own /= a, all /= a;
    auto const b = std::gcd(own, whole);
    auto const c = std::gcd(part, all);
    part = detail::checked_multiply(part / c, own / b);
    whole = detail::checked_multiply(whole / b, all / c);
  }
};

/// ceil(time * clock * share)
Cycles cycles_of(Time time, Frequency clock, Share share) {
  Wide const cycles = Wide{time.value()} * clock.value();  // times 10^12; both are bounded on load
  Wide shared = 0;
  bool const overflow = __builtin_mul_overflow(cycles, Wide{share.part}, &shared);
  EXPECTS(!overflow, time, share.part);
  auto const all = Wide{picoseconds_per_second} * share.whole;
  auto const rounded = (shared + all - 1) / all;
  EXPECTS(rounded <= Wide{INT64_MAX}, time, share.part, share.whole);
  return Cycles{static_cast<std::int64_t>(rounded)};
}

/// Of the operator, for as many samples as the profile has.
Share share_of(Part const& part, Operator const& op, Phase phase, std::int64_t batch) {
  Share share;
  for (auto const dim : workloads::all_dims) {
    if (phase == Phase::update && !op.weight->axis_of(dim)) continue;
    bool const is_sample = dim == Dim::n && phase != Phase::update;
    share.scale(part.extents[dim], is_sample ? batch : op.extents[dim]);
  }
  return share;
}

}  // namespace

ProfileUnit::ProfileUnit(arch::ProfileSpec const& profile, MessageClock clock,
                         TaskGraph const& graph, BusyHistogram& utilisation)
    : TimedUnit{clock, graph, utilisation}, batch_{profile.batch}, graph_{graph} {
  for (auto const& op : graph.operators()) {
    times_.push_back(
        profile.phase_times(op.name, op.has(Phase::backward_data), op.has(Phase::backward_weight)));
  }
}

Cycles ProfileUnit::length_of(Task const& task) const {
  auto const& part = graph_.part(task.part);
  auto const time = times_[task.op][static_cast<std::size_t>(workloads::computed_as(task.phase))];
  return cycles_of(time, clock().frequency(),
                   share_of(part, graph_.operation(task.op), task.phase, batch_));
}

}  // namespace tessera::sim
