// All that a step exchanges, within its stages and from one to another: which lists a folding of the array must map onto themselves, and
// what the accelerators send that are left.
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "arch/array/translation.hpp"
#include "partition/step/exchange_lists.hpp"
#include "partition/step/step.hpp"
#include "partition/step/unfolded_levels.hpp"

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
  [[nodiscard]] List const& of(ActionId id) {
    auto const& action = step_->actions[id];
    auto& list = list_of_[id];
    if (!list) list = lists_[action.at.stage].of(*action.conversion);
    return list;
  }
  [[nodiscard]] std::shared_ptr<RingSum const> ring_sum(Action const& action) {
    return lists_[action.at.stage].ring_sum(*action.conversion);
  }

  /// Of a conversion to another stage.
  [[nodiscard]] Crossing const& crossing(ActionId action);

  /// Lets `levels`, some of which are folded, look at all of it, and says why which are not:
  /// `narrow(list)` leaves those of folded() that the list allows. `alike`: by level, equal
  /// accelerators and parts.
  template <typename Levels>
  [[nodiscard]] UnfoldedLevels narrow(Levels& levels, std::vector<bool> const& alike) {
    UnfoldedLevels unfolded{levels.folded(), alike};
    for_each([&levels] { return levels.is_folded(); },
             [&](Action const& action, auto const& list) {
               levels.narrow(list);
               unfolded.leave(levels.folded(), communication_of(*step_, action));
             });
    return unfolded;
  }

 private:
  [[nodiscard]] Crossing sent_between_stages(Action const& action) const;

  /// `narrow(action, steps)` of all lists, and `narrow(action, ring_sum)` of sums in rings, those
  /// that are alike once, as long as `goes_on()`.
  template <typename GoesOn, typename Narrow>
  void for_each(GoesOn goes_on, Narrow narrow) {
    std::set<List> lists;
    std::set<RingSum::Kind> sums;
    for (auto const id : step_->actions.ids()) {
      auto const& action = step_->actions[id];
      if (!action.conversion || !goes_on()) continue;
      if (action.to) {
        auto const& [before, across, after] = crossing(id);
        narrow(action, before);
        narrow(action, std::vector<ReshardStep>{{0, false, across}});
        narrow(action, after);
      } else if (auto const sum = ring_sum(action)) {
        if (sums.insert(sum->kind()).second) narrow(action, *sum);
      } else if (auto const& list = of(id); lists.insert(list).second) {
        narrow(action, *list);
      }
    }
  }

  Step const* step_;
  IdVector<StageId, MeshHolders> const* stages_;
  Folding folding_;
  arch::Translations const* grid_;
  IdVector<StageId, ExchangeLists> lists_;
  IdVector<ActionId, List> list_of_;  ///< as far as it was asked for
  std::map<ActionId, Crossing> crossings_;
};

}  // namespace tessera::partition
