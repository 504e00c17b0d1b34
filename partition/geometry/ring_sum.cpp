// Ranks stand in the grid row by row.
#include "partition/geometry/ring_sum.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace tessera::partition {

namespace {

/// In how many dimensions positions differ.
std::size_t dimensions_of(GroupCollective const& how, Holders const& positions) {
  std::size_t count = 0;
  auto const& first = how.coordinates[positions.front()];
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (std::any_of(positions.begin(), positions.end(), [&](std::size_t position) {
          return how.coordinates[position][i] != first[i];
        })) {
      ++count;
    }
  }
  return count;
}

/// Are the pieces of two ranks of one size, one of each, or one each way?
bool are_equal(std::size_t ranks, std::vector<std::int64_t> const& pieces, std::size_t rank,
               std::vector<std::int64_t> const& others, std::size_t other) {
  for (std::size_t first = 0; first < pieces.size(); first += ranks) {
    if (pieces[first + rank] != others[first + other]) return false;
  }
  return true;
}

}  // namespace

std::optional<RingSum> RingSum::of(Tiling const& tiling, workloads::TensorId gradient,
                                   Layout const& layout, GroupCollective const& how,
                                   arch::SumPieces pieces) {
  auto levels = summed_levels(layout);
  if (!how.algorithm->is_kept_by_shifts() || levels.empty()) return std::nullopt;
  auto const all = everybody(tiling.accelerators());
  auto groups = summing_groups(tiling, gradient, layout, all, how, pieces);
  bool const goes_along_dimensions = how.algorithm->rank_order() == arch::RankOrder::dimensions;
  auto const& shape = groups.front().spec.shape;
  for (auto const& group : groups) {
    bool const is_no_grid =
        goes_along_dimensions && group.spec.shape.size() != dimensions_of(how, group.members);
    if (is_no_grid || group.spec.shape != shape) return std::nullopt;
  }
  return RingSum{std::move(groups), std::move(levels)};
}

RingSum::RingSum(std::vector<RankedGroup> groups, std::vector<std::size_t> levels)
    : groups_{std::move(groups)},
      in_rings_{groups_.front().spec.algorithm.get(), std::move(levels)},
      positions_(groups_.size() * ranks()) {
  std::map<std::int64_t, std::size_t> known;
  for (std::uint32_t number = 0; number < groups_.size(); ++number) {
    auto const& [members, spec] = groups_[number];
    for (std::uint32_t rank = 0; rank < members.size(); ++rank) {
      positions_[members[rank]] = {number, rank};
    }
    auto const [pieces, is_new] = known.try_emplace(spec.size, pieces_.size());
    if (is_new) pieces_.push_back(pieces_of(spec, static_cast<std::uint32_t>(members.size())));
    pieces_of_group_.push_back(pieces->second);
  }
}

RingSum::Kind RingSum::kind() const {
  Kind kind{in_rings_, {}};
  for (auto const& group : groups_) kind.second.push_back(group.spec.size);
  if (pieces_.size() == 1) kind.second.resize(1);
  return kind;
}

/// One through all ranks, where they have no shape.
std::vector<RingSum::Ring> RingSum::rings() const {
  auto const& shape = groups_.front().spec.shape;
  if (shape.empty()) return {{1, ranks()}};
  std::vector<Ring> rings;
  std::size_t stride = 1;
  for (auto const extent : shape) {
    rings.push_back({stride, static_cast<std::size_t>(extent)});
    stride *= rings.back().places;
  }
  return rings;
}

/// The accelerator behind `accelerator` in its ring.
std::size_t RingSum::following(std::size_t accelerator, Ring const& ring) const {
  auto const [group, rank] = positions_[accelerator];
  return groups_[group].members[ring.at(rank, ring.place(rank) + 1)];
}

bool RingSum::is_kept_by(std::vector<std::size_t> const& map) const {
  if (!moves_along_rings(map)) return false;
  for (std::size_t accelerator = 0; accelerator < positions_.size(); ++accelerator) {
    auto const [group, rank] = positions_[accelerator];
    auto const [other, other_rank] = positions_[map[accelerator]];
    if (!are_equal(ranks(), pieces_in(group), rank, pieces_in(other), other_rank)) return false;
  }
  return true;
}

