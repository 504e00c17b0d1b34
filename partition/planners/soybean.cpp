#include "partition/planners/soybean.hpp"

#include <algorithm>
#include <optional>
#include <utility>

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
    auto const choices = choices_among({Dim::n, Dim::k, Dim::c}, network_);
    IdVector<workloads::OperatorId, std::vector<Form>> forms;
    for (auto const& of_operator : choices) forms.push_back(forms_of(of_operator));
    for (auto const op : network_.operators().ids()) add_forward(network_.at(op), forms[op]);
    for (auto const op : network_.operators().ids()) add_backward(op, forms[op]);
    for (auto const tensor : network_.tensors().ids()) order_layouts(tensor);
  }

 private:
  using Role = workloads::Tensor::Role;

  static std::vector<Form> forms_of(std::vector<Split> const& choices) {
    std::vector<Form> forms{choices.begin(), choices.end()};
    bool const needs_samples = std::all_of(choices.begin(), choices.end(),
                                           [](Split split) { return split.dim == Dim::n; });
    if (needs_samples) forms.emplace_back(std::nullopt);
    return forms;
  }

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

  void add_forward(Operator const& op, std::vector<Form> const& forms) {
    Computation forward{forms, {}};
    for (auto const& input : op.inputs) use(forward, input, values_, Direction::operand);
    if (op.weight) use(forward, *op.weight, values_, Direction::operand);
    use(forward, op.output, values_, Direction::result);
    graph_.computations_.push_back(std::move(forward));
  }

  void add_backward(workloads::OperatorId id, std::vector<Form> const& forms) {
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

std::vector<std::size_t> SoyBeanGraph::allowed(Computation const& computation, Samples samples) {
  bool const may_split = samples == Samples::may_be_split;
  std::vector<std::size_t> forms;
  for (std::size_t form = 0; form < computation.forms.size(); ++form) {
    auto const& over = computation.forms[form];
    if (may_split ? over.has_value() : !is_over(over, Dim::n)) forms.push_back(form);
  }
  return forms;
}

SoyBeanGraph::Labels SoyBeanGraph::cheapest(Request const& request) const {
  MinSum sum{request.limits};
  for (auto const& value : values_) sum.add_variable(value.layouts.size());
  std::vector<MinSum::Variable> variables;
  std::vector<std::vector<std::size_t>> forms;
  for (auto const& computation : computations_) {
    forms.push_back(allowed(computation, request.samples));
    variables.push_back(sum.add_variable(forms.back().size()));
    for (auto const& use : computation.uses) {
      sum.add_term(use.value, variables.back(), costs(use, forms.back(), request.ways.front()));
    }
  }
  auto const solution = sum.solve(variables);
  auto const split = solution.labels.begin() + static_cast<std::ptrdiff_t>(values_.size());
  Labels labels{{solution.labels.begin(), split},
                {split, solution.labels.end()},
                solution.cost,
                solution.bound,
                solution.evaluations};
  for (std::size_t i = 0; i < forms.size(); ++i) labels.forms[i] = forms[i][labels.forms[i]];
  return labels;
}

SoyBeanGraph::Cut SoyBeanGraph::cut(Request const& request) {
  auto const labels = with_cheapest_followers(request, cheapest(request));
  Cut cut;
  cut.elements = labels.elements;
  cut.bound = labels.bound;
  cut.evaluations = labels.evaluations;
  auto const form = [&](std::size_t computation) {
    return computations_[computation].forms[labels.forms[computation]];
  };
  for (std::size_t op = 0; op < operators_; ++op) {
    cut.forward.push_back(form(op));
    cut.backward_weight.push_back(form(gradient_of(op)));
    cut.backward_data.push_back(form(error_of(op)));
  }
  keep_first_part(labels, request.ways.front());
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
std::vector<double> SoyBeanGraph::costs(Use const& use, std::vector<std::size_t> const& forms,
                                        std::size_t ways) const {
  auto const& value = values_[use.value];
  std::vector<double> costs;
  for (auto const layout : value.layouts) {
    CutRegion const held{value.left, layout};
    for (auto const form : forms) {
      CutRegion const used{use.left, use.forms[form]};
      costs.push_back(use.direction == Direction::operand ? conversion_cost(held, used, ways)
                                                          : conversion_cost(used, held, ways));
    }
  }
  return costs;
}

void SoyBeanGraph::keep_first_part(Labels const& labels, std::size_t ways) {
  for (std::size_t i = 0; i < values_.size(); ++i) {
    auto& value = values_[i];
    value.left = first_part_of({value.left, value.layouts[labels.layouts[i]]}, ways);
  }
  for (std::size_t i = 0; i < computations_.size(); ++i) {
    for (auto& use : computations_[i].uses) {
      use.left = first_part_of({use.left, use.forms[labels.forms[i]]}, ways);
    }
  }
}

}  // namespace tessera::partition
