// AccPar (HPCA'20): Type I, II or III per operator and level, and in which ratio.
//
// A level's cost is its time: what every operator computes, and what crosses the level's cuts, both on the slowest accelerator.
// Levels further down are not decided yet and count as shared in proportion to speed.
//
// Ratios. With alpha the first halves' share and E_i what half i would take for all of an operator, AccPar solves
//   alpha E_1 + communication of half 1 = (1 - alpha) E_2 + communication of half 2
// per layer. Our halves exchange over the same links and wait for each other, so a step takes
//   max(alpha E_1, (1 - alpha) E_2) + max over the halves of what each receives.
// Every term is linear in one operator's alpha but for kinks where the halves compute equally long, alpha = E_2 / (E_1 + E_2), where
// they receive equally much, alpha = 1/2, and where it meets a neighbour's; and where neighbours share one alpha, terms like
// alpha (1 - alpha) are concave. So an optimum has every alpha at one of the first two, among which the search chooses, or at an end,
// 0 or 1, which would leave half of the array idle; AccPar looks inside of (0, 1) only, and so do we, unless the option `idle_half`
// allows it: then a plan for each half alone is made as well, and is the plan where the cost model has it faster.
//
// Within a level the choice is optimal, or the plan says that it may not be (Plan::optimality_gap); over levels it is greedy, and what one level saves the levels below may have to pay. So a plan
// with equal halves and one of HyPar's choices are made as well, and where one half of the array has faster links, a fourth plan whose
// shares balance them: the top level, where shares are chosen, cannot see that the levels below would gain. The fastest of
// them by the cost model is the plan.
#include <algorithm>
#include <cmath>
#include <optional>

#include "partition/plan/sub_array.hpp"
#include "partition/planners/accpar.hpp"
#include "partition/planners/builtin_planners.hpp"
#include "partition/price/cost_model.hpp"
#include "partition/price/footprint.hpp"
#include "partition/price/work.hpp"
#include "partition/search/fit_search.hpp"
#include "partition/search/planning.hpp"
#include "partition/search/shortcut_search.hpp"
#include "workloads/load.hpp"

namespace tessera::partition {

using workloads::Dim;
using workloads::OperatorId;

namespace {

/// Time in elements: what the links of the level move meanwhile.
class StepTime final : public Objective {
 public:
  StepTime(Problem const& problem, std::unique_ptr<Objective> traffic, double seconds_per_element)
      : problem_{problem},
        traffic_{std::move(traffic)},
        elements_per_second_{1 / seconds_per_element} {}

  [[nodiscard]] double operator_cost(OperatorId op, Splits const& splits) const override {
    return traffic_->operator_cost(op, splits) +
           work_of(problem_, op, splits).slowest_s * elements_per_second_;
  }
  [[nodiscard]] std::vector<Edge> edges() const override { return traffic_->edges(); }
  [[nodiscard]] double edge_cost(Edge const& edge, Splits const& producer_splits,
                                 Splits const& consumer_splits) const override {
    return traffic_->edge_cost(edge, producer_splits, consumer_splits);
  }

