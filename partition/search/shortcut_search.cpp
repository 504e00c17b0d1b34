#include "partition/search/shortcut_search.hpp"

#include <algorithm>

namespace tessera::partition {

using workloads::Dim;
using workloads::Network;
using workloads::OperatorId;

namespace {

using Label = std::size_t;

/// The cheapest way to one choice of a layer.
struct Way {
  double cost = 0;
  std::vector<Label> labels;  ///< of the layers so far
};

/// The layers of a level, and the splits that each choice gives them.
class Layers final {
 public:
  Layers(Network const& network, LevelProblem const& level, Plan const& plan)
      : objective_{level.objective.get()} {
    for (auto const op : network.operators().ids()) {
      if (!network.at(op).weight) continue;
      ops_.push_back(op);
      candidates_.push_back(extended_by_each(plan.splits[op], level.choices[op]));
    }
    find_inputs();
  }

  [[nodiscard]] std::size_t size() const { return ops_.size(); }
  [[nodiscard]] OperatorId op(std::size_t layer) const { return ops_[layer]; }
  [[nodiscard]] std::size_t choices(std::size_t layer) const { return candidates_[layer].size(); }
  [[nodiscard]] Splits const& splits(std::size_t layer, Label label) const {
    return candidates_[layer][label];
  }

  [[nodiscard]] double within(std::size_t layer, Label label) const {
    return objective_->operator_cost(ops_[layer], splits(layer, label));
  }
  /// Between an earlier layer and this one, as if this one read it.
  [[nodiscard]] double between(std::size_t earlier, Label from, std::size_t layer, Label to) const {
    return objective_->edge_cost({ops_[earlier], ops_[layer], inputs_[layer]},
                                 splits(earlier, from), splits(layer, to));
  }

 private:
  /// What each layer reads. Throws unless it is the layer before.
  void find_inputs() {
    inputs_.resize(ops_.size());
    std::vector<bool> found(ops_.size(), false);
    for (auto const& edge : objective_->edges()) {
      auto const layer = std::find(ops_.begin(), ops_.end(), edge.consumer) - ops_.begin();
      auto const index = static_cast<std::size_t>(layer);
      if (index == 0 || index == ops_.size() || ops_[index - 1] != edge.producer) continue;
      inputs_[index] = edge.tensor;
      found[index] = true;
    }
    bool const is_a_chain = !found.empty() && std::count(found.begin(), found.end(), false) == 1;
    if (is_a_chain) return;
    throw ConfigError{{},
                      "planner.shortcut_spans",
                      "the released solver of AccPar reads chains of layers (its tables have no "
                      "shortcuts); leave this network out"};
  }

  Objective const* objective_;
  std::vector<OperatorId> ops_;
  std::vector<std::vector<Splits>> candidates_;
  std::vector<workloads::TensorId> inputs_;  ///< per layer but the first
};

/// The cheapest way to a choice of `layer`, through the ways to all choices of the one before.
Way extended_way(Layers const& layers, std::vector<Way> const& ways, std::size_t layer, Label to,
                 std::size_t span) {
  bool const has_shortcut = layer > span && layer % span == 1;
  auto const cost_through = [&](Label from) {
    auto cost = ways[from].cost + layers.between(layer - 1, from, layer, to);
    bool const is_type_i = from == 0 && is_over(layers.splits(layer - 1, from).back(), Dim::n);
    bool const charged = has_shortcut && !is_type_i;  // the quirk: never through Type I
    if (!charged) return cost;
    return cost + layers.between(layer - span, ways[from].labels[layer - span], layer, to);
  };
  Label best = 0;
  for (Label from = 1; from < ways.size(); ++from) {
    if (cost_through(from) < cost_through(best)) best = from;
  }
  Way way{cost_through(best) + layers.within(layer, to), ways[best].labels};
  way.labels.push_back(to);
  return way;
}

}  // namespace

void ShortcutSearch::operator()(Network const& network, LevelProblem const& level,
                                Plan& plan) const {
  Layers const layers{network, level, plan};
  std::vector<Way> ways;
  for (Label label = 0; label < layers.choices(0); ++label) {
    ways.push_back({layers.within(0, label), {label}});
  }
  for (std::size_t layer = 1; layer < layers.size(); ++layer) {
    std::vector<Way> next;
    for (Label label = 0; label < layers.choices(layer); ++label) {
      next.push_back(extended_way(layers, ways, layer, label, span_));
      plan.evaluations += static_cast<std::int64_t>(ways.size());
    }
    ways = std::move(next);
  }
  auto const best = std::min_element(ways.begin(), ways.end(),
                                     [](Way const& a, Way const& b) { return a.cost < b.cost; });
  for (auto const op : network.operators().ids()) {
    if (!network.at(op).weight) {
      plan.splits[op] = extended_by_each(plan.splits[op], level.choices[op]).front();
    }
  }
  for (std::size_t layer = 0; layer < layers.size(); ++layer) {
    plan.splits[layers.op(layer)] = layers.splits(layer, best->labels[layer]);
  }
}

}  // namespace tessera::partition
