// Every algorithm as steps: in a step a rank sends what it received and reduced in the step before.
#include "sim/model/fabric/collective.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "arch/base/contract.hpp"

namespace tessera::sim {

namespace {

using Kind = CollectiveKind;
using Algorithm = CollectiveAlgorithm;

/// What each rank waits for before it goes on: the last message that it received.
using Last = std::vector<std::optional<TransferId>>;

[[nodiscard]] bool is_power_of_two(std::uint32_t number) { return (number & (number - 1)) == 0; }

class Builder final {
 public:
  explicit Builder(std::uint32_t ranks) : ranks_{ranks}, received_(ranks) {}

  [[nodiscard]] Last nothing() const { return Last(ranks_); }
  [[nodiscard]] TransferGraph take() { return std::move(graph_); }
  [[nodiscard]] TransferGraph& graph() { return graph_; }

  TransferId send(std::uint32_t from, std::uint32_t to, std::uint32_t bytes, bool reduces,
                  std::optional<TransferId> after) {
    auto const id = graph_.add({from, to, bytes, reduces});
    if (after) graph_.order(*after, id);
    return id;
  }

  /// One pass round a ring of `members`: size - 1 steps. Block b starts at member b + 1 (so that it
  /// ends at b: reduce) or at b (gather).
  void pass(std::vector<std::uint32_t> const& members, std::int64_t bytes, bool reduces,
            Last& last) {
    auto const size = static_cast<std::uint32_t>(members.size());
    auto const before = last;  // what a rank adds to a block must be there, too
    for (std::uint32_t step = 0; step + 1 < size; ++step) {
      Last next = last;
      for (std::uint32_t place = 0; place < size; ++place) {
        auto const block = (place + 2 * size - step - (reduces ? 1 : 0)) % size;
        auto const from = members[place];
        auto const to = members[(place + 1) % size];
        next[to] = send(from, to, block_of(bytes, block, size), reduces, last[from]);
        if (reduces && step > 0 && before[from]) graph_.order(*before[from], *next[to]);
      }
      last = std::move(next);
    }
  }

  void ring(Kind kind, std::vector<std::uint32_t> const& members, std::int64_t bytes, Last& last) {
    if (kind != Kind::all_gather) pass(members, bytes, true, last);
    if (kind != Kind::reduce_scatter) pass(members, bytes, false, last);
  }

  /// Partners `distance` apart exchange `bytes` each, when they have all that came before.
  void exchange(std::uint32_t distance, std::uint32_t bytes, bool reduces) {
    auto const before = received_;
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
      auto const id = graph_.add({rank, rank ^ distance, bytes, reduces});
      for (auto const earlier : before[rank]) graph_.order(earlier, id);
      received_[rank ^ distance].push_back(id);
    }
  }

  void halving_doubling(Kind kind, std::int64_t bytes) {
    if (kind != Kind::all_gather) {
      for (auto distance = ranks_ / 2; distance > 0; distance /= 2) {
        exchange(distance, block_of(bytes, 0, ranks_ / distance), true);
      }
    }
    if (kind != Kind::reduce_scatter) {
      for (std::uint32_t distance = 1; distance < ranks_; distance *= 2) {
        exchange(distance, block_of(bytes, 0, ranks_ / distance), false);
      }
    }
  }

  void hierarchical(std::int64_t bytes) {
    for (std::uint32_t distance = 1; distance < ranks_; distance *= 2) {
      exchange(distance, static_cast<std::uint32_t>(bytes), true);
    }
  }

  /// Every rank sends block `other` to each other rank, the next one first.
  void scatter(std::int64_t bytes, bool reduces, Last const& after, std::vector<TransferId>& all) {
    for (std::uint32_t step = 1; step < ranks_; ++step) {
      for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
        auto const other = (rank + step) % ranks_;
        all.push_back(send(rank, other, block_of(bytes, reduces ? other : rank, ranks_), reduces,
                           after[rank]));
      }
    }
  }

