#include "partition/geometry/mesh_transfer.hpp"

#include <map>

namespace tessera::partition {

using workloads::TensorId;

namespace {

/// Those who hold the same part of a tensor.
struct Copies {
  Region part;
  std::vector<std::size_t> holders;  ///< accelerators
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
    entry->second.holders.push_back(holders.mesh.devices[position]);
  }
  std::vector<Copies> all;
  all.reserve(by_part.size());
  for (auto& [parts, copies] : by_part) all.push_back(std::move(copies));
  return all;
}

/// Of the nearest holders, who differ from the receiver only within the smallest group, the one
/// whose turn it is.
std::size_t nearest(Hierarchy const& array, std::vector<std::size_t> const& holders,
                    std::size_t receiver, std::size_t turn) {
  std::vector<std::size_t> best;
  std::size_t most = 0;
  for (auto const holder : holders) {
    auto const near = array.outermost_difference(holder, receiver);
    if (near < most) continue;
    if (near > most) best.clear();
    most = near;
    best.push_back(holder);
  }
  return best[turn % best.size()];
}

}  // namespace

std::vector<Exchange> mesh_transfer(Hierarchy const& array, TensorId tensor,
                                    MeshHolders const& senders, Layout const& from,
                                    MeshHolders const& receivers, Layout const& to) {
  auto const held = copies_of(tensor, senders, from);
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
      auto const sender = nearest(array, holders, receiver, turn);
      if (sender != receiver) exchanges.push_back({sender, receiver, elements});
    }
    ENSURES(received == wanted.elements(), tensor, receiver, received, wanted.elements());
  }
  return exchanges;
}

}  // namespace tessera::partition
