#include "partition/elimination.hpp"

#include <algorithm>
#include <utility>

#include <boost/graph/adjacency_list.hpp>

#include "arch/base/contract.hpp"

namespace tessera::partition {

namespace {

using Variable = MinSum::Variable;
using Label = MinSum::Label;
using Term = MinSum::Term;

/// A term as an elimination reads it: how far apart the labels of each variable are in its table.
struct Strided {
  std::vector<double> const* cost;
  std::vector<std::size_t> neighbour_strides;
  std::size_t variable_stride = 0;

  [[nodiscard]] std::size_t offset(std::vector<Label> const& labels) const {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) sum += neighbour_strides[i] * labels[i];
    return sum;
  }
};

Strided strided(Term const& term, Variable variable, std::vector<Variable> const& neighbours,
                std::vector<std::size_t> const& label_counts) {
  Strided result{&term.cost, std::vector<std::size_t>(neighbours.size(), 0)};
  std::size_t stride = 1;
  for (auto it = term.variables.rbegin(); it != term.variables.rend(); ++it) {
    if (*it == variable) {
      result.variable_stride = stride;
    } else {
      auto const at = std::lower_bound(neighbours.begin(), neighbours.end(), *it);
      result.neighbour_strides[static_cast<std::size_t>(at - neighbours.begin())] = stride;
    }
    stride *= label_counts[*it];
  }
  return result;
}

/// The next labelling, the last variable changing fastest; all zeros after the last one.
void advance(std::vector<Label>& labels, std::vector<Variable> const& variables,
             std::vector<std::size_t> const& label_counts) {
  for (auto i = labels.size(); i-- > 0;) {
    if (++labels[i] < label_counts[variables[i]]) return;
    labels[i] = 0;
  }
}

/// `term` where `variable` has `label`.
Term restricted(Term const& term, Variable variable, Label label,
                std::vector<std::size_t> const& label_counts) {
  Term result;
  std::size_t entries = 1;
  for (auto const other : term.variables) {
    if (other == variable) continue;
    result.variables.push_back(other);
    entries *= label_counts[other];
  }
  auto const view = strided(term, variable, result.variables, label_counts);
  std::vector<Label> labels(result.variables.size(), 0);
  for (std::size_t entry = 0; entry < entries; ++entry) {
    result.cost.push_back(term.cost[view.offset(labels) + label * view.variable_stride]);
    advance(labels, result.variables, label_counts);
  }
  return result;
}

}  // namespace

/// Variables that share a term.
class Elimination::Graph final {
 public:
  explicit Graph(std::size_t variables) : graph_{variables} {}

  void connect(Variable a, Variable b) { add_edge(a, b, graph_); }
  void isolate(Variable variable) { clear_vertex(variable, graph_); }
  [[nodiscard]] std::size_t degree(Variable variable) const { return out_degree(variable, graph_); }
  /// Ascending.
  [[nodiscard]] std::vector<Variable> neighbours(Variable variable) const {
    auto const [begin, end] = adjacent_vertices(variable, graph_);
    return {begin, end};
  }

 private:
  boost::adjacency_list<boost::setS, boost::vecS, boost::undirectedS> graph_;
};

Elimination::Elimination(std::vector<std::size_t> label_counts, std::vector<Term> const& terms)
    : label_counts_{std::move(label_counts)},
      uses_(label_counts_.size()),
      graph_{std::make_unique<Graph>(label_counts_.size())},
      is_left_(label_counts_.size(), true) {
  for (auto const& term : terms) add(term);
}

Elimination::Elimination(Elimination const& other)
    : label_counts_{other.label_counts_},
      terms_{other.terms_},
      uses_{other.uses_},
      graph_{std::make_unique<Graph>(*other.graph_)},
      is_left_{other.is_left_},
      buckets_{other.buckets_},
      constant_{other.constant_} {}

Elimination::Elimination(Elimination&&) noexcept = default;
Elimination::~Elimination() = default;

