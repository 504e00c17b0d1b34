#include "sim/lower/passage_numbers.hpp"

#include <algorithm>

namespace tessera::sim {

using partition::ActionId;
using partition::Pass;
using partition::StageId;
using partition::StagePart;

PassageNumbers::PassageNumbers(partition::Step const& step, partition::Plan const& plan)
    : micro_batches_{plan.pipeline ? plan.pipeline->micro_batches : 1},
      receivers_{step.actions.size()},
      learned_{step.stages.size()} {
  for (auto const& action : step.actions) {
    for (auto const before : action.after) {
      if (step.actions[before].to == action.at.stage) receivers_[before] = action.at;
    }
  }
}

void PassageNumbers::follow(partition::PipelineProgram const& program) {
  for (std::size_t stage = 0; stage < program.orders.size(); ++stage) {
    for (auto const& order : program.orders[stage]) {
      for (auto const& slot : order) {
        if (slot.pass == Pass::update) continue;
        versions_[{stage, slot.chunk, slot.micro_batch}] = slot.version;
      }
    }
  }
}

Passage PassageNumbers::of(StagePart const& at, MicroBatch micro_batch) const {
  auto const stage = at.stage.index();
  auto const chunk = static_cast<std::int64_t>(at.chunk);
  auto const known = versions_.find({stage, chunk, micro_batch.number});
  return {stage, at.chunk, micro_batch.number, micro_batch.number / micro_batches_,
          known == versions_.end() ? micro_batch.version : known->second};
}

Passage PassageNumbers::of_receiver(ActionId id, MicroBatch micro_batch) const {
  return of(receivers_[id], micro_batch);
}

void PassageNumbers::learn(StageId stage, MicroBatch micro_batch) {
  learned_[stage] = std::max(learned_[stage], micro_batch.number);
}

Passage PassageNumbers::of_update(StagePart const& at, std::int64_t version) const {
  auto const last = learned_[at.stage];
  return {at.stage.index(), at.chunk, last, last / micro_batches_, version};
}

}  // namespace tessera::sim
