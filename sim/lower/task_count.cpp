#include "sim/lower/task_count.hpp"

#include <map>

namespace tessera::sim {

using partition::Action;
using partition::ActionId;
using partition::ReshardStep;
using partition::StepExchanges;

namespace {

std::size_t exchanges_in(std::vector<ReshardStep> const& steps) {
  std::size_t count = 0;
  for (auto const& step : steps) count += step.exchanges.size();
  return count;
}

/// Exchanges of actions; lists that several have are counted once.
class ExchangeCounts final {
 public:
  explicit ExchangeCounts(StepExchanges& exchanges) : exchanges_{exchanges} {}

  [[nodiscard]] std::size_t of(ActionId id, Action const& action) {
    if (action.to) {
      auto const& [before, across, after] = exchanges_.crossing(id);
      return exchanges_in(before) + across.size() + exchanges_in(after);
    }
    auto const& list = exchanges_.of(id);
    auto const [known, is_new] = known_.try_emplace(list, 0);
    if (is_new) known->second = exchanges_in(*list);
    return known->second;
  }

 private:
  StepExchanges& exchanges_;
  std::map<StepExchanges::List, std::size_t> known_;
};

}  // namespace

std::size_t task_count(partition::Step const& step,
                       IdVector<partition::StageId, StageParts> const& stages,
                       StepExchanges& exchanges, std::int64_t micro_batches, std::int64_t steps) {
  constexpr std::size_t of_computation = 3;  // load, computation, store
  ExchangeCounts counts{exchanges};
  std::size_t sum = 0;
  for (auto const id : step.actions.ids()) {
    auto const& action = step.actions[id];
    bool const is_update = action.pass == partition::Pass::update;
    auto const members = stages[action.at.stage].all.size();
    auto each = action.conversion ? counts.of(id, action) : of_computation * members;
    if (is_update && action.to) each += members + stages[*action.to].all.size();  // who meet
    sum += each * static_cast<std::size_t>(is_update ? steps : micro_batches);
  }
  return sum;
}

}  // namespace tessera::sim
