// Ranks stand in the grid row by row.
#include "partition/geometry/grid_sum.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tessera::partition {

namespace {

/// In how many dimensions positions differ.
std::size_t dimensions_of(GroupCollective const& how) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < how.coordinates.front().size(); ++i) {
    if (std::any_of(how.coordinates.begin(), how.coordinates.end(),
                    [&](auto const& places) { return places[i] != how.coordinates.front()[i]; })) {
      ++count;
    }
  }
  return count;
}

}  // namespace

std::optional<GridSum> GridSum::of(Tiling const& tiling, workloads::TensorId gradient,
                                   Layout const& layout, GroupCollective const& how,
                                   arch::SumPieces pieces) {
  bool const sums_all = std::all_of(layout.begin(), layout.end(), [](Holding const& holding) {
    return holding.kind == Holding::Kind::partial;
  });
  if (!how.algorithm->is_kept_by_shifts() || !sums_all || tiling.accelerators() < 2)
    return std::nullopt;
  auto const elements = tiling.region(gradient, layout, 0).elements();
  auto group = ranked_sum(elements, everybody(tiling.accelerators()), how, pieces);
  bool const goes_along_dimensions = how.algorithm->rank_order() == arch::RankOrder::dimensions;
  bool const is_no_grid = goes_along_dimensions && group.spec.shape.size() != dimensions_of(how);
  if (is_no_grid) return std::nullopt;
  return GridSum{std::move(group)};
}

GridSum::GridSum(RankedGroup group) : group_{std::move(group)}, ranks_(group_.members.size()) {
  auto const ranks = static_cast<std::uint32_t>(ranks_.size());
  for (std::uint32_t rank = 0; rank < ranks; ++rank) ranks_[group_.members[rank]] = rank;
  pieces_ = pieces_of(group_.spec, ranks);
}

/// One through all ranks, where they have no shape.
std::vector<GridSum::Ring> GridSum::rings() const {
  if (group_.spec.shape.empty()) return {{1, ranks_.size()}};
  std::vector<Ring> rings;
  std::size_t stride = 1;
  for (auto const extent : group_.spec.shape) {
    rings.push_back({stride, static_cast<std::size_t>(extent)});
    stride *= rings.back().places;
  }
  return rings;
}

/// Are their pieces of one size, one of each, or one each way?
bool GridSum::are_equal(std::size_t rank, std::size_t other) const {
  auto const ranks = ranks_.size();
  for (std::size_t first = 0; first < pieces_.size(); first += ranks) {
    if (pieces_[first + rank] != pieces_[first + other]) return false;
  }
  return true;
}

bool GridSum::is_kept_by(std::vector<std::size_t> const& map) const {
  if (!moves_along_rings(map)) return false;
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    if (!are_equal(rank, ranks_[map[group_.members[rank]]])) return false;
  }
  return true;
}

bool GridSum::moves_along_rings(std::vector<std::size_t> const& map) const {
  auto const image = [&](std::size_t rank) { return ranks_[map[group_.members[rank]]]; };
  for (auto const& ring : rings()) {
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      auto const next = image(ring.at(rank, ring.place(rank) + 1));
      if (next != ring.at(image(rank), ring.place(image(rank)) + 1)) return false;
    }
  }
  return true;
}

/// The shortest shift along a dimension that keeps the sum.
std::size_t GridSum::period(Ring const& ring) const {
  auto const keeps = [&](std::size_t places) {
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      if (!are_equal(rank, ring.at(rank, ring.place(rank) + places))) return false;
    }
    return true;
  };
  std::size_t places = 1;
  while (ring.places % places != 0 || !keeps(places)) ++places;
  return places;
}

std::vector<std::size_t> GridSum::firsts_of_equals() const {
  arch::Representatives firsts(ranks_.size());
  std::iota(firsts.begin(), firsts.end(), 0U);
  for (auto const& ring : rings()) {
    auto const places = period(ring);
    for (auto& first : firsts) {
      first = static_cast<std::uint32_t>(ring.at(first, ring.place(first) % places));
    }
  }
  std::vector<std::size_t> by_accelerator(ranks_.size());
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    by_accelerator[group_.members[rank]] = group_.members[firsts[rank]];
  }
  return by_accelerator;
}

std::size_t GridSum::shifted(std::size_t accelerator, std::size_t from, std::size_t to) const {
  std::size_t rank = ranks_[accelerator];
  for (auto const& ring : rings()) {
    auto const places = ring.places + ring.place(ranks_[to]) - ring.place(ranks_[from]);
    rank = ring.at(rank, ring.place(rank) + places);
  }
  return group_.members[rank];
}

std::vector<ReshardStep> GridSum::neighbours() const {
  std::vector<ReshardStep> steps;
  for (auto const& ring : rings()) {
    auto& exchanges = steps.emplace_back().exchanges;
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      auto const next = ring.at(rank, ring.place(rank) + 1);
      exchanges.push_back({group_.members[rank], group_.members[next]});
      exchanges.push_back({group_.members[next], group_.members[rank]});
    }
  }
  return steps;
}

std::vector<ReshardStep> GridSum::rounds(Folding const& folding) const {
  std::vector<std::size_t> representatives;
  for (std::size_t accelerator = 0; accelerator < ranks_.size(); ++accelerator) {
    representatives.push_back(folding.accelerator(folding.representative(accelerator)));
  }
  return rounds(representatives);
}

std::vector<ReshardStep> GridSum::rounds(std::vector<std::size_t> const& representatives) const {
  arch::Representatives by_rank;
  for (auto const member : group_.members) by_rank.push_back(ranks_[representatives[member]]);
  auto const ranks = static_cast<std::uint32_t>(ranks_.size());
  RoundMerger merger{0};
  merger.add(group_.members, collective_messages(group_.spec, ranks, by_rank));
  return merger.steps();
}

}  // namespace tessera::partition
