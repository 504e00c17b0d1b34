#include "partition/search/strategy_oracle.hpp"

#include <string>
#include <utility>
#include <vector>

namespace tessera::partition {

using workloads::OperatorId;

namespace {

double const most_strategies = 4e6;

using Configs = IdVector<OperatorId, std::vector<OperatorConfig>>;

Configs configs_of(Problem const& problem, ConfigSpace const& space) {
  Configs configs;
  double strategies = 1;
  for (auto const op : problem.network.operators().ids()) {
    strategies *= static_cast<double>(configs[configs.push_back(space.configs(op))].size());
  }
  if (strategies <= most_strategies) return configs;
  throw ConfigError{{},
                    "planner.oracle_of",
                    "there are more than " +
                        std::to_string(static_cast<std::int64_t>(most_strategies)) +
                        " strategies; use a smaller network, fewer accelerators, or "
                        "planner.devices=aligned"};
}

class StrategyOracle final {
 public:
  StrategyOracle(Problem const& problem, Configs configs, Fit fit, OperatorTimes times)
      : problem_{problem},
        configs_{std::move(configs)},
        fit_{fit},
        timeline_{problem, data_parallel_strategy(problem), std::move(times)} {}

  [[nodiscard]] ShortestStrategy shortest() {
    try_all(0);
    return {best_, timeline_.evaluations()};
  }

 private:
  void try_all(std::size_t index) {
    if (index == configs_.size()) return note();
    OperatorId const op{index};
    for (auto const& config : configs_[op]) {
      static_cast<void>(timeline_.propose({{op, config}}));
      timeline_.accept();
      try_all(index + 1);
    }
  }

  void note() {
    if (best_ && timeline_.length() >= length_) return;
    if (fit_ != Fit::ignore && !fullest(problem_, timeline_.plan()).fits()) return;
    best_ = timeline_.strategy();
    length_ = timeline_.length();
  }

  Problem problem_;
  Configs configs_;
  Fit fit_;
  StrategyTimeline timeline_;
  std::optional<Strategy> best_;
  Time length_{0};
};

}  // namespace

ShortestStrategy shortest_strategy(Problem const& problem, ConfigSpace const& space, Fit fit,
                                   OperatorTimes times) {
  return StrategyOracle{problem, configs_of(problem, space), fit, std::move(times)}.shortest();
}

}  // namespace tessera::partition
