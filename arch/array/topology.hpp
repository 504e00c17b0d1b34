// The fabric of an array: nodes, links with lanes, and the path of a message. Shared by the simulator, which builds modules from it,
// and the cost model, which counts load on its links. Networks and tori are read from their interconnect (arch/fabric), channel by
// channel; the H-tree is the tree rule's with lanes, and its paths are arithmetic, since it may be folded.
//
// Level h of the hierarchy (1 at the top, L at the bottom) is a digit of an accelerator's index (base/hierarchy.hpp): with 2^L
// accelerators bit L-h, of which the most significant says in which half of the array it is.
//
// H-tree: a tree of switches with the accelerators as leaves; the arity of its switches of level h is that of the level, two in a binary
// hierarchy. An up and a down link join every switch of level h to each of its children; they are links of level h. An accelerator's own
// link is one lane of B (FabricSpec); a link of level h has as many lanes as there are accelerators below it, in a binary tree 2^(L-h), so
// that at every level, whatever its arity, the lanes of all links together are as many as there are accelerators: 12 are three groups of
// two pairs, so three links of 4 B at the root, six of 2 B and twelve of B below; 13 are thirteen links of B at the root. Where links are
// alike at all levels, they have bandwidth B in as many lanes, so that lanes are finer the higher they are. Where a half of the array
// has links of its own (AcceleratorGroup), B is theirs for all links that lead to that half. A message keeps to the lane of its
// source, so accelerators that all talk to their counterparts never wait for each other.
//
// A folded H-tree (Folding) has one child where the two are equals: the one that stands for both. Its switches, links and lanes
// stand for those of their class, and since equals have lanes of their own, what they carry is the same.
//
// A folded network (folded_network.hpp) has the representatives and what stands for the links that leave their equals.
//
// Torus: the network {kind: torus, shape: [columns, rows], numbering: by-level, half_way: both} with links of B. The digits of levels
// 1, 3, 5... are the column, those of levels 2, 4, 6... the row; with 2^L accelerators there are 2^ceil(L/2) columns and 2^floor(L/2)
// rows. A ring of two has one link each way, a ring of one has none.
//
// Network: any graph (arch/fabric), wire by wire. Its endpoints are the accelerators in order; a router that is an endpoint's own is the
// same node as its accelerator, any other one is a switch. Paths are the first of the interconnect's.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arch/array/array_spec.hpp"
#include "arch/base/folding.hpp"
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
  int level = 0;     ///< H-tree: 1 at the root; others: 0
  std::string name;  ///< "switch-1.0>accelerator-3"
};

/// Where two paths are equally short (half-way round a ring of a torus) a message is cut in two and
/// each half takes one of them.
enum class Turn : std::uint8_t { positive, negative };

/// A message, or a half of one, and the direction it takes round rings.
struct MessagePart {
  Turn turn = Turn::positive;
  Bytes size{0};
};

/// A whole message or its two halves.
class MessageParts final {
 public:
  explicit MessageParts(MessagePart whole) : parts_{whole, {}}, size_{1} {}
  MessageParts(MessagePart first, MessagePart second) : parts_{first, second}, size_{2} {}

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] MessagePart const* begin() const { return parts_.data(); }
  [[nodiscard]] MessagePart const* end() const { return parts_.data() + size_; }
  [[nodiscard]] MessagePart const& operator[](std::size_t index) const {
    EXPECTS(index < size_, index, size_);
    return parts_[index];
  }

 private:
  std::array<MessagePart, 2> parts_;
  std::size_t size_;
};

/// The first takes the byte that is left.
[[nodiscard]] MessageParts halves(Bytes size);

class FoldedNetwork;

class Topology final {
 public:
  explicit Topology(ArraySpec const& array)
      : Topology{array, Folding{static_cast<std::size_t>(array.accelerators)}} {}
  /// With the representatives of `folding` for accelerators. An H-tree can be folded, a tree, and a
  /// grid with a router for each accelerator.
  Topology(ArraySpec const& array, Folding const& folding);

  /// Of the folded array: its representatives.
  [[nodiscard]] std::size_t accelerators() const { return accelerators_; }
  [[nodiscard]] std::vector<std::string> const& node_names() const { return node_names_; }
  [[nodiscard]] IdVector<LinkId, Link> const& links() const { return links_; }

  /// The links from `source` to `destination`, both accelerators, in order; empty when they are the
  /// same. H-tree: up to the common switch and down. Network: as its routers forward. Torus: along
  /// the row to the column, then along the column, the shorter way round each; `turn` decides
  /// between equal ones.
  [[nodiscard]] std::vector<LinkId> route(NodeId source, NodeId destination, Turn turn) const;

  /// Of a network or a torus: the link of a channel; none for one without a wire.
  [[nodiscard]] std::optional<LinkId> link_of(ChannelId channel) const { return link_of_[channel]; }

  /// From `source` in an H-tree up to the switch of `level` over it and down to `destination`: in a
  /// folded tree, the way to a copy of `destination`, perhaps one of `source` itself.
  [[nodiscard]] std::vector<LinkId> route_over(NodeId source, NodeId destination, int level) const;

  /// Where an accelerator stands in a grid: its column and row in a torus, its place along each
  /// dimension of a network that is a mesh or torus; empty in any other fabric.
  [[nodiscard]] std::vector<std::size_t> coordinates(NodeId accelerator) const;

