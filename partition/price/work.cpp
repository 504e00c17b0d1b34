#include "partition/price/work.hpp"

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

/// What a profile has for a phase of an operator, of the whole batch.
double profiled_s(arch::AcceleratorSpec const& accelerator, Operator const& op, Phase phase) {
  auto const& profile = std::get<arch::ProfileUnitSpec>(accelerator.processing_unit).profile;
  auto const times =
      profile.phase_times(op.name, op.has(Phase::backward_data), op.has(Phase::backward_weight));
  auto const time = seconds(times.at(static_cast<std::size_t>(workloads::computed_as(phase))));
  if (phase == Phase::update) return time;
  return time * static_cast<double>(op.extents[Dim::n]) / static_cast<double>(profile.batch);
}

/// How fast one accelerator is at a phase of an operator.
struct Pace {
  double work = 0;             ///< of the whole batch, in MACs or, if measured, in seconds
  double work_per_second = 1;  ///< in the same
  double macs_per_second = 0;
};

Pace pace_of(arch::AcceleratorSpec const& accelerator, Operator const& op, Phase phase) {
  auto const macs = static_cast<double>(macs_charged(accelerator, op, phase).value());
  if (std::holds_alternative<arch::ProfileUnitSpec>(accelerator.processing_unit)) {
    auto const time_s = profiled_s(accelerator, op, phase);
    return {time_s, 1, macs / time_s};
  }
  auto const rate = macs_per_second(accelerator);
  return {macs, rate, rate};
}

/// The work of one phase, and how the levels cut it.
class PhaseWork final {
 public:
  /// `hierarchy` is the array's.
  PhaseWork(arch::ArraySpec const& array, Hierarchy const& hierarchy, Operator const& op,
            Splits const& splits, Phase phase)
      : array_{&array}, hierarchy_{&hierarchy}, op_{&op}, splits_{&splits}, phase_{phase} {}

  [[nodiscard]] Work of_all() const { return of(0, {0, array_->accelerators}); }

  /// Of accelerators that share in proportion to their speed: they all take 1 / sum of speeds.
  [[nodiscard]] Work shared(Range range) const {
    double speed = 0;
    Energy power{0};  // in joules per second
    for_each_group(range, [&](arch::AcceleratorSpec const& accelerator, std::int64_t count) {
      auto const pace = pace_of(accelerator, *op_, phase_);
      speed += static_cast<double>(count) * pace.work_per_second / pace.work;
      power += arch::mac_energy(accelerator, array_->energy) *
               (static_cast<double>(count) * pace.macs_per_second);
    });
    return std::isinf(speed) ? Work{} : Work{1 / speed, power * (1 / speed)};
  }

 private:
  /// How a level cuts the phase; none where all parts compute everything.
  [[nodiscard]] std::optional<Split> cut(std::size_t level) const {
    auto const& split = (*splits_)[level];
    bool const is_cut = split && (phase_ != Phase::update || op_->weight->axis_of(split->dim));
    return is_cut ? split : std::nullopt;
  }

  /// `range` is a group whose levels from `level` on are its own.
  [[nodiscard]] Work of(std::size_t level, Range range) const {
    if (level == splits_->size()) return shared(range);
    if (groups_in(range) == 1) return of_alike(level, range);
    auto const ways = hierarchy_->ways(level);
    auto const size = range.count / static_cast<std::int64_t>(ways);
    Work sum;
    for (std::size_t part = 0; part < ways; ++part) {
      auto const work = of(level + 1, {range.first + static_cast<std::int64_t>(part) * size, size});
      auto const share = share_of(level, part);
      sum.slowest_s = std::max(sum.slowest_s, share * work.slowest_s);
      sum.mac_energy += share * work.mac_energy;
    }
    return sum;
  }

  /// Of what a group computes at `level`: 1 where all its parts compute everything.
  [[nodiscard]] double share_of(std::size_t level, std::size_t part) const {
    auto const& split = cut(level);
    if (!split) return 1;
    auto const ways = hierarchy_->ways(level);
    if (ways != 2) return 1 / static_cast<double>(ways);
    return part == 0 ? split->first : 1 - split->first;
  }

