#include "partition/geometry/reshard.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "partition/geometry/held_parts.hpp"

namespace tessera::partition {

using workloads::TensorId;

namespace {

using Kind = Holding::Kind;

}  // namespace

Holders everybody(std::size_t accelerators) {
  Holders all(accelerators);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

void append(std::vector<ReshardStep>& steps, std::vector<ReshardStep> more) {
  steps.insert(steps.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
}

Elements part_of(Elements elements, std::size_t part, std::size_t ways) {
  return Elements{equal_part(elements.value(), part, ways)};
}

std::vector<ReshardStep> exchanges_at(Tiling const& tiling, TensorId tensor,
                                      LayoutChange const& change, Holders const& receivers) {
  bool const reduces = change.reduces();
  auto const siblings = tiling.hierarchy().ways(change.level) - 1;
  std::vector<ReshardStep> steps(siblings, {change.level, reduces, {}});
  HeldParts before{tiling, tensor, change.before};
  HeldParts after{tiling, tensor, change.after};
  for (auto const receiver : receivers) {
    auto const wanted = after.elements(receiver);
    auto const owned = after.common_elements(receiver, before, receiver);
    auto had = owned;
    for (std::size_t turn = 1; turn <= siblings; ++turn) {
      auto const sender = tiling.hierarchy().sibling(receiver, change.level, turn);
      auto const sent = after.common_elements(receiver, before, sender);
      if (reduces) ENSURES(owned == wanted && sent == owned, owned, sent);
      if (sent > Elements{0}) steps[turn - 1].exchanges.push_back({sender, receiver, sent});
      had += sent;
    }
    if (!reduces) ENSURES(had == wanted, owned, had, wanted);
  }
  return steps;
}

std::vector<ReshardStep> reshard(Tiling const& tiling, TensorId tensor, Layout const& from,
                                 Layout const& to) {
  return reshard(tiling, tensor, from, to, everybody(tiling.accelerators()));
}

std::vector<ReshardStep> reshard(Tiling const& tiling, TensorId tensor, Layout const& from,
                                 Layout const& to, Holders const& receivers) {
  std::vector<ReshardStep> steps;
  for (auto const& change : layout_changes(from, to)) {
    append(steps, exchanges_at(tiling, tensor, change, receivers));
  }
  return steps;
}

std::vector<ReshardStep> all_reduce(Tiling const& tiling, TensorId gradient, Layout const& layout) {
  return all_reduce(tiling, gradient, layout, everybody(tiling.accelerators()));
}

std::vector<ReshardStep> all_reduce(Tiling const& tiling, TensorId gradient, Layout const& layout,
                                    Holders const& holders, arch::SumPieces pieces) {
  auto const& hierarchy = tiling.hierarchy();
  auto const parts =
      parts_in(layout, Kind::partial, [&](std::size_t level) { return hierarchy.ways(level); });
  HeldParts parts_held{tiling, gradient, layout};
  std::vector<Elements> held;
  for (auto const holder : holders) {
    auto const elements = parts_held.elements(holder);
    held.push_back(Elements{size_in(pieces, elements.value(), parts)});
  }
  std::vector<ReshardStep> scatter;
  std::vector<ReshardStep> gather;
  for (auto level = layout.size(); level-- > 0;) {
    if (layout[level].kind != Kind::partial) continue;
    for (std::size_t i = 0; i < holders.size(); ++i) {
      held[i] = part_of(held[i], hierarchy.part(holders[i], level), hierarchy.ways(level));
    }
    for (std::size_t turn = 1; turn < hierarchy.ways(level); ++turn) {
      ReshardStep down{level, true, {}};
      ReshardStep up{level, false, {}};
      for (std::size_t i = 0; i < holders.size(); ++i) {
        if (held[i] == Elements{0}) continue;
        auto const sibling = hierarchy.sibling(holders[i], level, turn);
        down.exchanges.push_back({sibling, holders[i], held[i]});
        up.exchanges.push_back({holders[i], sibling, held[i]});
      }
      scatter.push_back(std::move(down));
      gather.insert(gather.begin(), std::move(up));
    }
  }
  append(scatter, std::move(gather));
  return scatter;
}

}  // namespace tessera::partition
