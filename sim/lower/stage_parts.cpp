#include "sim/lower/stage_parts.hpp"

#include <variant>

#include "arch/memory/dram_stripe.hpp"

namespace tessera::sim {

using partition::Action;
using partition::ActionId;
using partition::Holders;
using partition::Pass;
using partition::Plan;
using partition::Stage;
using partition::Step;
using partition::Tiling;

namespace {

bool is_in(Action const& action, partition::Slot const& slot) {
  if (slot.pass == Pass::update) return action.pass == Pass::update;
  if (static_cast<std::int64_t>(action.at.chunk) != slot.chunk) return false;
  if (slot.pass != Pass::backward) return action.pass == slot.pass;
  return action.pass == Pass::backward_data || action.pass == Pass::backward_weight;
}

}  // namespace

StageParts parts_of(Step const& step, partition::StageId id, Folding const& folding) {
  auto const& stage = step.stages[id];
  StageParts parts{&stage, &tiling_of(step, id), std::vector<Holders>(stage.replicas), {}};
  auto const size = stage.mesh.devices.size() / stage.replicas;
  for (std::size_t position = 0; position < stage.mesh.devices.size(); ++position) {
    auto const device = stage.mesh.devices[position];
    if (folding.accelerator(folding.representative(device)) != device) continue;
    parts.of_replica[position / size].push_back(position);
    parts.all.push_back(position);
  }
  return parts;
}

std::vector<ActionId> actions_of(Step const& step, partition::Turn const& turn) {
  std::vector<ActionId> found;
  for (auto const id : step.actions.ids()) {
    auto const& action = step.actions[id];
    if (action.at.stage.index() != turn.stage || !is_in(action, turn.slot)) continue;
    found.push_back(id);
  }
  return found;
}

partition::Alignment alignment_of(arch::MemorySpec const& memory) {
  auto const* const dram = std::get_if<arch::DramMemorySpec>(&memory);
  if (dram == nullptr) return Bytes{64};
  return {arch::tensor_alignment(dram->dram), arch::bank_period(dram->dram)};
}

}  // namespace tessera::sim
