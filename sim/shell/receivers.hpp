// Who receives the transfers of an accelerator that may be a copy of the one that was simulated.
#pragma once

#include <cstddef>

#include "sim/model/blueprint.hpp"

namespace tessera::sim::shell {

class Receivers final {
 public:
  /// `blueprint` must outlive it.
  explicit Receivers(Blueprint const& blueprint) : folding_{blueprint.folding()} {}

  /// The receiver of a transfer that `accelerator` sends where its representative sends `transfer`:
  /// a copy's goes to the receiver's copy that lies as the receiver does, across the switch of the
  /// task's level. (Only levels of halves are folded: of several siblings the receiver stands for
  /// one.)
  [[nodiscard]] std::size_t of(Task const& transfer, std::size_t accelerator) const {
    if (folding_.is_trivial()) return transfer.destination.index();
    auto const level = static_cast<std::size_t>(transfer.level - 1);
    auto const& hierarchy = folding_.hierarchy();
    for (std::size_t turn = 1; turn < hierarchy.ways(level); ++turn) {
      auto const sibling = hierarchy.sibling(accelerator, level, turn);
      if (folding_.representative(sibling) == transfer.destination.index()) return sibling;
    }
    ENSURES(false && "a transfer to no sibling", accelerator, transfer.destination);
    return accelerator;
  }

 private:
  Folding const& folding_;
};

}  // namespace tessera::sim::shell
