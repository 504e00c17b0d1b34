#include "partition/planners/soybean.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "partition/planners/builtin_planners.hpp"
#include "partition/search/planning.hpp"

namespace tessera::partition {

using workloads::Dim;
using workloads::Network;
using workloads::Operator;
using workloads::TensorAccess;
using workloads::TensorId;

using Forms = SoyBeanOptions::Forms;

/// Numbers the tensors of the step and collects what every computation reads and writes.
class SoyBeanGraph::Builder final {
 public:
  Builder(Network const& network, SoyBeanOptions options, SoyBeanGraph& graph)
      : network_{network}, options_{options}, graph_{graph} {
    EXPECTS(options.coarsening == SoyBeanOptions::Coarsening::none ||
            options.errors == SoyBeanOptions::Errors::tied);
    number_values();
    auto const forms = choices_among({Dim::n, Dim::k, Dim::c}, network_);
    for (auto const op : network_.operators().ids()) add_forward(network_.at(op), forms[op]);
    for (auto const op : network_.operators().ids()) add_backward(op, forms[op]);
    for (auto const tensor : network_.tensors().ids()) order_layouts(tensor);
  }

 private:
  using Role = workloads::Tensor::Role;

  void number_values() {
    IdVector<TensorId, std::size_t> numbers{network_.tensors().size()};
    errors_ = numbers;
    values_ = numbers;
    for (auto const id : numbers.ids()) {
      if (has_own_error(network_.at(id))) errors_[id] = new_value(network_.at(id));
    }
    for (auto const role : {Role::weight, Role::activation}) {
      for (auto const id : numbers.ids()) {
        if (network_.at(id).role == role && !merged_into(id)) {
          values_[id] = new_value(network_.at(id));
        }
      }
    }
    for (auto const id : numbers.ids()) {
      if (merged_into(id)) values_[id] = values_[end_of_merges(id)];
    }
    for (auto const id : numbers.ids()) {
      if (!has_own_error(network_.at(id))) errors_[id] = values_[id];
    }
  }

  [[nodiscard]] bool has_own_error(workloads::Tensor const& tensor) const {
    return tensor.role == Role::activation && tensor.producer &&
           options_.errors == SoyBeanOptions::Errors::free;
  }

  /// The input with which the output of an element-wise operator is one tensor, if it is: the first
  /// of its shape that an operator computes for it alone. (Where a fully connected operator reads a
  /// map, the tensor between them is flat, and not of its shape.)
  [[nodiscard]] std::optional<TensorId> merged_into(TensorId output) const {
    auto const producer = network_.at(output).producer;
    if (options_.coarsening == SoyBeanOptions::Coarsening::none || !producer) return std::nullopt;
    auto const& op = network_.at(*producer);
    if (op.kind != workloads::OperatorKind::add) return std::nullopt;
    for (auto const& input : op.inputs) {
      auto const& tensor = network_.at(input.tensor);
      bool const is_alike = tensor.extents == network_.at(output).extents;
      if (tensor.producer && tensor.consumers.size() == 1 && is_alike) return input.tensor;
    }
    return std::nullopt;
  }

  [[nodiscard]] TensorId end_of_merges(TensorId tensor) const {
    while (auto const next = merged_into(tensor)) tensor = *next;
    return tensor;
  }

  std::size_t new_value(workloads::Tensor const& tensor) {
    graph_.values_.push_back({whole_region(tensor.extents), {}});
    return graph_.values_.size() - 1;
  }

  void add_forward(Operator const& op, std::vector<Split> const& forms) {
    Computation forward{forms, {}};
    for (auto const& input : op.inputs) use(forward, input, values_, Direction::operand);
    if (op.weight) use(forward, *op.weight, values_, Direction::operand);
    use(forward, op.output, values_, Direction::result);
    graph_.computations_.push_back(std::move(forward));
  }

