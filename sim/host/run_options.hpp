// How a run is driven.
#pragma once

#include <cstdint>
#include <functional>

#include "sim/model/array/hardware_models.hpp"
#include "sim/model/compute/kept_work.hpp"

namespace tessera::sim {

/// No choice here may change a result; tests run them against each other.
struct RunOptions {
  enum class ModuleOrder { forward, reverse };
  ModuleOrder module_order = ModuleOrder::forward;
  std::uint64_t shuffle_seed =
      0;  ///< not 0: cores that wake at the same time run in a random order
  /// Repeat computations that start as one before did, from its record (PhaseMemo), and carry whole
  /// messages in one core (MessageCore).
  PhaseMemo::Use fast_forward = PhaseMemo::Use::on;
  /// Hand every command of detailed memories to sink.record_command(); nothing is repeated from
  /// records then. The commands of an accelerator's channel stand for those of all its channels.
  bool trace_commands = false;
  /// Fill in Report::modules.
  bool list_modules = false;
  /// What earlier runs of the same network on the same array (and models) have left; the run adds
  /// to it, and it must outlive the run. None: the run shares with no other.
  KeptWork* kept = nullptr;
  /// Work out the critical path, what each task waited for, and what if something were faster, once
  /// the run is over. A search over many runs may leave it out.
  bool explain = true;
  /// What `kind: model` may name in an array's file.
  HardwareModels models;
  /// Activations without one task completing after which a run counts as stuck.
  std::int64_t stall_limit = 50'000'000;
  /// Called now and then with the tasks done so far and the simulated time.
  std::function<void(std::size_t, Time)> progress;
};

}  // namespace tessera::sim
