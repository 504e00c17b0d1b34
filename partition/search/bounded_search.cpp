#include "partition/search/bounded_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "partition/search/elimination.hpp"
#include "partition/search/elimination_order.hpp"
#include "partition/search/pair_sum.hpp"
#include "partition/search/relaxation.hpp"

namespace tessera::partition {

namespace {

using Variable = MinSum::Variable;
using Label = MinSum::Label;
using Term = MinSum::Term;
using Kept = std::vector<std::vector<Label>>;  ///< labels that a variable may still have, ascending
using Bounds = std::vector<std::vector<double>>;  ///< of the labels kept, per variable

double const infinity = std::numeric_limits<double>::infinity();

/// Is a labelling of that cost optimal among those of the bound? Both are rounded sums.
bool reaches(double bound, double cost) {
  double const rounding = 1e-9;
  return bound >= cost - rounding * std::abs(cost);
}

double cost_of(std::vector<Label> const& labels, std::vector<std::size_t> const& label_counts,
               std::vector<Term> const& terms) {
  double sum = 0;
  for (auto const& term : terms) {
    std::size_t entry = 0;
    for (auto const variable : term.variables) {
      entry = entry * label_counts[variable] + labels[variable];
    }
    sum += term.cost[entry];
  }
  return sum;
}

/// A term over one or two variables, of the labels kept; over those that have a choice left.
Term restricted(Term const& term, std::vector<std::size_t> const& label_counts, Kept const& kept) {
  Term result;
  for (auto const variable : term.variables) {
    if (kept[variable].size() > 1) result.variables.push_back(variable);
  }
  auto const first = term.variables.front();
  auto const second = term.variables.back();
  for (auto const row : kept[first]) {
    if (term.variables.size() == 1) {
      result.cost.push_back(term.cost[row]);
      continue;
    }
    for (auto const column : kept[second]) {
      result.cost.push_back(term.cost[row * label_counts[second] + column]);
    }
  }
  return result;
}

std::vector<std::size_t> sizes_of(Kept const& kept) {
  std::vector<std::size_t> sizes;
  for (auto const& labels : kept) sizes.push_back(labels.size());
  return sizes;
}

std::vector<Term> restricted(std::vector<Term> const& terms,
                             std::vector<std::size_t> const& label_counts, Kept const& kept) {
  std::vector<Term> result;
  result.reserve(terms.size());
  for (auto const& term : terms) result.push_back(restricted(term, label_counts, kept));
  return result;
}

/// What is left of a problem when labels and easily eliminated variables are taken away.
class Core final {
 public:
  Core(std::vector<std::size_t> const& label_counts, std::vector<Term> const& terms,
       Kept const& kept)
      : kept_{kept},
        sizes_{sizes_of(kept)},
        elimination_{sizes_, restricted(terms, label_counts, kept)},
        is_eliminated_(kept.size(), false) {
    auto limits = EliminationLimits{};
    limits.neighbours = 2;  // leaves terms over pairs
    eliminate(fewest_neighbours_first(sizes_, elimination_.terms(), limits));
  }

  /// All that is left, unless a limit would be passed.
  bool eliminate_rest(EliminationLimits const& limits) {
    auto const terms = elimination_.terms();
    auto const by_neighbours = fewest_neighbours_first(sizes_, terms, limits);
    auto const by_table = smallest_table_first(sizes_, terms, limits);
    bool const is_first =
        by_neighbours.is_complete && !(by_table.is_complete && by_table.sums < by_neighbours.sums);
    auto const& order = is_first ? by_neighbours : by_table;
    if (order.is_complete) eliminate(order);
    return order.is_complete;
  }

  [[nodiscard]] PairSum rest() const { return {sizes_, elimination_.terms()}; }
  /// The cost of what is not in the rest.
  [[nodiscard]] double constant() const { return elimination_.constant(); }
  [[nodiscard]] std::int64_t evaluations() const { return evaluations_; }

  /// The labels of the whole problem, from those of the rest.
  [[nodiscard]] std::vector<Label> completed(std::vector<Label> labels) const {
    elimination_.complete(labels);
    for (Variable variable = 0; variable < labels.size(); ++variable) {
      labels[variable] = kept_[variable][labels[variable]];
    }
    return labels;
  }

 private:
  void eliminate(EliminationOrder const& order) {
    for (auto const variable : order.variables) {
      if (is_eliminated_[variable]) continue;
      is_eliminated_[variable] = true;
      evaluations_ += elimination_.eliminate(variable);
    }
  }

  Kept const& kept_;
  std::vector<std::size_t> sizes_;
  Elimination elimination_;
  std::vector<bool> is_eliminated_;
  std::int64_t evaluations_ = 0;
};

/// What a round has found out about the labellings that are left.
struct Round {
  double bound = infinity;  ///< that no cheaper one goes below; infinite: there is none
  bool is_closed = true;    ///< nothing is left to search
  bool took_many = false;   ///< of their labels: another round pays
  Bounds bounds = {};
};

class BranchSearch final {
 public:
  BranchSearch(std::vector<std::size_t> const& label_counts, std::vector<Term> const& terms,
               MinSum::Limits const& limits)
      : label_counts_{label_counts}, terms_{terms}, limits_{limits} {
    best_.cost = infinity;
  }

  [[nodiscard]] MinSum::Solution run() {
    Kept all;
    for (auto const count : label_counts_) {
      all.emplace_back(count);
      std::iota(all.back().begin(), all.back().end(), Label{0});
    }
    auto const bound = bound_of(std::move(all));
    best_.bound = reaches(bound, best_.cost) ? best_.cost : bound;
    return std::move(best_);
  }