  void direct(Kind kind, std::int64_t bytes) {
    std::vector<TransferId> all;
    scatter(bytes, kind == Kind::all_reduce || kind == Kind::reduce_scatter, nothing(), all);
    if (kind != Kind::all_reduce) return;
    auto joined = nothing();
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) joined[rank] = graph_.add({rank, rank, 0});
    for (auto const id : all) graph_.order(id, *joined[graph_.transfers()[id].destination]);
    scatter(bytes, false, joined, all);
  }

  /// Blocks for the rank d places on are handed from rank to rank, d hops, one distance after
  /// another.
  void ring_all_to_all(std::int64_t bytes) {
    auto last = nothing();
    for (std::uint32_t distance = 1; distance < ranks_; ++distance) {
      for (std::uint32_t hop = 0; hop < distance; ++hop) {
        Last next(ranks_);
        for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
          auto const to = (rank + 1) % ranks_;
          next[to] = send(rank, to, block_of(bytes, 0, ranks_), false, last[rank]);
        }
        last = std::move(next);
      }
    }
  }

  /// A binary tree of ranks (heap order; mirrored: counted from the last), a chunk after another.
  void tree(Kind kind, std::int64_t bytes, std::int64_t chunks, bool mirrored) {
    auto const rank = [&](std::uint32_t place) { return mirrored ? ranks_ - 1 - place : place; };
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
      auto const size = block_of(bytes, chunk, chunks);
      std::vector<std::vector<TransferId>> received(ranks_);
      for (auto place = ranks_ - 1; kind == Kind::all_reduce && place > 0; --place) {
        auto const id = graph_.add({rank(place), rank((place - 1) / 2), size, true});
        for (auto const child : received[place]) graph_.order(child, id);
        received[(place - 1) / 2].push_back(id);
      }
      auto const whole = std::move(received[0]);
      std::vector<std::optional<TransferId>> from_above(ranks_);
      for (std::uint32_t place = 1; place < ranks_; ++place) {
        auto const parent = (place - 1) / 2;
        auto const id = send(rank(parent), rank(place), size, false, from_above[parent]);
        for (auto const child : whole) {
          if (parent == 0) graph_.order(child, id);
        }
        from_above[place] = id;
      }
    }
  }

  void torus(Kind kind, std::vector<std::int64_t> const& shape, std::int64_t bytes,
             bool backwards) {
    auto last = nothing();
    std::vector<std::int64_t> sizes = {bytes};
    for (auto const extent : shape) sizes.push_back(sizes.back() / extent);
    for (std::size_t dimension = 0; kind != Kind::all_gather && dimension < shape.size();
         ++dimension) {
      for (auto const& ring : rings(shape, dimension, backwards)) {
        pass(ring, sizes[dimension], true, last);
      }
    }
    for (auto dimension = shape.size(); kind != Kind::reduce_scatter && dimension-- > 0;) {
      for (auto const& ring : rings(shape, dimension, backwards)) {
        pass(ring, sizes[dimension], false, last);
      }
    }
  }

 private:
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> rings(
      std::vector<std::int64_t> const& shape, std::size_t dimension, bool backwards) const {
    std::uint32_t stride = 1;
    for (std::size_t lower = 0; lower < dimension; ++lower) {
      stride *= static_cast<std::uint32_t>(shape[lower]);
    }
    auto const extent = static_cast<std::uint32_t>(shape[dimension]);
    std::vector<std::vector<std::uint32_t>> all;
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
      if (rank / stride % extent != 0) continue;
      all.emplace_back();
      for (std::uint32_t place = 0; place < extent; ++place) {
        all.back().push_back(rank + place * stride);
      }
      if (backwards) std::reverse(all.back().begin(), all.back().end());
    }
    return all;
  }

  std::uint32_t ranks_;
  std::vector<std::vector<TransferId>> received_;  ///< by each rank, in exchanges
  TransferGraph graph_;
};

[[nodiscard]] std::vector<std::uint32_t> round(std::uint32_t ranks, bool backwards) {
  std::vector<std::uint32_t> members;
  for (std::uint32_t place = 0; place < ranks; ++place) {
    members.push_back(backwards ? ranks - 1 - place : place);
  }
  return members;
}

[[nodiscard]] bool makes(Algorithm algorithm, Kind kind) {
  auto const is_block_wise =
      kind == Kind::all_reduce || kind == Kind::reduce_scatter || kind == Kind::all_gather;
  switch (algorithm) {
    case Algorithm::ring:
      return kind != Kind::broadcast && kind != Kind::reshard;
    case Algorithm::direct:
      return kind != Kind::broadcast;
    case Algorithm::bidirectional_ring:
    case Algorithm::halving_doubling:
    case Algorithm::torus:
      return is_block_wise;
    case Algorithm::tree:
    case Algorithm::double_tree:
      return kind == Kind::all_reduce || kind == Kind::broadcast;
    case Algorithm::hierarchical:
    case Algorithm::in_switch:
      break;
  }
  return kind == Kind::all_reduce;
}

}  // namespace

std::uint32_t block_of(std::int64_t bytes, std::int64_t block, std::int64_t blocks) {
  auto const part = bytes / blocks * (block + 1) + bytes % blocks * (block + 1) / blocks -
                    bytes / blocks * block - bytes % blocks * block / blocks;
  return static_cast<std::uint32_t>(part);
}

