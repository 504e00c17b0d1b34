#include "partition/planners/columns_and_rows.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace tessera::partition {

using workloads::Dim;
using workloads::Operator;
using workloads::OperatorId;

ColumnsAndRows::SharedLevels ColumnsAndRows::innermost(Hierarchy const& hierarchy,
                                                       std::size_t begin) {
  SharedLevels shared(hierarchy.levels());
  std::fill(shared.begin() + static_cast<std::ptrdiff_t>(begin), shared.end(), true);
  return shared;
}

Splits ColumnsAndRows::splits_of(OperatorId id) {
  auto const& op = network_.at(id);
  auto const dim = dim_of(op);
  has_split_channels_[op.output.tensor.index()] = dim == Dim::k;
  Splits splits;
  std::int64_t parts = 1;
  for (std::size_t level = 0; level < hierarchy_.levels(); ++level) {
    if (!shared_[level]) {
      splits.emplace_back(Dim::n);
      continue;
    }
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

bool ColumnsAndRows::finds_split_channels(Operator const& op) const {
  return std::all_of(op.inputs.begin(), op.inputs.end(),
                     [&](auto const& input) { return has_split_channels_[input.tensor.index()]; });
}

std::optional<Dim> ColumnsAndRows::dim_of(Operator const& op) const {
  bool const goes_on = finds_split_channels(op);
  if (goes_on && op.weight && op.can_split(Dim::c)) return Dim::c;
  bool const begins = op.weight.has_value() || workloads::multiplies(op.kind);
  if ((goes_on || begins) && op.can_split(Dim::k)) return Dim::k;
  return std::nullopt;
}

}  // namespace tessera::partition
