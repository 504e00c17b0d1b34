#include "partition/search/elimination_order.hpp"

#include <set>
#include <utility>

namespace tessera::partition {

namespace {

using Variable = MinSum::Variable;

enum class Preference { fewest_neighbours, smallest_table };

/// Variables that share a term, and eliminations of them that are only noted.
class Rehearsal final {
 public:
  Rehearsal(std::vector<std::size_t> const& label_counts, std::vector<MinSum::Term> const& terms,
            Preference preference, EliminationLimits const& limits)
      : label_counts_{label_counts},
        preference_{preference},
        limits_{limits},
        neighbours_(label_counts.size()),
        ranks_(label_counts.size()) {
    for (auto const& term : terms) connect(term.variables);
    for (Variable variable = 0; variable < label_counts.size(); ++variable) enqueue(variable);
  }

  /// False, and nothing, where a limit would be passed.
  bool eliminate(Variable variable) {
    auto const table = table_size(variable);
    auto const sums = order_.sums + table * static_cast<double>(label_counts_[variable]);
    bool const is_within = table <= limits_.table && sums <= limits_.sums &&
                           neighbours_[variable].size() <= limits_.neighbours;
    if (!is_within) return false;
    order_.sums = sums;
    order_.variables.push_back(variable);
    remove(variable);
    return true;
  }

  [[nodiscard]] EliminationOrder finished() {
    while (!queue_.empty() && eliminate(queue_.begin()->second)) continue;
    order_.is_complete = queue_.empty();
    return std::move(order_);
  }

 private:
  [[nodiscard]] double table_size(Variable variable) const {
    double size = 1;
    for (auto const neighbour : neighbours_[variable]) {
      size *= static_cast<double>(label_counts_[neighbour]);
    }
    return size;
  }

  void enqueue(Variable variable) {
    ranks_[variable] = preference_ == Preference::smallest_table
                           ? table_size(variable)
                           : static_cast<double>(neighbours_[variable].size());
    queue_.emplace(ranks_[variable], variable);
  }

  void dequeue(Variable variable) { queue_.erase({ranks_[variable], variable}); }

  void connect(std::vector<Variable> const& variables) {
    for (auto const a : variables) {
      for (auto const b : variables) {
        if (a != b) neighbours_[a].insert(b);
      }
    }
  }

  void remove(Variable variable) {
    dequeue(variable);
    auto const around = std::exchange(neighbours_[variable], {});
    for (auto const neighbour : around) {
      dequeue(neighbour);
      neighbours_[neighbour].erase(variable);
    }
    connect({around.begin(), around.end()});
    for (auto const neighbour : around) enqueue(neighbour);
  }

  std::vector<std::size_t> const& label_counts_;
  Preference preference_;
  EliminationLimits limits_;
  std::vector<std::set<Variable>> neighbours_;
  std::vector<double> ranks_;
  std::set<std::pair<double, Variable>> queue_;  ///< of those that are left, by rank
  EliminationOrder order_;
};

}  // namespace

EliminationOrder fewest_neighbours_first(std::vector<std::size_t> const& label_counts,
                                         std::vector<MinSum::Term> const& terms,
                                         EliminationLimits const& limits,
                                         std::vector<Variable> const& helpers) {
  Rehearsal rehearsal{label_counts, terms, Preference::fewest_neighbours, limits};
  for (auto const helper : helpers) rehearsal.eliminate(helper);
  return rehearsal.finished();
}

EliminationOrder smallest_table_first(std::vector<std::size_t> const& label_counts,
                                      std::vector<MinSum::Term> const& terms,
                                      EliminationLimits const& limits) {
  return Rehearsal{label_counts, terms, Preference::smallest_table, limits}.finished();
}

}  // namespace tessera::partition
