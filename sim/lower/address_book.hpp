// Where the tensors of an accelerator lie in its memory while it runs its order: weights and gradients for good, one behind the other, and
// behind them what comes and goes with micro-batches (partition/step/liveness.hpp), in places that are used again
// (partition/step/placement.hpp). So addresses go as far as the footprint says (partition/price/footprint.hpp), but for the alignment of
// every tensor and for gaps between them.
//
// Versions of weights take turns in as many places as the order needs at once. Lifetimes are those of the order in which actions are
// listed: an accelerator that is ahead with some may use a place again a little early (which costs what another place would).
// Leaves out: that a unit may read beyond a tensor's end what it is made up to (padding; the second input of a sum, which it takes to lie
// behind the first).
#pragma once

#include <map>
#include <vector>

#include "partition/step/liveness.hpp"
#include "partition/step/placement.hpp"
#include "sim/task/task_graph.hpp"

namespace tessera::sim {

class AddressBook final {
 public:
  /// Weights and gradients have what `alignment` says of any block, from `begin` on; values what it
  /// says, from their first address on. `step` must outlive the book.
  AddressBook(partition::Step const& step, partition::LiveValues held,
              partition::Order const& order, partition::Alignment const& alignment, Bytes begin);

  /// Of a computation on behalf of a micro-batch, or of an update that makes `version`.
  [[nodiscard]] OperandAddresses operands(partition::ActionId action, std::int64_t micro_batch,
                                          std::int64_t version) const;

  /// The first address behind all tensors.
  [[nodiscard]] Bytes end() const { return end_; }

 private:
  void place_weights(std::int64_t versions, Bytes alignment);
  void place_values(partition::Order const& order, partition::Alignment const& alignment);

  [[nodiscard]] Bytes weight(workloads::OperatorId op, std::int64_t version) const;
  [[nodiscard]] Bytes value(partition::ActionId action, std::size_t operand,
                            std::int64_t micro_batch) const;

  partition::Step const& step_;
  partition::LiveValues held_;
  IdVector<workloads::OperatorId, std::vector<Bytes>> weights_;  ///< by version, which take turns
  IdVector<workloads::OperatorId, Bytes> gradients_;             ///< both at Step::weight_holders
  std::map<std::int64_t, std::vector<Bytes>> values_;            ///< by micro-batch
  Bytes end_{0};
};

}  // namespace tessera::sim