  /// Of a network that is a tree or a fat tree, children of a switch per level, the top first; else
  /// empty.
  [[nodiscard]] std::vector<std::int64_t> const& tree() const { return tree_; }

  /// Do messages of others pass through an accelerator, so that it needs a router?
  [[nodiscard]] bool passes_through(NodeId accelerator) const;

  [[nodiscard]] bool is_folded() const { return !folding_.is_trivial(); }
  /// Of a folded network, which knows routes to accelerators of the whole array; of others none.
  [[nodiscard]] FoldedNetwork const* folded_network() const { return folded_network_.get(); }
  /// What stands in this folded fabric for a node or a link of the whole one.
  [[nodiscard]] NodeId stand_in(Topology const& whole, NodeId node) const;
  [[nodiscard]] LinkId stand_in(Topology const& whole, LinkId link) const;

  /// Is there a pair of equally short paths between them, of which a message takes both? In a
  /// folded grid, `destination` is of the whole array, here and for cut().
  [[nodiscard]] bool has_two_ways(NodeId source, NodeId destination) const;

  /// How a message of `size` travels: whole, or as two halves (the positive one has the odd byte)
  /// when there are two paths.
  [[nodiscard]] MessageParts cut(NodeId source, NodeId destination, Bytes size) const;

  /// The lane of `link` that messages of `source` use.
  [[nodiscard]] std::int64_t lane(LinkId link, NodeId source) const;

  /// A sibling of `accelerator` at a hierarchy level: same place in the part of its group that
  /// comes `turn` parts later (Hierarchy); in the other half, where there are two. Of the whole
  /// array, not a folded one.
  [[nodiscard]] NodeId counterpart(NodeId accelerator, int level, std::size_t turn = 1) const;

  struct Sent {
    NodeId source;
    NodeId destination;
    Bytes size{0};
  };
  /// Of all lanes of a bandwidth, what the fullest carries.
  struct Load {
    Bandwidth bandwidth{0};
    Bytes size{0};
  };
  /// Of any messages that are sent at once.
  [[nodiscard]] std::vector<Load> heaviest_loads(std::vector<Sent> const& messages) const;

 private:
  enum class Direction : std::size_t { up, down };

  void build_htree(ArraySpec const& array);
  void build_torus(ArraySpec const& array);
  void build_network();
  void name_nodes();
  [[nodiscard]] NodeId node_of(VertexId vertex) const { return *nodes_[vertex]; }
  void add_link(ChannelId channel, Bandwidth bandwidth, Time latency);
  /// Which of the children of all switches of `level`, 2^level in a binary tree that is not folded,
  /// leads to an accelerator; 0 for the root itself (level 0).
  [[nodiscard]] std::size_t child_of(int level, std::size_t accelerator) const;
  [[nodiscard]] std::size_t children(int level) const {
    return child_of(level, accelerators_ - 1) + 1;
  }
  /// Of all switches above `level`.
  [[nodiscard]] std::size_t children_above(int level) const {
    return children_above_.at(static_cast<std::size_t>(level));
  }
  /// The accelerator that `child` leads to first, by its index in the whole array.
  [[nodiscard]] std::size_t first_leaf(int level, std::size_t child) const;
  [[nodiscard]] NodeId htree_switch(int level, std::size_t index) const;
  [[nodiscard]] LinkId htree_link(int level, std::size_t child, Direction direction) const;
  [[nodiscard]] std::vector<LinkId> htree_route(std::size_t source, std::size_t destination) const;
  [[nodiscard]] std::vector<LinkId> network_route(std::size_t source, std::size_t destination,
                                                  Turn turn) const;

  FabricSpec::Topology kind_;
  Folding folding_;
  int levels_ = 0;
  std::size_t accelerators_ = 0;
  std::vector<std::size_t> children_above_;    ///< H-tree: by level
  std::shared_ptr<Interconnect const> graph_;  ///< of networks and tori, as what follows
  std::vector<std::int64_t> grid_;             ///< of a mesh or torus: routers per dimension
  std::vector<std::int64_t> tree_;             ///< of a tree: children per level
  Numbering numbering_ = Numbering::by_dimension;
  HalfWay half_way_ = HalfWay::one;
  IdVector<VertexId, std::optional<NodeId>> nodes_;
  IdVector<ChannelId, std::optional<LinkId>> link_of_;  ///< none for channels without a wire
  std::vector<std::string> node_names_;
  IdVector<LinkId, Link> links_;
  std::shared_ptr<FoldedNetwork const> folded_network_;
};

/// Of an array's built-in torus.
constexpr std::size_t torus_dimensions = 2;
/// The graph of an array's built-in torus.
[[nodiscard]] std::shared_ptr<Interconnect const> torus_graph(ArraySpec const& array);

/// Every accelerator sends `each` to its counterpart() at once: the time until the busiest lane has
/// carried its bytes (exact from the routes; latencies left out).
[[nodiscard]] Time exchange_time(Topology const& topology, int level, Bytes each,
                                 std::size_t turn = 1);

/// Until the slowest of them is carried.
[[nodiscard]] Time exchange_time(std::vector<Topology::Load> const& heaviest_loads);

}  // namespace tessera::arch
