// Mesh and torus of any number of dimensions: dimension order, the first dimension first.
//
// Places are numbered with the first dimension running fastest, or by the levels of their hierarchy, dealt out to the dimensions in
// turn: of 16 in a torus of 4 x 4, place 6 = 0110 in bits has the bits 0 and 1 of levels 1 and 3 in the first dimension, and 1 and 0 of
// levels 2 and 4 in the second. So siblings of any level stand in one ring.
//
// In a torus each ring is taken the shorter way round. Where both are equally long, routers of even and odd places go opposite
// ways, so that uniform traffic loads all channels alike; with equal-cost paths each packet chooses. A packet enters a ring in class 1
// if it will cross the dateline between its last and first router and in class 0 if not, and keeps it: crossing packets do not reach
// half-way round again, so neither class closes a cycle.
#include <algorithm>
#include <array>
#include <numeric>

#include "arch/base/contract.hpp"
#include "arch/fabric/topology_rule.hpp"

namespace tessera::arch::detail {

namespace {

class GridRule final : public TopologyRule {
 public:
  GridRule(TopologySpec const& spec, Paths paths)
      : wraps_{spec.kind == TopologySpec::Kind::torus},
        wires_{spec.links.size()},
        paths_{paths},
        strides_{1} {
    for (auto const extent : spec.shape) {
      extents_.push_back(static_cast<std::size_t>(extent));
      strides_.push_back(strides_.back() * extents_.back());
    }
    for (std::size_t place = 0; place < routers(); ++place) {
      auto const coordinates = grid_coordinates(spec.shape, spec.numbering, place);
      routers_.push_back(std::inner_product(coordinates.begin(), coordinates.end(),
                                            strides_.begin(), std::size_t{0}));
    }
  }

  [[nodiscard]] std::size_t routers() const override { return strides_.back(); }
  [[nodiscard]] std::size_t router_of(std::size_t place) const override { return routers_[place]; }

  [[nodiscard]] std::vector<Link> links() const override {
    std::vector<Link> links;
    for (std::size_t router = 0; router < routers(); ++router) {
      for (std::size_t dimension = 0; dimension < extents_.size(); ++dimension) {
        auto const here = coordinate(router, dimension);
        auto const last = here + 1 == extents_[dimension];
        if (last && !is_ring(dimension)) continue;
        auto const lane = static_cast<std::uint8_t>(is_ring(dimension) ? 1 + 2 * dimension : 0);
        links.push_back({router, neighbour(router, dimension, Way::up),
                         std::min(dimension, wires_ - 1),
                         static_cast<std::uint8_t>(is_ring(dimension) ? 2 : 1), lane,
                         static_cast<std::uint8_t>(lane == 0 ? 0 : lane + 1)});
      }
    }
    return links;
  }

  void next(Query const& query, std::vector<Step>& steps) const override {
    steps.clear();
    std::size_t dimension = 0;
    while (coordinate(query.from, dimension) == coordinate(query.to, dimension)) ++dimension;
    auto const here = coordinate(query.from, dimension);
    auto const there = coordinate(query.to, dimension);
    for (auto const way : {Way::up, Way::down}) {
      if (!goes(way, here, there, dimension)) continue;
      auto const crosses = is_ring(dimension) && (way == Way::up) == (there < here);
      steps.push_back(
          {neighbour(query.from, dimension, way), static_cast<std::uint8_t>(crosses ? 1 : 0)});
    }
  }

 private:
  enum class Way : std::uint8_t { up, down };

  [[nodiscard]] std::size_t coordinate(std::size_t router, std::size_t dimension) const {
    return router / strides_[dimension] % extents_[dimension];
  }

  /// Two routers have one link, and need no way round.
  [[nodiscard]] bool is_ring(std::size_t dimension) const {
    return wraps_ && extents_[dimension] > 2;
  }

  [[nodiscard]] std::size_t neighbour(std::size_t router, std::size_t dimension, Way way) const {
    auto const here = coordinate(router, dimension);
    auto const extent = extents_[dimension];
    auto const there = (way == Way::up ? here + 1 : here + extent - 1) % extent;
    return router + there * strides_[dimension] - here * strides_[dimension];
  }

  [[nodiscard]] bool goes(Way way, std::size_t here, std::size_t there,
                          std::size_t dimension) const {
    if (!is_ring(dimension)) return (way == Way::up) == (there > here);
    auto const extent = extents_[dimension];
    auto const up = (there + extent - here) % extent;
    if (2 * up != extent) return (way == Way::up) == (2 * up < extent);
    return paths_ == Paths::equal_cost || (way == Way::up) == (here % 2 == 0);
  }

  bool wraps_;
  std::size_t wires_;
  Paths paths_;
  std::vector<std::size_t> extents_;
  std::vector<std::size_t> strides_;
  std::vector<std::size_t> routers_;  ///< by place
};

}  // namespace

std::unique_ptr<TopologyRule> make_grid_rule(TopologySpec const& spec, Paths paths) {
  return std::make_unique<GridRule>(spec, paths);
}

}  // namespace tessera::arch::detail
