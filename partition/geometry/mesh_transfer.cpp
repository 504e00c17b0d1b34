#include "partition/geometry/mesh_transfer.hpp"

#include <map>
#include <utility>

namespace tessera::partition {

using workloads::TensorId;

namespace {

/// Those who hold the same part of a tensor.
struct Copies {
  Region part;
  Holders holders;  ///< positions
};

/// Which part of every split a position has: equal for those who hold the same.
std::vector<std::size_t> split_parts(Hierarchy const& mesh, Layout const& layout,
                                     std::size_t position) {
  std::vector<std::size_t> parts;
  for (std::size_t level = 0; level < layout.size(); ++level) {
    EXPECTS(layout[level].kind != Holding::Kind::partial, level);
    if (layout[level].kind == Holding::Kind::split) parts.push_back(mesh.part(position, level));
  }
  return parts;
}

std::vector<Copies> copies_of(TensorId tensor, MeshHolders const& holders, Layout const& layout) {
  std::map<std::vector<std::size_t>, Copies> by_part;
  for (auto const position : holders.positions) {
    auto const [entry, is_new] =
        by_part.try_emplace(split_parts(holders.tiling.hierarchy(), layout, position));
    if (is_new) entry->second.part = holders.tiling.region(tensor, layout, position);
    entry->second.holders.push_back(position);
  }
  std::vector<Copies> all;
  all.reserve(by_part.size());
  for (auto& [parts, copies] : by_part) all.push_back(std::move(copies));
  return all;
}

/// Those of which `rank` is greatest.
template <typename Rank>
Holders best_of(Holders const& holders, Rank const& rank) {
  Holders best;
  std::size_t most = 0;
  for (auto const holder : holders) {
    auto const its = rank(holder);
    if (its < most) continue;
    if (its > most) best.clear();
    most = its;
    best.push_back(holder);
  }
  return best;
}

/// Who of equal holders sends to a receiver.
class NearestHolder final {
 public:
  NearestHolder(Hierarchy const& array, MeshHolders const& senders, MeshHolders const& receivers)
      : array_{array},
        senders_{senders.mesh},
        receivers_{receivers.mesh},
        axes_{senders.tiling.hierarchy()},
        have_same_axes_{senders_.arity == receivers_.arity} {}

  /// An accelerator, for the receiver at a position.
  [[nodiscard]] std::size_t of(Holders const& holders, std::size_t receiver,
                               std::size_t turn) const {
    auto nearest = best_of(holders, [&](std::size_t holder) {
      return array_.outermost_difference(senders_.devices[holder], receivers_.devices[receiver]);
    });
    if (have_same_axes_ && nearest.size() > 1) {
      nearest =
          best_of(nearest, [&](std::size_t holder) { return common_parts(holder, receiver); });
    }
    return senders_.devices[nearest[turn % nearest.size()]];
  }

 private:
  /// Along how many axes two positions are in the same part.
  [[nodiscard]] std::size_t common_parts(std::size_t a, std::size_t b) const {
    std::size_t count = 0;
    for (std::size_t axis = 0; axis < axes_.levels(); ++axis) {
      if (axes_.part(a, axis) == axes_.part(b, axis)) ++count;
    }
    return count;
  }

  Hierarchy const& array_;
  DeviceMesh const& senders_;
  DeviceMesh const& receivers_;
  Hierarchy const& axes_;
  bool have_same_axes_;
};

}  // namespace

MeshHolders all_holders(Tiling const& tiling, DeviceMesh const& mesh) {
  return {tiling, mesh, everybody(mesh.devices.size())};
}

std::vector<ReshardStep> on_devices(DeviceMesh const& mesh,
                                    std::vector<ReshardStep> between_positions) {
  for (auto& step : between_positions) {
    for (auto& exchange : step.exchanges) {
      exchange.from = mesh.devices[exchange.from];
      exchange.to = mesh.devices[exchange.to];
    }
  }
  return between_positions;
}

std::vector<Exchange> mesh_transfer(Hierarchy const& array, TensorId tensor,
                                    MeshHolders const& senders, Layout const& from,
                                    MeshHolders const& receivers, Layout const& to) {
  auto const held = copies_of(tensor, senders, from);
  NearestHolder const nearest{array, senders, receivers};
  std::vector<Exchange> exchanges;
  for (std::size_t turn = 0; turn < receivers.positions.size(); ++turn) {
    auto const position = receivers.positions[turn];
    auto const receiver = receivers.mesh.devices[position];
    auto const wanted = receivers.tiling.region(tensor, to, position);
    Elements received{0};
    for (auto const& [part, holders] : held) {
      auto const elements = wanted.common_elements(part);
      if (elements == Elements{0}) continue;
      received += elements;
      auto const sender = nearest.of(holders, position, turn);
      if (sender != receiver) exchanges.push_back({sender, receiver, elements});
    }
    ENSURES(received == wanted.elements(), tensor, receiver, received, wanted.elements());
  }
  return exchanges;
}

}  // namespace tessera::partition
