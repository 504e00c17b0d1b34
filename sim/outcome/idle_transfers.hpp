// How long transfers take where nobody else uses the fabric, and which link of their way is the narrowest.
//
// A message takes the longest serialisation of its way plus all latencies (sim/model/fabric/link.hpp); of one that is cut in two, the later
// half counts. Leaves out: headers of packets and that they wait for credits, and reading and writing memory, where transfers go through it.
#pragma once

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "sim/model/array/blueprint.hpp"

namespace tessera::sim::outcome {

/// The way of a message, or of the halves of one.
struct Way {
  std::vector<arch::LinkId> links;  ///< of the simulated topology, in order
  Time latency{0};                  ///< of links and routers behind the first link's entrance
};

class IdleTransfers final {
 public:
  /// `blueprint` must outlive it.
  explicit IdleTransfers(Blueprint const& blueprint);

  /// Of a transfer: one way, or two.
  [[nodiscard]] std::vector<Way> const& ways(Task const& transfer);

  /// From when its first bit enters its first link until it has arrived and is added to what is
  /// there. `scale` says what a link's serialisation counts.
  template <typename Scale>
  [[nodiscard]] Time length(Task const& transfer, Scale scale) {
    Time longest{0};
    auto const& all = ways(transfer);
    auto const parts = parts_of(transfer);
    for (std::size_t i = 0; i < all.size(); ++i) {
      Time wire{0};
      for (auto const link : all[i].links) {
        auto const& spec = blueprint_.topology.links()[link];
        wire = std::max(wire, scale(link, parts.at(i).size / spec.lane_bandwidth));
      }
      longest = std::max(longest, wire + all[i].latency);
    }
    return longest + adding(transfer);
  }
  [[nodiscard]] Time length(Task const& transfer) {
    return length(transfer, [](arch::LinkId /*link*/, Time time) { return time; });
  }

  /// From when a transfer is issued until its first bit enters its first link.
  [[nodiscard]] Time arrival_at_link(Task const& transfer, Time issued) const;

  /// Of an accelerator's parts.
  [[nodiscard]] MessageClock const& clock(AcceleratorId id) const { return blueprint_.clock(id); }

  /// Is length() what a transfer takes on an idle fabric, and not only less?
  [[nodiscard]] bool is_exact(Task const& transfer) const;

 private:
  using Key = std::tuple<AcceleratorId, AcceleratorId, AcceleratorId, int>;

  [[nodiscard]] std::vector<arch::MessagePart> parts_of(Task const& transfer) const;
  [[nodiscard]] Way way_of(Task const& transfer, arch::Turn turn) const;
  [[nodiscard]] Time adding(Task const& transfer) const;
  [[nodiscard]] Time hop_latency() const;
  [[nodiscard]] Time through(arch::NodeId accelerator) const;

  Blueprint const& blueprint_;
  IdVector<AcceleratorId, Time> routers_;  ///< through that of an accelerator, if it has one
  std::map<Key, std::vector<Way>> known_;
};

}  // namespace tessera::sim::outcome
