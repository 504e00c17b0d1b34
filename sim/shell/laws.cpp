// Conservation laws: what went in came out, and nothing took longer than there was time.
#include <map>
#include <numeric>

#include "sim/shell/summary.hpp"

namespace tessera::sim::shell {

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
  ENSURES(Macs{macs} == graph.macs(), macs, graph.macs());
  Bytes const sent{sum(Kind::network_interface, "bytes_sent")};
  Bytes const received{sum(Kind::network_interface, "bytes_received")};
  ENSURES(sent == graph.transferred() && received == sent, sent, received, graph.transferred());
}

void check_breakdown(Outcome const& outcome) {
  auto const accelerators = static_cast<std::int64_t>(outcome.blueprint.topology.accelerators());
  Time const accounted = outcome.records.breakdown.total();
  ENSURES(accounted == outcome.end * accelerators, accounted, outcome.end, accelerators);
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

}  // namespace

void check_laws(Outcome const& outcome, traces::RunSummary const& summary) {
  check_tasks(outcome);
  check_work(outcome);
  check_breakdown(outcome);
  check_utilisation(outcome, summary);
}

}  // namespace tessera::sim::shell
