// A vault or a channel of a memory, as the memory in front of it calls it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/model/memory/dram/dram_walk.hpp"

namespace tessera::sim {

/// Called ahead of the simulated time, request by request in order: the answer is certain (Memory).
class MemoryChannel {
 public:
  virtual ~MemoryChannel() = default;
  /// `count` blocks of a walk, from block `first` on, all asked for at `cycle`. The clock at which
  /// the last of them is done.
  [[nodiscard]] virtual std::int64_t serve(std::int64_t cycle, DramWalk const& walk,
                                           std::uint64_t first, std::uint64_t count) = 0;
};

/// Blocks that were asked of channels which find courses again (dram/dram_repeater.hpp), and those
/// of them that were not worked out again.
struct RepeatedBlocks {
  std::int64_t asked = 0;
  std::int64_t repeated = 0;

  RepeatedBlocks& operator+=(RepeatedBlocks const& more) {
    asked += more.asked;
    repeated += more.repeated;
    return *this;
  }
};

/// What a memory consists of, for who shows it.
struct MemoryInside {
  struct Part {
    std::string name;  ///< "link-2"
    char const* kind;  ///< "link"
  };

  char const* kind = "";                    ///< "vault", "channel"
  std::size_t channels = 0;                 ///< that the memory has and calls
  std::vector<MemoryChannel*> simulated{};  ///< the first ones; the others mirror the first
  std::vector<Part> unused{};               ///< parts that no request of this memory passes
  std::vector<Part> together{};             ///< parts that the memory simulates all in one
};

}  // namespace tessera::sim
