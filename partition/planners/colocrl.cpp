// ColocRL (Mirhoseini et al., "Device placement optimization with reinforcement learning", ICML 2017): every operator whole on one
// accelerator, by policy gradient with the timeline as the environment.
//
//   groups     operators that share weights are together, and what does not multiply is with what it reads first (co-location, section 3.2)
//   policy     pi(d | g) = softmax of a table theta[g][d], one row per group
//   reward     -sqrt(length), as in the paper; of a placement that does not fit, ten times the length
//   update     theta += rate * (reward - baseline) / |baseline| * grad log pi, the mean over the samples of a round (REINFORCE); the
//              baseline is the moving average of rewards
// Left out: the paper's sequence-to-sequence policy (a table learns no more from one problem than its rows), and asynchronous
// workers. The best placement that was sampled is the plan.
#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "partition/planners/builtin_planners.hpp"
#include "partition/planners/search_budget.hpp"
#include "partition/search/planning.hpp"

namespace tessera::partition {

using workloads::OperatorId;

namespace {

/// Of the moving average of rewards, how much stays from round to round (ours).
double const kept_of_baseline = 0.9;

using Groups = std::vector<std::vector<OperatorId>>;

/// With which earlier operator an operator is, if with any.
std::optional<OperatorId> together_with(workloads::Network const& network, OperatorId id) {
  auto const& op = network.at(id);
  if (op.weight) {
    auto const first = network.at(op.weight->tensor).consumers.front();
    return first < id ? std::optional{first} : std::nullopt;
  }
  if (workloads::multiplies(op.kind)) return std::nullopt;
  return network.at(op.inputs.front().tensor).producer;
}

Groups groups_of(workloads::Network const& network) {
  Groups groups;
  IdVector<OperatorId, std::size_t> group_of{network.operators().size()};
  for (auto const id : network.operators().ids()) {
    auto const other = together_with(network, id);
    group_of[id] = other ? group_of[*other] : groups.size();
    if (!other) groups.emplace_back();
    groups[group_of[id]].push_back(id);
  }
  return groups;
}

/// A device for every group.
using Placing = std::vector<std::size_t>;

class Policy final {
 public:
  Policy(std::size_t groups, std::size_t devices)
      : theta_(groups, std::vector<double>(devices, 0.0)) {}

  [[nodiscard]] Placing sample(std::mt19937_64& random) const {
    Placing placing;
    for (std::size_t group = 0; group < theta_.size(); ++group) {
      auto left = static_cast<double>(random() >> 11U) * 0x1p-53;
      auto const shares = probabilities(group);
      std::size_t device = 0;
      while (device + 1 < shares.size() && left >= shares[device]) left -= shares[device++];
      placing.push_back(device);
    }
    return placing;
  }

  /// Makes the placing more likely, or by a negative step less.
  void reinforce(Placing const& placing, double step) {
    for (std::size_t group = 0; group < theta_.size(); ++group) {
      auto const shares = probabilities(group);
      for (std::size_t device = 0; device < shares.size(); ++device) {
        auto const chosen = placing[group] == device ? 1.0 : 0.0;
        theta_[group][device] += step * (chosen - shares[device]);
      }
    }
  }

 private:
  [[nodiscard]] std::vector<double> probabilities(std::size_t group) const {
    auto shares = theta_[group];
    auto const most = *std::max_element(shares.begin(), shares.end());
    double sum = 0;
    for (auto& share : shares) sum += share = std::exp(share - most);
    for (auto& share : shares) share /= sum;
    return shares;
  }

  std::vector<std::vector<double>> theta_;
};

/// The environment: what a placement takes.
class Environment final {
 public:
  /// `budget` must outlive this.
  Environment(Problem const& problem, Fit fit, OperatorTimes times, SearchBudget const& budget)
      : problem_{problem},
        fit_{fit},
        times_{std::move(times)},
        budget_{budget},
        groups_{groups_of(problem.network)} {}

  [[nodiscard]] std::size_t groups() const { return groups_.size(); }

