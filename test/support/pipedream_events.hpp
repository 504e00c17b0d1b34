// The event graph of PipeDream's steady state, whose maximum cycle ratio is its period.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "test/support/cycle_ratio.hpp"
#include "test/support/pipeline_twin.hpp"

namespace tessera::test {

/// What constrains PipeDream's steady state (SOSP 2019, section 3.2), written down from its rules
/// and not from its orders: a round is `round` micro-batches, a multiple of all replicas; every
/// stage has a forward, a backward and an update event of each.
class PipeDreamEvents final {
 public:
  PipeDreamEvents(std::vector<std::size_t> const& replicas, PipelineTimes const& times)
      : replicas_{replicas}, times_{times} {
    for (auto const count : replicas_) round_ = std::lcm(round_, count);
    auto following = std::accumulate(replicas_.begin(), replicas_.end(), std::size_t{0});
    for (std::size_t stage = 0; stage < replicas_.size(); ++stage) {
      add_stage(stage, (following - 1) / replicas_[stage]);
      following -= replicas_[stage];
    }
  }

  [[nodiscard]] std::size_t round() const { return round_; }
  [[nodiscard]] Ratio period() const {
    return maximum_cycle_ratio(3 * round_ * replicas_.size(), arcs_);
  }

 private:
  enum Kind { forward, backward, update };  // NOLINT(cppcoreguidelines-use-enum-class): an index

  void add_stage(std::size_t stage, std::size_t warm_up) {
    auto const replicas = replicas_[stage];
    for (std::size_t b = 0; b < round_; ++b) {
      if (stage > 0) {
        add(stage - 1, forward, b, stage, forward, b, times_.transfer);
        add(stage, backward, b, stage - 1, backward, b, times_.transfer);
      }
      // F(j + W) B(j) U(j) F(j + W + 1) of each replica; an update begins when all replicas' gradients of its turn are there.
      add(stage, forward, b + warm_up * replicas, stage, backward, b, 0);
      auto const turn = b / replicas * replicas;
      for (auto other = turn; other < turn + replicas; ++other) {
        add(stage, backward, other, stage, update, b, 0);
      }
      add(stage, update, b, stage, forward, b + (warm_up + 1) * replicas, 0);
    }
  }

  /// Micro-batches from `round_` on are of later rounds.
  void add(std::size_t from_stage, Kind from, std::size_t b, std::size_t to_stage, Kind to,
           std::size_t c, std::int64_t transfer) {
    auto const height =
        static_cast<std::int64_t>(c / round_) - static_cast<std::int64_t>(b / round_);
    arcs_.push_back({event(from_stage, from, b), event(to_stage, to, c),
                     time_of(from_stage, from) + transfer, height});
  }

  [[nodiscard]] std::size_t event(std::size_t stage, Kind kind, std::size_t b) const {
    return (stage * 3 + kind) * round_ + b % round_;
  }
  [[nodiscard]] std::int64_t time_of(std::size_t stage, Kind kind) const {
    auto const& times = times_.stages[stage];
    if (kind == forward) return times.forward;
    return kind == backward ? times.backward_data + times.backward_weight : times.update;
  }

  std::vector<std::size_t> replicas_;
  PipelineTimes times_;
  std::size_t round_ = 1;
  std::vector<Arc> arcs_;
};

}  // namespace tessera::test
