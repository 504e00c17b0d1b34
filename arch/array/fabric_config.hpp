// Reading and writing of the fabric of an array's file (tessera.array/1 and /2).
//
// The schemas differ in what `bandwidth` of a link says. tessera.array/2: of one link, each direction, whatever the size of the array;
// where an H-tree's links halve from level to level, of an accelerator's own. tessera.array/1: of the links at the root of an H-tree,
// also where the fabric is a torus of the same wiring (FabricSpec), so that another size or topology shares out the same wires. Where
// links are alike at all levels, and in networks, the two are the same.
#pragma once

#include <optional>

#include "arch/array/array_spec.hpp"

namespace tessera::arch {

/// What `bandwidth` of a link is of.
enum class WrittenBandwidth { at_root, own };

/// With the bandwidth that is written, for settle_links() to make one link's own of it. Throws
/// ConfigError.
[[nodiscard]] FabricSpec read_fabric(ConfigMap map, std::int64_t accelerators);

/// The bandwidth that is written in `link` of a group, if there is one; likewise.
[[nodiscard]] std::optional<Bandwidth> read_group_bandwidth(ConfigMap& group);

/// Turns what is written in `root`, the file of `array`, into one link's own bandwidth. Throws
/// ConfigError where lanes are not of a whole number of b/s, where links at the root carry more
/// than can be counted, and where a group may not have links of its own. Adds a remark for each
/// number that is not what one link has.
void settle_links(ArraySpec& array, ConfigNode const& root, WrittenBandwidth written);

/// As of tessera.array/2.
[[nodiscard]] ConfigNode fabric_config(FabricSpec const& fabric);

}  // namespace tessera::arch
