// The links that messages of an array take, looked up once for each flow.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "arch/array/topology.hpp"
#include "sim/model/protocol/core.hpp"

namespace tessera::sim {

/// Memory grows with the flows that really pass and not with the square of the array.
class MessageRoutes final {
 public:
  /// Indices of the links of a route, in order: links()[first] up to links()[end - 1].
  struct Range {
    std::uint32_t first = 0;
    std::uint32_t end = 0;
  };

  /// `topology` must outlive it.
  explicit MessageRoutes(arch::Topology const& topology) : topology_{topology} {}

  [[nodiscard]] Range of(Message const& message);
  [[nodiscard]] arch::LinkId link(std::uint32_t index) const { return links_[index]; }

 private:
  [[nodiscard]] Range add(Message const& message);

  arch::Topology const& topology_;
  std::vector<arch::LinkId> links_;
  std::unordered_map<std::uint64_t, Range> known_;
};

}  // namespace tessera::sim
