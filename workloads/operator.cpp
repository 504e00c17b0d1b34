#include "workloads/operator.hpp"

#include <algorithm>

namespace tessera::workloads {

namespace {

/// Does `dim` index an axis of `access`, and every axis that it indexes in whole blocks?
bool indexes_in_blocks(TensorAccess const& access, Dim dim) {
  return access.axis_of(dim) &&
         std::all_of(access.axes.begin(), access.axes.end(), [dim](AxisAccess const& axis) {
           return axis.dim != dim || axis.in_whole_blocks();
         });
}

/// Does `dim` slide windows over rows or columns of `access`?
bool slides_windows(TensorAccess const& access, Dim dim) {
  return is_of_map(dim) &&
         std::all_of(access.axes.begin(), access.axes.end(),
                     [dim](AxisAccess const& axis) { return axis.dim != dim || axis.slides(); });
}

}  // namespace

char const* name(Dim dim) {
  constexpr std::array<char const*, dim_count> names = {"n", "k", "c", "h", "w", "r", "s"};
  return names.at(static_cast<std::size_t>(dim));
}

char const* name(Phase phase) {
  constexpr std::array<char const*, all_phases.size()> names = {
      "forward", "backward_data", "backward_weight", "update", "recompute"};
  return names.at(static_cast<std::size_t>(phase));
}

char const* name(OperatorKind kind) {
  constexpr std::array<char const*, all_operator_kinds.size()> names = {
      "conv",       "linear",    "add",  "pool",   "recast",  "concat",  "softmax",
      "layer_norm", "embedding", "lstm", "scores", "context", "profiled"};
  return names.at(static_cast<std::size_t>(kind));
}

bool multiplies(OperatorKind kind) {
  return kind == OperatorKind::conv || kind == OperatorKind::linear || kind == OperatorKind::lstm ||
         multiplies_activations(kind);
}

bool multiplies_activations(OperatorKind kind) {
  return kind == OperatorKind::scores || kind == OperatorKind::context;
}

bool error_needs_inputs(OperatorKind kind) {
  return multiplies_activations(kind) || kind == OperatorKind::lstm ||
         kind == OperatorKind::softmax || kind == OperatorKind::layer_norm ||
         kind == OperatorKind::profiled;  // nobody knows, so they are kept
}

bool is_a_view(OperatorKind kind) {
  return kind == OperatorKind::recast || kind == OperatorKind::concat;
}

std::optional<std::size_t> TensorAccess::axis_of(Dim dim) const {
  auto const found = std::find_if(axes.begin(), axes.end(),
                                  [dim](AxisAccess const& axis) { return axis.dim == dim; });
  if (found == axes.end()) return std::nullopt;
  return static_cast<std::size_t>(found - axes.begin());
}

Macs Operator::macs(Phase phase) const {
  bool const works = phase == Phase::update || multiplies(kind);
  if (!has(phase) || !works) return Macs{0};
  Macs product{1};
  for (auto const dim : all_dims) {
    bool const counts = phase != Phase::update || weight->axis_of(dim);
    if (counts) product = product * extents[dim];
  }
  bool const two_errors = phase == Phase::backward_data && multiplies_activations(kind);
  return two_errors ? product * 2 : product;
}

bool Operator::has(Phase phase) const {
  switch (phase) {
    case Phase::forward:
    case Phase::recompute:
      return true;
    case Phase::backward_data:
      return propagates_error;
    case Phase::backward_weight:
    case Phase::update:
      return weight.has_value();
  }
  return false;
}

bool Operator::can_split(Dim dim) const {
  if (dim == Dim::r || dim == Dim::s) return false;
  bool const in_output = output.axis_of(dim).has_value();
  if (in_output ? !indexes_in_blocks(output, dim) : dim != Dim::c) return false;
  return std::all_of(inputs.begin(), inputs.end(), [dim, in_output](auto const& input) {
    if (!input.axis_of(dim)) return in_output;
    return indexes_in_blocks(input, dim) || slides_windows(input, dim);
  });
}

std::vector<Dim> Operator::splittable_dims() const {
  std::vector<Dim> dims;
  std::copy_if(all_dims.begin(), all_dims.end(), std::back_inserter(dims),
               [this](Dim dim) { return extents[dim] > 1 && can_split(dim); });
  return dims;
}

}  // namespace tessera::workloads
