#include "sim/lower/action_work.hpp"

namespace tessera::sim {

std::vector<PartWork>& ActionWork::of(partition::ActionId id, StageParts const& stage,
                                      partition::Holders const& positions) {
  if (!keeps_) known_.clear();
  auto& work = known_[{id, &positions}];
  if (!work.empty()) return work;
  auto const& action = step_.actions[id];
  work = of_equal(action, stage, positions);
  for (auto& part : work) part.op = action.op;
  return work;
}

std::vector<PartWork> const& ActionWork::of_equal(partition::Action const& action,
                                                  StageParts const& stage,
                                                  partition::Holders const& positions) {
  auto const op = equal_operators(step_, action.at.stage).first_like(action.op);
  auto& work = known_of_equal_[{op, action.phase, &positions}];
  if (!work.empty()) return work;
  for (auto const position : positions) {
    auto const& accelerator = array_.accelerator(stage.stage->mesh.devices[position]);
    work.push_back(
        part_work(*step_.network, accelerator, *stage.tiling, op, action.phase, position));
  }
  return work;
}

}  // namespace tessera::sim