  /// The same where all accelerators are alike.
  [[nodiscard]] Work of_alike(std::size_t level, Range range) const {
    auto const inner = hierarchy_->group_size(splits_->size());
    auto work = shared({range.first, static_cast<std::int64_t>(inner)});
    for (; level < splits_->size(); ++level) {
      auto const split = cut(level);
      auto const ways = hierarchy_->ways(level);
      work.slowest_s *= split ? larger_share(*split, ways) : 1;
      work.mac_energy = work.mac_energy * (split ? 1 : static_cast<double>(ways));
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
  Hierarchy const* hierarchy_;
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
  auto const hierarchy = problem.array.hierarchy();
  EXPECTS(hierarchy.ways(level) == 2, level, problem.array.accelerators);
  auto const half = static_cast<std::int64_t>(hierarchy.group_size(level + 1));
  Splits const none;
  HalfTimes times;
  for (auto const phase : workloads::own_phases) {
    if (!op.has(phase) || phase == Phase::update) continue;
    PhaseWork const work{problem.array, hierarchy, op, none, phase};
    for (std::int64_t begin = 0; begin < problem.array.accelerators; begin += 2 * half) {
      times.first_s += work.shared({begin, half}).slowest_s;
      times.second_s += work.shared({begin + half, half}).slowest_s;
    }
  }
  return times;
}

}  // namespace

Work& Work::operator+=(Work const& next) {
  slowest_s += next.slowest_s;
  mac_energy += next.mac_energy;
  return *this;
}

bool counts_input_map(arch::AcceleratorSpec const& accelerator, Phase phase) {
  auto const* const rated = std::get_if<arch::MacRateUnitSpec>(&accelerator.processing_unit);
  return rated != nullptr && phase != Phase::update &&
         rated->mac_count == arch::MacRateUnitSpec::MacCount::input_map;
}

Macs macs_charged(arch::AcceleratorSpec const& accelerator, Operator const& op, Phase phase) {
  auto const macs = op.macs(phase);
  auto const* const rated = std::get_if<arch::MacRateUnitSpec>(&accelerator.processing_unit);
  if (rated == nullptr) return macs;
  if (phase == Phase::update) return rated->charges_update ? macs : Macs{0};
  if (!counts_input_map(accelerator, phase)) return macs;
  auto const output_positions = op.extents[Dim::h] * op.extents[Dim::w];
  return Macs{macs.value() / output_positions * op.input_rows * op.input_columns};
}

double seconds_on_one(arch::AcceleratorSpec const& accelerator, Operator const& op, Phase phase) {
  if (!op.has(phase)) return 0;
  auto const pace = pace_of(accelerator, op, phase);
  return pace.work / pace.work_per_second;
}

double least_seconds(workloads::Network const& network, arch::ArraySpec const& array,
                     std::vector<Computation> const& computations) {
  double rate = 0;  // networks a second
  for (auto const& group : array.groups) {
    double seconds = 0;
    for (auto const& [op, phase] : computations) {
      seconds += seconds_on_one(group.accelerator, network.at(op), phase);
    }
    if (seconds == 0) return 0;
    rate += static_cast<double>(group.count) / seconds;
  }
  return 1 / rate;
}

void check_times(Problem const& problem) {
  for (auto const& group : problem.array.groups) {
    auto const& unit = group.accelerator.processing_unit;
    auto const* const profiled = std::get_if<arch::ProfileUnitSpec>(&unit);
    for (auto const& op : problem.network.operators()) {
      if (profiled != nullptr) {
        static_cast<void>(profiled->profile.of(op.name));
      } else if (op.kind == workloads::OperatorKind::profiled) {
        throw ConfigError{{},
                          "arch.accelerator.processing_unit",
                          "cannot compute operator " + in_quotes(op.name) + " of network " +
                              in_quotes(problem.network.name()) +
                              " (it is profiled: only its sizes are known); use "
                              "processing_unit: {kind: profile, times: FILE}"};
      }
    }
  }
}

Work work_of(Problem const& problem, OperatorId id, Splits const& splits, Phase phase) {
  auto const& op = problem.network.at(id);
  return work_of(problem.array, problem.array.hierarchy(), op, splits, phase);
}

Work work_of(arch::ArraySpec const& array, Hierarchy const& hierarchy, Operator const& op,
             Splits const& splits, Phase phase) {
  if (!op.has(phase)) return {};
  return PhaseWork{array, hierarchy, op, splits, phase}.of_all();
}

Work work_of(Problem const& problem, OperatorId id, Splits const& splits) {
  auto const& op = problem.network.at(id);
  auto const hierarchy = problem.array.hierarchy();
  Work sum;
  for (auto const phase : workloads::own_phases) {
    if (!op.has(phase)) continue;
    auto const work = PhaseWork{problem.array, hierarchy, op, splits, phase}.of_all();
    sum += work;
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
  auto const group = static_cast<std::int64_t>(array.hierarchy().group_size(level));
  std::int64_t begin = 0;
  return std::all_of(array.groups.begin(), array.groups.end(), [&](auto const& alike) {
    begin += alike.count;
    return begin % group == 0;
  });
}

}  // namespace tessera::partition
