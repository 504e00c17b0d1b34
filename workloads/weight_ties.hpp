// Weights that operators share: `tied_to: OPERATOR`. An output that turns features into words again has the table of the embedding
// as its weights (Press and Wolf, EACL 2017); layers may share theirs. The operators then have one weight tensor, and each reads its
// axes as its own loops have them: the weights of a linear operator [outputs, inputs] are a table [entries, outputs] as they are, and the
// transpose of those of a linear operator that goes back.
#pragma once

#include <cstddef>
#include <vector>

#include "workloads/network_spec.hpp"
#include "workloads/shapes.hpp"

namespace tessera::workloads {

/// By operator, whose weights it has: those of the operator to which it is tied, or its own. Throws
/// ConfigError at a tie to an operator that is unknown, itself, without weights or tied itself.
[[nodiscard]] std::vector<std::size_t> weight_owners(std::vector<OperatorSpec> const& operators);

/// How an operator with weights of a shape has a shared tensor: `access`, or with its axes the
/// other way round. None where the tensor is neither of that shape nor of its transpose.
[[nodiscard]] std::optional<TensorAccess> shared_access(TensorAccess access, Shape const& own,
                                                        Shape const& shared);

}  // namespace tessera::workloads
