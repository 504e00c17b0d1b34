// The slowest stage at least by the recurrence, whose rows serve every number of stages; then a second table, of the bytes that cross
// cuts, in which a limit on stages leaves a window of states to each.
#include "partition/search/balanced_stages.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

#include "arch/base/contract.hpp"

namespace tessera::partition {

namespace {

constexpr double no_partition = std::numeric_limits<double>::infinity();

double between(PipelineState const* from, PipelineState const& to, double PipelineState::*sum) {
  return from == nullptr ? to.*sum : to.*sum - from->*sum;
}

/// Partitions of all in a number of stages, none longer than a limit, and the fewest bytes across
/// their cuts.
class NarrowCuts final {
 public:
  /// `stage_s`: of the operators between two states.
  template <typename StageTime>
  NarrowCuts(std::vector<PipelineState> const& states, std::size_t count, double longest_s,
             StageTime const& stage_s)
      : states_{states},
        longest_s_{longest_s * rounding_margin},
        rows_(count, std::vector<Entry>(states.size())) {
    auto const is_allowed = [&](PipelineState const* from, PipelineState const& to) {
      ++evaluations_;
      return stage_s(from, to) <= longest_s;
    };
    for (std::size_t row = 0; row < count; ++row) {
      for (std::size_t state = 0; state < states.size(); ++state) {
        if (is_of_use(row, state)) fill(row, state, is_allowed);
      }
    }
  }

  [[nodiscard]] double crossing_bytes() const { return rows_.back().back().bytes; }
  [[nodiscard]] std::int64_t evaluations() const { return evaluations_; }

  [[nodiscard]] std::vector<std::vector<std::size_t>> stages() const {
    std::vector<std::vector<std::size_t>> stages(rows_.size());
    auto state = states_.size() - 1;
    for (auto row = rows_.size(); row-- > 0;) {
      auto const before = rows_[row][state].before;
      auto const& nodes = states_[state].nodes;
      auto const earlier = row == 0 ? std::vector<std::size_t>{} : states_[before].nodes;
      std::set_difference(nodes.begin(), nodes.end(), earlier.begin(), earlier.end(),
                          std::back_inserter(stages[row]));
      state = before;
    }
    return stages;
  }

 private:
  /// Of a state in row + 1 stages.
  struct Entry {
    double bytes = no_partition;
    std::size_t before = 0;  ///< the state before the last stage
  };

  /// What so many stages compute at most.
  [[nodiscard]] double most_s(std::size_t stages) const {
    return static_cast<double>(stages) * longest_s_;
  }

  /// Whether the stages up to the row's can hold the state, and those behind it the rest.
  [[nodiscard]] bool is_of_use(std::size_t row, std::size_t state) const {
    auto const compute_s = states_[state].compute_s;
    auto const behind = rows_.size() - 1 - row;
    return compute_s <= most_s(row + 1) && states_.back().compute_s - compute_s <= most_s(behind);
  }

  template <typename IsAllowed>
  void fill(std::size_t row, std::size_t state, IsAllowed const& is_allowed) {
    auto& entry = rows_[row][state];
    if (row == 0) {
      if (is_allowed(nullptr, states_[state])) entry.bytes = 0;
      return;
    }
    auto const& befores = states_[state].predecessors;
    auto const end = std::partition_point(befores.begin(), befores.end(), [&](std::size_t before) {
      return states_[before].compute_s <= most_s(row);
    });
    for (auto before = std::make_reverse_iterator(end); before != befores.rend(); ++before) {
      auto const& from = states_[*before];
      if (states_[state].compute_s - from.compute_s > longest_s_) break;
      auto const bytes = rows_[row - 1][*before].bytes + from.crossing_bytes;
      if (bytes < entry.bytes && is_allowed(&from, states_[state])) entry = {bytes, *before};
    }
  }

  std::vector<PipelineState> const& states_;
  double longest_s_;
  std::vector<std::vector<Entry>> rows_;
  std::int64_t evaluations_ = 0;
};

}  // namespace

StageBalance::StageBalance(std::vector<PipelineState> const& states, StageFits fits)
    : states_{states}, fits_{std::move(fits)} {
  EXPECTS(!states.empty(), states.size());
}

std::optional<BalancedStages> StageBalance::in(std::size_t count, double imbalance) {
  EXPECTS(count > 0, count);
  if (count > states_.back().depth) return std::nullopt;
  while (slowest_s_.size() < count) add_row();
  auto const least_s = slowest_s_[count - 1].back();
  if (least_s == no_partition) return std::nullopt;
  auto const longest_s = least_s * (1 + imbalance);
  NarrowCuts const cuts{states_, count, longest_s,
                        [this](auto const* from, auto const& to) { return stage_s(from, to); }};
  evaluations_ += cuts.evaluations();
  return BalancedStages{cuts.stages(), longest_s, cuts.crossing_bytes(), evaluations_};
}

void StageBalance::add_row() {
  std::vector<double> row(states_.size());
  for (std::size_t state = 0; state < states_.size(); ++state) {
    row[state] =
        slowest_s_.empty() ? stage_s(nullptr, states_[state]) : slowest_s(state, slowest_s_.back());
  }
  slowest_s_.push_back(std::move(row));
}

/// With one stage more than `before`.
double StageBalance::slowest_s(std::size_t state, std::vector<double> const& before) {
  auto const& to = states_[state];
  auto least_s = no_partition;
  // By compute_s: the last stage takes longer from one to the next.
  for (auto it = to.predecessors.rbegin(); it != to.predecessors.rend(); ++it) {
    auto const& from = states_[*it];
    if (to.compute_s - from.compute_s > least_s) break;
    if (before[*it] >= least_s) continue;
    ++evaluations_;
    least_s = std::min(least_s, std::max(before[*it], stage_s(&from, to)));
  }
  return least_s;
}

/// Of the operators between two states; `no_partition` where they do not fit.
double StageBalance::stage_s(PipelineState const* from, PipelineState const& to) const {
  bool const is_small = fits_(between(from, to, &PipelineState::activation_bytes),
                              between(from, to, &PipelineState::parameter_bytes));
  return is_small ? between(from, to, &PipelineState::compute_s) : no_partition;
}

}  // namespace tessera::partition
