// Who receives the transfers of an accelerator that may be a copy of the one that was simulated.
#pragma once

#include <cstddef>

#include "sim/model/blueprint.hpp"

namespace tessera::sim::shell {

class Receivers final {
 public:
  /// `blueprint` must outlive it.
  explicit Receivers(Blueprint const& blueprint)
      : folding_{blueprint.folding()}, whole_{blueprint.array} {}

  /// The receiver of a transfer that `accelerator` sends where its representative sends `transfer`:
  /// a copy's goes to the receiver's copy that lies as the receiver does, across the switch of the
  /// task's level.
  [[nodiscard]] std::size_t of(Task const& transfer, std::size_t accelerator) const {
    if (folding_.is_trivial()) return transfer.destination.index();
    auto const counterpart = whole_.counterpart(arch::NodeId{accelerator}, transfer.level).index();
    ENSURES(folding_.representative(counterpart) == transfer.destination.index(), counterpart);
    return counterpart;
  }

 private:
  Folding const& folding_;
  arch::Topology whole_;  ///< not folded
};

}  // namespace tessera::sim::shell
