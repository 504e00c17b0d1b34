#include "partition/search/elimination.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>

#include "arch/base/contract.hpp"

namespace tessera::partition {

namespace {

using Variable = MinSum::Variable;
using Label = MinSum::Label;
using Term = MinSum::Term;

/// A term as an elimination reads it: entry by entry of the table over the variable's neighbours.
struct View {
  double const* entry;  ///< of the neighbours' labels, and the variable's first
  std::size_t variable_stride = 0;
  /// Per neighbour: how far the entry moves when its label goes up and those after it go to 0.
  std::vector<std::ptrdiff_t> steps;
};

View view_of(Term const& term, Variable variable, std::vector<Variable> const& neighbours,
             std::vector<std::size_t> const& label_counts) {
  View view{term.cost.data(), 0, std::vector<std::ptrdiff_t>(neighbours.size(), 0)};
  std::size_t stride = 1;
  for (auto it = term.variables.rbegin(); it != term.variables.rend(); ++it) {
    if (*it == variable) {
      view.variable_stride = stride;
    } else {
      auto const at = std::lower_bound(neighbours.begin(), neighbours.end(), *it);
      view.steps[static_cast<std::size_t>(at - neighbours.begin())] =
          static_cast<std::ptrdiff_t>(stride);
    }
    stride *= label_counts[*it];
  }
  std::ptrdiff_t back = 0;
  for (auto i = neighbours.size(); i-- > 0;) {
    auto const forth = view.steps[i];
    view.steps[i] -= back;
    back += forth * static_cast<std::ptrdiff_t>(label_counts[neighbours[i]] - 1);
  }
  return view;
}

/// The next labelling, the last variable changing fastest; returns whose label went up. None after
/// the last labelling.
std::optional<std::size_t> advance(std::vector<Label>& labels,
                                   std::vector<Variable> const& variables,
                                   std::vector<std::size_t> const& label_counts) {
  for (auto i = labels.size(); i-- > 0;) {
    if (++labels[i] < label_counts[variables[i]]) return i;
    labels[i] = 0;
  }
  return std::nullopt;
}

/// The variables of all `terms` but one, ascending.
std::vector<Variable> neighbours_in(std::vector<Term> const& terms, Variable variable) {
  std::vector<Variable> found;
  for (auto const& term : terms) {
    found.insert(found.end(), term.variables.begin(), term.variables.end());
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  found.erase(std::remove(found.begin(), found.end(), variable), found.end());
  return found;
}

}  // namespace

Elimination::Elimination(std::vector<std::size_t> label_counts, std::vector<Term> terms)
    : label_counts_{std::move(label_counts)}, uses_(label_counts_.size()) {
  for (auto& term : terms) add(std::move(term));
}

void Elimination::add(Term term) {
  if (term.variables.empty()) {
    constant_ += term.cost.front();
    return;
  }
  for (auto const variable : term.variables) uses_[variable].push_back(terms_.size());
  terms_.push_back(std::move(term));
}

std::vector<Term> Elimination::take_terms_of(Variable variable) {
  std::vector<Term> taken;
  for (auto const index : uses_[variable]) {
    if (!terms_[index].variables.empty()) taken.push_back(std::exchange(terms_[index], {}));
  }
  return taken;
}

std::int64_t Elimination::eliminate(Variable variable) {
  auto const taken = take_terms_of(variable);
  Bucket bucket{variable, neighbours_in(taken, variable), {}};
  std::vector<View> views;
  views.reserve(taken.size());
  for (auto const& term : taken) {
    views.push_back(view_of(term, variable, bucket.neighbours, label_counts_));
  }
  Term left{bucket.neighbours, {}};
  std::vector<Label> labels(bucket.neighbours.size(), 0);
  std::vector<double> sums(label_counts_[variable]);
  while (true) {
    std::fill(sums.begin(), sums.end(), 0.0);
    for (auto const& view : views) {
      auto const* entry = view.entry;
      for (auto& sum : sums) {
        sum += *entry;
        entry += view.variable_stride;
      }
    }
    auto const best = std::min_element(sums.begin(), sums.end());
    left.cost.push_back(*best);
    bucket.best.push_back(static_cast<Label>(best - sums.begin()));
    auto const raised = advance(labels, bucket.neighbours, label_counts_);
    if (!raised) break;
    for (auto& view : views) view.entry += view.steps[*raised];
  }
  auto const formed = static_cast<std::int64_t>(left.cost.size() * sums.size());
  buckets_.push_back(std::move(bucket));
  add(std::move(left));
  return formed;
}

std::vector<Term> Elimination::terms() const {
  std::vector<Term> left;
  std::copy_if(terms_.begin(), terms_.end(), std::back_inserter(left),
               [](Term const& term) { return !term.variables.empty(); });
  return left;
}

void Elimination::complete(std::vector<Label>& labels) const {
  for (auto bucket = buckets_.rbegin(); bucket != buckets_.rend(); ++bucket) {
    std::size_t entry = 0;
    for (auto const neighbour : bucket->neighbours) {
      entry = entry * label_counts_[neighbour] + labels[neighbour];
    }
    labels[bucket->variable] = bucket->best[entry];
  }
}

}  // namespace tessera::partition
