// What a planner decides at one level of the hierarchy: a choice per operator, and a cost of all choices together that is a sum over
// operators and edges, given the levels above. (Greedy over levels, as HyPar's Algorithm 2 and AccPar: the top one first.)
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "partition/plan/problem.hpp"
#include "partition/price/traffic.hpp"
#include "partition/search/min_sum.hpp"

namespace tessera::partition {

/// Two operators of which one reads what the other computes.
struct Edge {
  workloads::OperatorId producer;
  workloads::OperatorId consumer;
  workloads::TensorId tensor;  ///< as the consumer reads it
};

/// All of a network.
[[nodiscard]] std::vector<Edge> edges_of(workloads::Network const& network);

/// A cost that is a sum over operators and edges: of one level, where splits end with the choice at
/// it, or of a whole plan.
class Objective {
 public:
  virtual ~Objective() = default;
  [[nodiscard]] virtual double operator_cost(workloads::OperatorId op,
                                             Splits const& splits) const = 0;
  /// All edges that may cost something.
  [[nodiscard]] virtual std::vector<Edge> edges() const = 0;
  [[nodiscard]] virtual double edge_cost(Edge const& edge, Splits const& producer_splits,
                                         Splits const& consumer_splits) const = 0;
  /// All pairs of splits, those of the consumer varying fastest.
  [[nodiscard]] virtual std::vector<double> edge_costs(Edge const& edge,
                                                       std::vector<Splits> const& producer,
                                                       std::vector<Splits> const& consumer) const;
};

/// What may be chosen for each operator; of equally cheap ones the first is taken. Where there is
/// nothing to choose, it is not split.
using Choices = IdVector<workloads::OperatorId, std::vector<Split>>;

struct LevelProblem {
  Choices choices;
  std::unique_ptr<Objective> objective;
};

/// The problem of each level, 0 at the top.
using LevelProblems = std::function<LevelProblem(std::size_t level)>;

/// A way to choose: appends one level to the plan.
using LevelSearch = std::function<void(workloads::Network const&, LevelProblem const&, Plan&)>;

/// What may be chosen for each operator: its splits so far and one of its choices.
using Candidates = IdVector<workloads::OperatorId, std::vector<Splits>>;

/// What the chosen candidates cost, and what no others cost less than.
struct Chosen {
  double cost = 0;
  double bound = 0;
};

/// Sets the splits of all operators to the cheapest of their candidates, by min-sum (min_sum.hpp).
Chosen choose_among(Candidates const& candidates, Objective const& objective, Plan& plan,
                    MinSum::Limits const& limits = {});

/// The cheapest choice of a level, by min-sum. Ties: the first choice, of later operators first.
void choose_cheapest(workloads::Network const& network, LevelProblem const& level, Plan& plan);

/// The same by trying all combinations. Throws ConfigError where they are more than 65536.
void choose_by_enumeration(workloads::Network const& network, LevelProblem const& level,
                           Plan& plan);

/// By which plans for different sets of levels that split samples are compared.
using PlanCost = std::function<double(Plan const&)>;

/// How levels are decided, and what complete plans cost (only where the batch does not divide,
/// sample_levels.hpp).
struct LevelPlanning {
  LevelProblems level_problem;
  LevelSearch choose;
  PlanCost cost;
};

/// A plan whose levels are decided one after another, from the top.
[[nodiscard]] Plan planned_by_level(std::string planner, Problem const& problem,
                                    LevelPlanning const& planning);

/// Those of `types` that each operator can be split over: {n, c} are HyPar's dp and mp, {n, c, k}
/// AccPar's Types I, II and III.
[[nodiscard]] Choices choices_among(std::vector<workloads::Dim> const& types,
                                    workloads::Network const& network);

/// HyPar's cost of mp-mp and mp-dp between layers. Its printed Table 2 charges 0.5 A(E) for both,
/// but with that Fig. 5 comes out wrong for six of ten networks; with 0 every cell of Fig. 5 and
/// every bar of Fig. 8 is met. 0 is also what the layouts say: reduce-scatter of F plus all-gather
/// of E is one A(F) each way, which Table 1 has charged already. (AccPar's printed tables extend
/// HyPar's; its released solver goes by them.)
enum class InterLayer { as_evaluated, printed };
/// The option `inter_layer`.
[[nodiscard]] InterLayer inter_layer_from(ConfigMap& options);

/// Communication of a level in elements (Traffic::critical): as the layouts demand it
/// (traffic.hpp), or by the printed tables (printed_tables.hpp).
[[nodiscard]] std::unique_ptr<Objective> traffic_objective(workloads::Network const& network,
                                                           InterLayer inter_layer,
                                                           std::size_t level,
                                                           ArrayShape shape = {});

/// The splits of an operator with one more level.
[[nodiscard]] Splits extended(Splits const& outer, std::optional<Split> const& choice);

/// With each of the choices at it; unsplit there where there is none.
[[nodiscard]] std::vector<Splits> extended_by_each(Splits const& outer,
                                                   std::vector<Split> const& choices);

/// Elements that a plan moves over all levels: what HyPar minimises.
[[nodiscard]] PlanCost elements_moved(Problem const& problem);

/// What HyPar decides at each level: n or c, least communication.
[[nodiscard]] LevelProblems hypar_levels(Problem const& problem, InterLayer inter_layer);

}  // namespace tessera::partition
