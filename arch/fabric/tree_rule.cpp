// Trees: a switch of level h has shape[h] children; packets go up to the lowest common switch, and down. A star is one level.
#include <algorithm>

#include "arch/base/contract.hpp"
#include "arch/fabric/topology_rule.hpp"

namespace tessera::arch::detail {

namespace {

class TreeRule final : public TopologyRule {
 public:
  explicit TreeRule(TopologySpec const& spec) : wires_{spec.links.size()} {
    std::size_t switches = 1;
    std::size_t first = 0;
    for (auto const extent : spec.shape) {
      children_.push_back(static_cast<std::size_t>(extent));
      first_.push_back(first);
      first += switches;
      switches *= children_.back();
    }
    first_.push_back(first);
  }

  [[nodiscard]] std::size_t routers() const override { return first_.back(); }
  [[nodiscard]] std::size_t router_of(std::size_t place) const override {
    return first_[children_.size() - 1] + place / children_.back();
  }
  [[nodiscard]] bool port_is_lowest_link() const override { return true; }
  [[nodiscard]] bool has_phases() const override { return false; }

  [[nodiscard]] std::vector<Link> links() const override {
    std::vector<Link> links;
    for (std::size_t level = 1; level < children_.size(); ++level) {
      for (auto router = first_[level]; router < first_[level + 1]; ++router) {
        Link link;
        link.a = parent(router, level);
        link.b = router;
        link.wire = std::min(level - 1, wires_ - 1);
        links.push_back(link);
      }
    }
    return links;
  }

  void next(Query const& query, std::vector<Step>& steps) const override {
    auto const level = level_of(query.from);
    // The ancestor of the destination one level below `from`, if it is below at all.
    auto below = query.to;
    auto below_level = level_of(query.to);
    while (below_level > level + 1) below = parent(below, below_level--);
    auto const is_below = below_level == level + 1 && parent(below, below_level) == query.from;
    steps.assign(1, {is_below ? below : parent(query.from, level), 0});
  }

 private:
  [[nodiscard]] std::size_t level_of(std::size_t router) const {
    auto const above = std::upper_bound(first_.begin(), first_.end(), router);
    return static_cast<std::size_t>(above - first_.begin()) - 1;
  }

  [[nodiscard]] std::size_t parent(std::size_t router, std::size_t level) const {
    EXPECTS(level > 0, router);
    return first_[level - 1] + (router - first_[level]) / children_[level - 1];
  }

  std::size_t wires_;
  std::vector<std::size_t> children_;  ///< of a switch of each level
  std::vector<std::size_t> first_;     ///< switch of each level, and one past the last
};

}  // namespace

std::unique_ptr<TopologyRule> make_tree_rule(TopologySpec const& spec) {
  return std::make_unique<TreeRule>(spec);
}

}  // namespace tessera::arch::detail
