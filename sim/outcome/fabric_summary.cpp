// From counters of links and completed transfers to the whole array's tables.
#include "sim/outcome/fabric_summary.hpp"

#include <map>
#include <tuple>

#include "sim/outcome/receivers.hpp"

namespace tessera::sim::outcome {

namespace {

struct Sent {
  std::int64_t messages = 0;
  Bytes bytes{0};

  void add(Sent const& more) {
    messages += more.messages;
    bytes += more.bytes;
  }
};

/// What representatives sent, by sender, receiver, level and where in a grid, with one of the
/// transfers.
using Key = std::tuple<AcceleratorId, AcceleratorId, int, AcceleratorId>;
using Ways = std::map<Key, std::pair<Task const*, Sent>>;

Ways sent_by_representatives(Outcome const& outcome) {
  Ways ways;
  auto const& tasks = outcome.blueprint.schedule.graph().tasks();
  for (TaskId const id : tasks.ids()) {
    Task const& task = tasks[id];
    if (task.kind != TaskKind::transfer || !outcome.records.journal.completed(id)) continue;
    auto const receiver = end_of(task);
    auto& [one, sent] = ways[{task.accelerator, task.destination, int{task.level}, receiver}];
    one = &task;
    sent.add({task.rounds, task.bytes});
  }
  return ways;
}

}  // namespace

std::vector<traces::LinkEntry> link_entries(Outcome const& outcome) {
  arch::Topology const whole{outcome.blueprint.array};
  auto const each = outcome.blueprint.array.energy.link_word;
  std::vector<traces::LinkEntry> entries;
  for (Resource const& resource : outcome.resources) {
    if (resource.kind != Resource::Kind::link) continue;
    auto const& link = whole.links()[arch::LinkId{entries.size()}];
    EXPECTS(link.name == resource.name, link.name, resource.name);
    Time const busy{resource.statistic("busy")};
    auto const room = static_cast<double>((outcome.end * link.lanes).value());
    entries.push_back({whole.node_names()[link.from.index()], whole.node_names()[link.to.index()],
                       link.level, link.lanes, link.lane_bandwidth, resource.statistic("messages"),
                       Bytes{resource.statistic("bytes")}, busy,
                       room > 0 ? static_cast<double>(busy.value()) / room : 0,
                       resource.statistic("words") * each});
  }
  return entries;
}

std::vector<traces::TrafficEntry> traffic_entries(Outcome const& outcome) {
  Receivers const receivers{outcome.blueprint};
  std::map<std::pair<std::size_t, std::size_t>, Sent> pairs;
  for (auto const& [key, way] : sent_by_representatives(outcome)) {
    auto const& [task, sent] = way;
    for (auto const copy : outcome.blueprint.folding().copies_of(task->accelerator.index())) {
      pairs[{copy, receivers.of(*task, copy)}].add(sent);
    }
  }
  std::vector<traces::TrafficEntry> entries;
  entries.reserve(pairs.size());
  for (auto const& [pair, sent] : pairs) {
    entries.push_back({static_cast<std::uint32_t>(pair.first),
                       static_cast<std::uint32_t>(pair.second), sent.messages, sent.bytes});
  }
  return entries;
}

}  // namespace tessera::sim::outcome
