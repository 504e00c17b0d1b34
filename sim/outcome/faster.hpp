// A question: what if some resources of a kind were faster?
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/model/array/blueprint.hpp"

namespace tessera::sim::outcome {

enum class ResourceKind : std::uint8_t { compute, memory, links };

/// All processing units, all memories, all links or those of one level of an H-tree.
struct ResourceClass {
  std::string name;  ///< "compute", "memory", "links", "links of level 2"
  ResourceKind kind = ResourceKind::compute;
  std::optional<int> level = {};

  [[nodiscard]] bool has_links_of(int its_level) const {
    return kind == ResourceKind::links && (!level || *level == its_level);
  }
};

/// Those of an array, as far as it has them; of memory, unless it costs no time.
[[nodiscard]] std::vector<ResourceClass> resource_classes(Blueprint const& blueprint);

/// By how much. Infinite: no time for each byte or MAC; latencies stay.
enum class Speed : std::uint8_t { as_it_is, doubled, infinite };

struct Faster {
  ResourceClass resources;
  Speed speed = Speed::as_it_is;

  [[nodiscard]] bool is(ResourceKind kind) const { return resources.kind == kind; }
  /// Of a resource of the class: what `time` becomes, rounded up.
  [[nodiscard]] Time of(Time time) const {
    switch (speed) {
      case Speed::doubled:
        return Time{time.value() / 2 + time.value() % 2};
      case Speed::infinite:
        return Time{0};
      case Speed::as_it_is:
        break;
    }
    return time;
  }
  /// Of links of a level.
  [[nodiscard]] Time of_links(int level, Time time) const {
    return resources.has_links_of(level) ? of(time) : time;
  }
};

}  // namespace tessera::sim::outcome
