// What happened: the records that a simulation emits. Plain integers; schema.md has names and units.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "arch/base/quantity.hpp"

namespace tessera::traces {

/// One task, from issue to completion. Ids index the name tables of RunDescription.
struct TaskEvent {
  std::int64_t task = 0;
  std::uint8_t kind = 0;   ///< RunNames::task_kinds
  std::uint8_t phase = 0;  ///< RunNames::phases
  std::uint8_t level = 0;  ///< transfer: hierarchy level; else 0
  std::uint32_t accelerator = 0;
  std::uint32_t destination = 0;  ///< transfer; else = accelerator
  std::uint32_t op = 0;           ///< RunNames::operators
  Time start{0};
  Time end{0};
  Bytes bytes{0};
  Macs macs{0};
  std::uint32_t micro_batch = 0;  ///< counted over all steps
  std::uint32_t step = 0;
  std::uint32_t version = 0;  ///< of the weights: so many updates made them
  std::uint32_t stage = 0;
  std::uint8_t cause = 0;        ///< RunNames::causes: of the last wait
  std::int64_t waited_for = -1;  ///< the number of the task that it waited for last; -1: none
  Time slack{0};                 ///< how much later it could end without a later end of the run
  std::uint32_t rounds = 1;      ///< transfer: messages that it went in, one after the other
};

/// One command of a DRAM channel. Ids index the name tables of RunDescription.
struct CommandEvent {
  Time time{0};
  std::uint32_t channel = 0;  ///< RunNames::channels
  std::uint32_t row = 0;      ///< of an activate; else 0
  std::uint16_t bank = 0;     ///< within the channel; of a rank's command: its first
  std::uint8_t kind = 0;      ///< RunNames::command_kinds
};

/// A resource's counter at the end of the run.
struct Counter {
  std::string resource;  ///< "accelerator-3.memory"
  std::string name;      ///< "busy"
  std::string unit;      ///< "ps"
  std::int64_t value = 0;
};

/// How long a resource was busy in each bin of the run: bin i covers [i * width, (i + 1) * width).
struct Utilisation {
  std::string resource;
  Time width{0};
  std::vector<Time> busy;
};

/// Energy of one component, with the event count it was derived from.
struct EnergyEntry {
  std::string component;  ///< "processing-unit", "buffer", "memory", "fabric"
  std::string event;      ///< "multiply"
  std::int64_t count = 0;
  Energy each{0};
  [[nodiscard]] Energy total() const { return count * each; }
};

/// What a one-way link of the fabric carried.
struct LinkEntry {
  std::string from;  ///< "switch-1.0"; the counters name the link "switch-1.0>accelerator-3"
  std::string to;
  int level = 0;  ///< of the hierarchy, 1 at the top of an H-tree; others have none: 0
  std::int64_t lanes = 1;
  Bandwidth lane_bandwidth{0};
  std::int64_t messages = 0;
  Bytes bytes{0};
  Time busy{0};            ///< bytes over bandwidth, summed over lanes
  double utilisation = 0;  ///< share of the run that a lane was busy, on average
  Energy energy{0};        ///< of the words it carried
};

/// What one accelerator sent another.
struct TrafficEntry {
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  std::int64_t messages = 0;
  Bytes bytes{0};
};

/// Where the time of a run went, summed over accelerators, for one operator and phase. The four
/// add up to accelerators * time.
struct BreakdownEntry {
  std::uint32_t op = 0;
  std::uint8_t phase = 0;
  Time compute{0};        ///< the processing unit is busy
  Time memory{0};         ///< it waits for memory
  Time communication{0};  ///< it waits for the fabric ("exposed")
  Time idle{0};           ///< it waits for others, or has nothing to do
  Macs macs{0};           ///< computed
  Bytes memory_bytes{0};  ///< read from and written to accelerators' memories
  Time kernel_starts{0};  ///< of `memory`: until the first loads of kernels

