// What watches over all modules of a run: progress, errors, and the order of activations in tests.
#pragma once

#include <exception>
#include <optional>
#include <random>

#include "sim/host/run_options.hpp"
#include "sim/model/record/journal.hpp"

namespace tessera::sim::host {

/// A run is over when no event is left. The supervisor can end it earlier by making every module
/// do nothing when it wakes: after an error, or after too many activations without one task
/// completing. (sc_stop would write to standard output.)
class Supervisor final {
 public:
  /// `journal` and `options` must outlive the supervisor.
  Supervisor(Journal const& journal, RunOptions const& options);

  /// Counts an activation at `now`. False: the run is over, do nothing.
  [[nodiscard]] bool admits_activation(Time now);

  /// How many delta cycles the next activation waits: 0, or random when modules are shuffled.
  [[nodiscard]] int draw_delay();

  /// Runs `body`; what it throws ends the run and waits for rethrow(), for the kernel would turn
  /// it into a report.
  template <typename Body>
  void guard(Body body) {
    try {
      body();
    } catch (...) {
      if (!error_) error_ = std::current_exception();
    }
  }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

  [[nodiscard]] bool stalled() const { return stalled_; }

 private:
  Journal const& journal_;
  RunOptions const& options_;
  std::int64_t activations_ = 0;
  std::int64_t last_progress_ = 0;  ///< the activation after which a task completed last
  std::size_t completions_ = 0;
  bool stalled_ = false;
  std::exception_ptr error_;
  std::optional<std::mt19937_64> shuffle_;
};

}  // namespace tessera::sim::host
