// Tensor parallelism as Megatron-LM has it (Shoeybi et al., arXiv:1909.08053, section 3): of two products in a row the first is split over
// output channels (columns), the second over input channels (rows), so that nothing moves between them and one sum follows the second.
//
// An operator that finds its input split over channels, or heads, goes on as its kind allows: a product takes rows, attention its
// heads, and what works on every channel by itself keeps the split. Others begin anew with columns, or are computed by all accelerators
// (sums and normalisations of whole rows). Tables of embeddings are split over their features, not over the words as in Megatron-LM; the
// output that nobody reads stays split, as its loss can be. What multiplies but has not so many parts (heads on a large array, LSTMs
// at all) is split over samples at the levels that are left.
//
// The groups that do so are the whole array, or with the option `tensor` those of so many accelerators that the hierarchy's innermost
// levels make; the levels above split samples (section 3: "hybrid model and data parallelism").
#include <algorithm>
#include <string>

#include "partition/planners/builtin_planners.hpp"
#include "partition/search/planning.hpp"

namespace tessera::partition {

using workloads::Dim;
using workloads::Network;
using workloads::Operator;
using workloads::OperatorId;

namespace {

class ColumnsAndRows final {
 public:
  /// Of the levels from `begin` on; those above split samples.
  ColumnsAndRows(Network const& network, Hierarchy const& hierarchy, std::size_t begin)
      : network_{network},
        hierarchy_{hierarchy},
        begin_{begin},
        has_split_channels_(network.tensors().size()) {}

  /// Operators come in the network's order.
  Splits splits_of(OperatorId id) {
    auto const& op = network_.at(id);
    auto const dim = dim_of(op);
    has_split_channels_[op.output.tensor.index()] = dim == Dim::k;
    Splits splits(begin_, Split{Dim::n});
    std::int64_t parts = 1;
    for (auto level = begin_; level < hierarchy_.levels(); ++level) {
      parts *= static_cast<std::int64_t>(hierarchy_.ways(level));
      bool const has_so_many = dim && op.extents[*dim] % parts == 0;
      if (has_so_many) {
        splits.emplace_back(*dim);
      } else if (workloads::multiplies(op.kind)) {
        splits.emplace_back(Dim::n);
      } else {
        splits.emplace_back();
      }
    }
    return splits;
  }

 private:
  [[nodiscard]] bool finds_split_channels(Operator const& op) const {
    return std::all_of(op.inputs.begin(), op.inputs.end(), [&](auto const& input) {
      return has_split_channels_[input.tensor.index()];
    });
  }

  [[nodiscard]] std::optional<Dim> dim_of(Operator const& op) const {
    bool const goes_on = finds_split_channels(op);
    if (goes_on && op.weight && op.can_split(Dim::c)) return Dim::c;
    bool const begins = op.weight.has_value() || workloads::multiplies(op.kind);
    if ((goes_on || begins) && op.can_split(Dim::k)) return Dim::k;
    return std::nullopt;
  }

  Network const& network_;
  Hierarchy hierarchy_;
  std::size_t begin_;
  std::vector<bool> has_split_channels_;  ///< by tensor
};

/// How many levels cut the array in groups of `size`.
std::size_t levels_above(Hierarchy const& hierarchy, std::size_t size) {
  std::string known;
  for (std::size_t levels = 0; levels <= hierarchy.levels(); ++levels) {
    if (hierarchy.group_size(levels) == size) return levels;
    known += (levels == 0 ? "" : ", ") + std::to_string(hierarchy.group_size(levels));
  }
  throw ConfigError{{},
                    "planner.tensor",
                    "no level of the array has groups of " + std::to_string(size) +
                        " accelerators; use one of " + known};
}

}  // namespace

TensorParallel::TensorParallel(ConfigMap& options) {
  auto const* const tensor = options.find("tensor");
  if (tensor == nullptr) return;
  tensor_ = tensor->as<std::int64_t>();
  if (*tensor_ < 1) throw tensor->error("a group has an accelerator at least; use 1 or more");
}

Plan TensorParallel::solve(Problem const& problem) const {
  auto plan = empty_plan("tp", problem);
  auto const hierarchy = problem.array.hierarchy();
  auto const size = tensor_.value_or(problem.array.accelerators);
  ColumnsAndRows columns_and_rows{problem.network, hierarchy,
                                  levels_above(hierarchy, static_cast<std::size_t>(size))};
  for (auto const op : problem.network.operators().ids()) {
    plan.splits[op] = columns_and_rows.splits_of(op);
  }
  plan.evaluations = 1;
  return finished(std::move(plan), problem);
}

}  // namespace tessera::partition
