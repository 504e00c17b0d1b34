// The packets that are under way in a fabric, by index; the place of one that has arrived is used again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/model/fabric/packet/fabric_packet.hpp"

namespace tessera::sim {

/// A packet between its sending and its arrival.
struct PacketUnderWay {
  Tick created = 0;
  Tick injected = 0;
  std::uint64_t serial = 0;  ///< order of sending
  std::uint32_t destination = 0;
  std::uint32_t size = 0;
  std::uint32_t tag = 0;
  std::uint32_t hops = 0;
  std::uint32_t next = 0;  ///< in its source's queue; of an unused one, the next unused one + 1
  std::uint32_t bytes = 0;
};

class PacketPool final {
 public:
  /// Takes in a packet that its source wants to send at `now`, the `serial`-th.
  [[nodiscard]] std::uint32_t add(Tick now, std::int64_t serial, FabricPacket const& packet) {
    auto const index = unused_place();
    packets_[index] = {now,
                       0,
                       static_cast<std::uint64_t>(serial),
                       packet.destination,
                       packet.size,
                       packet.tag,
                       0,
                       0,
                       packet.bytes};
    return index;
  }

  /// Gives the packet's place back; what arrived at `time` is the answer.
  [[nodiscard]] FabricDelivery remove(std::uint32_t index, Tick time) {
    auto& packet = packets_[index];
    packet.next = unused_;
    unused_ = index + 1;
    return {packet.tag, packet.hops, packet.created, packet.injected, time};
  }

  [[nodiscard]] PacketUnderWay& operator[](std::uint32_t index) { return packets_[index]; }
  [[nodiscard]] PacketUnderWay const& operator[](std::uint32_t index) const {
    return packets_[index];
  }

 private:
  [[nodiscard]] std::uint32_t unused_place() {
    if (unused_ == 0) {
      packets_.emplace_back();
      return static_cast<std::uint32_t>(packets_.size() - 1);
    }
    auto const index = unused_ - 1;
    unused_ = packets_[index].next;
    return index;
  }

  std::vector<PacketUnderWay> packets_;
  std::uint32_t unused_ = 0;  ///< head of the list of unused ones, + 1
};

/// Packets that wait at their source, in order: a list through the pool.
class PacketList final {
 public:
  [[nodiscard]] bool is_empty() const { return count_ == 0; }
  [[nodiscard]] std::uint32_t first() const { return head_; }

  void push(PacketPool& pool, std::uint32_t packet) {
    if (count_++ == 0) {
      head_ = packet;
    } else {
      pool[tail_].next = packet;
    }
    tail_ = packet;
  }
  std::uint32_t pop(PacketPool const& pool) {
    --count_;
    return std::exchange(head_, pool[head_].next);
  }

 private:
  std::uint32_t head_ = 0;
  std::uint32_t tail_ = 0;
  std::uint32_t count_ = 0;
};

}  // namespace tessera::sim
