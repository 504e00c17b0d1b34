#include "sim/outcome/recorded_rounds.hpp"

#include <algorithm>
#include <map>

#include "sim/outcome/link_queues.hpp"

namespace tessera::sim::outcome {

RecordedRounds::RecordedRounds(Blueprint const& blueprint, UnitTimes& times)
    : rounds_{blueprint, times.transfer_shapes(), times.idle_transfers()},
      lengths_{rounds_.lengths(times.transfer_shapes().lengths())},
      left_after_(rounds_.count()) {
  if (rounds_.count() == 0) return;
  auto const& graph = blueprint.schedule.graph();
  find_last_to_leave(graph, times);
  LinkQueues queues{blueprint.topology.links().size()};
  IdVector<TaskId, Time> carried{graph.size()};
  for (auto const id : times.in_order()) {
    auto const& task = graph.at(id);
    if (task.kind != TaskKind::transfer) continue;
    auto const it = LinkQueues::leaving(task, id, times.transfer_shapes());
    if (it) carried[id] = queues.begin(*it, times.of(id).begun, lengths_);
  }
  last_.reserve(rounds_.count());
  longer_.reserve(rounds_.count());
  excess_.reserve(rounds_.count());
  auto const begun = [&](std::uint32_t number) { return times.of(rounds_.id(number)).begun; };
  for (std::uint32_t number = 0; number < rounds_.count(); ++number) {
    auto const& last = last_.emplace_back(rounds_.last(number, lengths_, begun));
    auto const& time = times.of(rounds_.id(number));
    auto const shape = rounds_.shape(number);
    auto const after = [&](Time begins) -> Service {
      return {time.free - (begins + lengths_.first[shape]),
              time.served - (begins + lengths_.whole[shape])};
    };
    longer_.push_back(after(last.begun));
    auto const others = left_after_[number];
    auto const behind = others ? carried[*others] - lengths_.first[shape] : Time{0};
    excess_.push_back(after(std::max(last.begun, behind)));
  }
}

/// Link by link, in the order in which they began.
void RecordedRounds::find_last_to_leave(TaskGraph const& graph, UnitTimes const& times) {
  std::map<arch::LinkId, std::vector<TaskId>> on_links;
  for (auto const id : times.in_order()) {
    if (graph.at(id).kind != TaskKind::transfer) continue;
    if (auto const link = times.transfer_shapes().leaves_on(id)) on_links[*link].push_back(id);
  }
  for (auto const& [link, transfers] : on_links) {
    auto last = transfers.front();  // of those up to here, the last to leave
    for (std::size_t i = 0; i < transfers.size(); ++i) {
      if (times.of(transfers[i]).free >= times.of(last).free) last = transfers[i];
      bool const is_last =
          i + 1 == transfers.size() || times.of(transfers[i + 1]).begun >= times.of(last).free;
      auto const number = rounds_.number(last);
      if (is_last && number != RoundTimes::none) left_after_[number] = transfers[i];
    }
  }
}

}  // namespace tessera::sim::outcome
