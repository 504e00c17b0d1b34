#include "arch/array/folded_grid.hpp"

#include <map>
#include <utility>

#include "arch/array/grid_maps.hpp"

namespace tessera::arch {

FoldedGrid::FoldedGrid(ArraySpec const& array, Folding const& folding)
    : folding_{folding}, whole_{std::make_unique<Topology const>(array)} {
  GridMaps const maps{Translations{*whole_}, folding_};
  auto const original_of = [this](std::size_t accelerator) {
    return folding_.accelerator(folding_.representative(accelerator));
  };
  std::map<std::pair<std::size_t, std::size_t>, LinkId> known;  // by ends in the whole grid
  for (auto const& link : whole_->links()) {
    auto const [from, to] = std::pair{link.from.index(), link.to.index()};
    if (original_of(from) != from) continue;
    auto own = link;
    own.from = NodeId{folding_.representative(from)};
    own.to = NodeId{folding_.representative(to)};
    known[{from, to}] = links_.push_back(std::move(own));
  }
  for (auto const& link : whole_->links()) {
    auto const [from, to] = std::pair{link.from.index(), link.to.index()};
    auto const its_from = original_of(from);
    auto const image = known.find({its_from, maps.mapped(to, from, its_from)});
    EXPECTS(image != known.end() && "maps take links to links", link.name);
    stands_for_it_.push_back(image->second);
  }
}

std::vector<LinkId> FoldedGrid::route(NodeId source, NodeId receiver, Turn turn) const {
  auto route = whole_->route(original(source), receiver, turn);
  for (auto& link : route) link = stand_in(link);
  return route;
}

bool FoldedGrid::has_two_ways(NodeId source, NodeId receiver) const {
  return whole_->has_two_ways(original(source), receiver);
}

}  // namespace tessera::arch