bool RingSum::moves_along_rings(std::vector<std::size_t> const& map) const {
  for (auto const& ring : rings()) {
    for (std::size_t accelerator = 0; accelerator < positions_.size(); ++accelerator) {
      if (map[following(accelerator, ring)] != following(map[accelerator], ring)) return false;
    }
  }
  return true;
}

/// The shortest shift along a dimension that keeps such pieces.
std::size_t RingSum::period(Ring const& ring, Pieces const& pieces) const {
  auto const keeps = [&](std::size_t places) {
    for (std::size_t rank = 0; rank < ranks(); ++rank) {
      auto const other = ring.at(rank, ring.place(rank) + places);
      if (!are_equal(ranks(), pieces, rank, pieces, other)) return false;
    }
    return true;
  };
  std::size_t places = 1;
  while (ring.places % places != 0 || !keeps(places)) ++places;
  return places;
}

RingSum::Representatives RingSum::firsts_of_equals() const {
  std::vector<arch::Representatives> firsts;  // by pieces and rank
  for (auto const& pieces : pieces_) {
    auto& by_rank = firsts.emplace_back(ranks());
    std::iota(by_rank.begin(), by_rank.end(), 0U);
    for (auto const& ring : rings()) {
      auto const places = period(ring, pieces);
      for (auto& first : by_rank) {
        first = static_cast<std::uint32_t>(ring.at(first, ring.place(first) % places));
      }
    }
  }
  Representatives by_accelerator;
  for (auto const& [group, rank] : positions_) {
    by_accelerator.push_back(groups_[group].members[firsts[pieces_of_group_[group]][rank]]);
  }
  return by_accelerator;
}

std::size_t RingSum::shifted(std::size_t accelerator, std::size_t from, std::size_t to) const {
  auto const [group, first] = positions_[accelerator];
  std::size_t rank = first;
  for (auto const& ring : rings()) {
    auto const places =
        ring.places + ring.place(positions_[to].rank) - ring.place(positions_[from].rank);
    rank = ring.at(rank, ring.place(rank) + places);
  }
  return groups_[group].members[rank];
}

std::vector<ReshardStep> RingSum::neighbours() const {
  std::vector<ReshardStep> steps;
  for (auto const& ring : rings()) {
    auto& exchanges = steps.emplace_back().exchanges;
    for (auto const& group : groups_) {
      for (auto const member : group.members) {
        auto const next = following(member, ring);
        exchanges.push_back({member, next});
        exchanges.push_back({next, member});
      }
    }
  }
  return steps;
}

RingSum::Representatives RingSum::representatives(Folding const& folding) const {
  Representatives all;
  for (std::size_t accelerator = 0; accelerator < positions_.size(); ++accelerator) {
    all.push_back(folding.accelerator(folding.representative(accelerator)));
  }
  return all;
}

/// Whether some member of `group` represents itself.
bool RingSum::has_representative(std::size_t group, Representatives const& representatives) const {
  auto const& members = groups_[group].members;
  return std::any_of(members.begin(), members.end(),
                     [&](std::size_t member) { return representatives[member] == member; });
}

bool RingSum::stay_in_groups(Representatives const& representatives) const {
  for (std::size_t number = 0; number < groups_.size(); ++number) {
    if (!has_representative(number, representatives)) continue;
    for (auto const member : groups_[number].members) {
      if (positions_[representatives[member]].group != number) return false;
    }
  }
  return true;
}

std::vector<ReshardStep> RingSum::rounds(Representatives const& representatives) const {
  RoundMerger merger{in_rings_.second.front()};
  for (std::size_t number = 0; number < groups_.size(); ++number) {
    if (!has_representative(number, representatives)) continue;
    auto const& [members, spec] = groups_[number];
    arch::Representatives by_rank;
    for (auto const member : members) {
      auto const [group, rank] = positions_[representatives[member]];
      EXPECTS(group == number, group, number);
      by_rank.push_back(rank);
    }
    merger.add(members, collective_messages(spec, static_cast<std::uint32_t>(ranks()), by_rank));
  }
  return merger.steps();
}

}  // namespace tessera::partition
