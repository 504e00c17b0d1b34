// Counting activations.
#include "sim/host/supervisor.hpp"

namespace tessera::sim::host {

Supervisor::Supervisor(Journal const& journal, RunOptions const& options)
    : journal_{journal}, options_{options} {
  if (options.shuffle_seed != 0) shuffle_.emplace(options.shuffle_seed);
}

bool Supervisor::admits_activation(Time now) {
  if (error_ || stalled_) return false;
  constexpr std::int64_t activations_between_reports = 1 << 16;
  if (++activations_ % activations_between_reports == 0 && options_.progress) {
    options_.progress(journal_.completions(), now);
  }
  if (journal_.completions() > completions_) {
    completions_ = journal_.completions();
    last_progress_ = activations_;
  }
  stalled_ = activations_ - last_progress_ > options_.stall_limit;
  return !stalled_;
}

int Supervisor::draw_delay() {
  constexpr std::uint64_t delays = 4;
  return shuffle_ ? static_cast<int>((*shuffle_)() % delays) : 0;
}

}  // namespace tessera::sim::host
