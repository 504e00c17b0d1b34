// How long an accelerator takes for its part of an operator: at peak rates as work.hpp counts, or as whoever calls knows better, of an
// array's own cores for instance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "arch/array/array_spec.hpp"
#include "arch/base/hierarchy.hpp"
#include "partition/plan/plan.hpp"
#include "workloads/network.hpp"

namespace tessera::partition {

/// How long an accelerator takes for a phase of an operator, of which `part` falls to it [s].
using OperatorTimes =
    std::function<double(arch::AcceleratorSpec const& accelerator, workloads::Operator const& op,
                         workloads::Phase phase, workloads::PerDim<std::int64_t> const& part)>;

/// At the peak rate, or by a profile: as work_of() counts, of whole indices.
[[nodiscard]] OperatorTimes peak_rates();

/// What falls to an accelerator of a phase's loop nest: of every dimension the largest of equal
/// parts, as many whole indices.
[[nodiscard]] workloads::PerDim<std::int64_t> largest_part(Hierarchy const& hierarchy,
                                                           workloads::Operator const& op,
                                                           workloads::Phase phase,
                                                           Splits const& splits,
                                                           std::size_t accelerator);

}  // namespace tessera::partition