  void add_backward(workloads::OperatorId id, std::vector<Split> const& forms) {
    auto const& op = network_.at(id);
    if (options_.forms == Forms::split_backward) {
      Computation gradient{forms, {}};
      Computation error{forms, {}};
      add_gradient(gradient, op);
      add_error(error, op);
      graph_.computations_.push_back(std::move(gradient));
      graph_.computations_.push_back(std::move(error));
      return;
    }
    Computation fused{forms, {}};
    auto& backward =
        options_.forms == Forms::per_operator ? graph_.computations_[id.index()] : fused;
    add_gradient(backward, op);
    add_error(backward, op);
    if (options_.forms == Forms::fused_backward) graph_.computations_.push_back(std::move(fused));
  }

  /// dW from X and dY.
  void add_gradient(Computation& backward, Operator const& op) {
    if (!op.weight) return;
    use(backward, op.output, errors_, Direction::operand);
    for (auto const& input : op.inputs) use(backward, input, values_, Direction::operand);
    use(backward, *op.weight, values_, Direction::result);
  }

  /// dX from dY, and W or X where the error depends on them.
  void add_error(Computation& backward, Operator const& op) {
    if (!op.propagates_error) return;
    use(backward, op.output, errors_, Direction::operand);
    if (op.weight) use(backward, *op.weight, values_, Direction::operand);
    for (auto const& input : op.inputs) {
      if (error_needs_inputs(op.kind)) use(backward, input, values_, Direction::operand);
      if (network_.at(input.tensor).producer) use(backward, input, errors_, Direction::result);
    }
  }

  /// An operand or a result; an operand that the computation has already is converted once.
  void use(Computation& computation, TensorAccess const& access,
           IdVector<TensorId, std::size_t> const& numbers, Direction direction) {
    Use added{
        numbers[access.tensor], direction, whole_region(network_.at(access.tensor).extents), {}};
    auto const is_same = [&](Use const& known) {
      return known.value == added.value && known.direction == direction;
    };
    if (direction == Direction::operand &&
        std::any_of(computation.uses.begin(), computation.uses.end(), is_same)) {
      return;
    }
    for (auto const& form : computation.forms) {
      auto const layout = direction == Direction::operand ? layout_read(access, {form})
                                                          : layout_written(access, {form});
      added.forms.push_back(layout.front());
      offer(graph_.values_[added.value].layouts, layout.front());
    }
    computation.uses.push_back(std::move(added));
  }

  /// A partial sum is a form of a result, never a layout of a tensor.
  static void offer(std::vector<Holding>& layouts, Holding layout) {
    bool const is_known = std::find(layouts.begin(), layouts.end(), layout) != layouts.end();
    if (!is_known && layout.kind == Holding::Kind::split) layouts.push_back(layout);
  }

  /// The order in which ties are broken.
  void order_layouts(TensorId tensor) {
    auto const by_axis = [](Holding a, Holding b) { return a.axis < b.axis; };
    for (auto const value : {values_[tensor], errors_[tensor]}) {
      auto& layouts = graph_.values_[value].layouts;
      auto const last = std::find(layouts.begin(), layouts.end(), Holding::replicated());
      if (last != layouts.end()) continue;  // errors that lie as their activations
      std::sort(layouts.begin(), layouts.end(), by_axis);
      bool const is_weight = network_.at(tensor).role == Role::weight;
      layouts.insert(is_weight ? layouts.begin() : layouts.end(), Holding::replicated());
    }
  }

