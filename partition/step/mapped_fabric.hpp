// What a map of a grid or a tree onto itself, a shift, a reflection or a swap of halves, makes of its links and of the routes of messages.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "arch/array/node_positions.hpp"
#include "arch/array/topology.hpp"
#include "arch/array/translation.hpp"
#include "partition/geometry/reshard.hpp"

namespace tessera::partition {

/// The links that leave each node.
class OutgoingLinks final {
 public:
  /// `topology` must outlive it.
  explicit OutgoingLinks(arch::Topology const& topology);

  [[nodiscard]] std::optional<arch::LinkId> between(std::size_t from, std::size_t to) const;

 private:
  arch::Topology const& topology_;
  std::vector<std::vector<arch::LinkId>> leaving_;
};

/// Does a map take links to equal links, and what messages take to what the mapped ones take?
class MappedFabric final {
 public:
  /// `topology` must outlive it; `map` is where each accelerator gets.
  MappedFabric(arch::Topology const& topology, arch::NodePositions const& positions,
               OutgoingLinks const& outgoing, std::vector<std::size_t> map);

  [[nodiscard]] bool maps_links() const { return maps_links_; }
  [[nodiscard]] std::vector<std::size_t> const& map() const { return map_; }

  /// Those between the ends of exchanges. Requires that links are mapped. Of two paths between the
  /// same ends each may be mapped onto the other (as reflections do) where both carry the same.
  [[nodiscard]] bool maps_routes(std::vector<Exchange> const& exchanges, Bytes element_size);

 private:
  /// What becomes of the routes between two ends.
  enum class Paths { kept, swapped, lost };

  [[nodiscard]] Paths paths(std::size_t from, std::size_t to);
  [[nodiscard]] Paths compare(arch::NodeId source, arch::NodeId destination) const;

  arch::Topology const& topology_;
  std::vector<std::size_t> map_;
  IdVector<arch::LinkId, arch::LinkId> images_;
  bool maps_links_ = true;
  std::unordered_map<std::uint64_t, Paths> known_;  ///< by ends
};

/// A whole network, and what maps of it ask of it.
struct MappedNetwork {
  MappedNetwork(arch::Topology const& whole, arch::Translations const& translations)
      : topology{whole}, grid{translations} {}

  arch::Topology const& topology;
  arch::Translations const& grid;
  OutgoingLinks outgoing{topology};
  arch::NodePositions positions{topology};

  [[nodiscard]] bool is_tree() const { return !topology.tree().empty(); }
  [[nodiscard]] MappedFabric by(std::vector<std::size_t> map) const {
    return {topology, positions, outgoing, std::move(map)};
  }
};

}  // namespace tessera::partition
