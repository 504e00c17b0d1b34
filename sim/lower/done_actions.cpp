#include "sim/lower/done_actions.hpp"

#include <utility>

namespace tessera::sim {

using partition::Action;
using partition::ActionId;

DoneActions::DoneActions(partition::Step const& step) : readers_(step.actions.size(), 0) {
  for (auto const& action : step.actions) {
    if (action.pass == partition::Pass::update) continue;
    for (auto const before : action.after) ++readers_[before];
  }
}

Frontier DoneActions::before(Action const& action, std::int64_t micro_batch, Frontier after) {
  for (auto const before : action.after) {
    auto const found = done_.find({micro_batch, before});
    EXPECTS(found != done_.end(), micro_batch, before.index());
    auto& [done, readers] = found->second;
    bool const is_read_again = --readers > 0;
    after = both(std::move(after), is_read_again ? done : std::move(done));
    if (!is_read_again) done_.erase(found);
  }
  return after;
}

void DoneActions::add(ActionId id, std::int64_t micro_batch, Frontier done) {
  if (readers_[id] == 0) return;
  done_.insert_or_assign({micro_batch, id}, Kept{std::move(done), readers_[id]});
}

}  // namespace tessera::sim