  Network const& network_;
  SoyBeanOptions options_;
  SoyBeanGraph& graph_;
  IdVector<TensorId, std::size_t> values_;  ///< activations, and weights with their gradients
  IdVector<TensorId, std::size_t> errors_;
};

SoyBeanGraph::SoyBeanGraph(Network const& network, SoyBeanOptions options)
    : operators_{network.operators().size()} {
  Builder{network, options, *this};
}

SoyBeanGraph::Cut SoyBeanGraph::cut(std::size_t ways, MinSum::Limits const& limits) {
  MinSum sum{limits};
  for (auto const& value : values_) sum.add_variable(value.layouts.size());
  std::vector<MinSum::Variable> forms;
  for (auto const& computation : computations_) {
    forms.push_back(sum.add_variable(computation.forms.size()));
    for (auto const& use : computation.uses)
      sum.add_term(use.value, forms.back(), costs(use, ways));
  }
  auto const solution = sum.solve(forms);
  Cut cut;
  cut.elements = solution.cost;
  cut.bound = solution.bound;
  cut.evaluations = solution.evaluations;
  auto const form = [&](std::size_t computation) {
    return computations_[computation].forms[solution.labels[forms[computation]]];
  };
  for (std::size_t op = 0; op < operators_; ++op) {
    cut.forward.push_back(form(op));
    cut.backward_weight.push_back(form(gradient_of(op)));
    cut.backward_data.push_back(form(error_of(op)));
  }
  keep_first_part(solution.labels, ways);
  return cut;
}

/// The computations are the forward passes, then of each operator the backward passes that have
/// forms of their own: the gradient before the error.
std::size_t SoyBeanGraph::gradient_of(std::size_t op) const {
  auto const backward = computations_.size() / operators_ - 1;
  return backward == 0 ? op : operators_ + backward * op;
}

std::size_t SoyBeanGraph::error_of(std::size_t op) const {
  return computations_.size() == 3 * operators_ ? gradient_of(op) + 1 : gradient_of(op);
}

/// By layout of the value and form of the computation, the form varying fastest.
std::vector<double> SoyBeanGraph::costs(Use const& use, std::size_t ways) const {
  auto const& value = values_[use.value];
  std::vector<double> costs;
  for (auto const layout : value.layouts) {
    CutRegion const held{value.left, layout};
    for (auto const form : use.forms) {
      CutRegion const used{use.left, form};
      costs.push_back(use.direction == Direction::operand ? conversion_cost(held, used, ways)
                                                          : conversion_cost(used, held, ways));
    }
  }
  return costs;
}

void SoyBeanGraph::keep_first_part(std::vector<MinSum::Label> const& labels, std::size_t ways) {
  auto label = labels.begin();
  for (auto& value : values_) {
    value.left = first_part_of({value.left, value.layouts[*label++]}, ways);
  }
  for (auto& computation : computations_) {
    for (auto& use : computation.uses) {
      use.left = first_part_of({use.left, use.forms[*label]}, ways);
    }
    ++label;
  }
}

namespace {

/// Backward phases that a plan splits otherwise than the forward phase.
void keep_own_splits(Plan& plan, Network const& network,
                     IdVector<workloads::OperatorId, Splits> const& all, workloads::Phase phase) {
  for (auto const op : plan.splits.ids()) {
    if (!network.at(op).has(phase) || all[op] == plan.splits[op]) continue;
    plan.phase_splits.emplace(std::pair{op, phase}, all[op]);
  }
}

/// One cut per level.
Plan planned_by_cuts(std::string planner, Problem const& problem, SoyBeanOptions options) {
  auto plan = empty_plan(std::move(planner), problem);
  auto const hierarchy = plan.hierarchy();
  SoyBeanGraph graph{problem.network, options};
  auto backward_data = plan.splits;
  auto backward_weight = plan.splits;
  for (std::size_t level = 0; level < hierarchy.levels(); ++level) {
    auto const cut = graph.cut(hierarchy.ways(level));
    plan.evaluations += cut.evaluations;
    plan.optimality_gap = std::max(plan.optimality_gap, optimality_gap(cut.elements, cut.bound));
    for (auto const op : plan.splits.ids()) {
      plan.splits[op].emplace_back(cut.forward[op.index()]);
      backward_data[op].emplace_back(cut.backward_data[op.index()]);
      backward_weight[op].emplace_back(cut.backward_weight[op.index()]);
    }
  }
  keep_own_splits(plan, problem.network, backward_data, workloads::Phase::backward_data);
  keep_own_splits(plan, problem.network, backward_weight, workloads::Phase::backward_weight);
  return finished(std::move(plan), problem);
}

}  // namespace

SoyBean::SoyBean(ConfigMap& options) {
  using Errors = SoyBeanOptions::Errors;
  errors_ = options.choice<Errors>("errors", {{"free", Errors::free}, {"tied", Errors::tied}},
                                   Errors::free);
  forms_ = options.choice<Forms>("forms",
                                 {{"per_operator", Forms::per_operator},
                                  {"fused_backward", Forms::fused_backward},
                                  {"split_backward", Forms::split_backward}},
                                 Forms::per_operator);
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
