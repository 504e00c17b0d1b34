#include "sim/lower/action_work.hpp"

namespace tessera::sim {

std::vector<PartWork>& ActionWork::of(partition::ActionId id, StageParts const& stage,
                                      partition::Holders const& positions) {
  if (!keeps_) known_.clear();
  auto& work = known_[{id, &positions}];
  if (!work.empty()) return work;
  auto const& action = step_.actions[id];
  for (auto const position : positions) {
    auto const& accelerator = array_.accelerator(stage.stage->mesh.devices[position]);
    work.push_back(
        part_work(*step_.network, accelerator, *stage.tiling, action.op, action.phase, position));
  }
  return work;
}

}  // namespace tessera::sim
