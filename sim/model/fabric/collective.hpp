// Collective communication as messages: who sends what to whom, and after what.
//
// Of p ranks, each with a vector of n bytes: all-reduce leaves the sum of all vectors everywhere; reduce-scatter leaves block i of it
// at rank i; all-gather gives every rank's block of n / p to all; all-to-all sends block j of rank i to rank j; broadcast sends the
// vector of rank 0 to all. A reshard moves one vector that the first s ranks hold in equal blocks to the last d ranks, in equal blocks
// again, each part straight from who has it to who wants it; what stays at its rank is not sent. Sources: Thakur, Rabenseifner and
// Gropp, "Optimization of collective communication operations in MPICH", IJHPCA 2005 (ring, halving and doubling); Sanders, Speck and
// Traeff, "Two-tree algorithms", Parallel Computing 2009 (double binary tree); Song et al., "HyPar", HPCA 2019 (pairwise per level).
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/model/fabric/transfer_graph.hpp"

namespace tessera::sim {

enum class CollectiveKind : std::uint8_t {
  all_reduce,
  reduce_scatter,
  all_gather,
  all_to_all,
  broadcast,
  reshard,
};

enum class CollectiveAlgorithm : std::uint8_t {
  ring,                ///< blocks go round one way, p - 1 steps a pass
  bidirectional_ring,  ///< half of each block goes round each way
  halving_doubling,    ///< partners p/2, p/4, ... 1 apart exchange halves; p a power of two
  tree,                ///< up and down a binary tree, in chunks
  double_tree,         ///< two such trees, each for half of the bytes
  torus,               ///< bidirectional rings along one dimension after another, and back
  hierarchical,        ///< partners 1, 2, 4, ... apart exchange everything; p a power of two
  direct,              ///< every rank to every other at once
  in_switch,           ///< up and down a tree of switches that add (in_switch.hpp)
};

struct CollectiveSpec {
  CollectiveKind kind = CollectiveKind::all_reduce;
  CollectiveAlgorithm algorithm = CollectiveAlgorithm::ring;
  std::int64_t bytes = 0;           ///< n
  std::int64_t chunks = 1;          ///< of the pipeline of trees and of switches that add
  std::vector<std::int64_t> shape;  ///< of the torus: ranks per dimension, the first fastest
  std::int64_t from = 0;            ///< of a reshard: ranks that hold the vector, the first ones
  std::int64_t to = 0;              ///< of a reshard: ranks that want it, the last ones
  bool switches_add = false;        ///< all ranks hang on a tree of switches that can
};

[[nodiscard]] std::vector<std::pair<std::string, CollectiveKind>> const& collective_kinds();
[[nodiscard]] std::vector<std::pair<std::string, CollectiveAlgorithm>> const&
collective_algorithms();

/// Why `spec` has no meaning for `ranks`; empty if it has one.
[[nodiscard]] std::string collective_problem(CollectiveSpec const& spec, std::uint32_t ranks);

/// How large block `block` of `bytes` in `blocks` is: they add up even when they are not equal.
[[nodiscard]] std::uint32_t block_of(std::int64_t bytes, std::int64_t block, std::int64_t blocks);

/// The messages of a collective among endpoints 0 .. ranks - 1. Requires no problem, and messages
/// from endpoint to endpoint: an algorithm other than in_switch.
[[nodiscard]] TransferGraph collective_transfers(CollectiveSpec const& spec, std::uint32_t ranks);

namespace detail {
[[nodiscard]] TransferGraph reshard_transfers(CollectiveSpec const& spec, std::uint32_t ranks);
}  // namespace detail

}  // namespace tessera::sim
