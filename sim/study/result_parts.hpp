// Parts of a result that only some runs have, or that say why one took so long: plain numbers with their lists of fields, as
// sim/study/result.hpp, which includes this.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tessera::sim {

/// An object whose keys are names, in their own order.
template <typename T>
using Named = std::vector<std::pair<std::string, T>>;

/// The addresses that the tensors of a detailed core take (sim/lower/address_book.hpp), of the
/// accelerator that MemoryUse is of: what it needs, and what alignment and gaps add. None on simple
/// processing units.
struct AddressUse {
  std::int64_t mapped_bytes = 0;
  std::int64_t wrapped_bytes = 0;  ///< beyond its memory's capacity

  template <typename Self, typename Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("mapped_bytes", self.mapped_bytes);
    visit("wrapped_bytes", self.wrapped_bytes);
  }
};

/// A stage of the plan; times in seconds, averaged over its accelerators.
struct StageUse {
  std::int64_t stage = 0;
  std::int64_t accelerators = 0;
  double compute_s = 0;
  double bubble_s = 0;         ///< from its first work to its last, it waited for other stages
  double span_s = 0;           ///< from its first work to its last
  std::int64_t in_flight = 0;  ///< chunks of micro-batches, at most at a time on an accelerator
  std::int64_t weight_versions = 0;  ///< likewise

  template <typename Self, typename Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("stage", self.stage);
    visit("accelerators", self.accelerators);
    visit("compute_s", self.compute_s);
    visit("bubble_s", self.bubble_s);
    visit("span_s", self.span_s);
    visit("in_flight", self.in_flight);
    visit("weight_versions", self.weight_versions);
  }
};

/// A module of the machine (sim/shell/module_list.hpp).
struct Module {
  std::string name;
  std::string kind;
  std::optional<std::string> mirrors;    ///< a module that was simulated and stands for this one
  std::optional<std::string> unused;     ///< why nothing is simulated here
  std::optional<std::string> core = {};  ///< that simulated it together with others

  template <typename Self, typename Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("name", self.name);
    visit("kind", self.kind);
    visit("mirrors", self.mirrors);
    visit("unused", self.unused);
    visit("core", self.core);
  }
};

/// How far a run came towards what its array can do: its place under the roofline, and how evenly
/// the work lay. What has no peak, or moved nothing, is absent.
struct PeakUse {
  std::optional<double> of_peak;         ///< MACs per second, of all accelerators' peak
  std::optional<double> macs_per_byte;   ///< of memory: arithmetic intensity
  std::optional<double> balance;         ///< MACs per byte at which peak and memory are even
  std::optional<double> memory_of_peak;  ///< bytes per second, of all memories' peak
  std::optional<double> busiest_link;    ///< share of the time that its mean lane was busy
  std::optional<double> imbalance;  ///< of computing time: the most of an accelerator over the mean

  template <typename Self, typename Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("of_peak", self.of_peak);
    visit("macs_per_byte", self.macs_per_byte);
    visit("balance_macs_per_byte", self.balance);
    visit("memory_of_peak", self.memory_of_peak);
    visit("busiest_link", self.busiest_link);
    visit("imbalance", self.imbalance);
  }
};

/// Times of a step that no plan for the array can beat (sim/study/bounds.hpp). What has no peak is
/// absent.
struct Bounds {
  std::optional<double> peak_s = {};    ///< all products at all accelerators' peak rate
  std::optional<double> memory_s = {};  ///< operands of products once at all memories' bandwidth

  template <typename Self, typename Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("peak_s", self.peak_s);
    visit("memory_s", self.memory_s);
  }
};

/// The plan's second price (partition/price/plan_timeline.hpp).
struct TimelineTimes {
  double time_s = 0;
  double busiest_core_s = 0;
  double busiest_link_s = 0;
  std::int64_t tasks = 0;

  template <typename Self, typename Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("time_s", self.time_s);
    visit("busiest_core_s", self.busiest_core_s);
    visit("busiest_link_s", self.busiest_link_s);
    visit("tasks", self.tasks);
  }
};

/// What one cause has of the critical path (sim/outcome/critical_path.hpp).
struct PathShare {
  std::string cause;
  std::optional<std::string> layer;  ///< of computation, memory and communication, as the phase
  std::optional<std::string> phase;
  std::optional<std::string> link;  ///< of communication, and of waiting for others' messages
  /// Of computation and memory where the array has groups: whose they are ("4 to 7").
  std::optional<std::string> accelerators;
  double time_s = 0;

  template <typename Self, typename Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("cause", self.cause);
    visit("layer", self.layer);
    visit("phase", self.phase);
    visit("link", self.link);
    visit("accelerators", self.accelerators);
    visit("time_s", self.time_s);
  }
};

/// The run's time if resources of a class were faster (sim/outcome/what_if.hpp).
struct FasterTime {
  double bound_s = 0;              ///< infinitely fast, no run takes less
  double estimate_2x_s = 0;        ///< twice as fast
  double estimate_infinite_s = 0;  ///< infinitely fast

  template <typename Self, typename Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("bound_s", self.bound_s);
    visit("estimate_2x_s", self.estimate_2x_s);
    visit("estimate_infinite_s", self.estimate_infinite_s);
  }
};

}  // namespace tessera::sim
