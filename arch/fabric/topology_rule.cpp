// The table of contents of rules.
#include "arch/fabric/topology_rule.hpp"

#include "arch/base/contract.hpp"

namespace tessera::arch {

std::unique_ptr<TopologyRule> make_rule(TopologySpec const& topology, Paths paths) {
  using Kind = TopologySpec::Kind;
  switch (topology.kind) {
    case Kind::mesh:
    case Kind::torus:
      return detail::make_grid_rule(topology, paths);
    case Kind::tree:
    case Kind::star:
      return detail::make_tree_rule(topology);
    case Kind::fat_tree:
      return detail::make_fat_tree_rule(topology, paths);
    case Kind::fully_connected:
      return detail::make_full_rule(topology);
    case Kind::dragonfly:
      return detail::make_dragonfly_rule(topology);
    case Kind::edges:
      break;
  }
  return detail::make_graph_rule(topology, paths);
}

}  // namespace tessera::arch
