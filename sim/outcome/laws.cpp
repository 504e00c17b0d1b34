// Conservation laws: what went in came out, and nothing took longer than there was time.
#include <algorithm>
#include <map>
#include <numeric>
#include <variant>

#include "sim/outcome/summary.hpp"

namespace tessera::sim::outcome {

namespace {

using Kind = Resource::Kind;

void check_tasks(Outcome const& outcome) {
  TaskGraph const& graph = outcome.blueprint.schedule.graph();
  auto const tasks = static_cast<std::int64_t>(graph.size() * graph.folding().copies());
  ENSURES(outcome.records.journal.all_done(), outcome.records.journal.completions(), tasks);
  std::int64_t const issued = total(outcome.resources, Kind::dispatcher, "tasks_issued");
  std::int64_t const completed = total(outcome.resources, Kind::dispatcher, "tasks_completed");
  ENSURES(issued == tasks && completed == tasks, issued, completed, tasks);
}

void check_work(Outcome const& outcome) {
  TaskGraph const& graph = outcome.blueprint.schedule.graph();
  auto const sum = [&outcome](Kind kind, char const* statistic) {
    return total(outcome.resources, kind, statistic);
  };
  std::int64_t const macs = sum(Kind::processing_unit, "macs");
  ENSURES(Macs{macs} == macs_of(graph), macs, macs_of(graph));
  Bytes const sent{sum(Kind::network_interface, "bytes_sent")};
  Bytes const received{sum(Kind::network_interface, "bytes_received")};
  ENSURES(sent == transferred_in(graph) && received == sent, sent, received, transferred_in(graph));
}

void check_breakdown(Outcome const& outcome) {
  auto const accelerators = static_cast<std::int64_t>(outcome.blueprint.topology.accelerators());
  Time const accounted = outcome.records.breakdown.total();
  ENSURES(accounted == outcome.end * accelerators, accounted, outcome.end, accelerators);
}

/// What operators and phases did adds up to what units and memories counted. Memories that somebody
/// added may count otherwise.
void check_breakdown_of_work(Outcome const& outcome, traces::RunSummary const& summary) {
  Macs macs{0};
  Bytes bytes{0};
  for (traces::BreakdownEntry const& entry : summary.breakdown) {
    macs += entry.macs;
    bytes += entry.memory_bytes;
  }
  ENSURES(macs == summary.macs, macs, summary.macs);
  auto const& groups = outcome.blueprint.array.groups;
  bool const counts = std::none_of(groups.begin(), groups.end(), [](auto const& group) {
    return std::holds_alternative<arch::ModelledMemorySpec>(group.accelerator.memory);
  });
  if (!counts) return;
  Bytes const counted{total(outcome.resources, Kind::memory, "bytes_read") +
                      total(outcome.resources, Kind::memory, "bytes_written")};
  ENSURES(bytes == counted, bytes, counted);
}

void check_utilisation(Outcome const& outcome, traces::RunSummary const& summary) {
  auto const names = histogram_names(outcome.resources);
  std::map<std::string, Time> busy;
  for (std::size_t i = 0; i < names.size(); ++i) {
    Resource const& resource = outcome.resources[i];
    Time const own{resource.statistic("busy")};
    ENSURES(own <= outcome.end * resource.lanes, resource.name, own, outcome.end);
    if (!names[i].empty()) busy[names[i]] += own;
  }
  for (traces::Utilisation const& utilisation : summary.utilisation) {
    Time const sum = std::accumulate(utilisation.busy.begin(), utilisation.busy.end(), Time{0});
    Time const counted = busy[utilisation.resource];
    ENSURES(sum == counted, utilisation.resource, sum, counted);
  }
}

/// What the traffic matrix says that accelerators sent and received is what their network
/// interfaces counted.
void check_traffic(Outcome const& outcome, traces::RunSummary const& summary) {
  auto const accelerators = outcome.blueprint.folding().accelerators();
  std::vector<Bytes> sent(accelerators, Bytes{0});
  std::vector<Bytes> received(accelerators, Bytes{0});
  for (traces::TrafficEntry const& entry : summary.traffic) {
    sent.at(entry.source) += entry.bytes;
    received.at(entry.destination) += entry.bytes;
  }
  std::size_t accelerator = 0;
  for (Resource const& resource : outcome.resources) {
    if (resource.kind != Kind::network_interface) continue;
    Bytes const in{resource.statistic("bytes_received")};
    Bytes const out{resource.statistic("bytes_sent")};
    ENSURES(sent[accelerator] == out, resource.name, sent[accelerator], out);
    ENSURES(received[accelerator] == in, resource.name, received[accelerator], in);
    ++accelerator;
  }
}

/// How much less, or more, a link may be busy than its bytes take.
struct BusySlack {
  Time under{0};
  Time over{0};
};

/// A message or a packet takes whole picoseconds, rounded up. A flit begins and ends at edges of a
/// clock, which are; and a packet's last one takes its time though not all of it is needed.
[[nodiscard]] BusySlack slack_of(std::optional<arch::PacketSpec> const& packets,
                                 traces::LinkEntry const& link) {
  if (!packets || packets->switching != arch::Switching::wormhole) {
    return {Time{0}, Time{link.messages}};
  }
  Time const rounding{packets->flits(link.bytes) + link.messages};
  return {rounding, rounding + packets->flit * link.messages / link.lane_bandwidth};
}

/// At every node of the fabric, what comes over links and what starts there is what leaves over
/// links and what ends there, headers of packets apart; and a link is busy for its bytes over its
/// bandwidth.
void check_links(Outcome const& outcome, traces::RunSummary const& summary) {
  arch::Topology const whole{outcome.blueprint.array};
  auto const& packets = outcome.blueprint.array.fabric.packets;
  Bytes const header = packets ? packets->header : Bytes{0};
  std::vector<Bytes> balance(whole.node_names().size(), Bytes{0});
  for (traces::TrafficEntry const& entry : summary.traffic) {
    balance[entry.source] += entry.bytes;
    balance[entry.destination] -= entry.bytes;
  }
  for (arch::LinkId const id : whole.links().ids()) {
    auto const& entry = summary.links.at(id.index());
    Bytes const data = entry.bytes - entry.messages * header;
    balance[whole.links()[id].from.index()] -= data;
    balance[whole.links()[id].to.index()] += data;
    Time const needed = entry.bytes / entry.lane_bandwidth;
    auto const [under, over] = slack_of(packets, entry);
    ENSURES(needed <= entry.busy + under && entry.busy <= needed + over, entry.from, entry.to,
            entry.busy, needed, entry.messages);
  }
  for (std::size_t node = 0; node < balance.size(); ++node) {
    ENSURES(balance[node] == Bytes{0}, whole.node_names()[node], balance[node]);
  }
}

/// No rank of a DRAM has a row open for longer than there was time.
void check_open_rows(traces::RunSummary const& summary) {
  std::int64_t open = 0;
  std::int64_t clocks = 0;
  for (traces::EnergyEntry const& entry : summary.energy) {
    if (entry.event == "active_clock") open += entry.count;
    if (entry.event == "background_clock") clocks += entry.count;
  }
  ENSURES(open >= 0 && open <= clocks, open, clocks);
}

/// The critical path leads from 0 to the end of the run without a gap.
void check_path(Outcome const& outcome, traces::RunSummary const& summary) {
  if (!summary.reasons) return;
  Time at{0};
  Time sum{0};
  for (traces::PathEntry const& piece : summary.reasons->critical_path) {
    ENSURES(piece.begin == at && piece.end > at, piece.task, piece.begin, piece.end, at);
    sum += piece.end - piece.begin;
    at = piece.end;
  }
  ENSURES(at == outcome.end && sum == outcome.end, at, sum, outcome.end);
}

}  // namespace

void check_laws(Outcome const& outcome, traces::RunSummary const& summary) {
  check_tasks(outcome);
  check_work(outcome);
  check_breakdown(outcome);
  check_breakdown_of_work(outcome, summary);
  check_utilisation(outcome, summary);
  check_traffic(outcome, summary);
  check_links(outcome, summary);
  check_open_rows(summary);
  check_path(outcome, summary);
}

}  // namespace tessera::sim::outcome
