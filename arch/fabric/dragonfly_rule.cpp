// Every router joined to every other: directly (fully connected), or in groups, each pair of groups by one global link
// (dragonfly: Kim, Dally, Scott and Abts, "Technology-driven, highly-scalable dragonfly topology", ISCA 2008; minimal routing).
#include "arch/base/contract.hpp"
#include "arch/fabric/topology_rule.hpp"

namespace tessera::arch::detail {

namespace {

class FullRule final : public TopologyRule {
 public:
  explicit FullRule(std::size_t routers) : routers_{routers} {}

  [[nodiscard]] std::size_t routers() const override { return routers_; }
  [[nodiscard]] std::size_t router_of(std::size_t place) const override { return place; }

  [[nodiscard]] std::vector<Link> links() const override {
    std::vector<Link> links;
    for (std::size_t a = 0; a < routers_; ++a) {
      for (std::size_t b = a + 1; b < routers_; ++b) links.push_back({a, b});
    }
    return links;
  }

  void next(Query const& query, std::vector<Step>& steps) const override {
    steps.assign(1, {query.to, 0});
  }

 private:
  std::size_t routers_;
};

class DragonflyRule final : public TopologyRule {
 public:
  explicit DragonflyRule(TopologySpec const& spec)
      : groups_{static_cast<std::size_t>(spec.shape.at(0))},
        size_{static_cast<std::size_t>(spec.shape.at(1))},
        places_{static_cast<std::size_t>(spec.shape.at(2))},
        global_links_{(groups_ - 1 + size_ - 1) / size_},
        global_wire_{spec.links.size() - 1} {}

  [[nodiscard]] std::size_t routers() const override { return groups_ * size_; }
  [[nodiscard]] std::size_t router_of(std::size_t place) const override { return place / places_; }

  [[nodiscard]] std::vector<Link> links() const override {
    std::vector<Link> links;
    for (std::size_t a = 0; a < routers(); ++a) {
      for (auto b = a + 1; b < (a / size_ + 1) * size_; ++b) links.push_back({a, b, 0, 2});
    }
    for (std::size_t a = 0; a < groups_; ++a) {
      for (auto b = a + 1; b < groups_; ++b) {
        links.push_back({gate(a, b), gate(b, a), global_wire_});
      }
    }
    return links;
  }

  void next(Query const& query, std::vector<Step>& steps) const override {
    auto const here = query.from / size_;
    auto const there = query.to / size_;
    if (here == there) {
      steps.assign(1, {query.to, 1});
    } else if (query.from == gate(here, there)) {
      steps.assign(1, {gate(there, here), 0});
    } else {
      steps.assign(1, {gate(here, there), 0});
    }
  }

 private:
  /// The router of group `from` whose global link goes to group `to`.
  [[nodiscard]] std::size_t gate(std::size_t from, std::size_t to) const {
    return from * size_ + (to < from ? to : to - 1) / global_links_;
  }

  std::size_t groups_;
  std::size_t size_;          ///< routers of a group
  std::size_t places_;        ///< of a router
  std::size_t global_links_;  ///< of a router, at most
  std::size_t global_wire_;
};

}  // namespace

std::unique_ptr<TopologyRule> make_full_rule(TopologySpec const& spec) {
  return std::make_unique<FullRule>(static_cast<std::size_t>(spec.shape.at(0)));
}

std::unique_ptr<TopologyRule> make_dragonfly_rule(TopologySpec const& spec) {
  return std::make_unique<DragonflyRule>(spec);
}

}  // namespace tessera::arch::detail
