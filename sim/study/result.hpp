// What one simulated point found out, as plain numbers under the names of the command line's JSON contract. Every document is
// written and read through the field lists here, so a key is spelled once. What was not computed is absent: no key, never 0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sim/study/result_parts.hpp"

namespace tessera::sim {

struct Predicted {
  double time_s = 0;
  std::int64_t communication_bytes = 0;
  double energy_j = 0;

  template <typename Self, typename Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("time_s", self.time_s);
    visit("communication_bytes", self.communication_bytes);
    visit("energy_j", self.energy_j);
  }
};

struct Simulated {
  double time_s = 0;
  std::int64_t cycles = 0;
  std::int64_t communication_bytes = 0;
  double energy_j = 0;
  std::string fingerprint;

  template <typename Self, typename Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("time_s", self.time_s);
    visit("cycles", self.cycles);
    visit("communication_bytes", self.communication_bytes);
    visit("energy_j", self.energy_j);
    visit("fingerprint", self.fingerprint);
  }
};

/// The part of a run that repeats itself (sim/model/record/steady_state.hpp).
struct Steady {
  double step_time_s = 0;
  double samples_per_s = 0;
  std::int64_t period_ps = 0;
  std::int64_t period_micro_batches = 0;  ///< that every stage completes in a period
  double fill_s = 0;                      ///< until the first micro-batch of it is complete
  double drain_s = 0;                     ///< after the last one

  template <typename Self, typename Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("step_time_s", self.step_time_s);
    visit("samples_per_s", self.samples_per_s);
    visit("period_ps", self.period_ps);
    visit("period_micro_batches", self.period_micro_batches);
    visit("fill_s", self.fill_s);
    visit("drain_s", self.drain_s);
  }
};

/// Several steps.
struct Steps {
  std::int64_t count = 0;
  double first_s = 0;            ///< until all of the first one was done
  std::optional<Steady> steady;  ///< none: none was found

  template <typename Self, typename Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("count", self.count);
    visit("first_s", self.first_s);
    visit("steady", self.steady);
  }
};

/// An entry of `compare`. What is predicted and simulated is of all steps.
struct Result {
  std::string workload;
  std::string arch;
  std::int64_t batch = 0;
  std::string planner;
  Predicted predicted;
  Simulated simulated;
  std::optional<TimelineTimes> timeline = {};  ///< none: it has none, or was not asked for
  std::optional<PeakUse> use = {};
  std::optional<Bounds> bounds = {};
  std::optional<Steps> steps = {};               ///< none: one
  std::optional<double> speedup = {};            ///< simulated, against the first planner listed
  std::optional<double> energy_efficiency = {};  ///< likewise
  std::optional<double> plan_wall_s = {};        ///< none of a plan from a file
  double simulate_wall_s = 0;                    ///< of lowering and running the plan
  std::optional<double> explain_wall_s = {};     ///< of what_if and critical_path, if asked for
  std::int64_t peak_rss_bytes = 0;

  template <typename Self, typename Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("workload", self.workload);
    visit("arch", self.arch);
    visit("batch", self.batch);
    visit("planner", self.planner);
    visit("predicted", self.predicted);
    visit("timeline", self.timeline);
    visit("simulated", self.simulated);
    visit("use", self.use);
    visit("bounds", self.bounds);
    visit("steps", self.steps);
    visit("speedup", self.speedup);
    visit("energy_efficiency", self.energy_efficiency);
    visit("plan_wall_s", self.plan_wall_s);
    visit("simulate_wall_s", self.simulate_wall_s);
    visit("explain_wall_s", self.explain_wall_s);
    visit("peak_rss_bytes", self.peak_rss_bytes);
  }
};

/// Where time went, in seconds, averaged over the accelerators.
struct TimeShares {
  double compute = 0;
  double communication = 0;                  ///< exposed: waiting for the fabric
  double memory = 0;                         ///< waiting for memory
  double idle = 0;                           ///< waiting for others, or done
  double kernel_starts = 0;                  ///< of `memory`: until the first loads of kernels
  std::optional<double> of_peak = {};        ///< MACs, of what the array can do in this time
  std::optional<double> macs_per_byte = {};  ///< of memory: arithmetic intensity

  [[nodiscard]] double total() const { return compute + communication + memory + idle; }

  template <typename Self, typename Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("compute", self.compute);
    visit("communication", self.communication);
    visit("memory", self.memory);
    visit("idle", self.idle);
    visit("kernel_starts", self.kernel_starts);
    visit("of_peak", self.of_peak);
    visit("macs_per_byte", self.macs_per_byte);
  }
};

struct TimeBreakdown {
  TimeShares total;
  Named<TimeShares> phases;
  Named<TimeShares> layers;
  std::optional<double> bubbles = {};  ///< of the total: stages wait for others; none: no stages

  template <typename Self, typename Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("total", self.total);
    visit("phases", self.phases);
    visit("layers", self.layers);
    visit("bubbles", self.bubbles);
  }
};

struct LinkUse {
  double busy_fraction = 0;  ///< of its lanes' time
  std::int64_t bytes = 0;

  template <typename Self, typename Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("busy_fraction", self.busy_fraction);
    visit("bytes", self.bytes);
  }
};

/// Of the array's links, each way; absent where a file has it unlimited.
struct LinkBandwidth {
  std::optional<double> own_gbit_per_s;     ///< of the narrowest one at an accelerator
  std::optional<double> widest_gbit_per_s;  ///< of any: an H-tree's links widen towards the root

  template <typename Self, typename Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("own_gbit_per_s", self.own_gbit_per_s);
    visit("widest_gbit_per_s", self.widest_gbit_per_s);
  }
};

