#include "arch/collective/collective_builder.hpp"

#include <algorithm>
#include <numeric>

namespace tessera::arch {

namespace {

/// How many edges lie between the root of a binary tree in heap order and one of its places.
std::uint32_t depth_of(std::uint32_t place) {
  std::uint32_t depth = 0;
  for (; place > 0; place = (place - 1) / 2) ++depth;
  return depth;
}

}  // namespace

CollectiveBuilder::CollectiveBuilder(CollectiveSpec const& spec, std::uint32_t ranks,
                                     Representatives representatives)
    : spec_{spec},
      ranks_{ranks},
      representatives_{std::move(representatives)},
      hierarchy_{static_cast<std::size_t>(ranks)},
      sizes_{pieces_of(spec, ranks)},
      places_(ranks) {}

std::int64_t CollectiveBuilder::size_of(Pieces const& pieces) const {
  std::int64_t size = 0;
  for (std::size_t i = 0; i < pieces.count; ++i) size += sizes_[pieces.first + i * pieces.stride];
  return size;
}

CollectiveBuilder::Ownership CollectiveBuilder::owned(std::size_t offset, std::size_t unit) const {
  Ownership owned{offset, std::vector<std::int64_t>(unit, 0)};
  for (std::size_t i = 0; i < ranks_; ++i) owned.sizes[i % unit] += sizes_[offset + i];
  return owned;
}

CollectiveBuilder::MessageId CollectiveBuilder::send(CollectiveMessage message,
                                                     std::vector<MessageId> after) {
  if (message.pieces.count > 0) message.size = size_of(message.pieces);
  return add(std::move(message), std::move(after));
}

CollectiveBuilder::MessageId CollectiveBuilder::add(CollectiveMessage message,
                                                    std::vector<MessageId> after) {
  message.after = std::move(after);
  messages_.push_back(std::move(message));
  return messages_.size() - 1;
}

void CollectiveBuilder::ring(std::size_t offset, bool backwards) {
  Ring members;
  for (std::uint32_t rank = 0; rank < ranks_; ++rank) members.push_back(rank);
  if (backwards) std::reverse(members.begin(), members.end());
  auto received = nothing();
  auto const all = owned(offset, ranks_);
  if (scatters()) pass(members, all, {true, 0}, received);
  if (gathers()) pass(members, all, {false, scatters() ? ranks_ - 1 : 0}, received);
}

/// Of representatives; remembers where all members are.
std::vector<std::size_t> CollectiveBuilder::sending_places(Ring const& members) {
  std::vector<std::size_t> sending;
  for (std::size_t place = 0; place < members.size(); ++place) {
    auto const rank = members[place];
    places_[rank] = place;
    if (representatives_[rank] == rank) sending.push_back(place);
  }
  return sending;
}

/// Block b starts at member b + 1 (so that it ends at b: reduce) or at b (gather). What a rank had
/// from earlier passes must be there when it adds it, or begins with it; of this pass the next one
/// needs its last sum, or all copies.
void CollectiveBuilder::pass(Ring const& members, Ownership const& owned, Pass const& pass,
                             Received& received) {
  auto const [reduces, first_round] = pass;
  auto const size = members.size();
  auto const unit = owned.sizes.size();
  auto const sending = sending_places(members);
  Received before(size);  // by place, as what follows
  for (auto const place : sending) before[place] = received[members[place]];
  std::vector<MessageId> last(size);
  std::vector<MessageId> next(size);
  for (std::size_t step = 0; step + 1 < size; ++step) {
    for (auto const place : sending) {
      auto const owner = members[(place + 2 * size - step - (reduces ? 1 : 0)) % size] % unit;
      auto const to = members[(place + 1) % size];
      Pieces const pieces{owned.offset + owner, ranks_ / unit, unit};
      std::vector<MessageId> after;
      if (step > 0) after.push_back(last[place]);
      if (reduces || step == 0) {
        after.insert(after.end(), before[place].begin(), before[place].end());
      }
      auto const round = first_round + static_cast<std::uint32_t>(step);
      auto const id =
          add({members[place], to, owned.sizes[owner], pieces, reduces, round}, std::move(after));
      auto const receiver = representatives_[to];
      next[places_[receiver]] = id;
      if (!reduces || step + 2 == size) received[receiver].push_back(id);
    }
    std::swap(last, next);
  }
}

/// Of reducing.
std::vector<CollectiveBuilder::Exchange> CollectiveBuilder::exchanges(Halving halving) const {
  std::vector<Exchange> all;
  for (std::size_t i = 0; i < hierarchy_.levels(); ++i) {
    bool const is_inside_out = halving == Halving::innermost_first;
    auto const level = is_inside_out ? hierarchy_.levels() - 1 - i : i;
    for (std::size_t turn = 1; turn < hierarchy_.ways(level); ++turn) all.push_back({level, turn});
  }
  return all;
}

/// What is left to a rank when a level has been reduced.
Pieces CollectiveBuilder::halved(std::uint32_t rank, std::size_t level, Halving halving) const {
  if (halving == Halving::innermost_first) {
    auto const unit = hierarchy_.group_size(level);
    return {rank % unit, ranks_ / unit, unit};
  }
  auto const count = hierarchy_.group_size(level + 1);
  return {rank / count * count, count, 1};
}

/// Siblings exchange, when they have all that came before.
void CollectiveBuilder::halve(Halving halving) {
  auto received = nothing();
  std::uint32_t round = 0;
  auto const exchange = [&](Exchange const& it, bool reduces) {
    auto const before = received;
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
      auto const sibling = static_cast<std::uint32_t>(hierarchy_.sibling(rank, it.level, it.turn));
      auto const from = reduces ? sibling : rank;
      auto const to = reduces ? rank : sibling;
      received[to].push_back(
          send({from, to, 0, halved(rank, it.level, halving), reduces, round}, before[from]));
    }
    ++round;
  };
  auto const all = exchanges(halving);
  if (scatters()) {
    for (auto const& it : all) exchange(it, true);
  }
  if (!gathers()) return;
  for (auto it = all.rbegin(); it != all.rend(); ++it) exchange(*it, false);
}

void CollectiveBuilder::tree(std::size_t first_piece, bool mirrored) {
  auto const rank = [&](std::uint32_t place) { return mirrored ? ranks_ - 1 - place : place; };
  bool const reduces = spec_.kind == CollectiveKind::all_reduce;
  auto const height = depth_of(ranks_ - 1);
  for (std::int64_t i = 0; i < spec_.chunks; ++i) {
    auto const chunk = static_cast<std::uint32_t>(i);
    Pieces const piece{first_piece + chunk, 1, 1};
    auto received = nothing();
    for (auto place = ranks_ - 1; reduces && place > 0; --place) {
      auto const parent = (place - 1) / 2;
      auto const round = chunk + height - depth_of(place);
      received[parent].push_back(
          send({rank(place), rank(parent), 0, piece, true, round}, received[place]));
    }
    auto const down = chunk + (reduces ? height : 0);
    auto from_above = nothing();
    from_above[0] = received[0];
    for (std::uint32_t place = 1; place < ranks_; ++place) {
      auto const parent = (place - 1) / 2;
      auto const round = down + depth_of(parent);
      from_above[place] = {
          send({rank(parent), rank(place), 0, piece, false, round}, from_above[parent])};
    }
  }
}

}  // namespace tessera::arch
