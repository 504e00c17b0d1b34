// The table of contents of arch/collective: algorithms by the names that arrays' files (execution.collectives) and `probe collective`
// give them.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arch/base/registry.hpp"
#include "arch/collective/collective_algorithm.hpp"

namespace tessera::arch {

using CollectiveTable = Registry<CollectiveAlgorithm>;
[[nodiscard]] CollectiveTable builtin_collectives();

/// One of each, in the table's order.
using NamedCollectives =
    std::vector<std::pair<std::string, std::shared_ptr<CollectiveAlgorithm const>>>;
[[nodiscard]] NamedCollectives all_of(CollectiveTable const& table);

/// A built-in one. Throws ConfigError with the nearest and all known names.
[[nodiscard]] std::shared_ptr<CollectiveAlgorithm const> builtin_collective(
    std::string const& name);

}  // namespace tessera::arch
