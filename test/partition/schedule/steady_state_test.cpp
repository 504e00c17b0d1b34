// How long schedules without a flush take per micro-batch once they are under way: exactly, as a ratio of whole numbers.
#include <gtest/gtest.h>

#include <numeric>

#include "test/support/cycle_ratio.hpp"
#include "test/support/random_pipeline.hpp"

namespace tessera::partition {
namespace {

using test::Arc;
using test::Draw;
using test::PipelineTimes;
using test::Ratio;
using test::Timeline;

/// Ends of a replica's backward passes.
std::vector<std::int64_t> backward_ends(std::vector<test::TimedSlot> const& slots) {
  std::vector<std::int64_t> ends;
  for (auto const& timed : slots) {
    if (timed.slot.pass == Pass::backward) ends.push_back(timed.end);
  }
  return ends;
}

/// Do `passes` of a replica's backward passes always take `time`? Looked at in the last part of the
/// run before it drains.
bool repeats(std::vector<std::int64_t> const& ends, std::size_t passes, std::int64_t time) {
  for (auto i = ends.size() / 2; i + passes < ends.size() * 9 / 10; ++i) {
    if (ends[i + passes] - ends[i] != time) return false;
  }
  return true;
}

/// The steady time of `round` micro-batches, over as many rounds as it takes to repeat itself.
Ratio period_of(Timeline const& timeline, std::size_t round) {
  for (std::size_t rounds = 1; rounds <= 12; ++rounds) {
    auto const input = backward_ends(timeline.front().front());
    auto const passes = [&](std::vector<std::vector<test::TimedSlot>> const& stage) {
      return rounds * round / stage.size();
    };
    auto const middle = input.size() / 2;
    auto const time = input[middle + passes(timeline.front())] - input[middle];
    bool is_steady = true;
    for (auto const& stage : timeline) {
      for (auto const& slots : stage) {
        is_steady = is_steady && repeats(backward_ends(slots), passes(stage), time);
      }
    }
    if (is_steady) return {time, static_cast<std::int64_t>(rounds)};
  }
  return {-1, 1};
}

TEST(SteadyState, OfAStraightPipelineIsItsSlowestStage) {
  Draw draw{21};
  for (int i = 0; i < 60; ++i) {
    auto const p = draw(1, 6);
    for (auto const* const name : {"pipedream", "2bw"}) {
      auto const shape = test::straight(p, p + draw(0, 3), 1, 400 / p);
      auto const times = random_stage_times(shape, draw);
      std::int64_t slowest = 0;
      for (auto const& stage : times.stages) slowest = std::max(slowest, stage.sum());
      auto const period = period_of(run_pipeline(test::program_of(name, shape), times), 1);
      EXPECT_EQ(period.weight, slowest * period.height) << name << ", p " << p;
    }
  }
}

/// What constrains PipeDream's steady state (SOSP 2019, section 3.2), written down from its rules
/// and not from its orders: a round is `round` micro-batches, a multiple of all replicas; every
/// stage has a forward, a backward and an update event of each.
class PipeDreamEvents final {
 public:
  PipeDreamEvents(PipelineShape const& shape, PipelineTimes const& times)
      : replicas_{shape.replicas}, times_{times} {
    for (auto const count : replicas_) round_ = std::lcm(round_, count);
    auto following = std::accumulate(replicas_.begin(), replicas_.end(), std::size_t{0});
    for (std::size_t stage = 0; stage < replicas_.size(); ++stage) {
      add_stage(stage, (following - 1) / replicas_[stage]);
      following -= replicas_[stage];
    }
  }

  [[nodiscard]] std::size_t round() const { return round_; }
  [[nodiscard]] Ratio period() const {
    return test::maximum_cycle_ratio(3 * round_ * replicas_.size(), arcs_);
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
  PipelineTimes const& times_;
  std::size_t round_ = 1;
  std::vector<Arc> arcs_;
};

TEST(SteadyState, OfPipeDreamIsTheMaximumCycleRatioOfItsRules) {
  Draw draw{22};
  int slower_than_any_stage = 0;
  for (int i = 0; i < 60; ++i) {
    PipelineShape shape{test::random_replicas(draw, 4, 4)};
    auto times = random_stage_times(shape, draw, 5);
    times.transfer = draw(0, 1) * draw(0, 15);
    PipeDreamEvents const events{shape, times};
    auto const round = static_cast<std::int64_t>(events.round());
    shape.micro_batches = 120 * round;
    auto const timeline = run_pipeline(test::program_of("pipedream", shape), times);
    auto const period = period_of(timeline, events.round());
    auto const expected = events.period();
    EXPECT_EQ(period.weight * expected.height, expected.weight * period.height)
        << "round of " << round << ": " << period.weight << " / " << period.height << ", not "
        << expected.weight << " / " << expected.height;
    std::int64_t slowest = 0;  // stage, of its replicas' share of a round
    for (std::size_t stage = 0; stage < shape.stages(); ++stage) {
      auto const turns = round / static_cast<std::int64_t>(shape.replicas[stage]);
      slowest = std::max(slowest, turns * (times.stages[stage].sum() + times.stages[stage].update));
    }
    EXPECT_GE(expected.weight, slowest * expected.height);
    if (expected.weight > slowest * expected.height) ++slower_than_any_stage;
  }
  EXPECT_GT(slower_than_any_stage, 5);  // else the test could do without cycles
}

}  // namespace
}  // namespace tessera::partition
