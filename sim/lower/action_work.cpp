#include "sim/lower/action_work.hpp"

namespace tessera::sim {

std::vector<PartWork>& ActionWork::of(partition::ActionId id, StageParts const& stage,
                                      partition::Holders const& positions) {
  auto const& action = step_.actions[id];
  auto const& equal = equal_operators(step_, action.at.stage);
  auto const first = equal.first_like(action.op);
  if (keeps_ || equal.has_equals(first)) {
    auto& known = known_[{first, action.phase, &positions}];
    if (known.empty()) known = work_out(first, action.phase, stage, positions);
    work_ = known;
  } else {
    work_ = work_out(first, action.phase, stage, positions);
  }
  for (auto& part : work_) part.op = action.op;
  return work_;
}

std::vector<PartWork> ActionWork::work_out(workloads::OperatorId op, workloads::Phase phase,
                                           StageParts const& stage,
                                           partition::Holders const& positions) const {
  std::vector<PartWork> work;
  work.reserve(positions.size());
  for (auto const position : positions) {
    auto const& accelerator = array_.accelerator(stage.stage->mesh.devices[position]);
    work.push_back(part_work(*step_.network, accelerator, *stage.tiling, op, phase, position));
  }
  return work;
}

}  // namespace tessera::sim
