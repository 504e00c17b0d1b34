// Which of equally cheap cuts SoyBean makes: the one after which the next cuts cost least together.
//
// The first cut of a perceptron often has many layouts of the same cost, of which some leave regions that cost more to cut again. So
// a window of cuts is decided at once: every value has a sequence of layouts for a label, every computation one of forms, and min-sum
// minimises what the first cut costs, with a weight that lets nothing outweigh it, plus what the others cost in as many groups as
// there are. Only the first cut is kept. It is kept only if it costs what the cheapest cut does, and the window less than what cuts
// decided one by one do; so where nothing is gained, ties go as they do by themselves.
//
// Left out: what cuts behind the window cost. It has as many cuts as remain, unless it would take more than so many prices.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "partition/planners/soybean.hpp"

namespace tessera::partition {

namespace {

std::size_t const most_cuts = 3;
double const most_prices = 24'000;

/// All sequences of `length` of the labels, the first varying slowest.
std::vector<std::vector<std::size_t>> sequences_of(std::vector<std::size_t> const& labels,
                                                   std::size_t length) {
  std::vector<std::vector<std::size_t>> all{{}};
  for (std::size_t place = 0; place < length; ++place) {
    std::vector<std::vector<std::size_t>> longer;
    for (auto const& shorter : all) {
      for (auto const label : labels) {
        longer.push_back(shorter);
        longer.back().push_back(label);
      }
    }
    all = std::move(longer);
  }
  return all;
}

}  // namespace

/// Cuts that are decided at once.
class SoyBeanGraph::Window final {
 public:
  Window(SoyBeanGraph const& graph, Request const& request)
      : graph_{&graph}, request_{&request}, cuts_{length()} {}

  [[nodiscard]] std::size_t cuts() const { return cuts_; }

  /// The first cut of the cheapest window in which an element of it counts as much as `weight`
  /// later ones; none where tables would become too large. `followers`: what the others cost.
  [[nodiscard]] std::optional<Labels> first_cut(double weight, double& followers) const {
    auto limits = request_->limits;
    limits.search = most_prices;  // what is not decided by elimination hardly ever is by more
    MinSum sum{limits};
    std::vector<std::vector<Sequence>> choices;
    for (auto const& value : graph_->values_) {
      choices.push_back(sequences_of(all_of(value.layouts.size()), cuts_));
      sum.add_variable(choices.back().size());
    }
    for (auto const& computation : graph_->computations_) {
      choices.push_back(sequences_of(allowed(computation, request_->samples), cuts_));
      auto const variable = sum.add_variable(choices.back().size());
      for (auto const& use : computation.uses) {
        sum.add_term(use.value, variable,
                     costs(use, choices[use.value], choices[variable], weight));
      }
    }
    auto const solution = sum.solve();
    if (solution.bound != solution.cost) return std::nullopt;
    auto labels = first_of(choices, solution.labels);
    labels.evaluations = solution.evaluations;
    labels.elements = elements_of(labels);
    followers = solution.cost - weight * labels.elements;
    return labels;
  }

  /// What the cuts after `first` cost, decided one by one.
  [[nodiscard]] double followers_of(Labels const& first) const {
    auto left = *graph_;
    left.keep_first_part(first, request_->ways.front());
    auto groups = static_cast<double>(request_->ways.front());
    double elements = 0;
    for (std::size_t cut = 1; cut < cuts_; ++cut) {
      auto const ways = request_->ways[cut];
      auto const labels = left.cheapest({{ways}, request_->samples, request_->limits});
      elements += groups * labels.elements;
      groups *= static_cast<double>(ways);
      left.keep_first_part(labels, ways);
    }
    return elements;
  }

  /// What one cut costs.
  [[nodiscard]] double elements_of(Labels const& labels) const {
    double elements = 0;
    for (std::size_t i = 0; i < graph_->computations_.size(); ++i) {
      for (auto const& use : graph_->computations_[i].uses) {
        elements += cost(use, {labels.layouts[use.value]}, {labels.forms[i]}, 1);
      }
    }
    return elements;
  }

 private:
  using Sequence = std::vector<std::size_t>;

  static std::vector<std::size_t> all_of(std::size_t labels) {
    std::vector<std::size_t> all(labels);
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
  }

  [[nodiscard]] double prices(std::size_t cuts) const {
    double prices = 0;
    for (auto const& computation : graph_->computations_) {
      auto const forms = static_cast<double>(allowed(computation, request_->samples).size());
      for (auto const& use : computation.uses) {
        auto const layouts = static_cast<double>(graph_->values_[use.value].layouts.size());
        prices += std::pow(forms * layouts, static_cast<double>(cuts));
      }
    }
    return prices;
  }

  [[nodiscard]] std::size_t length() const {
    auto cuts = std::min(request_->ways.size(), most_cuts);
    while (cuts > 1 && prices(cuts) > most_prices) --cuts;
    return cuts;
  }

  [[nodiscard]] std::vector<double> costs(Use const& use, std::vector<Sequence> const& layouts,
                                          std::vector<Sequence> const& forms, double weight) const {
    std::vector<double> all;
    all.reserve(layouts.size() * forms.size());
    for (auto const& layout : layouts) {
      for (auto const& form : forms) all.push_back(cost(use, layout, form, weight));
    }
    return all;
  }

  /// Of cuts one after another.
  [[nodiscard]] double cost(Use const& use, Sequence const& layouts, Sequence const& forms,
                            double weight) const {
    auto const& value = graph_->values_[use.value];
    CutRegion held{value.left, {}};
    CutRegion used{use.left, {}};
    double elements = 0;
    double groups = 1;
    for (std::size_t cut = 0; cut < layouts.size(); ++cut) {
      auto const ways = request_->ways[cut];
      held.holding = value.layouts[layouts[cut]];
      used.holding = use.forms[forms[cut]];
      auto const moved = use.direction == Direction::operand ? conversion_cost(held, used, ways)
                                                             : conversion_cost(used, held, ways);
      elements += (cut == 0 ? weight : groups) * moved;
      groups *= static_cast<double>(ways);
      held.region = first_part_of(held, ways);
      used.region = first_part_of(used, ways);
    }
    return elements;
  }

  [[nodiscard]] Labels first_of(std::vector<std::vector<Sequence>> const& choices,
                                std::vector<MinSum::Label> const& chosen) const {
    Labels labels;
    for (std::size_t i = 0; i < choices.size(); ++i) {
      auto& of_kind = i < graph_->values_.size() ? labels.layouts : labels.forms;
      of_kind.push_back(choices[i][chosen[i]].front());
    }
    return labels;
  }

  SoyBeanGraph const* graph_;
  Request const* request_;
  std::size_t cuts_;
};

SoyBeanGraph::Labels SoyBeanGraph::with_cheapest_followers(Request const& request,
                                                           Labels first) const {
  Window const window{*this, request};
  if (window.cuts() < 2 || first.bound != first.elements) return first;
  auto const least = window.followers_of(first);
  // As large as doubles of this many elements count exactly, or nearly.
  for (auto const weight : {0x1p12, 0x1p20, 0x1p28}) {
    double followers = 0;
    auto other = window.first_cut(weight, followers);
    if (!other) return first;
    first.evaluations += other->evaluations;
    if (other->elements > first.elements) continue;  // a cheaper window behind a dearer cut
    if (followers >= least) return first;
    other->bound = first.bound;
    other->evaluations = first.evaluations;
    return *other;
  }
  return first;
}

}  // namespace tessera::partition
