#include "partition/geometry/collective_builder.hpp"

#include <algorithm>
#include <numeric>

namespace tessera::partition {

namespace {

/// How many edges lie between the root of a binary tree in heap order and one of its places.
std::uint32_t depth_of(std::uint32_t place) {
  std::uint32_t depth = 0;
  for (; place > 0; place = (place - 1) / 2) ++depth;
  return depth;
}

Representatives everybody(std::uint32_t ranks) {
  Representatives all(ranks);
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

}  // namespace

CollectiveBuilder::CollectiveBuilder(CollectiveSpec const& spec, std::uint32_t ranks)
    : CollectiveBuilder{spec, ranks, everybody(ranks)} {}

CollectiveBuilder::CollectiveBuilder(CollectiveSpec const& spec, std::uint32_t ranks,
                                     Representatives representatives)
    : spec_{spec},
      ranks_{ranks},
      representatives_{std::move(representatives)},
      hierarchy_{static_cast<std::size_t>(ranks)},
      sizes_{pieces_of(spec, ranks)},
      places_(ranks) {}

std::vector<CollectiveMessage> CollectiveBuilder::build() {
  if (spec_.kind == CollectiveKind::reshard) reshard();
  if (spec_.kind == CollectiveKind::reshard) return std::move(messages_);
  switch (spec_.algorithm) {
    case CollectiveAlgorithm::ring:
      if (spec_.kind == CollectiveKind::all_to_all) {
        ring_all_to_all();
      } else {
        ring(0, false);
      }
      break;
    case CollectiveAlgorithm::bidirectional_ring:
      ring(0, false);
      ring(ranks_, true);
      break;
    case CollectiveAlgorithm::halving_doubling:
    case CollectiveAlgorithm::hierarchical:
      halve();
      break;
    case CollectiveAlgorithm::tree:
      tree(0, false);
      break;
    case CollectiveAlgorithm::double_tree:
      tree(0, false);
      tree(static_cast<std::size_t>(spec_.chunks), true);
      break;
    case CollectiveAlgorithm::torus:
      torus(0, false);
      torus(ranks_, true);
      break;
    case CollectiveAlgorithm::direct:
      direct();
      break;
    case CollectiveAlgorithm::in_switch:
      EXPECTS(false && "no messages from rank to rank");
  }
  return std::move(messages_);
}

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

/// The pieces from `offset` on, round all ranks.
void CollectiveBuilder::ring(std::size_t offset, bool backwards) {
  Ring members;
  for (std::uint32_t rank = 0; rank < ranks_; ++rank) members.push_back(rank);
  if (backwards) std::reverse(members.begin(), members.end());
  auto received = nothing();
  round_ = 0;
  auto const all = owned(offset, ranks_);
  if (scatters()) {
    pass(members, all, true, received);
    round_ += ranks_ - 1;
  }
  if (gathers()) pass(members, all, false, received);
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

/// One pass round a ring: size - 1 rounds. Block b starts at member b + 1 (so that it ends at b:
/// reduce) or at b (gather). What a rank had from earlier passes must be there when it adds it, or
/// begins with it; of this pass the next one needs its last sum, or all copies.
void CollectiveBuilder::pass(Ring const& members, Ownership const& owned, bool reduces,
                             Received& received) {
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
      auto const round = round_ + static_cast<std::uint32_t>(step);
      auto const id =
          add({members[place], to, owned.sizes[owner], pieces, reduces, round}, std::move(after));
      auto const receiver = representatives_[to];
      next[places_[receiver]] = id;
      if (!reduces || step + 2 == size) received[receiver].push_back(id);
    }
    std::swap(last, next);
  }
}

/// Those of all ranks that differ in one dimension only.
std::vector<CollectiveBuilder::Ring> CollectiveBuilder::rings(std::size_t dimension,
                                                              bool backwards) const {
  std::uint32_t stride = 1;
  for (std::size_t lower = 0; lower < dimension; ++lower) {
    stride *= static_cast<std::uint32_t>(spec_.shape[lower]);
  }
  auto const extent = static_cast<std::uint32_t>(spec_.shape[dimension]);
  std::vector<Ring> all;
  for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
    if (rank / stride % extent != 0) continue;
    auto& members = all.emplace_back();
    for (std::uint32_t place = 0; place < extent; ++place) members.push_back(rank + place * stride);
    if (backwards) std::reverse(members.begin(), members.end());
  }
  return all;
}

void CollectiveBuilder::torus(std::size_t offset, bool backwards) {
  auto received = nothing();
  round_ = 0;
  std::vector<std::size_t> units;
  for (auto const extent : spec_.shape) {
    units.push_back((units.empty() ? 1 : units.back()) * static_cast<std::size_t>(extent));
  }
  auto const along = [&](std::size_t dimension, bool reduces) {
    auto const pieces = owned(offset, units[dimension]);
    for (auto const& members : rings(dimension, backwards)) {
      pass(members, pieces, reduces, received);
    }
    round_ += static_cast<std::uint32_t>(spec_.shape[dimension]) - 1;
  };
  for (std::size_t i = 0; scatters() && i < units.size(); ++i) along(i, true);
  for (auto i = units.size(); gathers() && i-- > 0;) along(i, false);
}

