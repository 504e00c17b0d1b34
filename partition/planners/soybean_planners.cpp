// SoyBean's and Tofu's plans: one cut of the step (soybean.hpp) per level.
#include <algorithm>
#include <utility>

#include "partition/planners/builtin_planners.hpp"
#include "partition/planners/soybean.hpp"
#include "partition/search/planning.hpp"

namespace tessera::partition {

using workloads::Network;
using workloads::Phase;

namespace {

/// Cuts one after another (sample_levels.hpp).
class CutLevels final {
 public:
  CutLevels(std::string planner, Problem const& problem, SoyBeanOptions options)
      : plan{empty_plan(std::move(planner), problem)},
        network_{&problem.network},
        graph_{problem.network, options},
        backward_data_{plan.splits},
        backward_weight_{plan.splits} {}

  Plan plan;

  void decide(std::size_t level, Samples samples) {
    auto const hierarchy = plan.hierarchy();
    auto const ways = hierarchy.ways();
    auto const here = ways.begin() + static_cast<std::ptrdiff_t>(level);
    auto const cut = graph_.cut({{here, ways.end()}, samples});
    plan.evaluations += cut.evaluations;
    plan.optimality_gap = std::max(plan.optimality_gap, optimality_gap(cut.elements, cut.bound));
    auto const groups = hierarchy.accelerators() / hierarchy.group_size(level);
    elements_ += static_cast<double>(groups) * cut.elements;
    for (auto const op : plan.splits.ids()) {
      plan.splits[op].push_back(cut.forward[op.index()]);
      backward_data_[op].push_back(cut.backward_data[op.index()]);
      backward_weight_[op].push_back(cut.backward_weight[op.index()]);
    }
    plan.phase_splits.clear();
    keep_own_splits(backward_data_, Phase::backward_data);
    keep_own_splits(backward_weight_, Phase::backward_weight);
  }

  /// Elements that all cuts move.
  [[nodiscard]] double cost() const { return elements_; }
  [[nodiscard]] double bound() const { return elements_; }

 private:
  /// Backward phases that the plan splits otherwise than the forward phase.
  void keep_own_splits(IdVector<workloads::OperatorId, Splits> const& all, Phase phase) {
    for (auto const op : plan.splits.ids()) {
      if (!network_->at(op).has(phase) || all[op] == plan.splits[op]) continue;
      plan.phase_splits.emplace(std::pair{op, phase}, all[op]);
    }
  }

  Network const* network_;
  SoyBeanGraph graph_;
  IdVector<workloads::OperatorId, Splits> backward_data_;
  IdVector<workloads::OperatorId, Splits> backward_weight_;
  double elements_ = 0;
};

/// One cut per level.
Plan planned_by_cuts(std::string planner, Problem const& problem, SoyBeanOptions options) {
  CutLevels const none{std::move(planner), problem, options};
  return finished(SampleLevels<CutLevels>::decide_all(none).plan, problem);
}

}  // namespace

SoyBean::SoyBean(ConfigMap& options) {
  using Errors = SoyBeanOptions::Errors;
  errors_ = options.choice<Errors>("errors", {{"free", Errors::free}, {"tied", Errors::tied}},
                                   Errors::free);
  forms_ = options.choice<SoyBeanOptions::Forms>(
      "forms",
      {{"per_operator", SoyBeanOptions::Forms::per_operator},
       {"fused_backward", SoyBeanOptions::Forms::fused_backward},
       {"split_backward", SoyBeanOptions::Forms::split_backward}},
      SoyBeanOptions::Forms::per_operator);
}

Plan SoyBean::solve(Problem const& problem) const {
  require_halves(shape_of(problem.array), "SoyBean's cuts");
  SoyBeanOptions options;
  options.errors = errors_;
  options.forms = forms_;
  return planned_by_cuts("soybean", problem, options);
}

Tofu::Tofu(ConfigMap& options) {
  using Coarsening = SoyBeanOptions::Coarsening;
  coarsening_ = options.choice<Coarsening>(
      "coarsening", {{"element_wise", Coarsening::element_wise}, {"none", Coarsening::none}},
      Coarsening::element_wise);
}

Plan Tofu::solve(Problem const& problem) const {
  SoyBeanOptions options;
  options.errors = SoyBeanOptions::Errors::tied;
  options.coarsening = coarsening_;
  return planned_by_cuts("tofu", problem, options);
}

}  // namespace tessera::partition
