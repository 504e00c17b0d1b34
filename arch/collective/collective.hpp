// Collective communication as messages: who sends which pieces of a vector to whom, in which round, and after what.
//
// Of p ranks, each with a vector of n elements: all-reduce leaves the sum of all vectors everywhere; reduce-scatter leaves block i of it
// at rank i; all-gather gives every rank's block to all; all-to-all sends block j of rank i to rank j; broadcast sends the vector of rank
// 0 to all. A reshard moves one vector that the first s ranks hold in equal blocks to the last d ranks, in equal blocks again, each part
// straight from who has it to who wants it; what stays at its rank is not sent. Sources: Thakur, Rabenseifner and Gropp, "Optimization of
// collective communication operations in MPICH", IJHPCA 2005 (ring, halving and doubling); Sanders, Speck and Traeff, "Two-tree
// algorithms", Parallel Computing 2009 (double binary tree); Song et al., "HyPar", HPCA 2019 (level by level, the innermost first).
//
// For example a ring of ranks 0, 1 and 2 that reduces and scatters blocks a, b and c: in round 0 rank 0 sends c to 1, 1 sends a to 2 and
// 2 sends b to 0; in round 1 rank 1 adds its own c to what came and sends it to 2, 2 sends a to 0 and 0 sends b to 1: each has its own.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace tessera::arch {

enum class CollectiveKind : std::uint8_t {
  all_reduce,
  reduce_scatter,
  all_gather,
  all_to_all,
  broadcast,
  reshard,
};

class CollectiveAlgorithm;

struct CollectiveSpec {
  CollectiveKind kind = CollectiveKind::all_reduce;
  std::shared_ptr<CollectiveAlgorithm const> algorithm = nullptr;
  std::int64_t size = 0;             ///< n, in any unit
  std::vector<std::int64_t> blocks;  ///< of each rank, of `size` in all; empty: equal ones
  std::int64_t chunks = 1;           ///< of the pipeline of each tree, or of the switches
  std::vector<std::int64_t> shape;   ///< of the torus: ranks per dimension, the first fastest
  std::int64_t from = 0;             ///< of a reshard: ranks that hold the vector, the first ones
  std::int64_t to = 0;               ///< of a reshard: ranks that want it, the last ones

  friend bool operator==(CollectiveSpec const& a, CollectiveSpec const& b) {
    auto const all = [](CollectiveSpec const& it) {
      return std::tie(it.kind, it.algorithm, it.size, it.blocks, it.chunks, it.shape, it.from,
                      it.to);
    };
    return all(a) == all(b);
  }
};

[[nodiscard]] std::vector<std::pair<std::string, CollectiveKind>> const& collective_kinds();

/// Does every rank have a block of its own in it, which is summed or gathered?
[[nodiscard]] bool is_block_wise(CollectiveKind kind);

/// Why `spec` has no meaning for `ranks`; empty if it has one.
[[nodiscard]] std::string collective_problem(CollectiveSpec const& spec, std::uint32_t ranks);

/// How large block `block` of `size` in `blocks` is: they add up even when they are not equal.
[[nodiscard]] std::int64_t block_of(std::int64_t size, std::int64_t block, std::int64_t blocks);

/// A vector cut into as many pieces, as equal as can be.
[[nodiscard]] std::vector<std::int64_t> equal_pieces(std::int64_t size, std::int64_t pieces);

/// Into which pieces the sum of a gradient is cut.
enum class SumPieces : std::uint8_t {
  exact,  ///< equal_pieces(): some have an element more than others, or the only one
  /// All of one size, that of the largest: the vector is padded to the next multiple of them, as
  /// partitioners of training frameworks do (ZeRO, FSDP; recalled). So ranks send equal messages,
  /// however many they are.
  padded,
};

/// How large a vector of `size` is taken to be that is cut so in `pieces`.
[[nodiscard]] std::int64_t size_in(SumPieces how, std::int64_t size, std::int64_t pieces);

/// A piece for each rank: its block.
[[nodiscard]] std::vector<std::int64_t> blocks_of(CollectiveSpec const& spec, std::uint32_t ranks);

/// Two for each rank: piece i is the larger half of block i, and p + i is the other.
[[nodiscard]] std::vector<std::int64_t> halves_of_blocks(CollectiveSpec const& spec,
                                                         std::uint32_t ranks);

/// `count` pieces of a vector (pieces_of()), from `first` on, `stride` apart.
struct Pieces {
  std::size_t first = 0;
  std::size_t count = 0;
  std::size_t stride = 1;
};

/// One without size from a rank to itself joins what it waits for.
struct CollectiveMessage {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::int64_t size = 0;
  Pieces pieces = {};                   ///< of an all-reduce, reduce-scatter or all-gather: which
  bool reduces = false;                 ///< the receiver adds it to what it has
  std::uint32_t round = 0;              ///< those of earlier rounds have all that it waits for
  std::vector<std::size_t> after = {};  ///< messages to `from` that it waits for
};

/// The sizes of the pieces that the messages of an all-reduce, reduce-scatter or all-gather name
/// (CollectiveAlgorithm::pieces()).
[[nodiscard]] std::vector<std::int64_t> pieces_of(CollectiveSpec const& spec, std::uint32_t ranks);

/// The messages of a collective among ranks 0 .. ranks - 1, each after those that it waits for.
/// Requires no problem, and an algorithm that sends messages from rank to rank.
[[nodiscard]] std::vector<CollectiveMessage> collective_messages(CollectiveSpec const& spec,
                                                                 std::uint32_t ranks);

/// For each rank the one whose messages stand for its own.
using Representatives = std::vector<std::uint32_t>;

/// Only what representatives send, of which each waits for what representatives send: for a message
/// of another rank that of its representative. Requires rounds of rings
/// (CollectiveBuilder::pass()), and that permutations which keep pieces' sizes map each rank onto
/// its representative, and who follows it in a ring onto who follows that one.
[[nodiscard]] std::vector<CollectiveMessage> collective_messages(
    CollectiveSpec const& spec, std::uint32_t ranks, Representatives const& representatives);

}  // namespace tessera::arch