void Elimination::add(Term term) {
  if (term.variables.empty()) {
    constant_ += term.cost.front();
    return;
  }
  for (auto const variable : term.variables) {
    uses_[variable].push_back(terms_.size());
    for (auto const other : term.variables) {
      if (other < variable) graph_->connect(other, variable);
    }
  }
  terms_.push_back(std::move(term));
}

std::optional<Variable> Elimination::sparsest() const {
  std::optional<Variable> best;
  for (Variable variable = 0; variable < is_left_.size(); ++variable) {
    if (!is_left_[variable]) continue;
    if (!best || graph_->degree(variable) < graph_->degree(*best)) best = variable;
  }
  return best;
}

Variable Elimination::densest() const {
  auto best = sparsest();
  EXPECTS(best.has_value());
  for (Variable variable = 0; variable < is_left_.size(); ++variable) {
    if (is_left_[variable] && graph_->degree(variable) > graph_->degree(*best)) best = variable;
  }
  return *best;
}

double Elimination::table_size(Variable variable) const {
  double size = 1;
  for (auto const neighbour : graph_->neighbours(variable)) {
    size *= static_cast<double>(label_counts_[neighbour]);
  }
  return size;
}

std::vector<Term> Elimination::take_terms_of(Variable variable) {
  std::vector<Term> taken;
  for (auto const index : uses_[variable]) {
    if (!terms_[index].variables.empty()) taken.push_back(std::exchange(terms_[index], {}));
  }
  return taken;
}

void Elimination::forget(Variable variable) {
  is_left_[variable] = false;
  uses_[variable].clear();
  graph_->isolate(variable);
}

std::int64_t Elimination::eliminate(Variable variable) {
  Bucket bucket{variable, graph_->neighbours(variable), {}};
  auto const entries = static_cast<std::size_t>(table_size(variable));
  auto const taken = take_terms_of(variable);
  std::vector<Strided> views;
  views.reserve(taken.size());
  for (auto const& term : taken) {
    views.push_back(strided(term, variable, bucket.neighbours, label_counts_));
  }
  Term left{bucket.neighbours, {}};
  std::vector<Label> labels(bucket.neighbours.size(), 0);
  std::vector<double> sums(label_counts_[variable]);
  for (std::size_t entry = 0; entry < entries; ++entry) {
    std::fill(sums.begin(), sums.end(), 0.0);
    for (auto const& view : views) {
      auto at = view.offset(labels);
      for (auto& sum : sums) {
        sum += (*view.cost)[at];
        at += view.variable_stride;
      }
    }
    auto const best = std::min_element(sums.begin(), sums.end());
    left.cost.push_back(*best);
    bucket.best.push_back(static_cast<Label>(best - sums.begin()));
    advance(labels, bucket.neighbours, label_counts_);
  }
  forget(variable);
  buckets_.push_back(std::move(bucket));
  add(std::move(left));
  return static_cast<std::int64_t>(entries * sums.size());
}

Elimination Elimination::with(Variable variable, Label label) const {
  auto result = *this;
  auto const taken = result.take_terms_of(variable);
  result.forget(variable);
  result.buckets_.push_back({variable, {}, {label}});
  for (auto const& term : taken) {
    result.add(restricted(term, variable, label, label_counts_));
  }
  return result;
}

double Elimination::bound() const {
  auto sum = constant_;
  for (auto const& term : terms_) {
    if (!term.cost.empty()) sum += *std::min_element(term.cost.begin(), term.cost.end());
  }
  return sum;
}

std::vector<Label> Elimination::labels() const {
  std::vector<Label> labels(label_counts_.size(), 0);
  for (auto bucket = buckets_.rbegin(); bucket != buckets_.rend(); ++bucket) {
    std::size_t entry = 0;
    for (auto const neighbour : bucket->neighbours) {
      entry = entry * label_counts_[neighbour] + labels[neighbour];
    }
    labels[bucket->variable] = bucket->best[entry];
  }
  return labels;
}

}  // namespace tessera::partition
