// What operators and edges take.
#include "partition/search/plan_time.hpp"

#include <algorithm>

#include "partition/price/cost_model.hpp"
#include "partition/price/halo_traffic.hpp"
#include "partition/price/work.hpp"

namespace tessera::partition {

using workloads::OperatorId;
using workloads::Phase;

EdgeTimes::EdgeTimes(Problem const& problem, std::vector<double> round_s)
    : problem_{problem},
      seconds_per_element_{seconds_per_element(problem)},
      round_s_{std::move(round_s)},
      shape_{shape_of(problem.array)} {}

std::vector<double> EdgeTimes::of(Edge const& edge, std::vector<Splits> const& producer,
                                  std::vector<Splits> const& consumer) {
  auto shape = shape_of_edge(edge, producer, consumer);
  auto& alike = known_[shape.elements];
  auto const found = std::find_if(alike.begin(), alike.end(),
                                  [&](auto const& known) { return known.first == shape; });
  if (found != alike.end()) return found->second;
  auto times = priced(shape);
  alike.emplace_back(std::move(shape), times);
  return times;
}

EdgeTimes::EdgeShape EdgeTimes::shape_of_edge(Edge const& edge, std::vector<Splits> const& producer,
                                              std::vector<Splits> const& consumer) const {
  auto const& network = problem_.network;
  auto const& output = network.at(edge.producer).output;
  auto const& input = input_of(network.at(edge.consumer), output.tensor);
  EdgeShape shape;
  shape.elements = static_cast<double>(network.at(output.tensor).elements().value());
  for (auto const& splits : producer) shape.writers.push_back(layouts_of(output, splits));
  for (auto const& splits : consumer) {
    shape.readers.push_back(layouts_of(input, splits));
    shape.halos.push_back(2 * over_levels([&](std::size_t level) {
                            return halo_traffic(network, input, splits, level, shape_);
                          }));
  }
  return shape;
}

std::vector<double> EdgeTimes::priced(EdgeShape const& shape) const {
  std::vector<double> times;
  times.reserve(shape.writers.size() * shape.readers.size());
  for (auto const& writer : shape.writers) {
    for (std::size_t reader = 0; reader < shape.readers.size(); ++reader) {
      times.push_back(shape.halos[reader] + over_levels([&](std::size_t level) {
                        return moved_both_ways(writer, shape.readers[reader], level, shape.elements,
                                               shape_);
                      }));
    }
  }
  return times;
}

double PlanTime::operator_cost(OperatorId op, Splits const& splits) const {
  auto const communication = edges_->over_levels([&](std::size_t level) {
    return LevelPricer{problem_.network, level, shape_}.within(op, splits);
  });
  auto const computation = rules_.operators ? slowest_time(problem_, op, splits, rules_.operators)
                                            : work_of(problem_, op, splits).slowest_s;
  return computation + rules_.within * communication;
}

std::vector<double> PlanTime::edge_costs(Edge const& edge, std::vector<Splits> const& producer,
                                         std::vector<Splits> const& consumer) const {
  auto costs = edges_->of(edge, producer, consumer);
  if (rules_.edges == 1) return costs;
  for (auto& cost : costs) cost *= rules_.edges;
  return costs;
}

double PlanTime::of(Plan const& plan) const {
  double sum = 0;
  for (auto const op : plan.splits.ids()) sum += operator_cost(op, plan.splits[op]);
  for (auto const& edge : edges()) {
    sum += edge_cost(edge, plan.splits[edge.producer], plan.splits[edge.consumer]);
  }
  return sum;
}

double slowest_time(Problem const& problem, OperatorId id, Phase phase, Splits const& splits,
                    OperatorTimes const& times) {
  auto const& op = problem.network.at(id);
  if (!op.has(phase)) return 0;
  auto const hierarchy = problem.array.hierarchy();
  double slowest = 0;
  std::size_t first = 0;
  for (auto const& group : problem.array.groups) {
    auto const part = largest_part(hierarchy, op, phase, splits, first);
    slowest = std::max(slowest, times(group.accelerator, op, phase, part));
    first += static_cast<std::size_t>(group.count);
  }
  return slowest;
}

double slowest_time(Problem const& problem, OperatorId id, Splits const& splits,
                    OperatorTimes const& times) {
  double sum = 0;
  for (auto const phase : workloads::own_phases) {
    sum += slowest_time(problem, id, phase, splits, times);
  }
  return sum;
}

}  // namespace tessera::partition
