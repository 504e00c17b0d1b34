#include "arch/collective/builtin_collectives.hpp"

#include "arch/collective/bidirectional_ring.hpp"
#include "arch/collective/direct.hpp"
#include "arch/collective/double_tree.hpp"
#include "arch/collective/halving_doubling.hpp"
#include "arch/collective/hierarchical.hpp"
#include "arch/collective/in_switch.hpp"
#include "arch/collective/ring.hpp"
#include "arch/collective/torus.hpp"
#include "arch/collective/tree.hpp"

namespace tessera::arch {

CollectiveTable builtin_collectives() {
  CollectiveTable table{"collective"};
  table.add<RingCollective>("ring", "blocks go round one way")
      .add<BidirectionalRingCollective>("bidirectional-ring",
                                        "half of each block goes round each way")
      .add<HalvingDoublingCollective>("halving-doubling",
                                      "halves with partners p/2, p/4, ... apart, and back")
      .add<TreeCollective>("tree", "up and down a binary tree, in chunks")
      .add<DoubleTreeCollective>("double-tree", "two trees, each for half of the vector")
      .add<TorusCollective>("torus", "bidirectional rings along one dimension after another")
      .add<HierarchicalCollective>("hierarchical",
                                   "halves with partners 1, 2, 4, ... apart, and back")
      .add<DirectCollective>("direct", "every rank to every other at once")
      .add<InSwitchCollective>("in-switch", "switches add (SHArP)");
  return table;
}

NamedCollectives all_of(CollectiveTable const& table) {
  NamedCollectives all;
  for (auto const& name : table.names()) all.emplace_back(name, table.make(name));
  return all;
}

std::shared_ptr<CollectiveAlgorithm const> builtin_collective(std::string const& name) {
  return builtin_collectives().make(name);
}

}  // namespace tessera::arch
