#include "partition/search/balanced_stages.hpp"

#include <algorithm>
#include <limits>

#include "arch/base/contract.hpp"

namespace tessera::partition {

namespace {

constexpr double no_partition = std::numeric_limits<double>::infinity();

/// What a partition costs with one more stage, given what it costs without: monotone in that.
using StageCost =
    std::function<double(double before, PipelineState const* from, PipelineState const& to)>;

/// The least costs of partitions of every state, by the number of stages.
class StageTable final {
 public:
  StageTable(std::vector<PipelineState> const& states, std::size_t count, StageCost const& cost)
      : states_{states}, cost_{cost}, rows_(count, std::vector<Entry>(states.size())) {
    for (std::size_t row = 0; row < count; ++row) {
      for (std::size_t state = 0; state < states.size(); ++state) fill(row, state);
    }
  }

  [[nodiscard]] double least() const { return rows_.back().back().cost; }
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
  struct Entry {
    double cost = no_partition;
    std::size_t before = 0;  ///< the state before the last stage
  };

  void fill(std::size_t row, std::size_t state) {
    auto& entry = rows_[row][state];
    if (row == 0) {
      entry.cost = cost_(0, nullptr, states_[state]);
      ++evaluations_;
      return;
    }
    for (auto const before : states_[state].predecessors) {
      auto const without = rows_[row - 1][before].cost;
      if (!(without < entry.cost)) continue;
      ++evaluations_;
      auto const cost = cost_(without, &states_[before], states_[state]);
      if (cost < entry.cost) entry = {cost, before};
    }
  }

  std::vector<PipelineState> const& states_;
  StageCost const& cost_;
  std::vector<std::vector<Entry>> rows_;  ///< by stages less one, and state
  std::int64_t evaluations_ = 0;
};

double between(PipelineState const* from, PipelineState const& to, double PipelineState::*sum) {
  return from == nullptr ? to.*sum : to.*sum - from->*sum;
}

}  // namespace

std::optional<BalancedStages> balanced_stages(std::vector<PipelineState> const& states,
                                              std::size_t count, StageFits const& fits) {
  EXPECTS(!states.empty() && count > 0, states.size(), count);
  auto const time_s = [&](PipelineState const* from, PipelineState const& to) {
    bool const is_small = fits(between(from, to, &PipelineState::activation_bytes),
                               between(from, to, &PipelineState::parameter_bytes));
    return is_small ? between(from, to, &PipelineState::compute_s) : no_partition;
  };
  StageCost const slowest = [&](double before, PipelineState const* from, PipelineState const& to) {
    return std::max(before, time_s(from, to));
  };
  StageTable const fastest{states, count, slowest};
  if (fastest.least() == no_partition) return std::nullopt;
  StageCost const crossing = [&](double before, PipelineState const* from,
                                 PipelineState const& to) {
    if (time_s(from, to) > fastest.least()) return no_partition;
    return before + (from == nullptr ? 0 : from->crossing_bytes);
  };
  StageTable const narrowest{states, count, crossing};
  return BalancedStages{narrowest.stages(), fastest.least(), narrowest.least(),
                        fastest.evaluations() + narrowest.evaluations()};
}

}  // namespace tessera::partition
