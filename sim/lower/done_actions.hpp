// When what the actions of each micro-batch make is there, kept until the last action that reads it has asked: of hundreds of micro-batches
// only those in flight.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "partition/step/step.hpp"
#include "sim/lower/task_graph_builder.hpp"

namespace tessera::sim {

/// Every action of a micro-batch but updates, which read of many, is to ask once.
class DoneActions final {
 public:
  explicit DoneActions(partition::Step const& step);

  /// Everything in `after`, and what `action` reads of its micro-batch.
  [[nodiscard]] Frontier before(partition::Action const& action, std::int64_t micro_batch,
                                Frontier after);

  void add(partition::ActionId id, std::int64_t micro_batch, Frontier done);

  /// Of how many actions it is known when they are done.
  [[nodiscard]] std::size_t kept() const { return done_.size(); }

 private:
  struct Kept {
    Frontier done;
    std::int64_t readers;  ///< that have not asked yet
  };

  IdVector<partition::ActionId, std::int64_t> readers_;  ///< of a micro-batch
  std::map<std::pair<std::int64_t, partition::ActionId>, Kept> done_;
};

}  // namespace tessera::sim
