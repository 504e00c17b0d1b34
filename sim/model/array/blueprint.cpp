// The array from the builder's point of view.
#include "sim/model/array/blueprint.hpp"

#include <algorithm>

namespace tessera::sim {

namespace {

IdVector<arch::NodeId, std::vector<arch::LinkId>> outgoing_links(arch::Topology const& topology) {
  IdVector<arch::NodeId, std::vector<arch::LinkId>> outgoing{topology.node_names().size()};
  for (arch::LinkId const id : topology.links().ids()) {
    outgoing[topology.links()[id].from].push_back(id);
  }
  return outgoing;
}

}  // namespace

Blueprint::Blueprint(arch::ArraySpec const& array_spec, TaskGraph const& tasks)
    : array{array_spec},
      topology{array_spec, tasks.folding()},
      outgoing{outgoing_links(topology)},
      schedule{tasks},
      fabric_clock{array_spec.fabric.clock} {
  EXPECTS(tasks.accelerators() == topology.accelerators(), tasks.accelerators(),
          topology.accelerators());
  for (std::size_t index = 0; index < tasks.accelerators(); ++index) {
    auto const& own = array.accelerator(folding().accelerator(index));
    specs.push_back(&own);
    clocks.push_back({Clock{own.clock}, own.dispatch_latency});
  }
}

bool Blueprint::has_instant_messages() const {
  auto const& groups = array.groups;
  return array.fabric.hop_latency == Cycles{0} ||
         std::any_of(groups.begin(), groups.end(), [](arch::AcceleratorGroup const& group) {
           return group.accelerator.dispatch_latency == Cycles{0};
         });
}

}  // namespace tessera::sim
