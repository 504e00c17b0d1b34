// Who receives the transfers of an accelerator that may be a copy of the one that was simulated, and who sent what it receives.
#pragma once

#include <cstddef>
#include <optional>

#include "arch/array/folding_maps.hpp"
#include "sim/model/array/blueprint.hpp"

namespace tessera::sim::outcome {

class Receivers final {
 public:
  /// `blueprint` must outlive it.
  explicit Receivers(Blueprint const& blueprint) : folding_{blueprint.folding()} {
    if (blueprint.topology.folded_network() == nullptr) return;
    maps_.emplace(arch::Translations{arch::Topology{blueprint.array}}, folding_);
  }

  /// The receiver of a transfer that `accelerator` sends where its representative sends `transfer`:
  /// the receiver's copy that lies to it as the receiver does to the representative. Between copies
  /// of one representative it is the other half across the switch of the task's level; elsewhere
  /// the task says where it lies.
  [[nodiscard]] std::size_t of(Task const& transfer, std::size_t accelerator) const {
    if (maps_) return maps_->mapped(receiver_of(transfer), sender_of(transfer), accelerator);
    if (is_mirrored(transfer)) return sibling(transfer, accelerator, 1);
    auto const sender = folding_.accelerator(transfer.accelerator.index());
    return accelerator - sender + folding_.accelerator(transfer.destination.index());
  }

  /// The other way round: the sender of the copy of `transfer` that `accelerator` receives.
  [[nodiscard]] std::size_t sender_of(Task const& transfer, std::size_t accelerator) const {
    if (maps_) return maps_->mapped(sender_of(transfer), receiver_of(transfer), accelerator);
    if (is_mirrored(transfer)) {
      auto const level = static_cast<std::size_t>(transfer.level - 1);
      return sibling(transfer, accelerator, folding_.hierarchy().ways(level) - 1);
    }
    auto const receiver = folding_.accelerator(transfer.destination.index());
    return accelerator - receiver + folding_.accelerator(transfer.accelerator.index());
  }

  /// The level of a transfer from `accelerator` to `receiver`: the maps of other networks than
  /// H-trees do not keep it.
  [[nodiscard]] std::uint8_t level_of(Task const& transfer, std::size_t accelerator,
                                      std::size_t receiver) const {
    if (!maps_ || accelerator == receiver) return transfer.level;
    auto const level = folding_.hierarchy().outermost_difference(accelerator, receiver);
    return static_cast<std::uint8_t>(1 + level);
  }

 private:
  [[nodiscard]] static bool is_mirrored(Task const& transfer) {
    return transfer.destination == transfer.accelerator;
  }
  [[nodiscard]] std::size_t sibling(Task const& transfer, std::size_t accelerator,
                                    std::size_t turn) const {
    auto const level = static_cast<std::size_t>(transfer.level - 1);
    return folding_.hierarchy().sibling(accelerator, level, turn);
  }

  /// Elsewhere than in an H-tree, the ends of what the representative itself sends.
  [[nodiscard]] std::size_t sender_of(Task const& transfer) const {
    return folding_.accelerator(transfer.accelerator.index());
  }
  [[nodiscard]] static std::size_t receiver_of(Task const& transfer) {
    return transfer.receiver.value().index();
  }

  Folding const& folding_;
  std::optional<arch::FoldingMaps> maps_;  ///< of a folded one
};

}  // namespace tessera::sim::outcome
