// The sending side of one direction of an HMC link: serializes packets, in order, as far as the receiver's buffer has tokens.
//
// When a packet leaves follows from when it and its tokens came, so that it is known as soon as both are; nobody has to look in between.
//
// Leaves out: retries (no bit errors), power states of the lanes.
#pragma once

#include <algorithm>
#include <array>
#include <limits>

#include "arch/memory/dram_spec.hpp"
#include "sim/model/memory/dram/fifo.hpp"
#include "sim/model/memory/hmc/hmc_packet.hpp"

namespace tessera::sim {

class HmcLink final {
 public:
  /// `tokens`: FLITs that the receiver can hold; a receiver that takes everything has `unlimited`.
  static constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max() / 2;
  HmcLink(arch::HmcInterface const& spec, std::int64_t tokens)
      : latency_{spec.link_latency}, tokens_{tokens} {
    for (std::size_t flits = 0; flits < transfer_.size(); ++flits) {
      auto const length = Bytes{static_cast<std::int64_t>(flits) * HmcPacket::flit};
      transfer_[flits] = length / (spec.lane_rate * spec.lanes);
    }
  }

  /// A packet that may be sent from `at` on; in order of time.
  void push(Time at, HmcPacket const& packet) { waiting_.push_back({at, packet}); }
  /// The receiver has that many places more from `at` on; in order of time.
  void give_back(Time at, std::int64_t tokens) { returned_.push_back({at, tokens}); }
  /// Calls deliver(time, packet) for each packet that there are tokens for; the last bit arrives at
  /// `time`.
  template <typename Deliver>
  void advance(Deliver deliver) {
    for (; !waiting_.empty(); waiting_.pop_front()) {
      auto const& [ready, packet] = waiting_.front();
      auto const flits = packet.flits();
      for (; tokens_ < flits && !returned_.empty(); returned_.pop_front()) {
        tokens_ += returned_.front().tokens;
        free_ = std::max(free_, returned_.front().at);
      }
      if (tokens_ < flits) return;
      tokens_ -= flits;
      flits_ += flits;
      free_ = std::max(free_, ready) + transfer_.at(static_cast<std::size_t>(flits));
      deliver(free_ + latency_, packet);
    }
  }

  /// Some packets have no tokens yet.
  [[nodiscard]] bool is_waiting() const { return !waiting_.empty(); }
  /// How many were sent.
  [[nodiscard]] std::int64_t flits() const { return flits_; }

 private:
  struct Waiting {
    Time ready;
    HmcPacket packet;
  };
  struct Returned {
    Time at;
    std::int64_t tokens = 0;
  };

  std::array<Time, HmcPacket::most_flits + 1> transfer_;  ///< of so many FLITs
  Time latency_;
  std::int64_t tokens_;
  Time free_{0};  ///< for the next packet
  std::int64_t flits_ = 0;
  Fifo<Waiting> waiting_;
  Fifo<Returned> returned_;  ///< and not needed yet
};

}  // namespace tessera::sim
