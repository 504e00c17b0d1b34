// All that a step exchanges, within its stages and from one to another: which lists a folding of the array must map onto themselves, and
// what the accelerators send that are left.
#pragma once

#include <map>

#include "arch/array/translation.hpp"
#include "partition/step/exchange_lists.hpp"
#include "partition/step/step.hpp"

namespace tessera::partition {

/// Of stages without replicas (which take turns). What a sender has for other stages it sends in
/// the order of how its receivers lie to it, if they are in a grid or a tree: so that its equals
/// do.
class StepExchanges final {
 public:
  using List = ExchangeLists::List;

  /// `stages` are all positions of the step's stages. All of it must outlive the lists.
  StepExchanges(Step const& step, IdVector<StageId, MeshHolders> const& stages,
                Folding const& folding, arch::Translations const* grid);

  /// Of a conversion within a stage.
  [[nodiscard]] List of(Action const& action) {
    return lists_[action.at.stage].of(*action.conversion);
  }
  [[nodiscard]] std::shared_ptr<GridSum const> grid_sum(Action const& action) {
    return lists_[action.at.stage].grid_sum(*action.conversion);
  }

  /// Of a conversion to another stage.
  [[nodiscard]] Crossing const& crossing(ActionId action);

 private:
  [[nodiscard]] Crossing sent_between_stages(Action const& action) const;

  Step const* step_;
  IdVector<StageId, MeshHolders> const* stages_;
  Folding folding_;
  arch::Translations const* grid_;
  IdVector<StageId, ExchangeLists> lists_;
  std::map<ActionId, Crossing> crossings_;
};

}  // namespace tessera::partition
