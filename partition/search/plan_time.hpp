// The predicted time of a plan (cost_model.hpp) as an objective: a sum over operators and edges of all levels at once, whose minimum is
// found by min-sum. OptCNN minimises it; `auto` does with times of the array's own cores in place of peak rates, and with what exchanges
// take that carry little.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "partition/geometry/layout.hpp"
#include "partition/plan/problem.hpp"
#include "partition/price/plan_timeline.hpp"
#include "partition/price/traffic.hpp"
#include "partition/search/level_problem.hpp"

namespace tessera::partition {

/// How times are counted otherwise than the cost model does. Of what is exchanged a part may count
/// only, where computation hides the rest.
struct TimeRules {
  OperatorTimes operators = {};  ///< unset: at peak rates, or by profile
  double edges = 1;              ///< how much counts of what goes between operators
  double within = 1;             ///< of sums of gradients, and of what the loss needs
};

/// The times of edges: those of one shape, of which a dense network has hundreds, are priced once.
class EdgeTimes final {
 public:
  /// `round_s`: by level, what an exchange takes whatever it carries; empty: nothing.
  explicit EdgeTimes(Problem const& problem, std::vector<double> round_s = {});

  /// What LevelPricer says, with the layouts of each operator worked out once.
  [[nodiscard]] std::vector<double> of(Edge const& edge, std::vector<Splits> const& producer,
                                       std::vector<Splits> const& consumer);

  /// The time of all levels.
  template <typename TrafficOf>
  [[nodiscard]] double over_levels(TrafficOf traffic_at) const {
    double sum = 0;
    for (std::size_t level = 0; level < seconds_per_element_.size(); ++level) {
      auto const elements = traffic_at(level).critical;
      sum += elements * seconds_per_element_[level];
      if (elements > 0 && !round_s_.empty()) sum += 2 * round_s_[level];  // there and back
    }
    return sum;
  }

 private:
  /// What an edge's time depends on, for each of the producer's and each of the consumer's
  /// candidates.
  struct EdgeShape {
    double elements = 0;
    std::vector<TensorLayouts> writers;
    std::vector<TensorLayouts> readers;
    std::vector<double> halos;  ///< of the readers, both ways [s]

    friend bool operator==(EdgeShape const& a, EdgeShape const& b) {
      return a.elements == b.elements && a.halos == b.halos && a.writers == b.writers &&
             a.readers == b.readers;
    }
  };

  [[nodiscard]] EdgeShape shape_of_edge(Edge const& edge, std::vector<Splits> const& producer,
                                        std::vector<Splits> const& consumer) const;
  [[nodiscard]] std::vector<double> priced(EdgeShape const& shape) const;

  Problem problem_;
  std::vector<double> seconds_per_element_;
  std::vector<double> round_s_;
  ArrayShape shape_;
  std::map<double, std::vector<std::pair<EdgeShape, std::vector<double>>>> known_;  ///< by elements
};

/// `edges` must outlive the objective.
class PlanTime final : public Objective {
 public:
  PlanTime(Problem const& problem, EdgeTimes& edges, TimeRules rules = {})
      : problem_{problem},
        edges_{&edges},
        shape_{shape_of(problem.array)},
        rules_{std::move(rules)} {}

  [[nodiscard]] double operator_cost(workloads::OperatorId op, Splits const& splits) const override;

  [[nodiscard]] std::vector<Edge> edges() const override { return edges_of(problem_.network); }

  [[nodiscard]] double edge_cost(Edge const& edge, Splits const& producer_splits,
                                 Splits const& consumer_splits) const override {
    return edge_costs(edge, {producer_splits}, {consumer_splits}).front();
  }

  [[nodiscard]] std::vector<double> edge_costs(Edge const& edge,
                                               std::vector<Splits> const& producer,
                                               std::vector<Splits> const& consumer) const override;

  /// Of a plan without stages, its forward phases' splits.
  [[nodiscard]] double of(Plan const& plan) const;

 private:
  Problem problem_;
  EdgeTimes* edges_;
  ArrayShape shape_;
  TimeRules rules_;
};

/// How long the accelerator takes that has most of a phase of an operator, if an accelerator takes
/// what `times` says: of every dimension the largest part, as many whole indices. 0 where the
/// operator lacks the phase.
[[nodiscard]] double slowest_time(Problem const& problem, workloads::OperatorId op,
                                  workloads::Phase phase, Splits const& splits,
                                  OperatorTimes const& times);
/// All phases together.
[[nodiscard]] double slowest_time(Problem const& problem, workloads::OperatorId op,
                                  Splits const& splits, OperatorTimes const& times);

}  // namespace tessera::partition
