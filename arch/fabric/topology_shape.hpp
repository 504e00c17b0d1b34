// Names and shapes of topologies, for those who read them. Internal to arch/fabric.
#pragma once

#include <string>
#include <vector>

#include "arch/base/config.hpp"
#include "arch/fabric/topology_spec.hpp"

namespace tessera::arch::detail {

inline constexpr std::int64_t most_places = 65536;

/// What a topology is called, in files and on command lines.
struct TopologyName {
  char const* name;
  TopologySpec::Kind kind;
  char const* example;  ///< on command lines; none where a name and numbers do not say enough
};

/// Throws at `node`, if there is one.
[[nodiscard]] TopologyName const& topology_named(std::string const& name, ConfigNode const* node);

/// Sets kind and shape; returns what is wrong with the numbers, empty when nothing is. The shape of
/// a ring is its length, that of an H-tree its leaves.
[[nodiscard]] std::string set_shape(TopologySpec& topology, TopologyName const& name,
                                    std::vector<std::int64_t> numbers);

}  // namespace tessera::arch::detail