std::vector<std::pair<std::string, Kind>> const& collective_kinds() {
  static std::vector<std::pair<std::string, Kind>> const kinds = {
      {"allreduce", Kind::all_reduce}, {"reducescatter", Kind::reduce_scatter},
      {"allgather", Kind::all_gather}, {"alltoall", Kind::all_to_all},
      {"broadcast", Kind::broadcast},  {"reshard", Kind::reshard}};
  return kinds;
}

std::vector<std::pair<std::string, Algorithm>> const& collective_algorithms() {
  static std::vector<std::pair<std::string, Algorithm>> const algorithms = {
      {"ring", Algorithm::ring},
      {"bidirectional-ring", Algorithm::bidirectional_ring},
      {"halving-doubling", Algorithm::halving_doubling},
      {"tree", Algorithm::tree},
      {"double-tree", Algorithm::double_tree},
      {"torus", Algorithm::torus},
      {"hierarchical", Algorithm::hierarchical},
      {"direct", Algorithm::direct},
      {"in-switch", Algorithm::in_switch}};
  return algorithms;
}

std::string collective_problem(CollectiveSpec const& spec, std::uint32_t ranks) {
  if (!makes(spec.algorithm, spec.kind)) return "this algorithm does not make this collective";
  if (ranks < 2) return "a collective needs two ranks";
  auto const pairs =
      spec.algorithm == Algorithm::halving_doubling || spec.algorithm == Algorithm::hierarchical;
  if (pairs && !is_power_of_two(ranks)) {
    return std::to_string(ranks) + " ranks are not a power of two (they go in pairs)";
  }
  if (spec.bytes < 1 || spec.bytes > std::numeric_limits<std::uint32_t>::max()) {
    return "bytes must be from 1 to 4 GiB";
  }
  auto const is_part = [&](std::int64_t group) { return group >= 1 && group <= ranks; };
  if (spec.kind == Kind::reshard && !(is_part(spec.from) && is_part(spec.to))) {
    return "a reshard is from 1 to " + std::to_string(ranks) + " ranks, to as many";
  }
  if (spec.algorithm == Algorithm::in_switch && !spec.switches_add) {
    return "it needs switches that add (a star, tree or fat tree: no endpoints that are routers)";
  }
  std::int64_t product = 1;
  for (auto const extent : spec.shape) product *= extent;
  if (spec.algorithm == Algorithm::torus && (spec.shape.empty() || product != ranks)) {
    return "the algorithm torus needs a mesh or torus";
  }
  return {};
}

TransferGraph collective_transfers(CollectiveSpec const& spec, std::uint32_t ranks) {
  EXPECTS(collective_problem(spec, ranks).empty(), ranks, spec.bytes);
  if (spec.kind == Kind::reshard) return detail::reshard_transfers(spec, ranks);
  Builder builder{ranks};
  auto last = builder.nothing();
  switch (spec.algorithm) {
    case Algorithm::ring:
      if (spec.kind == Kind::all_to_all) {
        builder.ring_all_to_all(spec.bytes);
      } else {
        builder.ring(spec.kind, round(ranks, false), spec.bytes, last);
      }
      break;
    case Algorithm::bidirectional_ring:
      builder.ring(spec.kind, round(ranks, false), spec.bytes - spec.bytes / 2, last);
      last = builder.nothing();
      builder.ring(spec.kind, round(ranks, true), spec.bytes / 2, last);
      break;
    case Algorithm::halving_doubling:
      builder.halving_doubling(spec.kind, spec.bytes);
      break;
    case Algorithm::tree:
      builder.tree(spec.kind, spec.bytes, spec.chunks, false);
      break;
    case Algorithm::double_tree:
      builder.tree(spec.kind, spec.bytes - spec.bytes / 2, spec.chunks, false);
      builder.tree(spec.kind, spec.bytes / 2, spec.chunks, true);
      break;
    case Algorithm::torus:
      builder.torus(spec.kind, spec.shape, spec.bytes - spec.bytes / 2, false);
      builder.torus(spec.kind, spec.shape, spec.bytes / 2, true);
      break;
    case Algorithm::hierarchical:
      builder.hierarchical(spec.bytes);
      break;
    case Algorithm::direct:
      builder.direct(spec.kind, spec.bytes);
      break;
    case Algorithm::in_switch:
      EXPECTS(false && "no messages from endpoint to endpoint");
  }
  return builder.take();
}

}  // namespace tessera::sim
