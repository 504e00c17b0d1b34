// Which routers a topology joins, and where a packet goes next: one rule per kind of topology.
//
// Every rule is free of deadlock, and so are all their combinations (interconnect_builder.cpp), so that no file can describe a fabric
// that deadlocks, given a virtual channel for each class (deadlock_test.cpp draws them at random): no cycle of channels can wait for
// each other, because channels (with their classes of virtual channels) are used in an order. Mesh and torus: dimension by dimension;
// in the rings of a torus, packets that cross the dateline between the last and the first router keep to a class of their own (Dally and
// Seitz 1987). Trees: up, then down. Dragonfly: local channels of the source's group come before global ones, which come before local
// ones of the destination's group, each in a class of their own (Kim et al., ISCA 2008). Any graph: up*/down* (Autonet, 1991).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "arch/fabric/topology_spec.hpp"

namespace tessera::arch {

/// How many ways a packet may go.
enum class Paths : std::uint8_t {
  one,         ///< always the same between two endpoints
  equal_cost,  ///< each packet one of the shortest that the rule allows
};

class TopologyRule {
 public:
  /// Two routers joined, both ways. `wire` is an index of the topology's links. `lane` tells
  /// dimension and direction: a packet that goes on in the same lane keeps its class (0: none).
  struct Link {
    std::size_t a = 0;
    std::size_t b = 0;
    std::size_t wire = 0;
    std::uint8_t classes = 1;
    std::uint8_t lane_forward = 0;
    std::uint8_t lane_backward = 0;
  };

  /// The next router, and the class of virtual channel towards it.
  struct Step {
    std::size_t router = 0;
    std::uint8_t vc_class = 0;
  };

  /// From a router to another one; `place` is where the packet goes, for rules that spread by it.
  struct Query {
    std::size_t from = 0;
    std::size_t to = 0;
    std::size_t place = 0;
  };

  virtual ~TopologyRule() = default;

  [[nodiscard]] virtual std::size_t routers() const = 0;
  [[nodiscard]] virtual std::size_t router_of(std::size_t place) const = 0;
  [[nodiscard]] virtual std::vector<Link> links() const = 0;
  /// Which of the topology's links joins a place and its router; none: the topology's port.
  [[nodiscard]] virtual bool port_is_lowest_link() const { return false; }
  /// Must packets that stay inside, or come in, keep apart from those that leave through router 0?
  [[nodiscard]] virtual bool has_phases() const { return true; }
  /// Fills `steps` with the ways on, at least one; requires from != to.
  virtual void next(Query const& query, std::vector<Step>& steps) const = 0;
};

[[nodiscard]] std::unique_ptr<TopologyRule> make_rule(TopologySpec const& topology, Paths paths);

namespace detail {
[[nodiscard]] std::unique_ptr<TopologyRule> make_grid_rule(TopologySpec const& spec, Paths paths);
[[nodiscard]] std::unique_ptr<TopologyRule> make_tree_rule(TopologySpec const& spec);
[[nodiscard]] std::unique_ptr<TopologyRule> make_fat_tree_rule(TopologySpec const& spec,
                                                               Paths paths);
[[nodiscard]] std::unique_ptr<TopologyRule> make_full_rule(TopologySpec const& spec);
[[nodiscard]] std::unique_ptr<TopologyRule> make_dragonfly_rule(TopologySpec const& spec);
[[nodiscard]] std::unique_ptr<TopologyRule> make_graph_rule(TopologySpec const& spec, Paths paths);
}  // namespace detail

}  // namespace tessera::arch