/// Of reducing: the outermost level first, or of `hierarchical` the innermost.
std::vector<CollectiveBuilder::Exchange> CollectiveBuilder::exchanges() const {
  std::vector<Exchange> all;
  for (std::size_t i = 0; i < hierarchy_.levels(); ++i) {
    bool const is_inside_out = spec_.algorithm == CollectiveAlgorithm::hierarchical;
    auto const level = is_inside_out ? hierarchy_.levels() - 1 - i : i;
    for (std::size_t turn = 1; turn < hierarchy_.ways(level); ++turn) all.push_back({level, turn});
  }
  return all;
}

/// What is left to a rank when a level has been reduced.
Pieces CollectiveBuilder::halved(std::uint32_t rank, std::size_t level) const {
  if (spec_.algorithm == CollectiveAlgorithm::hierarchical) {
    auto const unit = hierarchy_.group_size(level);
    return {rank % unit, ranks_ / unit, unit};
  }
  auto const count = hierarchy_.group_size(level + 1);
  return {rank / count * count, count, 1};
}

/// Siblings exchange, when they have all that came before.
void CollectiveBuilder::halve() {
  auto received = nothing();
  auto const exchange = [&](Exchange const& it, bool reduces) {
    auto const before = received;
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
      auto const sibling = static_cast<std::uint32_t>(hierarchy_.sibling(rank, it.level, it.turn));
      auto const from = reduces ? sibling : rank;
      auto const to = reduces ? rank : sibling;
      received[to].push_back(
          send({from, to, 0, halved(rank, it.level), reduces, round_}, before[from]));
    }
    ++round_;
  };
  auto const all = exchanges();
  if (scatters()) {
    for (auto const& it : all) exchange(it, true);
  }
  if (!gathers()) return;
  for (auto it = all.rbegin(); it != all.rend(); ++it) exchange(*it, false);
}

/// A binary tree of ranks (heap order; mirrored: counted from the last), a chunk after another.
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

/// Every rank sends block `other` to each other rank, the next one first.
void CollectiveBuilder::scatter(bool reduces, Received const& after) {
  for (std::uint32_t step = 1; step < ranks_; ++step) {
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
      auto const other = (rank + step) % ranks_;
      Pieces const piece{reduces ? other : rank, 1, 1};
      send({rank, other, 0, piece, reduces, round_}, after[rank]);
    }
  }
  ++round_;
}

/// At each rank, what it has received.
void CollectiveBuilder::join() {
  auto received = nothing();
  for (std::size_t id = 0; id < messages_.size(); ++id) received[messages_[id].to].push_back(id);
  auto joined = nothing();
  for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
    joined[rank] = {send({rank, rank, 0, {}, false, round_}, std::move(received[rank]))};
  }
  scatter(false, joined);
}

void CollectiveBuilder::direct() {
  bool const sums = spec_.kind == CollectiveKind::all_reduce;
  scatter(sums || spec_.kind == CollectiveKind::reduce_scatter, nothing());
  if (sums) join();
}

/// Blocks for the rank d places on are handed from rank to rank, d hops, one distance after
/// another.
void CollectiveBuilder::ring_all_to_all() {
  auto last = nothing();
  for (std::uint32_t distance = 1; distance < ranks_; ++distance) {
    for (std::uint32_t hop = 0; hop < distance; ++hop, ++round_) {
      auto next = nothing();
      for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
        auto const to = (rank + 1) % ranks_;
        next[to] = {
            send({rank, to, block_of(spec_.size, 0, ranks_), {}, false, round_}, last[rank])};
      }
      last = std::move(next);
    }
  }
}

/// Point to point between two ways to cut the same vector: every overlap of two blocks is a
/// message.
void CollectiveBuilder::reshard() {
  auto const end_of = [&](std::int64_t block, std::int64_t blocks) {
    return spec_.size / blocks * (block + 1) + spec_.size % blocks * (block + 1) / blocks;
  };
  auto const first_wanting = static_cast<std::int64_t>(ranks_) - spec_.to;
  std::int64_t holder = 0;
  std::int64_t wanting = 0;
  for (std::int64_t at = 0; at < spec_.size;) {
    auto const held_until = end_of(holder, spec_.from);
    auto const wanted_until = end_of(wanting, spec_.to);
    auto const until = std::min(held_until, wanted_until);
    auto const rank = first_wanting + wanting;
    if (rank != holder && until > at) {
      send({static_cast<std::uint32_t>(holder), static_cast<std::uint32_t>(rank), until - at});
    }
    at = until;
    if (held_until == at) ++holder;
    if (wanted_until == at) ++wanting;
  }
}

}  // namespace tessera::partition
