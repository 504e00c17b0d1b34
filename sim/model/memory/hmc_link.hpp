// The sending side of one direction of an HMC link: serializes packets, in order, as far as the receiver's buffer has tokens.
//
// Leaves out: retries (no bit errors), power states of the lanes.
#pragma once

#include <limits>

#include "arch/dram_spec.hpp"
#include "sim/model/memory/fifo.hpp"
#include "sim/model/memory/hmc_packet.hpp"

namespace tessera::sim {

class HmcLink final {
 public:
  /// `tokens`: FLITs that the receiver can hold; a receiver that takes everything has `unlimited`.
  static constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max() / 2;
  HmcLink(arch::HmcInterface const& spec, std::int64_t tokens)
      : rate_{spec.lane_rate * spec.lanes}, latency_{spec.link_latency}, tokens_{tokens} {}

  void push(HmcPacket const& packet) { waiting_.push_back(packet); }
  void give_back(std::int64_t tokens) { tokens_ += tokens; }
  /// Calls deliver(time, packet) for each packet that can be sent now or in turn; the last bit
  /// arrives at `time`.
  template <typename Deliver>
  void advance(Time now, Deliver deliver) {
    while (!waiting_.empty() && waiting_.front().flits() <= tokens_) {
      auto const packet = waiting_.front();
      waiting_.pop_front();
      auto const length = Bytes{packet.flits() * HmcPacket::flit};
      tokens_ -= packet.flits();
      free_ = (free_ > now ? free_ : now) + length / rate_;
      flits_ += packet.flits();
      deliver(free_ + latency_, packet);
    }
  }

  /// How many were sent.
  [[nodiscard]] std::int64_t flits() const { return flits_; }
  [[nodiscard]] Bandwidth rate() const { return rate_; }
  [[nodiscard]] std::size_t waiting() const { return waiting_.size(); }

 private:
  Bandwidth rate_;
  Time latency_;
  std::int64_t tokens_;
  Time free_{0};
  std::int64_t flits_ = 0;
  Fifo<HmcPacket> waiting_;
};

}  // namespace tessera::sim
