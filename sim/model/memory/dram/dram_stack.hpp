// The channels of an HBM stack, or the vaults of an HMC cube as the logic layer sees them, behind one address map.
//
// Requests are blocks of consecutive bursts of one row (arch::DramSpec::block bounds them); who has more to move cuts it into
// blocks. Channels share nothing, so each is an event-driven DramChannel that runs by itself.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "sim/model/memory/dram/address_map.hpp"
#include "sim/model/memory/dram/dram_channel.hpp"

namespace tessera::sim {

class DramStack final {
 public:
  /// Called for every command of every channel, in order within a channel.
  using Observer = std::function<void(std::size_t channel, DramCommand const&)>;

  explicit DramStack(arch::DramSpec const& spec, Observer const& observer = {});

  struct Request {
    std::uint64_t tag = 0;
    std::uint64_t address = 0;
    Access access = Access::read;
    std::uint16_t bursts = 1;
  };

  [[nodiscard]] DramAddress locate(std::uint64_t address) const { return map_(address); }
  [[nodiscard]] DramChannel const& channel(std::size_t index) const { return channels_[index]; }
  [[nodiscard]] std::size_t channels() const { return channels_.size(); }

  /// Offers a request at `cycle`, when all cycles before have passed for its channel. Where the
  /// channel has no room, answers when there is; the next offer to this channel must then be this
  /// request, no earlier.
  [[nodiscard]] std::optional<std::int64_t> offer(std::int64_t cycle, Request const& request,
                                                  std::vector<DramCompletion>& out);
  /// Runs all channels through cycle `now`.
  void advance(std::int64_t now, std::vector<DramCompletion>& out);
  [[nodiscard]] std::optional<std::int64_t> next_wakeup() const;

  [[nodiscard]] DramStatistics statistics() const;

 private:
  AddressMap map_;
  std::vector<DramChannel> channels_;
};

}  // namespace tessera::sim
