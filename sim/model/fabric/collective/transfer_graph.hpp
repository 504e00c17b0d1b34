// Messages that wait for each other: what a collective is made of.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace tessera::sim {

using TransferId = std::uint32_t;

/// A message between two endpoints. One without bytes joins what it waits for, at one endpoint.
struct Transfer {
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  std::uint32_t bytes = 0;
  bool reduces = false;  ///< the receiver adds it to what it has
};

class TransferGraph final {
 public:
  TransferId add(Transfer const& transfer) {
    transfers_.push_back(transfer);
    return static_cast<TransferId>(transfers_.size() - 1);
  }
  /// `later` starts when `earlier` has arrived, was reduced and was noticed.
  void order(TransferId earlier, TransferId later) { edges_.emplace_back(earlier, later); }

  [[nodiscard]] std::vector<Transfer> const& transfers() const { return transfers_; }
  [[nodiscard]] std::vector<std::pair<TransferId, TransferId>> const& edges() const {
    return edges_;
  }

 private:
  std::vector<Transfer> transfers_;
  std::vector<std::pair<TransferId, TransferId>> edges_;
};

}  // namespace tessera::sim
