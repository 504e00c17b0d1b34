// OptCNN (Jia et al., ICML'18): layer-wise parallelism. Every operator has a degree of parallelism per dimension, all degrees together the
// number of accelerators, and the sum of computation, synchronisation and transfers is least over the whole network at once.
//
// The devices of an operator are numbered with the samples outermost, as in the paper: the upper levels of the hierarchy split n,
// the lower ones k (output channels). So a configuration is how many levels split n, and a level's time is what the cost model says:
// within an operator it sums gradients, between two it moves features and errors; nothing overlaps. The sum over operators and
// edges is the plan's predicted time, and node and edge elimination (here: min-sum, min_sum.hpp) finds its minimum.
//
// Left out: degrees over rows and columns of images, whose edges would overlap; the paper's parameter servers (gradients are
// summed as everywhere in Tessera). Equal parts only, as in the paper.
#include "partition/cost_model.hpp"
#include "partition/solvers/fit_search.hpp"
#include "partition/solvers/planning.hpp"
#include "partition/solvers/solvers.hpp"
#include "partition/traffic.hpp"
#include "partition/work.hpp"

namespace tessera::partition {

using workloads::Dim;
using workloads::OperatorId;

namespace {

/// Every way to split an operator, all levels n first. One that cannot split k splits n everywhere.
std::vector<Splits> configurations(workloads::Operator const& op, std::size_t levels) {
  std::vector<Splits> all;
  for (std::size_t over_channels = 0; over_channels <= levels; ++over_channels) {
    Splits splits(levels - over_channels, Split{Dim::n});
    splits.resize(levels, Split{Dim::k});
    all.push_back(std::move(splits));
    if (!op.can_split(Dim::k)) break;
  }
  return all;
}

/// The predicted time of a plan (cost_model.hpp), all levels together.
class PlanTime final : public Objective {
 public:
  PlanTime(Problem const& problem, std::size_t levels)
      : problem_{problem}, seconds_per_element_{seconds_per_element(problem)} {
    for (std::size_t level = 0; level < levels; ++level) {
      pricers_.emplace_back(problem.network, level, shape_of(problem.array));
    }
  }

  [[nodiscard]] double operator_cost(OperatorId op, Splits const& splits) const override {
    auto const communication =
        priced([&](LevelPricer const& level) { return level.within(op, splits); });
    return work_of(problem_, op, splits).slowest_s + communication;
  }

  [[nodiscard]] std::vector<Edge> edges() const override { return edges_of(problem_.network); }

  [[nodiscard]] double edge_cost(Edge const& edge, Splits const& producer_splits,
                                 Splits const& consumer_splits) const override {
    return priced([&](LevelPricer const& level) {
      return level.between(edge.producer, producer_splits, edge.consumer, consumer_splits);
    });
  }

 private:
  template <typename TrafficOf>
  double priced(TrafficOf traffic_of) const {
    double sum = 0;
    for (std::size_t level = 0; level < pricers_.size(); ++level) {
      sum += traffic_of(pricers_[level]).critical * seconds_per_element_[level];
    }
    return sum;
  }

  Problem problem_;
  std::vector<double> seconds_per_element_;
  std::vector<LevelPricer> pricers_;
};

}  // namespace

Plan OptCnn::solve(Problem const& problem) const {
  auto const levels = static_cast<std::size_t>(problem.array.levels());
  Candidates candidates;
  for (auto const& op : problem.network.operators()) {
    candidates.push_back(configurations(op, levels));
  }
  auto const rates = seconds_per_element(problem);
  return fitted(problem, fit_, [&](double price) {
    auto const objective = with_memory(problem, std::make_unique<PlanTime>(problem, levels),
                                       rates.empty() ? 0 : price * rates.front());
    auto plan = empty_plan("optcnn", problem);
    choose_among(candidates, *objective, plan);
    return finished(std::move(plan), problem);
  });
}

}  // namespace tessera::partition