 private:
  Problem problem_;
  std::unique_ptr<Objective> traffic_;
  double elements_per_second_;
};

/// The shares among which an operator chooses: its own balance, that of the whole step (operators
/// that compute nothing follow the others), and one half.
std::vector<double> shares_of(double own, double common) {
  std::vector<double> shares;
  for (auto const share : {common, own, 0.5}) {
    double const rounding = 1e-9;
    bool const is_new = std::none_of(shares.begin(), shares.end(), [&](double known) {
      return std::abs(known - share) < rounding;
    });
    if (is_new) shares.push_back(share);
  }
  return shares;
}

/// The share of the first half with which the links within both halves take equally long for a
/// tensor that the top level splits.
double balance_of_links(Pace pace) { return pace.second / (pace.first + pace.second); }

bool has_unlike_links(arch::ArraySpec const& array) {
  auto const pace = pace_of(array);
  return pace.first != pace.second;
}

/// Every choice split in proportion to the links' speed at the top, where the halves differ.
Choices by_links(Problem const& problem, Choices const& even, std::size_t level) {
  if (level > 0) return even;
  auto choices = even;
  for (auto& of_operator : choices) {
    for (auto& split : of_operator) split.first = balance_of_links(pace_of(problem.array));
  }
  return choices;
}

/// Every choice with every share, Type I first.
Choices with_shares(Problem const& problem, Choices const& even, std::size_t level) {
  if (has_alike_halves(problem.array, level)) return even;
  auto const common = balanced_share(problem, level);
  Choices choices;
  for (auto const op : even.ids()) {
    std::vector<Split> splits;
    for (auto const& split : even[op]) {
      for (auto const share : shares_of(balanced_share(problem, op, level), common)) {
        splits.emplace_back(split.dim, share);
      }
    }
    choices.push_back(std::move(splits));
  }
  return choices;
}

/// Which shares the levels choose among.
enum class Shares { even, solved, by_links };

Choices choices_of(Problem const& problem, Choices const& even, Shares shares, std::size_t level) {
  switch (shares) {
    case Shares::even:
      return even;
    case Shares::solved:
      return with_shares(problem, even, level);
    case Shares::by_links:
      return by_links(problem, even, level);
  }
  return even;
}

LevelProblems levels_with(Problem const& problem, AccParLevelOptions const& options,
                          Shares shares) {
  auto const even = choices_among({Dim::n, Dim::c, Dim::k}, problem.network);
  return [=, rates = seconds_per_element(problem)](std::size_t level) {
    auto traffic =
        traffic_objective(problem.network, options.inter_layer, level, shape_of(problem.array));
    return LevelProblem{choices_of(problem, even, shares, level),
                        std::make_unique<StepTime>(problem, std::move(traffic), rates[level])};
  };
}

/// The released solver's search where a network's shortcuts go by numbers, else an exact one.
LevelSearch search_for(workloads::Network const& network, AccParOptions const& options) {
  auto const span = options.shortcut_spans.find(network.name());
  if (span == options.shortcut_spans.end()) return choose_cheapest;
  return ShortcutSearch{static_cast<std::size_t>(span->second)};
}

/// Of plans that should fit: is the second one better, whatever it costs?
std::optional<bool> fits_better(Problem const& problem, Plan const& first, Plan const& second) {
  auto const of_first = fullest(problem, first);
  auto const of_second = fullest(problem, second);
  if (of_first.fits() && of_second.fits()) return std::nullopt;
  return of_second.filled() < of_first.filled();
}

/// The one with the smaller prediction, `first` if they are equal. Where plans are searched that
/// fit, one that does goes before one that does not, and of two that do not the emptier one. Its
/// evaluations are those of both.
Plan better(Problem const& problem, Fit fit, Plan first, Plan second) {
  auto const evaluations = first.evaluations + second.evaluations;
  auto is_second = second.predicted->time_s < first.predicted->time_s;
  if (fit == Fit::search) {
    is_second = fits_better(problem, first, second).value_or(is_second);
  }
  auto plan = is_second ? std::move(second) : std::move(first);
  plan.evaluations = evaluations;
  return plan;
}

/// The networks under `shortcut_spans`, each with its span.
std::vector<std::pair<std::string, ConfigNode>> spans_in(ConfigMap& options) {
  auto const* const spans = options.find("shortcut_spans");
  if (spans == nullptr) return {};
  static_cast<void>(spans->as_map());
  return spans->entries();
}

}  // namespace

AccParLevelOptions AccParLevelOptions::from(ConfigMap& options) {
  AccParLevelOptions it;
  it.inter_layer = inter_layer_from(options);
  it.compute = options.choice<Compute>(
      "compute", {{"counted", Compute::counted}, {"ignored", Compute::ignored}}, it.compute);
  it.ratio = options.choice<Ratio>("ratio", {{"solved", Ratio::solved}, {"equal", Ratio::equal}},
                                   it.ratio);
  return it;
}

AccParOptions AccParOptions::from(ConfigMap& options) {
  AccParOptions it{AccParLevelOptions::from(options), fit_from(options), price_from(options),
                   times_from(options, TimesOf::peak)};
  it.idle_half = options.choice<IdleHalf>(
      "idle_half", {{"never", IdleHalf::never}, {"allowed", IdleHalf::allowed}}, it.idle_half);
  for (auto const& [network, span] : spans_in(options)) {
    it.shortcut_spans[network] = span.as<std::int64_t>();
    if (it.shortcut_spans[network] < 2) throw span.error("a shortcut spans at least two layers");
  }
  return it;
}

void check_spans(ConfigMap& options, std::vector<std::string> const& planned) {
  auto const spans = spans_in(options);
  if (spans.empty()) return;  // reading every network of the zoo takes longer than a small step
  auto known = planned;
  for (auto const& network : workloads::builtin_networks()) known.push_back(network.name);
  for (auto const& [network, span] : spans) {
    if (std::find(known.begin(), known.end(), network) != known.end()) continue;
    throw span.error(unknown_name("network", network, known) +
                     " (a network of another name has to be the one that is planned)");
  }
}

PlanCost time_in_elements(Problem const& problem) {
  auto const rates = seconds_per_element(problem);
  return [per_element = rates.empty() ? 1 : rates.front()](Plan const& plan) {
    return plan.predicted->time_s / per_element;
  };
}

LevelProblems accpar_levels(Problem const& problem, AccParLevelOptions const& options) {
  require_halves(shape_of(problem.array), "accpar's ratios");
  if (options.compute == AccParLevelOptions::Compute::ignored) {
    auto const even = choices_among({Dim::n, Dim::c, Dim::k}, problem.network);
    return [=](std::size_t level) {
      return LevelProblem{even, traffic_objective(problem.network, options.inter_layer, level)};
    };
  }
  bool const solves_ratio = options.ratio == AccParLevelOptions::Ratio::solved;
  return levels_with(problem, options, solves_ratio ? Shares::solved : Shares::even);
}

Plan AccPar::solve(Problem const& problem) const {
  auto plan = on_all(problem);
  if (options_.idle_half == AccParOptions::IdleHalf::never) return plan;
  for (auto const& part : groups_alone(problem.array)) {
    auto alone =
        lifted(on_all({problem.network, part.array}), part, problem.array, problem.network);
    plan = better(problem, options_.fit, std::move(plan), finished(std::move(alone), problem));
  }
  return plan;
}

Plan AccPar::on_all(Problem const& problem) const {
  bool const counts_compute = options_.level.compute == AccParLevelOptions::Compute::counted;
  auto const cost = counts_compute ? time_in_elements(problem) : elements_moved(problem);
  auto const planned = [&](LevelProblems const& levels, LevelSearch const& search) {
    return fitted_by_level("accpar", problem, options_.fit, {levels, search, cost});
  };
  auto const better_of = [&](Plan first, Plan second) {
    return better(problem, options_.fit, std::move(first), std::move(second));
  };
  auto const search = search_for(problem.network, options_);
  auto const& level = options_.level;
  auto plan = planned(accpar_levels(problem, level), search);
  auto const by_its_price = [&](Plan chosen) {
    return by_price(options_.price, problem, options_.fit, std::move(chosen),
                    {Dim::n, Dim::c, Dim::k}, operator_times(problem, options_.times));
  };
  if (!counts_compute) return by_its_price(std::move(plan));
  if (unevenly_split(plan)) {
    plan = better_of(std::move(plan), planned(levels_with(problem, level, Shares::even), search));
  }
  if (level.ratio == AccParLevelOptions::Ratio::solved && has_unlike_links(problem.array)) {
    plan =
        better_of(std::move(plan), planned(levels_with(problem, level, Shares::by_links), search));
  }
  return by_its_price(better_of(
      std::move(plan), planned(hypar_levels(problem, level.inter_layer), choose_cheapest)));
}

}  // namespace tessera::partition
