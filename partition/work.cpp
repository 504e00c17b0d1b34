#include "partition/work.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::partition {

using workloads::Dim;
using workloads::Operator;
using workloads::OperatorId;
using workloads::Phase;

namespace {

/// Accelerators that follow each other.
struct Range {
  std::int64_t first;
  std::int64_t count;
};

double macs_per_second(arch::AcceleratorSpec const& accelerator) {
  return static_cast<double>(accelerator.macs_per_cycle()) *
         static_cast<double>(accelerator.clock.value());
}

/// The work of one phase, and how the levels cut it.
class PhaseWork final {
 public:
  PhaseWork(arch::ArraySpec const& array, Operator const& op, Splits const& splits, Phase phase)
      : array_{&array}, op_{&op}, splits_{&splits}, phase_{phase} {}

  [[nodiscard]] Work of_all() const { return of(0, {0, array_->accelerators}); }

  /// Of accelerators that share in proportion to their speed: they all take 1 / sum of speeds.
  [[nodiscard]] Work shared(Range range) const {
    double speed = 0;
    double rate = 0;
    for_each_group(range, [&](arch::AcceleratorSpec const& accelerator, std::int64_t count) {
      auto const all = static_cast<double>(count) * macs_per_second(accelerator);
      speed += all / charged(accelerator);
      rate += all;
    });
    return std::isinf(speed) ? Work{} : Work{1 / speed, rate / speed};
  }

 private:
  [[nodiscard]] double charged(arch::AcceleratorSpec const& accelerator) const {
    return static_cast<double>(macs_charged(accelerator, *op_, phase_).value());
  }

  /// The share of a level's first half; none where both halves compute everything.
  [[nodiscard]] std::optional<double> cut(std::size_t level) const {
    auto const& split = (*splits_)[level];
    bool const is_cut = split && (phase_ != Phase::update || op_->weight->axis_of(split->dim));
    return is_cut ? std::optional<double>{split->first} : std::nullopt;
  }

  /// `range` is a group whose levels from `level` on are its own.
  [[nodiscard]] Work of(std::size_t level, Range range) const {
    if (level == splits_->size()) return shared(range);
    if (groups_in(range) == 1) return of_alike(level, range);
    auto const half = range.count / 2;
    auto const first = of(level + 1, {range.first, half});
    auto const second = of(level + 1, {range.first + half, half});
    auto const share = cut(level);
    if (!share) {
      return {std::max(first.slowest_s, second.slowest_s), first.macs + second.macs};
    }
    return {std::max(*share * first.slowest_s, (1 - *share) * second.slowest_s),
            *share * first.macs + (1 - *share) * second.macs};
  }

  /// The same where all accelerators are alike.
  [[nodiscard]] Work of_alike(std::size_t level, Range range) const {
    auto const inner = range.count >> (splits_->size() - level);
    auto work = shared({range.first, inner});
    for (; level < splits_->size(); ++level) {
      auto const share = cut(level);
      work.slowest_s *= share ? std::max(*share, 1 - *share) : 1;
      work.macs *= share ? 1 : 2;
    }
    return work;
  }

  template <typename Visit>
  void for_each_group(Range range, Visit visit) const {
    std::int64_t begin = 0;
    for (auto const& [count, accelerator, link_bandwidth] : array_->groups) {
      auto const overlap =
          std::min(begin + count, range.first + range.count) - std::max(begin, range.first);
      if (overlap > 0) visit(accelerator, overlap);
      begin += count;
    }
  }

  [[nodiscard]] int groups_in(Range range) const {
    int groups = 0;
    for_each_group(range, [&](arch::AcceleratorSpec const&, std::int64_t) { ++groups; });
    return groups;
  }

  arch::ArraySpec const* array_;
  Operator const* op_;
  Splits const* splits_;
  Phase phase_;
};

/// What all first and all second halves of a level would take for everything.
struct HalfTimes {
  double first_s = 0;
  double second_s = 0;
  [[nodiscard]] double balance() const {
    return first_s == second_s ? 0.5 : second_s / (first_s + second_s);
  }
};

HalfTimes half_times(Problem const& problem, OperatorId id, std::size_t level) {
  auto const& op = problem.network.at(id);
  auto const half = problem.array.accelerators >> (level + 1);
  EXPECTS(half > 0, level, problem.array.accelerators);
  Splits const none;
  HalfTimes times;
  for (auto const phase : workloads::all_phases) {
    if (!op.has(phase) || phase == Phase::update) continue;
    PhaseWork const work{problem.array, op, none, phase};
    for (std::int64_t begin = 0; begin < problem.array.accelerators; begin += 2 * half) {
      times.first_s += work.shared({begin, half}).slowest_s;
      times.second_s += work.shared({begin + half, half}).slowest_s;
    }
  }
  return times;
}

}  // namespace

Macs macs_charged(arch::AcceleratorSpec const& accelerator, Operator const& op, Phase phase) {
  auto const macs = op.macs(phase);
  auto const* const rated = std::get_if<arch::MacRateUnitSpec>(&accelerator.processing_unit);
  if (rated == nullptr) return macs;
  auto const& unit = *rated;
  if (phase == Phase::update) return unit.charges_update ? macs : Macs{0};
  if (unit.mac_count == arch::MacRateUnitSpec::MacCount::output_map) return macs;
  auto const output_positions = op.extents[Dim::h] * op.extents[Dim::w];
  return Macs{macs.value() / output_positions * op.input_rows * op.input_columns};
}

Work work_of(Problem const& problem, OperatorId id, Splits const& splits, Phase phase) {
  auto const& op = problem.network.at(id);
  if (!op.has(phase)) return {};
  return PhaseWork{problem.array, op, splits, phase}.of_all();
}

Work work_of(Problem const& problem, OperatorId op, Splits const& splits) {
  Work sum;
  for (auto const phase : workloads::all_phases) {
    auto const work = work_of(problem, op, splits, phase);
    sum.slowest_s += work.slowest_s;
    sum.macs += work.macs;
  }
  return sum;
}

double balanced_share(Problem const& problem, OperatorId op, std::size_t level) {
  return half_times(problem, op, level).balance();
}

double balanced_share(Problem const& problem, std::size_t level) {
  HalfTimes sum;
  for (auto const op : problem.network.operators().ids()) {
    auto const halves = half_times(problem, op, level);
    sum.first_s += halves.first_s;
    sum.second_s += halves.second_s;
  }
  return sum.balance();
}

bool has_alike_halves(arch::ArraySpec const& array, std::size_t level) {
  auto const group = array.accelerators >> level;
  std::int64_t begin = 0;
  return std::all_of(array.groups.begin(), array.groups.end(), [&](auto const& alike) {
    begin += alike.count;
    return begin % group == 0;
  });
}

}  // namespace tessera::partition
