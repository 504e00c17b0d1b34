// The graph of a fabric: nodes, links, and which way a message goes. Shared by the simulator, which builds modules from it, and
// the cost model, which counts load on its links.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arch/array_spec.hpp"
#include "arch/base/id.hpp"

namespace tessera::arch {

using NodeId = Id<struct NodeTag>;  ///< accelerators first (0 .. accelerators-1), then switches
using LinkId = Id<struct LinkTag>;

/// A one-way link. A link has several lanes, each of which carries whole messages at
/// `lane_bandwidth`, so that messages of different sources never wait for each other where the
/// wires suffice (a fat tree drawn wire by wire).
struct Link {
  NodeId from;
  NodeId to;
  std::int64_t lanes = 1;
  Bandwidth lane_bandwidth{0};
  Time latency{0};
  int level = 0;     ///< H-tree: 1 at the root; torus: 0
  std::string name;  ///< "switch-1.0>accelerator-3"
};

/// Where two ways are equally short (half-way round a torus ring) a message is cut in two and each
/// half takes one of them.
enum class Turn : std::uint8_t { positive, negative };

class Topology final {
 public:
  explicit Topology(ArraySpec const& array);

  [[nodiscard]] std::size_t accelerators() const { return accelerators_; }
  [[nodiscard]] std::vector<std::string> const& node_names() const { return node_names_; }
  [[nodiscard]] IdVector<LinkId, Link> const& links() const { return links_; }

  /// The links from `source` to `destination` in order; empty when they are the same. H-tree: up to
  /// the common switch and down. Torus: columns first, then rows, the shorter way round; `turn`
  /// decides between equal ways.
  [[nodiscard]] std::vector<LinkId> route(NodeId source, NodeId destination, Turn turn) const;

  /// Is there a pair of equally short ways between them?
  [[nodiscard]] bool has_two_ways(NodeId source, NodeId destination) const;

  /// The lane of `link` that messages of `source` use.
  [[nodiscard]] std::int64_t lane(LinkId link, NodeId source) const;

  /// The sibling of `accelerator` at a hierarchy level: same place in the other half of its group.
  [[nodiscard]] NodeId counterpart(NodeId accelerator, int level) const;

  /// Every accelerator sends `each` to its counterpart at `level` at once: the time until the
  /// busiest lane is done.
  [[nodiscard]] Time exchange_time(int level, Bytes each) const;

 private:
  void build_htree(ArraySpec const& array);
  void build_torus(ArraySpec const& array);

  FabricSpec::Topology kind_;
  int levels_ = 0;
  std::size_t accelerators_ = 0;
  std::int64_t rows_ = 1;     ///< torus
  std::int64_t columns_ = 1;  ///< torus
  std::vector<std::string> node_names_;
  IdVector<LinkId, Link> links_;
};

}  // namespace tessera::arch
