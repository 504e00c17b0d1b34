#include "workloads/network_builder.hpp"

#include <algorithm>

#include "arch/base/nearest_name.hpp"
#include "workloads/graph_view.hpp"
#include "workloads/name_range.hpp"
#include "workloads/weight_ties.hpp"

namespace tessera::workloads {

namespace {

bool is_linear(OperatorSpec const& op) { return std::holds_alternative<LinearSpec>(op.work); }

std::string weight_name(std::string const& op) { return op + ":weight"; }

void check_elements(std::string const& tensor, Shape const& shape, Place const& place) {
  if (bounded_product(shape, max_tensor_elements)) return;
  throw place.error("tensor '" + tensor + "' " + to_text(shape) +
                    " is too large (more than 2^41 elements)");
}

bool contains(std::vector<std::size_t> const& items, std::size_t item) {
  return std::find(items.begin(), items.end(), item) != items.end();
}

/// "a -> b -> a"
std::string cycle_text(std::vector<std::size_t> const& cycle,
                       std::vector<OperatorSpec> const& operators) {
  std::string text;
  for (auto const index : cycle) text += operators[index].name + " -> ";
  return text + operators[cycle.front()].name;
}

}  // namespace

NetworkBuilder::NetworkBuilder(NetworkSpec spec)
    : spec_{std::move(spec)},
      flattened_(spec_.operators.size() + 1),
      tensors_(spec_.operators.size() + 1) {}

Network NetworkBuilder::build() {
  name_sources();
  resolve_inputs();
  weight_owners_ = weight_owners(spec_.operators);
  sort();
  choose_flattened();

  network_.name_ = spec_.name;
  network_.batch_ = spec_.batch;
  network_.element_size_ = spec_.element_size;
  network_.training_ = spec_.training;
  network_.source_text_ = std::move(spec_.source_text);
  add_input();
  for (auto const index : order_) add_operator(index);
  return std::move(network_);
}

void NetworkBuilder::name_sources() {
  auto const& operators = spec_.operators;
  if (operators.empty()) throw spec_.place.error("a network needs at least one operator");
  if (operators.size() > static_cast<std::size_t>(most_operators)) {
    throw spec_.place.error(std::to_string(operators.size()) + " operators are too many (at most " +
                            std::to_string(most_operators) + ")");
  }
  source_names_.emplace(spec_.input.name, network_input);
  for (std::size_t index = 0; index < operators.size(); ++index) {
    auto const& op = operators[index];
    auto const [earlier, is_new] = source_names_.emplace(op.name, index + 1);
    if (is_new) continue;
    auto const* const whose =
        earlier->second == network_input ? "the network's input" : "another operator";
    throw op.place.error("the name '" + op.name + "' is taken by " + whose +
                         " (names of operators and of the input must differ)");
  }
}

void NetworkBuilder::resolve_inputs() {
  bool input_is_read = false;
  for (auto const& op : spec_.operators) {
    inputs_.push_back(sources_of(op));
    auto const& sources = inputs_.back();
    input_is_read = input_is_read || contains(sources, network_input);
  }
  if (!input_is_read) {
    throw spec_.input.place.error("no operator reads the network's input '" + spec_.input.name +
                                  "'");
  }
}

std::vector<NetworkBuilder::Source> NetworkBuilder::sources_of(OperatorSpec const& op) const {
  std::vector<Source> sources;
  for (auto const& input : op.inputs) {
    auto const source = source_of(input);
    if (input.tensor == op.name) {
      throw input.place.error("operator '" + op.name + "' reads its own output");
    }
    if (contains(sources, source)) {
      throw input.place.error("operator '" + op.name + "' reads '" + input.tensor + "' twice");
    }
    sources.push_back(source);
  }
  return sources;
}

NetworkBuilder::Source NetworkBuilder::source_of(OperatorSpec::Input const& input) const {
  auto const found = source_names_.find(input.tensor);
  if (found != source_names_.end()) return found->second;
  std::vector<std::string> known{spec_.input.name};
  for (auto const& op : spec_.operators) known.push_back(op.name);
  throw input.place.error(unknown_name("tensor", input.tensor, known));
}

void NetworkBuilder::sort() {
  std::vector<std::vector<std::size_t>> dependencies(inputs_.size());
  for (std::size_t index = 0; index < inputs_.size(); ++index) {
    for (auto const source : inputs_[index]) {
      if (source != network_input) dependencies[index].push_back(source - 1);
    }
  }
  auto sorted = topological_sort(dependencies);
  if (!sorted.cycle.empty()) {
    throw spec_.operators[sorted.cycle.front()].place.error(
        "the operators form a cycle: " + cycle_text(sorted.cycle, spec_.operators) +
        " (a network must be acyclic)");
  }
  order_ = std::move(sorted.order);
}

/// A feature map that a linear operator reads is flat for everybody.
void NetworkBuilder::choose_flattened() {
  for (std::size_t index = 0; index < inputs_.size(); ++index) {
    if (is_linear(spec_.operators[index])) flattened_[inputs_[index].front()] = true;
  }
}

void NetworkBuilder::add_input() {
  auto const& input = spec_.input;
  Shape shape{spec_.batch};
  shape.insert(shape.end(), input.extents.begin(), input.extents.end());
  check_elements(input.name, shape, input.place);
  flattened_[network_input] = flattened_[network_input] && is_feature_map(shape);
  if (flattened_[network_input]) shape = flat(shape);
  tensors_[network_input] = add_tensor(input.name, Tensor::Role::activation, std::move(shape));
}

void NetworkBuilder::add_operator(std::size_t index) {
  auto const& spec = spec_.operators[index];
  auto shaped = shape_operator(spec, input_shapes(index));
  check_elements(spec.name, shaped.output, spec.place);
  check_elements(weight_name(spec.name), shaped.weight, spec.place);
  check_macs(spec, shaped.op);
  Source const result = index + 1;
  flattened_[result] = flattened_[result] && is_feature_map(shaped.output);
  if (flattened_[result]) flatten_output(shaped);
  link_tensors(index, shaped);
  auto& op = shaped.op;
  op.propagates_error = spec_.training.input_error || reads_computed(index);
  if (op.kind == OperatorKind::embedding) {
    if (reads_computed(index)) {
      throw spec.inputs.front().place.error("an embedding reads ids, which only the network's " +
                                            std::string{"input holds (ids have no error)"});
    }
    op.propagates_error = false;
  }
  network_.by_name_.emplace(op.name, network_.operators_.size());
  network_.operators_.push_back(std::move(op));
}

void NetworkBuilder::link_tensors(std::size_t index, ShapedOperator& shaped) {
  auto& op = shaped.op;
  OperatorId const id{network_.operators_.size()};
  for (std::size_t i = 0; i < op.inputs.size(); ++i) {
    op.inputs[i].tensor = tensors_[inputs_[index][i]];
    network_.tensors_[op.inputs[i].tensor].consumers.push_back(id);
  }
  if (op.weight) {
    link_weight(index, shaped);
    network_.tensors_[op.weight->tensor].consumers.push_back(id);
  }
  op.output.tensor = add_tensor(op.name, Tensor::Role::activation, shaped.output);
  network_.tensors_[op.output.tensor].producer = id;
  tensors_[index + 1] = op.output.tensor;
}

/// The first in the network's order of those that share weights says how they lie.
void NetworkBuilder::link_weight(std::size_t index, ShapedOperator& shaped) {
  auto const& spec = spec_.operators[index];
  auto const& owner = spec_.operators[weight_owners_[index]];
  auto const shared = weights_.find(weight_owners_[index]);
  if (shared == weights_.end()) {
    shaped.op.weight->tensor =
        add_tensor(weight_name(owner.name), Tensor::Role::weight, shaped.weight);
    weights_.emplace(weight_owners_[index], shaped.op.weight->tensor);
    return;
  }
  auto const& tensor = network_.at(shared->second);
  auto access = shared_access(*shaped.op.weight, shaped.weight, tensor.extents);
  if (!access) throw other_weights(spec, shaped.weight, tensor);
  shaped.op.weight = std::move(access);
  shaped.op.weight->tensor = shared->second;
}

/// At the tie: of `spec`, or where that is the owner, of those that came before it.
ConfigError NetworkBuilder::other_weights(OperatorSpec const& spec, Shape const& shape,
                                          Tensor const& shared) const {
  auto const& first = network_.at(shared.consumers.front());
  auto const tied = spec.tied_to ? spec.name : first.name;
  auto const found =
      std::find_if(spec_.operators.begin(), spec_.operators.end(),
                   [&tied](OperatorSpec const& candidate) { return candidate.name == tied; });
  return found->tied_to->place.error(
      "'" + spec.name + "' has weights " + to_text(shape) + " and '" + first.name + "' " +
      to_text(shared.extents) +
      " (tied weights are of one shape, or a matrix and its transpose); give both the same "
      "extents, or leave tied_to out");
}

std::vector<Shape> NetworkBuilder::input_shapes(std::size_t index) const {
  auto const& spec = spec_.operators[index];
  std::vector<Shape> shapes;
  for (std::size_t i = 0; i < spec.inputs.size(); ++i) {
    auto const source = inputs_[index][i];
    if (flattened_[source] && !is_linear(spec)) {
      throw spec.inputs[i].place.error(
          "'" + spec.inputs[i].tensor + "' is flattened for a linear operator that reads it, so '" +
          spec.name + "', which is not linear, cannot read it (a tensor has one shape)");
    }
    shapes.push_back(network_.at(tensors_[source]).extents);
  }
  return shapes;
}

bool NetworkBuilder::reads_computed(std::size_t index) const {
  auto const& sources = inputs_[index];
  return std::any_of(sources.begin(), sources.end(),
                     [](Source source) { return source != network_input; });
}

void NetworkBuilder::check_macs(OperatorSpec const& spec, Operator const& op) {
  if (!multiplies(op.kind)) return;
  std::vector<std::int64_t> loops(all_dims.size());
  std::transform(all_dims.begin(), all_dims.end(), loops.begin(),
                 [&op](Dim dim) { return op.extents[dim]; });
  auto const macs = bounded_product(loops, max_macs - macs_);
  if (!macs) {
    throw spec.place.error("the network up to '" + spec.name +
                           "' needs more than 2^61 multiply-accumulates per phase (the limit)");
  }
  macs_ += *macs;
}

TensorId NetworkBuilder::add_tensor(std::string name, Tensor::Role role, Shape shape) {
  return network_.tensors_.push_back({std::move(name), role, std::move(shape), {}, {}});
}

}  // namespace tessera::workloads
