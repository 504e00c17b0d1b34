// When the replicas of a pipeline are done with their orders, given how long each pass takes.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "partition/schedule/program_walk.hpp"

namespace tessera::partition {

/// How long a part of the network takes for a micro-batch, and what it sends on for how long.
struct PassTimes {
  double forward_s = 0;
  double backward_data_s = 0;
  double backward_weight_s = 0;
  double features_leave_s = 0;
  double errors_leave_s = 0;
};

/// Takes turns in an order in which each comes after all that it needs (walk()).
class ProgramClock final {
 public:
  /// `parts`: by part of the network; `updates`: seconds, by stage; `overlaps`: what leaves does so
  /// beside the sender's next pass. All must outlive the clock.
  ProgramClock(PipelineShape const& shape, std::vector<PassTimes> const& parts,
               std::vector<double> const& updates, bool overlaps);

  void take(Turn const& turn);

  /// When all turns so far are over.
  [[nodiscard]] double end_s() const { return end_s_; }

 private:
  using Key = std::pair<std::size_t, std::int64_t>;  ///< part, micro-batch

  [[nodiscard]] double arrival(Turn const& turn, std::size_t part) const;
  void send(Turn const& turn, std::size_t part, double& free_s);
  void update(std::size_t stage);

  PipelineShape const& shape_;
  std::vector<PassTimes> const& parts_;
  std::vector<double> const& updates_;
  bool overlaps_;
  std::vector<std::vector<double>> free_s_;  ///< by stage and replica
  std::vector<std::vector<double>> made_s_;  ///< weights, by stage and version
  std::map<Key, double> features_s_;         ///< of a part, when they have arrived at the next
  std::map<Key, double> errors_s_;
  double end_s_ = 0;
};

}  // namespace tessera::partition
