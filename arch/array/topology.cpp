// Links, paths and lanes of the H-tree, whose link ids follow from where links are, so that a path is arithmetic and not search; and what
// is alike for all fabrics. Networks and tori are in topology_network.cpp.
#include "arch/array/topology.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "arch/array/folded_network.hpp"

namespace tessera::arch {

Topology::Topology(ArraySpec const& array, Folding const& folding)
    : kind_{array.fabric.topology},
      folding_{folding},
      levels_{array.levels()},
      accelerators_{folding.representatives()},
      graph_{array.fabric.graph},
      grid_{array.fabric.grid},
      tree_{array.fabric.tree},
      numbering_{array.fabric.numbering},
      half_way_{array.fabric.half_way} {
  EXPECTS(folding.accelerators() == static_cast<std::size_t>(array.accelerators),
          folding.accelerators(), array.accelerators);
  for (std::size_t index = 0; index < accelerators_; ++index) {
    node_names_.push_back("accelerator-" + std::to_string(folding.accelerator(index)));
  }
  if (kind_ != FabricSpec::Topology::htree && is_folded()) {
    folded_network_ = std::make_shared<FoldedNetwork const>(array, folding);
    links_ = folded_network_->links();
    auto const& switches = folded_network_->switch_names();
    node_names_.insert(node_names_.end(), switches.begin(), switches.end());
    return;
  }
  switch (kind_) {
    case FabricSpec::Topology::htree:
      build_htree(array);
      break;
    case FabricSpec::Topology::torus:
      build_torus(array);
      break;
    case FabricSpec::Topology::network:
      build_network();
      break;
  }
}

std::size_t Topology::child_of(int level, std::size_t accelerator) const {
  return accelerator / folding_.kept_in_group(static_cast<std::size_t>(level));
}

std::size_t Topology::first_leaf(int level, std::size_t child) const {
  return folding_.accelerator(child * folding_.kept_in_group(static_cast<std::size_t>(level)));
}

/// Switches of a level come after those above it, of which there is the root and one for each child
/// of a switch that is not an accelerator.
NodeId Topology::htree_switch(int level, std::size_t index) const {
  return NodeId{accelerators_ + (level == 1 ? 0 : 1 + children_above(level - 1)) + index};
}

LinkId Topology::htree_link(int level, std::size_t child, Direction direction) const {
  return LinkId{2 * (children_above(level) + child) + static_cast<std::size_t>(direction)};
}

void Topology::build_htree(ArraySpec const& array) {
  children_above_ = {0, 0};
  for (int level = 1; level <= levels_; ++level) {
    children_above_.push_back(children_above_.back() + children(level));
  }
  for (int level = 1; level <= levels_; ++level) {
    for (std::size_t index = 0; index < children(level - 1); ++index) {
      auto const number = first_leaf(level - 1, index) /
                          folding_.hierarchy().group_size(static_cast<std::size_t>(level - 1));
      node_names_.push_back("switch-" + std::to_string(level) + '.' + std::to_string(number));
    }
  }
  auto const add_link = [&](int level, std::size_t child, NodeId from, NodeId to) {
    auto const lanes = folding_.kept_in_group(static_cast<std::size_t>(level));
    links_.push_back({from, to, static_cast<std::int64_t>(lanes),
                      array.lane_bandwidth(level, first_leaf(level, child)), array.fabric.latency,
                      level, node_names_[from.index()] + '>' + node_names_[to.index()]});
  };
  for (int level = 1; level <= levels_; ++level) {
    for (std::size_t child = 0; child < children(level); ++child) {
      auto const parent = htree_switch(level, child / (children(level) / children(level - 1)));
      auto const node = level == levels_ ? NodeId{child} : htree_switch(level + 1, child);
      add_link(level, child, node, parent);
      add_link(level, child, parent, node);
    }
  }
}

std::vector<LinkId> Topology::route(NodeId source, NodeId destination, Turn turn) const {
  EXPECTS(source.index() < accelerators_ && destination.index() < accelerators_, source,
          destination, accelerators_);
  return kind_ == FabricSpec::Topology::htree
             ? htree_route(source.index(), destination.index())
             : network_route(source.index(), destination.index(), turn);
}

std::vector<std::size_t> Topology::coordinates(NodeId accelerator) const {
  EXPECTS(accelerator.index() < accelerators_, accelerator, accelerators_);
  return grid_coordinates(grid_, numbering_, accelerator.index());
}

bool Topology::passes_through(NodeId accelerator) const {
  EXPECTS(accelerator.index() < accelerators_, accelerator, accelerators_);
  auto const index = folding_.accelerator(accelerator.index());
  return kind_ != FabricSpec::Topology::htree && graph_->own_router(VertexId{index}).has_value();
}

std::vector<LinkId> Topology::htree_route(std::size_t source, std::size_t destination) const {
  EXPECTS(folding_.is_trivial() && "a folded tree has several ways");
  int common = levels_ + 1;  // of the lowest switch over both; below the tree: none is needed
  while (common > 1 && child_of(common - 1, source) != child_of(common - 1, destination)) --common;
  return common > levels_ ? std::vector<LinkId>{}
                          : route_over(NodeId{source}, NodeId{destination}, common);
}

std::vector<LinkId> Topology::route_over(NodeId source, NodeId destination, int level) const {
  EXPECTS(1 <= level && level <= levels_, level, levels_);
  std::vector<LinkId> route;
  for (int below = levels_; below >= level; --below) {
    route.push_back(htree_link(below, child_of(below, source.index()), Direction::up));
  }
  for (int below = level; below <= levels_; ++below) {
    route.push_back(htree_link(below, child_of(below, destination.index()), Direction::down));
  }
  return route;
}

NodeId Topology::stand_in(Topology const& whole, NodeId node) const {
  if (!is_folded()) return node;
  if (folded_network_) return folded_network_->stand_in(node);
  if (node.index() < whole.accelerators_) return NodeId{folding_.representative(node.index())};
  int level = 1;
  while (level < levels_ && !(node < whole.htree_switch(level + 1, 0))) ++level;
  auto const index = node.index() - whole.htree_switch(level, 0).index();
  auto const leaf = folding_.representative(whole.first_leaf(level - 1, index));
  return htree_switch(level, child_of(level - 1, leaf));
}

LinkId Topology::stand_in(Topology const& whole, LinkId link) const {
  if (!is_folded()) return link;
  if (folded_network_) return folded_network_->stand_in(link);
  auto const level = whole.links_[link].level;
  auto const place = link.index() - whole.htree_link(level, 0, Direction::up).index();
  auto const leaf = folding_.representative(whole.first_leaf(level, place / 2));
  return htree_link(level, child_of(level, leaf), static_cast<Direction>(place % 2));
}

bool Topology::has_two_ways(NodeId source, NodeId destination) const {
  if (folded_network_) return folded_network_->has_two_ways(source, destination);
  return half_way_ == HalfWay::both &&
         graph_->has_choice(VertexId{source.index()}, VertexId{destination.index()});
}

MessageParts halves(Bytes size) {
  Bytes const half{size.value() / 2};
  return {{Turn::positive, size - half}, {Turn::negative, half}};
}

MessageParts Topology::cut(NodeId source, NodeId destination, Bytes size) const {
  if (!has_two_ways(source, destination)) return MessageParts{{Turn::positive, size}};
  return halves(size);
}

std::int64_t Topology::lane(LinkId link, NodeId source) const {
  return static_cast<std::int64_t>(source.index()) % links_[link].lanes;
}

NodeId Topology::counterpart(NodeId accelerator, int level, std::size_t turn) const {
  EXPECTS(level >= 1 && level <= levels_, level, levels_);
  EXPECTS(accelerator.index() < accelerators_, accelerator, accelerators_);
  EXPECTS(folding_.is_trivial());
  auto const index = static_cast<std::size_t>(level - 1);
  return NodeId{folding_.hierarchy().sibling(accelerator.index(), index, turn)};
}

Time exchange_time(Topology const& topology, int level, Bytes each, std::size_t turn) {
  std::vector<Topology::Sent> messages;
  for (std::size_t index = 0; index < topology.accelerators(); ++index) {
    NodeId const source{index};
    messages.push_back({source, topology.counterpart(source, level, turn), each});
  }
  return exchange_time(topology.heaviest_loads(messages));
}

Time exchange_time(std::vector<Topology::Load> const& heaviest_loads) {
  Time slowest{0};
  for (auto const& [bandwidth, size] : heaviest_loads) {
    slowest = std::max(slowest, size / bandwidth);
  }
  return slowest;
}

std::vector<Topology::Load> Topology::heaviest_loads(std::vector<Sent> const& messages) const {
  struct Carried {
    LinkId link;
    std::int64_t lane = 0;
    Bytes size{0};
  };
  std::vector<Carried> carried;
  std::vector<std::size_t> ends(links_.size() + 1, 0);  ///< in `by_link`, of each link
  for (auto const& [source, destination, size] : messages) {
    for (auto const& part : cut(source, destination, size)) {
      for (auto const id : route(source, destination, part.turn)) {
        carried.push_back({id, lane(id, source), part.size});
        ++ends[id.index() + 1];
      }
    }
  }
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  std::vector<Carried> by_link(carried.size());
  for (auto const& it : carried) by_link[ends[it.link.index()]++] = it;
  std::vector<Load> heaviest;
  auto const add = [&heaviest](Bandwidth bandwidth, Bytes size) {
    for (auto& load : heaviest) {
      if (load.bandwidth != bandwidth) continue;
      load.size = std::max(load.size, size);
      return;
    }
    heaviest.push_back({bandwidth, size});
  };
  for (auto from = by_link.begin(); from != by_link.end();) {
    auto const& link = links_[from->link];
    auto const to = by_link.begin() + static_cast<std::ptrdiff_t>(ends[from->link.index()]);
    auto const comes_first = [](Carried const& a, Carried const& b) { return a.lane < b.lane; };
    if (!std::is_sorted(from, to, comes_first)) std::sort(from, to, comes_first);
    while (from != to) {
      auto const lane = from->lane;
      Bytes bytes{0};
      for (; from != to && from->lane == lane; ++from) bytes += from->size;
      add(link.lane_bandwidth, bytes);
    }
  }
  return heaviest;
}

}  // namespace tessera::arch
