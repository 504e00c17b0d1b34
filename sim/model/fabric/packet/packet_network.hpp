// What carries packets from endpoint to endpoint, whatever its switching: arrays, probes and suites of validation run it alike.
#pragma once

#include <functional>
#include <vector>

#include "sim/model/fabric/packet/fabric_packet.hpp"

namespace tessera::sim {

/// A packet, or a flit of one, that goes over a channel: its first bit at `begin`, its last one
/// before `end`.
struct PacketPassage {
  arch::ChannelId channel;
  std::uint32_t tag = 0;
  Tick begin = 0;
  Tick end = 0;
  bool is_last = true;      ///< nothing of the packet comes after it
  std::uint32_t bytes = 0;  ///< of the packet; where it `is_last`
};

using PassageListener = std::function<void(PacketPassage const&)>;

class PacketNetwork {
 public:
  virtual ~PacketNetwork() = default;

  /// Queues a packet at its source at `now`, not before the time that the network has reached and
  /// not after its next event.
  virtual void send(Tick now, FabricPacket const& packet) = 0;

  /// When something happens next; never when nothing is under way.
  [[nodiscard]] virtual Tick next_event() = 0;

  /// Lets everything happen that happens before `until`, and appends the packets whose arrival
  /// became certain by that: they arrive at their `delivered`, which may be later.
  virtual void advance(Tick until, std::vector<FabricDelivery>& out) = 0;

  /// Tells `listener` from now on of all that begins to go over a channel, in order of time. When
  /// the last of a packet goes over its source's, the listener may send the source's next packet:
  /// it follows without a gap, as if it had been sent before.
  virtual void on_passage(PassageListener listener) = 0;

  [[nodiscard]] virtual ChannelCount count(arch::ChannelId channel) const = 0;
  [[nodiscard]] virtual std::int64_t sent() const = 0;
  [[nodiscard]] virtual std::int64_t delivered() const = 0;
};

}  // namespace tessera::sim
