#include "sim/outcome/faster.hpp"

#include <algorithm>
#include <set>
#include <variant>

namespace tessera::sim::outcome {

std::vector<ResourceClass> resource_classes(Blueprint const& blueprint) {
  std::vector<ResourceClass> classes{{"compute", ResourceKind::compute}};
  auto const& groups = blueprint.array.groups;
  bool const has_memory = std::any_of(groups.begin(), groups.end(), [](auto const& group) {
    return !std::holds_alternative<arch::IdealMemorySpec>(group.accelerator.memory);
  });
  if (has_memory) classes.push_back({"memory", ResourceKind::memory});
  if (blueprint.topology.links().empty()) return classes;
  classes.push_back({"links", ResourceKind::links});
  std::set<int> levels;
  for (auto const& link : blueprint.topology.links()) levels.insert(link.level);
  if (levels.size() == 1) return classes;
  for (auto const level : levels) {
    classes.push_back({"links of level " + std::to_string(level), ResourceKind::links, level});
  }
  return classes;
}

}  // namespace tessera::sim::outcome
