// What a shift of a grid makes of its links and of the routes of messages.
#pragma once

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "arch/array/topology.hpp"
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

/// Does a shift map links onto equal links, and what messages take onto what the shifted ones take?
class ShiftedFabric final {
 public:
  /// `topology` must outlive it; `shift` is where each accelerator gets.
  ShiftedFabric(arch::Topology const& topology, OutgoingLinks const& outgoing,
                std::vector<std::size_t> shift);

  [[nodiscard]] bool maps_links() const { return maps_links_; }
  [[nodiscard]] std::vector<std::size_t> const& shift() const { return shift_; }

  /// Those between the ends of exchanges. Requires that links are mapped.
  [[nodiscard]] bool maps_routes(std::vector<Exchange> const& exchanges);

 private:
  [[nodiscard]] bool maps_route(std::size_t from, std::size_t to);

  arch::Topology const& topology_;
  std::vector<std::size_t> shift_;
  IdVector<arch::LinkId, arch::LinkId> images_;
  bool maps_links_ = true;
  std::set<std::pair<std::size_t, std::size_t>> known_;
};

}  // namespace tessera::partition