/// The plan and the traffic of one level of the hierarchy; level 1 is the top.
struct Level {
  int level = 1;
  Named<std::string> types;  ///< per layer: I, II, III
  Named<double> ratio;       ///< per split layer: the share of the first half
  std::int64_t predicted_bytes = 0;
  std::optional<std::int64_t> simulated_bytes = {};  ///< none before a simulation

  template <typename Self, typename Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("level", self.level);
    visit("types", self.types);
    visit("ratio", self.ratio);
    visit("predicted_bytes", self.predicted_bytes);
    visit("simulated_bytes", self.simulated_bytes);
  }
};

/// Tiles of computations on detailed cores, over all accelerators.
struct Tiles {
  std::int64_t computed = 0;
  std::int64_t late = 0;      ///< that the arrays waited for
  std::int64_t repeated = 0;  ///< not worked out: provably as others
  std::int64_t mirrored = 0;  ///< of these, on accelerators that mirror a simulated one
  std::int64_t within = 0;    ///< of these, steps that repeat others of simulated accelerators

  template <typename Self, typename Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("computed", self.computed);
    visit("late", self.late);
    visit("repeated", self.repeated);
    visit("mirrored", self.mirrored);
    visit("within", self.within);
  }
};

/// A level of the hierarchy whose groups do not mirror each other.
struct UnfoldedLevel {
  std::int64_t level = 1;
  std::string reason;  ///< "communication of conv1.forward"

  template <typename Self, typename Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("level", self.level);
    visit("reason", self.reason);
  }
};

/// How much of the array was simulated; the rest mirrors it.
struct Symmetry {
  std::int64_t accelerators = 1;
  std::int64_t simulated = 1;
  std::vector<UnfoldedLevel> unfolded =
      {};  ///< none where all are simulated because that was asked for

  template <typename Self, typename Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("accelerators", self.accelerators);
    visit("simulated", self.simulated);
    visit("unfolded", self.unfolded);
  }
};

/// Blocks that were asked of simulated channels which find courses again, as an HBM's.
struct Blocks {
  std::int64_t asked = 0;
  std::int64_t repeated = 0;  ///< not worked out: took the course of earlier ones

  template <typename Self, typename Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("asked", self.asked);
    visit("repeated", self.repeated);
  }
};

/// What the accelerator holds whose memory the plan fills most (partition/price/footprint.hpp).
struct MemoryUse {
  std::int64_t accelerator = 0;
  std::int64_t needed_bytes = 0;  ///< the sum of the next four
  std::int64_t weights_bytes = 0;
  std::int64_t gradients_bytes = 0;
  std::int64_t activations_bytes = 0;  ///< kept for the backward passes
  std::int64_t working_bytes = 0;      ///< what else is there at the fullest moment
  std::int64_t capacity_bytes = 0;

  template <typename Self, typename Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("accelerator", self.accelerator);
    visit("needed_bytes", self.needed_bytes);
    visit("weights_bytes", self.weights_bytes);
    visit("gradients_bytes", self.gradients_bytes);
    visit("activations_bytes", self.activations_bytes);
    visit("working_bytes", self.working_bytes);
    visit("capacity_bytes", self.capacity_bytes);
  }
};

/// What `simulate` tells beyond a Result.
struct Details {
  TimeBreakdown breakdown;
  Named<double> energy;  ///< joules per component
  Named<LinkUse> links;
  std::vector<Level> levels;
  std::optional<Tiles> tiles;    ///< none without detailed cores
  std::optional<Blocks> blocks;  ///< none where no channel finds courses again
  Symmetry symmetry;
  MemoryUse memory;
  std::optional<AddressUse> addresses;                       ///< likewise
  std::optional<std::vector<StageUse>> stages;               ///< none without stages
  std::optional<LinkBandwidth> link_bandwidth = {};          ///< none without links
  std::optional<std::vector<PathShare>> critical_path = {};  ///< the largest first
  std::optional<Named<FasterTime>> what_if = {};             ///< by class of resources
  std::optional<std::vector<Module>> modules = {};           ///< if they were asked for
  std::optional<std::string> trace = {};                     ///< what the run file holds, if any

  template <typename Self, typename Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("breakdown", self.breakdown);
    visit("energy", self.energy);
    visit("links", self.links);
    visit("levels", self.levels);
    visit("tiles", self.tiles);
    visit("blocks", self.blocks);
    visit("symmetry", self.symmetry);
    visit("memory", self.memory);
    visit("addresses", self.addresses);
    visit("stages", self.stages);
    visit("link_bandwidth", self.link_bandwidth);
    visit("critical_path", self.critical_path);
    visit("what_if", self.what_if);
    visit("modules", self.modules);
    visit("trace", self.trace);
  }
};

/// A simulated point, all of it.
struct Point {
  Result result;
  Details details;

  template <typename Self, typename Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("result", self.result);
    visit("details", self.details);
  }
};

using Json = nlohmann::ordered_json;

[[nodiscard]] Json to_json(Result const& result);
[[nodiscard]] Json to_json(Details const& details);
[[nodiscard]] Json to_json(Predicted const& predicted);
[[nodiscard]] Json to_json(TimelineTimes const& timeline);
[[nodiscard]] Json to_json(MemoryUse const& memory);
[[nodiscard]] Json to_json(LinkBandwidth const& bandwidth);
[[nodiscard]] Json to_json(std::vector<Level> const& levels);

/// A point as bytes and back, exactly: how it travels between processes of one machine. Bytes that
/// end too early are an error.
[[nodiscard]] std::string archived(Point const& point);
[[nodiscard]] Point point_from(std::string const& bytes);

/// A JSON document for stdout, ended by a newline.
[[nodiscard]] std::string document(Json const& json);

}  // namespace tessera::sim
