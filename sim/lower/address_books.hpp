// Which accelerators lay out their tensors alike.
//
// Accelerators of a replica that are of one kind, and whose tensors come and go alike, run one
// program: tensors lie at the same addresses on all of them, each in the space of the largest part
// (as XLA's partitioner pads what does not divide evenly: Xu et al., "GSPMD", 2021; TensorFlow's
// documentation of XlaSpmdFullToShardShape). What is moved and computed is each accelerator's own
// part; only the space around it is shared.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include "sim/lower/address_book.hpp"
#include "sim/lower/stage_parts.hpp"
#include "sim/lower/task_graph_builder.hpp"

namespace tessera::sim {

class AddressBooks final {
 public:
  /// All must outlive it.
  AddressBooks(arch::ArraySpec const& array, partition::Step const& step)
      : array_{array}, step_{step} {}

  /// Gives addresses to the tensors of the detailed accelerators of a replica, behind those that
  /// they have already.
  void give(partition::StageId id, StageParts const& stage, std::size_t replica,
            partition::Order const& order, TaskGraphBuilder& build);

  /// Of the accelerator at `position` of a stage; none if it has no addresses.
  [[nodiscard]] AddressBook const* find(partition::StageId stage, std::size_t position) const {
    auto const book = books_.find({stage, position});
    return book == books_.end() ? nullptr : book->second.get();
  }

 private:
  arch::ArraySpec const& array_;
  partition::Step const& step_;
  std::map<std::pair<partition::StageId, std::size_t>, std::shared_ptr<AddressBook const>> books_;
};

}  // namespace tessera::sim
