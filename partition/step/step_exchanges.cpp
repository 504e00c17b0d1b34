#include "partition/step/step_exchanges.hpp"

#include <algorithm>
#include <utility>

namespace tessera::partition {

StepExchanges::StepExchanges(Step const& step, IdVector<StageId, MeshHolders> const& stages,
                             Folding const& folding, arch::Translations const* grid)
    : step_{&step},
      stages_{&stages},
      folding_{folding},
      grid_{grid},
      list_of_{step.actions.size()} {
  for (auto const& stage : stages) lists_.push_back({stage.tiling, stage.mesh, folding});
}

Crossing const& StepExchanges::crossing(ActionId id) {
  auto known = crossings_.find(id);
  if (known == crossings_.end()) {
    known = crossings_.emplace(id, sent_between_stages(step_->actions[id])).first;
  }
  return known->second;
}

Crossing StepExchanges::sent_between_stages(Action const& action) const {
  auto [before, across, after] = crossing_of(folding_.hierarchy(), *action.conversion,
                                             (*stages_)[action.at.stage], (*stages_)[*action.to]);
  if (grid_ != nullptr) {
    std::stable_sort(across.begin(), across.end(), [this](Exchange const& a, Exchange const& b) {
      return grid_->displacement(a.from, a.to) < grid_->displacement(b.from, b.to);
    });
  }
  auto sent = sent_by_representatives({{0, false, std::move(across)}}, folding_);
  return {sent_by_representatives(std::move(before), folding_), std::move(sent.front().exchanges),
          sent_by_representatives(std::move(after), folding_)};
}

}  // namespace tessera::partition
