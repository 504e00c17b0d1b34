// Counters, breakdown, utilisation, energy and fingerprint. No kernel here.
#include "sim/outcome/summary.hpp"

#include <algorithm>
#include <map>

#include "sim/outcome/accelerator_summary.hpp"
#include "sim/outcome/energy.hpp"
#include "sim/outcome/fabric_summary.hpp"
#include "sim/outcome/stage_summary.hpp"
#include "traces/fingerprint.hpp"

namespace tessera::sim::outcome {

namespace {

using Kind = Resource::Kind;

/// Over all accelerators, by operator and phase.
class BreakdownTable final {
 public:
  explicit BreakdownTable(Outcome const& outcome)
      : outcome_{outcome},
        copies_{static_cast<std::int64_t>(outcome.blueprint.folding().copies())} {
    for (Breakdown::Row const& row : outcome.records.breakdown.rows()) add_times(row);
    auto const& tasks = outcome.blueprint.schedule.graph().tasks();
    for (TaskId const id : tasks.ids()) add_work(id, tasks[id]);
  }

  [[nodiscard]] std::vector<traces::BreakdownEntry> entries() const {
    std::vector<traces::BreakdownEntry> all;
    for (auto const& [key, entry] : entries_) all.push_back(entry);
    return all;
  }

 private:
  void add_times(Breakdown::Row const& row) {
    auto const time = [&](Activity activity) {
      return row.times[static_cast<std::size_t>(activity)] * copies_;
    };
    auto& entry = entry_of(row.op, row.phase);
    entry.compute = time(Activity::compute);
    entry.memory = time(Activity::memory);
    entry.communication = time(Activity::communication);
    entry.idle = time(Activity::idle);
  }

  void add_work(TaskId id, Task const& task) {
    auto const& work = outcome_.work[id];
    auto const bytes = work.memory;
    bool const is_done = outcome_.records.journal.completed(id).has_value();
    if (!is_done || (bytes == Bytes{0} && task.macs == Macs{0})) return;
    auto& entry = entry_of(task.op, task.phase);
    entry.macs += task.macs * copies_;
    entry.memory_bytes += bytes * copies_;
    auto const& clock = outcome_.blueprint.clock(task.accelerator).clock();
    entry.kernel_starts += clock.length(work.kernel_starts) * copies_;
  }

  [[nodiscard]] traces::BreakdownEntry& entry_of(workloads::OperatorId op, workloads::Phase phase) {
    auto& entry = entries_[{op.index(), static_cast<std::size_t>(phase)}];
    entry.op = static_cast<std::uint32_t>(op.index());
    entry.phase = static_cast<std::uint8_t>(phase);
    return entry;
  }

  Outcome const& outcome_;
  std::int64_t copies_;
  std::map<std::pair<std::size_t, std::size_t>, traces::BreakdownEntry> entries_;
};

std::vector<traces::Counter> counters(std::vector<Resource> const& resources) {
  std::size_t count = 0;
  for (Resource const& resource : resources) count += resource.statistics->size();
  std::vector<traces::Counter> all;
  all.reserve(count);
  for (Resource const& resource : resources) {
    for (Statistic const& statistic : *resource.statistics) {
      auto const value = tessera::detail::checked_multiply(statistic.value, resource.times);
      all.push_back({resource.name, statistic.name, statistic.unit, value});
    }
  }
  return all;
}

/// A histogram is 2 KiB: this many are 8 MiB before compression in the trace.
constexpr std::int64_t most_histograms = 4096;

}  // namespace

std::vector<std::string> histogram_names(std::vector<Resource> const& resources) {
  auto const has_one = [](Resource const& resource) { return !resource.histogram.empty(); };
  bool const share = std::count_if(resources.begin(), resources.end(), has_one) > most_histograms;
  std::vector<std::string> names;
  for (Resource const& resource : resources) {
    if (!has_one(resource)) {
      names.emplace_back();
    } else if (!share) {
      names.push_back(resource.name);
    } else {
      names.emplace_back(resource.kind == Kind::memory ? "memories"
                         : resource.kind == Kind::link ? "links"
                                                       : "processing-units");
    }
  }
  return names;
}

namespace {

/// In the order of the resources; a histogram that several share appears once.
std::vector<traces::Utilisation> utilisations(Outcome const& outcome) {
  auto const names = histogram_names(outcome.resources);
  std::map<std::string, std::size_t> places;
  std::vector<std::pair<std::string, BusyHistogram>> histograms;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty()) continue;
    auto const [place, is_new] = places.try_emplace(names[i], histograms.size());
    if (is_new) histograms.emplace_back(names[i], BusyHistogram{});
    Resource const& resource = outcome.resources[i];
    histograms[place->second].second.add(outcome.records.utilisation.at(resource.histogram),
                                         resource.times);
  }
  std::vector<traces::Utilisation> all;
  for (auto& [name, histogram] : histograms) {
    histogram.cover(outcome.end);
    all.push_back({name, histogram.width(), histogram.bins(outcome.end)});
  }
  return all;
}

/// Over when the tasks of an accelerator ended, in their order.
std::uint64_t fingerprint_of(AcceleratorId accelerator, Outcome const& outcome) {
  traces::Fingerprint print;
  for (TaskId const task : outcome.blueprint.schedule.tasks_of(accelerator)) {
    auto const end = outcome.records.journal.completed(task);
    print.add(std::int64_t{end ? 1 : 0});
    print.add(end ? end->value() : 0);
  }
  return print.value();
}

/// Over what the run did, accelerator by accelerator and counter by counter; not over how it was
/// driven. Copies have their representative's print, so that it costs no more than was simulated.
std::uint64_t fingerprint(Outcome const& outcome, traces::RunSummary const& summary) {
  traces::Fingerprint print;
  auto const& folding = outcome.blueprint.folding();
  IdVector<AcceleratorId, std::uint64_t> prints;
  for (std::size_t index = 0; index < folding.representatives(); ++index) {
    prints.push_back(fingerprint_of(AcceleratorId{index}, outcome));
  }
  for (std::size_t index = 0; index < folding.accelerators(); ++index) {
    print.add(static_cast<std::int64_t>(prints[AcceleratorId{folding.representative(index)}]));
  }
  for (traces::Counter const& counter : summary.counters) {
    print.add(counter.resource);
    print.add(counter.name);
    print.add(counter.value);
  }
  for (traces::BreakdownEntry const& entry : summary.breakdown) {
    if (entry.time() == Time{0}) continue;
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
  summary.cycles = outcome.blueprint.clock(AcceleratorId{0}).clock().edge_at_or_after(outcome.end);
  summary.communication = Bytes{total(resources, Kind::network_interface, "bytes_received")};
  summary.macs = Macs{total(resources, Kind::processing_unit, "macs")};
  summary.breakdown = BreakdownTable{outcome}.entries();
  summary.counters = counters(resources);
  summary.utilisation = utilisations(outcome);
  summary.energy = energy_entries(outcome.blueprint.array, resources, outcome.end);
  summary.links = link_entries(outcome);
  summary.accelerators = accelerator_entries(outcome);
  summary.traffic = traffic_entries(outcome);
  summary.fingerprint = fingerprint(outcome, summary);
  if (summary.complete) {
    summary.stages = stage_entries(outcome);
    summary.first_step = first_step_end(outcome);
    summary.steady = steady_state(outcome);
  }
  return summary;
}

}  // namespace tessera::sim::outcome