 private:
  [[nodiscard]] double work_left() const {
    return limits_.search - static_cast<double>(best_.evaluations);
  }
  void count(double entries) { best_.evaluations += static_cast<std::int64_t>(entries); }

  void offer(std::vector<Label> labels) {
    auto const cost = cost_of(labels, label_counts_, terms_);
    if (cost >= best_.cost) return;
    best_.cost = cost;
    best_.labels = std::move(labels);
  }

  [[nodiscard]] double bound_of(Kept kept);
  [[nodiscard]] double bound_by_branches(Kept const& kept, Bounds const& bounds);
  Round narrow(Kept& kept);
  Relaxation relaxed(PairSum const& rest, Core const& core);

  std::vector<std::size_t> const& label_counts_;
  std::vector<Term> const& terms_;
  MinSum::Limits limits_;
  MinSum::Solution best_;
  bool has_walked_ = false;
};

/// Keeps the labels whose bounds are below `cost`; returns how many go.
std::size_t keep_below(double cost, Kept& kept, Bounds& bounds) {
  std::size_t taken = 0;
  for (Variable variable = 0; variable < kept.size(); ++variable) {
    std::vector<Label> labels;
    std::vector<double> of_labels;
    for (std::size_t i = 0; i < kept[variable].size(); ++i) {
      if (reaches(bounds[variable][i], cost)) continue;
      labels.push_back(kept[variable][i]);
      of_labels.push_back(bounds[variable][i]);
    }
    taken += kept[variable].size() - labels.size();
    kept[variable] = std::move(labels);
    bounds[variable] = std::move(of_labels);
  }
  return taken;
}

/// Until it has met the best labelling, or gains little.
Relaxation BranchSearch::relaxed(PairSum const& rest, Core const& core) {
  int const most_passes = 300;
  int const window = 10;  // passes over which it should close a hundredth of the gap
  Relaxation relaxation{rest};
  auto const least_left = work_left() / 2;  // for what follows
  auto before = -infinity;
  for (int pass = 1; pass <= most_passes && work_left() > least_left; ++pass) {
    relaxation.pass();
    count(4 * rest.entries());
    offer(core.completed(relaxation.labels()));
    auto const bound = relaxation.bound() + core.constant();
    if (reaches(bound, best_.cost)) break;
    if (pass % window != 0) continue;
    if (bound - before < (best_.cost - bound) / 100) break;
    before = bound;
  }
  return relaxation;
}

Round BranchSearch::narrow(Kept& kept) {
  Core core{label_counts_, terms_, kept};
  bool const is_solved = core.eliminate_rest({limits_.table, std::min(limits_.sums, work_left())});
  count(static_cast<double>(core.evaluations()));
  if (is_solved) {
    offer(core.completed(std::vector<Label>(kept.size(), 0)));
    return {core.constant()};
  }
  auto const rest = core.rest();
  auto const relaxation = relaxed(rest, core);
  Round round{relaxation.bound() + core.constant()};
  if (reaches(round.bound, best_.cost)) return round;
  if (!std::exchange(has_walked_, true)) {
    auto const entries = work_left() / 2;
    offer(core.completed(tabu_search(rest, relaxation.labels(), entries)));
    count(entries);
  }
  round.is_closed = work_left() <= 0;
  if (round.is_closed) return round;
  round.bounds = relaxation.bounds_by_label();
  for (auto& of_variable : round.bounds) {
    for (auto& bound : of_variable) bound += core.constant();
  }
  auto const sizes = sizes_of(kept);
  auto const labels = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
  round.took_many = 20 * keep_below(best_.cost, kept, round.bounds) >= labels;
  bool const is_empty = std::any_of(kept.begin(), kept.end(),
                                    [](auto const& of_variable) { return of_variable.empty(); });
  return is_empty ? Round{} : round;
}

/// No labelling with these labels costs less, or none that costs less than the best.
double BranchSearch::bound_of(Kept kept) {
  while (true) {
    auto const round = narrow(kept);
    if (round.is_closed) return round.bound;
    if (!round.took_many) return std::max(round.bound, bound_by_branches(kept, round.bounds));
  }
}

/// Fixes the variable that is least undecided.
double BranchSearch::bound_by_branches(Kept const& kept, Bounds const& bounds) {
  Variable chosen = 0;
  auto most = -infinity;
  for (Variable variable = 0; variable < kept.size(); ++variable) {
    if (kept[variable].size() < 2) continue;
    auto sorted = bounds[variable];
    std::nth_element(sorted.begin(), sorted.begin() + 1, sorted.end());
    if (sorted[1] <= most) continue;
    most = sorted[1];
    chosen = variable;
  }
  std::vector<std::size_t> order(kept[chosen].size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  auto const& of_chosen = bounds[chosen];
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return of_chosen[a] < of_chosen[b]; });
  auto least = infinity;
  for (auto const index : order) {
    auto bound = of_chosen[index];
    if (work_left() > 0 && !reaches(bound, best_.cost)) {
      auto branch = kept;
      branch[chosen] = {kept[chosen][index]};
      bound = std::max(bound, bound_of(std::move(branch)));
    }
    least = std::min(least, bound);
  }
  return least;
}

}  // namespace

MinSum::Solution bounded_search(std::vector<std::size_t> const& label_counts,
                                std::vector<Term> const& terms, MinSum::Limits const& limits) {
  return BranchSearch{label_counts, terms, limits}.run();
}

}  // namespace tessera::partition