  [[nodiscard]] Time time() const { return compute + memory + communication + idle; }
};

/// What an accelerator can do and did.
struct AcceleratorEntry {
  std::uint32_t accelerator = 0;
  double peak_macs_per_s = 0;  ///< 0: it has no peak (a profile)
  Bandwidth peak_memory{0};    ///< 0: it is not known, or unlimited
  Macs macs{0};
  Bytes memory_bytes{0};      ///< read and written
  Time busy{0};               ///< of its processing unit
  std::uint32_t mirrors = 0;  ///< the accelerator simulated in its place, or itself
};

/// What an accelerator did in a stage of the plan; without stages the whole array is one.
struct StageEntry {
  std::uint32_t stage = 0;
  std::uint32_t accelerator = 0;
  Time begin{0};    ///< of its first work
  Time end{0};      ///< of its last
  Time compute{0};  ///< between: a computation was under way
  Time bubble{0};   ///< between: it waited for other stages
  /// At most at a time: chunks of micro-batches that it had begun to pass forward and not yet
  /// passed backward, and versions of the weights that it needed.
  std::int64_t in_flight = 0;
  std::int64_t weight_versions = 0;
};

/// The part of a run that repeats itself.
struct SteadyState {
  Time period{0};
  std::int64_t micro_batches = 0;  ///< that every stage completes in a period
  Time begin{0};                   ///< the first micro-batch of it was complete
  Time end{0};                     ///< and the last one
};

/// A piece of the critical path.
struct PathEntry {
  Time begin{0};
  Time end{0};
  std::int64_t task = 0;   ///< its number
  std::uint8_t cause = 0;  ///< RunNames::path_causes
  std::uint32_t op = 0;    ///< of the task, as the next
  std::uint8_t phase = 0;
  std::int64_t link = -1;         ///< row of the links: of a transfer, the narrowest of its way
  std::uint32_t accelerator = 0;  ///< of the task; run files have it with their tasks
};

/// The time of the run if resources of a class were faster.
struct WhatIfEntry {
  std::string resource;  ///< "compute", "memory", "links", "links of level 2"
  Time bound{0};         ///< infinitely fast: no run takes less
  Time estimate_2x{0};   ///< twice as fast
  Time estimate_infinite{0};
};

/// Where a node of the fabric is drawn: x to the right, y down, neighbours about 1 apart.
struct PlaceEntry {
  std::string name;  ///< as links have it
  double x = 0;
  double y = 0;
};

/// What the plan predicts of an operator's phase, in all steps.
struct PlanEntry {
  std::uint32_t op = 0;
  std::uint8_t phase = 0;
  double time_s = 0;
  std::int64_t communication_bytes = 0;
};

/// What ids stand for.
struct RunNames {
  std::vector<std::string> operators;
  std::vector<std::string> task_kinds;
  std::vector<std::string> phases;
  std::vector<std::string> channels;  ///< of memories: "accelerator-3.channel-5"
  std::vector<std::string> command_kinds;
  std::vector<std::string> causes;       ///< of waiting
  std::vector<std::string> path_causes;  ///< of time on the critical path
};

/// What the run was: written first, so that even a partial trace says what it is.
struct RunDescription {
  std::string tessera_version;
  std::string commit;  ///< of the build; "unknown" outside a checkout
  std::string command_line;
  std::string host;
  std::uint64_t seed = 0;
  std::string options;   ///< what else was asked for and changes what happens; may be empty
  std::string workload;  ///< the resolved network, YAML
  std::string array;     ///< the resolved array, YAML
  /// What an array that an earlier version resolved is in today's words; none: as it stands.
  std::function<std::string(std::string const&)> array_today = {};
  std::string plan;  ///< YAML
  std::string network_name;
  std::string array_name;
  std::string planner;
  std::int64_t batch = 0;
  std::int64_t steps = 1;
  std::int64_t accelerators = 0;
  RunNames names;
  std::vector<PlaceEntry> places;     ///< of all nodes of the fabric
  std::vector<PlanEntry> plan_costs;  ///< by operator and phase
};

/// Why it took so long.
struct Reasons {
  std::vector<PathEntry> critical_path;  ///< from 0 to the end, piece by piece
  std::vector<WhatIfEntry> what_if;
};

/// How it ended.
struct RunSummary {
  bool complete = false;  ///< false: stopped without progress; the trace is partial
  Time time{0};
  Cycles cycles{0};        ///< of the accelerators' clock
  Bytes communication{0};  ///< sum over transfers
  Macs macs{0};
  std::uint64_t fingerprint = 0;
  double predicted_time_s = 0;  ///< the plan's prediction; 0 when it has none
  std::int64_t predicted_communication_bytes = 0;
  double predicted_energy_j = 0;
  std::vector<BreakdownEntry> breakdown;
  std::vector<Counter> counters;
  std::vector<Utilisation> utilisation;
  std::vector<EnergyEntry> energy;
  std::vector<LinkEntry> links;       ///< every link of the fabric
  std::vector<TrafficEntry> traffic;  ///< pairs that exchanged anything, by source and destination
  std::vector<AcceleratorEntry> accelerators;
  std::vector<StageEntry> stages;
  Time first_step{0};                 ///< when all of it was done
  std::optional<Reasons> reasons;     ///< none: the run is not complete, or nobody asked
  std::optional<SteadyState> steady;  ///< none: none was found, or fewer than 3 steps were run
};

}  // namespace tessera::traces
