// Any graph: up*/down* (Schroeder et al., "Autonet", IEEE JSAC 1991). Routers are ordered by their distance from router 0, then by
// number; a channel goes up when it leads to an earlier one. A packet goes up as long as it must and down from there, so channels are
// never used in a cycle. Of the legal ways it takes the shortest from where it is.
#include <algorithm>
#include <limits>
#include <numeric>

#include "arch/base/contract.hpp"
#include "arch/fabric/graph_checks.hpp"
#include "arch/fabric/topology_rule.hpp"

namespace tessera::arch::detail {

namespace {

constexpr std::uint32_t unreachable = std::numeric_limits<std::uint32_t>::max() / 2;

class GraphRule final : public TopologyRule {
 public:
  GraphRule(TopologySpec const& spec, Paths paths)
      : edges_{spec.edges}, paths_{paths}, neighbours_(spec.places()) {
    for (auto const& edge : edges_) {
      neighbours_[edge.a].push_back(edge.b);
      neighbours_[edge.b].push_back(edge.a);
    }
    for (auto& list : neighbours_) std::sort(list.begin(), list.end());
    rank_routers();
    measure();
  }

  [[nodiscard]] std::size_t routers() const override { return neighbours_.size(); }
  [[nodiscard]] std::size_t router_of(std::size_t place) const override { return place; }

  [[nodiscard]] std::vector<Link> links() const override {
    std::vector<Link> links;
    for (auto const& edge : edges_) links.push_back({edge.a, edge.b, edge.link});
    return links;
  }

  void next(Query const& query, std::vector<Step>& steps) const override {
    steps.clear();
    auto const goes_down = down_[at(query.from, query.to)] != unreachable;
    auto const& distance = goes_down ? down_ : any_;
    auto best = unreachable;
    for (auto const other : neighbours_[query.from]) {
      if (is_up(query.from, other) == goes_down) continue;
      auto const left = distance[at(other, query.to)];
      if (left > best || left == unreachable) continue;
      if (left < best || paths_ == Paths::equal_cost) {
        if (left < best) steps.clear();
        steps.push_back({other, 0});
        best = left;
      }
    }
    ENSURES(!steps.empty(), query.from, query.to);
  }

 private:
  [[nodiscard]] std::size_t at(std::size_t from, std::size_t to) const {
    return from * routers() + to;
  }
  [[nodiscard]] bool is_up(std::size_t from, std::size_t to) const {
    return rank_[to] < rank_[from];
  }

  void rank_routers() {
    auto const distance = distances_from_first(neighbours_);
    std::vector<std::size_t> order(routers());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return distance[a] < distance[b]; });
    rank_.resize(routers());
    for (std::size_t place = 0; place < order.size(); ++place) rank_[order[place]] = place;
    by_rank_ = std::move(order);
  }

  /// Shortest ways that go down only, then those that may go up first.
  void measure() {
    down_.assign(routers() * routers(), unreachable);
    for (auto from = by_rank_.rbegin(); from != by_rank_.rend(); ++from) relax(*from, down_, false);
    any_ = down_;
    for (auto const from : by_rank_) relax(from, any_, true);
  }

  void relax(std::size_t from, std::vector<std::uint32_t>& distance, bool up) const {
    distance[at(from, from)] = 0;
    for (auto const other : neighbours_[from]) {
      if (is_up(from, other) != up) continue;
      for (std::size_t to = 0; to < routers(); ++to) {
        auto& best = distance[at(from, to)];
        best = std::min(best, distance[at(other, to)] + 1);
      }
    }
    for (std::size_t to = 0; to < routers(); ++to) {
      distance[at(from, to)] = std::min(distance[at(from, to)], unreachable);
    }
  }

  std::vector<TopologySpec::Edge> edges_;
  Paths paths_;
  std::vector<std::vector<std::size_t>> neighbours_;
  std::vector<std::size_t> rank_;
  std::vector<std::size_t> by_rank_;
  std::vector<std::uint32_t> down_;  ///< hops from a to b, down only
  std::vector<std::uint32_t> any_;   ///< hops from a to b, up and then down
};

}  // namespace

std::unique_ptr<TopologyRule> make_graph_rule(TopologySpec const& spec, Paths paths) {
  return std::make_unique<GraphRule>(spec, paths);
}

}  // namespace tessera::arch::detail