  [[nodiscard]] Strategy strategy_of(Placing const& placing) const {
    Strategy strategy{problem_.network.operators().size()};
    for (std::size_t group = 0; group < groups_.size(); ++group) {
      for (auto const op : groups_[group]) strategy[op].mesh.devices = {placing[group]};
    }
    return strategy;
  }

  /// [s]
  [[nodiscard]] double length_of(Placing const& placing) {
    if (timeline_) {
      timeline_->restart(strategy_of(placing));
    } else {
      timeline_.emplace(problem_, strategy_of(placing), times_);
    }
    auto const length = timeline_->length();
    bool const is_possible = fits();
    if (is_possible && (!best_ || length < best_length_)) {
      best_ = placing;
      best_length_ = length;
    }
    budget_.tell(evaluations(), best_ ? std::optional{best_length_} : std::nullopt);
    return (is_possible ? 1 : 10) * seconds(length);
  }

  /// None where nothing fits.
  [[nodiscard]] std::optional<Placing> const& best() const { return best_; }
  [[nodiscard]] std::int64_t evaluations() const { return timeline_->evaluations(); }
  [[nodiscard]] bool is_over() const { return budget_.is_over(evaluations()); }

 private:
  [[nodiscard]] bool fits() const {
    return fit_ == Fit::ignore || fullest(problem_, timeline_->plan()).fits();
  }

  Problem problem_;
  Fit fit_;
  OperatorTimes times_;
  SearchBudget const& budget_;
  Groups groups_;
  std::optional<StrategyTimeline> timeline_;
  std::optional<Placing> best_;
  Time best_length_{0};
};

/// REINFORCE, round by round.
class Learner final {
 public:
  Learner(Environment& environment, std::size_t devices, std::uint64_t seed)
      : environment_{environment}, policy_{environment.groups(), devices}, random_{seed} {}

  /// Samples placements and learns from them. False: the budget was over before it had all.
  bool round(std::int64_t samples, double rate) {
    std::vector<std::pair<Placing, double>> sampled;
    double mean = 0;
    for (std::int64_t sample = 0; sample < samples; ++sample) {
      if (environment_.is_over()) return false;
      auto placing = policy_.sample(random_);
      auto const reward = -std::sqrt(environment_.length_of(placing));
      mean += reward / static_cast<double>(samples);
      sampled.emplace_back(std::move(placing), reward);
    }
    auto const baseline = baseline_.value_or(mean);
    for (auto const& [placing, reward] : sampled) {
      auto const advantage = (reward - baseline) / -baseline;
      policy_.reinforce(placing, rate * advantage / static_cast<double>(samples));
    }
    baseline_ = kept_of_baseline * baseline + (1 - kept_of_baseline) * mean;
    return true;
  }

 private:
  Environment& environment_;
  Policy policy_;
  std::mt19937_64 random_;
  std::optional<double> baseline_;
};

}  // namespace

ColocRl::ColocRl(ConfigMap& options)
    : rounds_{read_whole(options, "rounds", 200)},
      samples_{read_whole(options, "samples", 10)},
      rate_{read_number(options, "rate", 5)},
      seed_{static_cast<std::uint64_t>(read_whole(options, "seed", 1))},
      fit_{fit_from(options)},
      budget_{budget_from(options)},
      times_{times_from(options, TimesOf::peak)} {}

Plan ColocRl::solve(Problem const& problem) const {
  SearchBudget const budget{problem, budget_, 1 + rounds_ * samples_};
  Environment environment{problem, fit_, operator_times(problem, times_), budget};
  Placing const together(environment.groups(), 0);
  static_cast<void>(environment.length_of(together));
  Learner learner{environment, static_cast<std::size_t>(problem.array.accelerators), seed_};
  for (std::int64_t round = 0; budget.is_given() || round < rounds_; ++round) {
    if (!learner.round(samples_, rate_)) break;
  }
  auto plan =
      plan_of("colocrl", problem, environment.strategy_of(environment.best().value_or(together)));
  plan.evaluations = environment.evaluations();
  plan.optimality_gap = 1;  // no bound is known
  plan.history.push_back(budget.summary(environment.evaluations(), times_));
  return finished(std::move(plan), problem);
}

}  // namespace tessera::partition
