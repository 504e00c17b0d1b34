// Who receives the transfers of an accelerator that may be a copy of the one that was simulated.
#pragma once

#include <cstddef>

#include "sim/model/array/blueprint.hpp"

namespace tessera::sim::outcome {

class Receivers final {
 public:
  /// `blueprint` must outlive it.
  explicit Receivers(Blueprint const& blueprint) : folding_{blueprint.folding()} {}

  /// The receiver of a transfer that `accelerator` sends where its representative sends `transfer`:
  /// the receiver's copy that lies to it as the receiver does to the representative. Between copies
  /// of one representative it is the other half across the switch of the task's level.
  [[nodiscard]] std::size_t of(Task const& transfer, std::size_t accelerator) const {
    if (transfer.destination == transfer.accelerator) {
      auto const level = static_cast<std::size_t>(transfer.level - 1);
      return folding_.hierarchy().sibling(accelerator, level);
    }
    auto const sender = folding_.accelerator(transfer.accelerator.index());
    return accelerator - sender + folding_.accelerator(transfer.destination.index());
  }

 private:
  Folding const& folding_;
};

}  // namespace tessera::sim::outcome
