// How long transfers take where nobody else uses the fabric, and which link of their way is the narrowest.
//
// A message takes the longest serialisation of its way plus all latencies (sim/model/fabric/link.hpp); of one that is cut in two, the later
// half counts. Leaves out: headers of packets and that they wait for credits, and reading and writing memory, where transfers go through it.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "arch/base/hash.hpp"
#include "sim/model/array/blueprint.hpp"

namespace tessera::sim::outcome {

/// The links of one level of a way (H-tree; else all have level 0).
struct Stretch {
  int level = 0;
  Bandwidth narrowest{0};  ///< of a lane
};

/// The way of a message, or of the halves of one.
struct Way {
  std::vector<arch::LinkId> links;  ///< of the simulated topology, in order
  std::vector<Stretch> stretches;
  Time latency{0};  ///< of links and routers behind the first link's entrance
};

/// How long a message passes the narrowest link of a stretch.
struct Serialisation {
  int level = 0;
  Time time{0};
};

/// When the first bit of a transfer enters its first link, behind the router of its accelerator;
/// `issued`: the edge at or after which it was.
[[nodiscard]] inline Time arrival_at_link(MessageClock const& clock, Time router, Cycles issued) {
  return clock.second_arrival(issued) + router;
}

class IdleTransfers final {
 public:
  /// `blueprint` must outlive it.
  explicit IdleTransfers(Blueprint const& blueprint);

  /// Of a transfer: one way, or two.
  [[nodiscard]] std::vector<Way> const& ways(Task const& transfer);

  /// Of each of its ways, stretch by stretch.
  [[nodiscard]] std::vector<std::vector<Serialisation>> serialisations(Task const& transfer);

  /// From when its first bit enters its first link until it has arrived and is added to what is
  /// there; of several rounds one.
  [[nodiscard]] Time length(Task const& transfer);

  /// What adding it takes there.
  [[nodiscard]] Time adding(Task const& transfer) const;

  [[nodiscard]] Time arrival_at_link(Task const& transfer, Time issued) const;
  /// Through the router of an accelerator, if it has one.
  [[nodiscard]] Time router(AcceleratorId accelerator) const { return routers_[accelerator]; }

  /// Of an accelerator's parts.
  [[nodiscard]] MessageClock const& clock(AcceleratorId id) const { return blueprint_.clock(id); }

  /// Is length() what a transfer takes on an idle fabric, and not only less?
  [[nodiscard]] bool is_exact(Task const& transfer) const;

 private:
  /// All that ways depend on: sender, receiver here, level; the receiver in the whole array.
  struct Key {
    std::uint64_t ends = 0;
    std::uint64_t receiver = 0;
    friend bool operator==(Key const& a, Key const& b) {
      return a.ends == b.ends && a.receiver == b.receiver;
    }
  };
  struct Hash {
    std::size_t operator()(Key const& key) const { return hash_of_key(key.ends, key.receiver); }
  };
  [[nodiscard]] static Key key_of(Task const& transfer);

  [[nodiscard]] arch::MessageParts parts_of(Task const& transfer) const;
  [[nodiscard]] Way way_of(Task const& transfer, arch::Turn turn) const;
  [[nodiscard]] Time hop_latency() const;
  [[nodiscard]] Time through(arch::NodeId accelerator) const;

  Blueprint const& blueprint_;
  IdVector<AcceleratorId, Time> routers_;  ///< through that of an accelerator, if it has one
  std::unordered_map<Key, std::vector<Way>, Hash> known_;
};

}  // namespace tessera::sim::outcome
