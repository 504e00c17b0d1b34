// What cores say to each other. One plain struct, totally ordered by content, so that messages of one instant are taken in an order
// that no scheduler can change.
#pragma once

#include <cstdint>
#include <tuple>

#include "arch/array/topology.hpp"
#include "arch/base/quantity.hpp"
#include "sim/task/task_graph.hpp"

namespace tessera::sim {

struct Message {
  enum class Kind : std::uint8_t {
    issue,  ///< dispatcher -> unit: start `task`
    done,   ///< unit -> dispatcher: `task` is done (at the receiver of a transfer: its last byte is
            ///< here)
    sent,   ///< network interface -> dispatcher: the last byte of `task` has left this accelerator
    packet,   ///< a message on the fabric: its first bit arrives now, its last one `tail` later
    arrive,   ///< dispatcher -> synchronizer: `source` has reached the barrier of `task`
    release,  ///< synchronizer -> dispatcher: every accelerator has reached `barrier`
  };

  Kind kind = Kind::issue;
  std::uint64_t rank = 0;  ///< packet: Task::rank
  TaskId task;
  std::uint32_t round = 0;  ///< of a transfer, from 0 on
  BarrierId barrier;
  AcceleratorId source;
  AcceleratorId destination;
  arch::Turn turn = arch::Turn::positive;
  std::uint8_t level = 0;   ///< packet of a folded array: of the switch that it goes over
  std::uint16_t hops = 0;   ///< packet: how many links it has passed
  std::uint32_t parts = 1;  ///< packet: into how many messages its task was cut
  Bytes bytes{0};
  Time tail{0};
  Time waited{0};  ///< done, of a computation: how long it waited for tiles
  /// Packet of a folded network: to which accelerator of the whole array its representative sends
  /// it.
  AcceleratorId receiver;

  /// The canonical order of messages of one instant: every field, in declaration order, but of
  /// ranked packets direction and hops before the task. The maps of a folded network keep what
  /// comes first, and two packets that are equal in it and at one link have one sender.
  [[nodiscard]] auto key() const {
    auto const way = rank == 0 ? 0 : (std::uint32_t{hops} << 1U | static_cast<std::uint32_t>(turn));
    return std::tuple{kind,
                      rank,
                      way,
                      task.index(),
                      round,
                      barrier.index(),
                      source.index(),
                      destination.index(),
                      turn,
                      level,
                      hops,
                      parts,
                      bytes.value(),
                      tail.value(),
                      waited.value(),
                      receiver.index()};
  }
  friend bool operator<(Message const& a, Message const& b) { return a.key() < b.key(); }
  friend bool operator==(Message const& a, Message const& b) { return a.key() == b.key(); }
};

}  // namespace tessera::sim
