// Small random networks for property tests: chains, and DAGs with adds. The same seed gives the same network on every machine.
#pragma once

#include <cstdint>
#include <optional>
#include <random>

#include "workloads/network.hpp"

namespace tessera::test {

struct RandomNetworkOptions {
  enum class Graph { chain, dag };
  enum class Extents {
    divisible,  ///< samples, channels, rows and columns can be halved `levels` times
    arbitrary,  ///< from 1 up
  };

  Graph graph = Graph::chain;
  Extents extents = Extents::divisible;
  int operators = 6;  ///< exactly so many
  int levels = 4;
  std::optional<int> map_levels = {};  ///< of rows and columns; none: as many
  enum class Weights { own, tied };
  Weights weights =
      Weights::own;         ///< tied: every other operator that can, to an earlier or a later one
  std::int64_t factor = 1;  ///< divisible extents are also multiples of it, and else powers of two
};

/// Convolutions (strides, paddings, pools), then linear operators; either part may be missing.
/// Print source_text() when a test fails.
[[nodiscard]] workloads::Network random_network(std::mt19937_64& random,
                                                RandomNetworkOptions const& options = {});

/// From `least` to `most`. Unlike std::uniform_int_distribution the same on every machine; the bias
/// of the remainder does not matter to a test.
[[nodiscard]] std::int64_t random_between(std::mt19937_64& random, std::int64_t least,
                                          std::int64_t most);

}  // namespace tessera::test
