// What a proposal of a search over strategies costs: the step's timeline from the beginning (FlexFlow's Algorithm 1, which builds the
// task graph and simulates it), that of tasks that are there already, and what changed only (Algorithm 2).
#include <benchmark/benchmark.h>

#include <random>
#include <string>
#include <utility>

#include "arch/array/load.hpp"
#include "partition/search/config_space.hpp"
#include "partition/search/strategy_timeline.hpp"
#include "workloads/load.hpp"

namespace tessera::partition {
namespace {

/// The same proposals in the same order, from data parallelism: those that are no slower are kept.
class Proposals {
 public:
  Proposals(std::string const& network, std::string const& array)
      : network_{workloads::load(network)}, array_{arch::load(array)} {}

  [[nodiscard]] Problem problem() const { return {network_, array_}; }
  [[nodiscard]] Strategy start() const { return data_parallel_strategy(problem()); }

  OperatorMove next() {
    workloads::OperatorId const op{random_() % network_.operators().size()};
    return {op, space_.random_config(op, random_)};
  }

 private:
  workloads::Network network_;
  arch::ArraySpec array_;
  ConfigSpace space_{problem(), ConfigSpace::Devices::runs};
  std::mt19937_64 random_{1};
};

/// The mean part of the tasks that were there before a proposal that starts elsewhere with it.
double share_moved(std::string const& network, std::string const& array) {
  Proposals proposals{network, array};
  StrategyTimeline timeline{proposals.problem(), proposals.start()};
  double moved = 0;
  int const count = 50;
  for (int i = 0; i < count; ++i) {
    auto const before = timeline.timeline();
    timeline.propose({proposals.next()});
    std::size_t elsewhere = 0;
    for (std::size_t slot = 0; slot < before.slots(); ++slot) {
      TimelineTaskId const task{slot};
      bool const stays = before.exists(task) && timeline.timeline().exists(task);
      if (stays && before.start(task) != timeline.timeline().start(task)) ++elsewhere;
    }
    moved += static_cast<double>(elsewhere) / static_cast<double>(before.size()) / count;
    timeline.reject();
  }
  return moved;
}

void proposal_full(benchmark::State& state, std::string const& network, std::string const& array) {
  Proposals proposals{network, array};
  auto strategy = proposals.start();
  auto best = Time{0};
  for (auto unused : state) {
    static_cast<void>(unused);
    auto const move = proposals.next();
    auto const before = std::exchange(strategy[move.op], move.config);
    StepTimeline const timeline{proposals.problem(), plan_of("", proposals.problem(), strategy)};
    bool const is_kept = best == Time{0} || timeline.length() <= best;
    if (is_kept) best = timeline.length();
    if (!is_kept) strategy[move.op] = before;
  }
}

void proposal_delta(benchmark::State& state, std::string const& network, std::string const& array) {
  Proposals proposals{network, array};
  StrategyTimeline timeline{proposals.problem(), proposals.start()};
  auto best = timeline.length();
  for (auto unused : state) {
    static_cast<void>(unused);
    auto const proposed = timeline.propose({proposals.next()});
    if (proposed <= best) {
      best = proposed;
      timeline.accept();
    } else {
      timeline.reject();
    }
  }
  state.counters["looked_at"] = timeline.mean_share_looked_at();
  state.counters["moved"] = share_moved(network, array);
}

void timeline_again(benchmark::State& state, std::string const& network, std::string const& array) {
  Proposals const proposals{network, array};
  StepTimeline timeline{proposals.problem(), plan_of("", proposals.problem(), proposals.start())};
  for (auto unused : state) {
    static_cast<void>(unused);
    timeline.simulate();
  }
  state.counters["tasks"] = static_cast<double>(timeline.timeline().size());
}

BENCHMARK_CAPTURE(proposal_full, nmt, "nmt-unrolled", "k80-64")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(proposal_full, inception_v3, "inception-v3", "k80-64")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(proposal_delta, nmt, "nmt-unrolled", "k80-64")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(proposal_delta, inception_v3, "inception-v3", "k80-64")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(timeline_again, nmt, "nmt-unrolled", "k80-64")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(timeline_again, inception_v3, "inception-v3", "k80-64")
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tessera::partition
