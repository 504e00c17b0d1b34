// k-ary n-trees (Petrini and Vanneschi, 1997): n levels of k^(n-1) switches, the roots at level 0. Switches of levels l and l + 1 are
// joined when their numbers, of n - 1 digits in base k, differ at most in digit l. A packet goes up to a common ancestor and down;
// of its k ways up it takes the one that a digit of its destination names (D-mod-k), or with equal-cost paths any.
#include <algorithm>

#include "arch/base/contract.hpp"
#include "arch/fabric/topology_rule.hpp"

namespace tessera::arch::detail {

namespace {

class FatTreeRule final : public TopologyRule {
 public:
  FatTreeRule(TopologySpec const& spec, Paths paths)
      : arity_{static_cast<std::size_t>(spec.shape.at(0))},
        levels_{static_cast<std::size_t>(spec.shape.at(1))},
        wires_{spec.links.size()},
        paths_{paths},
        powers_{1} {
    while (powers_.size() <= levels_) powers_.push_back(powers_.back() * arity_);
    switches_ = powers_[levels_ - 1];
  }

  [[nodiscard]] std::size_t routers() const override { return levels_ * switches_; }
  [[nodiscard]] std::size_t router_of(std::size_t place) const override {
    return (levels_ - 1) * switches_ + place / arity_;
  }
  [[nodiscard]] bool port_is_lowest_link() const override { return true; }
  [[nodiscard]] bool has_phases() const override { return false; }

  [[nodiscard]] std::vector<Link> links() const override {
    std::vector<Link> links;
    for (std::size_t level = 0; level + 1 < levels_; ++level) {
      for (std::size_t number = 0; number < switches_; ++number) {
        for (std::size_t digit = 0; digit < arity_; ++digit) {
          Link link;
          link.a = level * switches_ + number;
          link.b = (level + 1) * switches_ + with_digit(number, level, digit);
          link.wire = std::min(level, wires_ - 1);
          links.push_back(link);
        }
      }
    }
    return links;
  }

  void next(Query const& query, std::vector<Step>& steps) const override {
    steps.clear();
    auto const level = query.from / switches_;
    auto const here = query.from % switches_;
    auto const there = query.to % switches_;
    if (is_below(level, here, there) && query.to / switches_ > level) {
      steps.push_back({(level + 1) * switches_ + with_digit(here, level, digit(there, level)), 0});
      return;
    }
    if (level == 0) {  // a root that no packet for this destination reaches
      steps.push_back({switches_ + with_digit(here, 0, digit(there, 0)), 0});
      return;
    }
    auto const chosen = query.place / powers_[levels_ - 1 - level] % arity_;
    for (std::size_t way = 0; way < arity_; ++way) {
      if (paths_ == Paths::one && way != chosen) continue;
      steps.push_back({(level - 1) * switches_ + with_digit(here, level - 1, way), 0});
    }
  }

 private:
  /// Digit 0 is the most significant one: it is set last on the way up and first on the way down.
  [[nodiscard]] std::size_t weight(std::size_t position) const {
    return powers_[levels_ - 2 - position];
  }
  [[nodiscard]] std::size_t digit(std::size_t number, std::size_t position) const {
    return number / weight(position) % arity_;
  }
  [[nodiscard]] std::size_t with_digit(std::size_t number, std::size_t position,
                                       std::size_t value) const {
    return number + value * weight(position) - digit(number, position) * weight(position);
  }

  /// Are all digits above `level` the same?
  [[nodiscard]] bool is_below(std::size_t level, std::size_t here, std::size_t there) const {
    if (level == 0) return true;
    return here / weight(level - 1) == there / weight(level - 1);
  }

  std::size_t arity_;
  std::size_t levels_;
  std::size_t wires_;
  Paths paths_;
  std::vector<std::size_t> powers_;
  std::size_t switches_ = 1;  ///< of a level
};

}  // namespace

std::unique_ptr<TopologyRule> make_fat_tree_rule(TopologySpec const& spec, Paths paths) {
  return std::make_unique<FatTreeRule>(spec, paths);
}

}  // namespace tessera::arch::detail
