// Counters, breakdown, utilisation, energy and fingerprint. No kernel here.
#include "sim/shell/summary.hpp"

#include "sim/shell/energy.hpp"
#include "traces/fingerprint.hpp"

namespace tessera::sim::shell {

namespace {

using Kind = Resource::Kind;

std::vector<traces::BreakdownEntry> breakdown_entries(Breakdown const& breakdown) {
  std::vector<traces::BreakdownEntry> entries;
  for (Breakdown::Row const& row : breakdown.rows()) {
    auto const time = [&row](Activity activity) {
      return row.times[static_cast<std::size_t>(activity)];
    };
    entries.push_back({static_cast<std::uint16_t>(row.op.index()),
                       static_cast<std::uint8_t>(row.phase), time(Activity::compute),
                       time(Activity::memory), time(Activity::communication),
                       time(Activity::idle)});
  }
  return entries;
}

std::vector<traces::Counter> counters(std::vector<Resource> const& resources) {
  std::vector<traces::Counter> all;
  for (Resource const& resource : resources) {
    for (Statistic const& statistic : resource.core->statistics()) {
      all.push_back({resource.name, statistic.name, statistic.unit, statistic.value});
    }
  }
  return all;
}

/// In the order of the resources; a histogram that several share appears once.
std::vector<traces::Utilisation> utilisations(Outcome const& outcome) {
  auto histograms = outcome.records.utilisation;
  std::vector<traces::Utilisation> all;
  for (Resource const& resource : outcome.resources) {
    auto const entry = histograms.find(resource.histogram);
    if (entry == histograms.end()) continue;
    entry->second.cover(outcome.end);
    all.push_back({entry->first, entry->second.width(), entry->second.bins(outcome.end)});
    histograms.erase(entry);
  }
  return all;
}

/// Over what the run did, task by task and counter by counter; not over how it was driven.
std::uint64_t fingerprint(Outcome const& outcome, traces::RunSummary const& summary) {
  traces::Fingerprint print;
  for (TaskId const task : outcome.blueprint.schedule.graph().tasks().ids()) {
    auto const end = outcome.records.journal.completed(task);
    print.add(std::int64_t{end ? 1 : 0});
    print.add(end ? end->value() : 0);
  }
  for (traces::Counter const& counter : summary.counters) {
    print.add(counter.resource);
    print.add(counter.name);
    print.add(counter.value);
  }
  for (traces::BreakdownEntry const& entry : summary.breakdown) {
    print.add(std::int64_t{entry.op});
    print.add(std::int64_t{entry.phase});
    for (Time const time : {entry.compute, entry.memory, entry.communication, entry.idle}) {
      print.add(time.value());
    }
  }
  return print.value();
}

}  // namespace

traces::RunSummary summarize(Outcome const& outcome) {
  auto const& resources = outcome.resources;
  traces::RunSummary summary;
  summary.complete = outcome.records.journal.all_done();
  summary.time = outcome.end;
  summary.cycles = outcome.blueprint.clock(AcceleratorId{0}).edge_at_or_after(outcome.end);
  summary.communication = Bytes{total(resources, Kind::network_interface, "bytes_received")};
  summary.macs = Macs{total(resources, Kind::processing_unit, "macs")};
  summary.breakdown = breakdown_entries(outcome.records.breakdown);
  summary.counters = counters(resources);
  summary.utilisation = utilisations(outcome);
  summary.energy = energy_entries(outcome.blueprint.array, resources, outcome.end);
  summary.fingerprint = fingerprint(outcome, summary);
  return summary;
}

traces::TaskEvent task_event(TaskId id, Outcome const& outcome) {
  Task const& task = outcome.blueprint.schedule.graph().at(id);
  Journal const& journal = outcome.records.journal;
  traces::TaskEvent event;
  event.task = static_cast<std::uint32_t>(id.index());
  event.kind = static_cast<std::uint8_t>(task.kind);
  event.phase = static_cast<std::uint8_t>(task.phase);
  event.level = task.level;
  event.accelerator = static_cast<std::uint16_t>(task.accelerator.index());
  event.destination = static_cast<std::uint16_t>(completes_at(task).index());
  event.op = static_cast<std::uint16_t>(task.op.index());
  event.start = *journal.started(id);
  event.end = *journal.completed(id);
  event.bytes = task.bytes;
  event.macs = task.macs;
  return event;
}

}  // namespace tessera::sim::shell
