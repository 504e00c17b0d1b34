// When the replicas of a pipeline are done with their orders, given how long each pass takes.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "partition/schedule/program_walk.hpp"

namespace tessera::partition {

/// How long a part of the network takes for a micro-batch, and how long what it sends on keeps
/// links.
struct PassTimes {
  double forward_s = 0;
  double backward_data_s = 0;
  double backward_weight_s = 0;
  double features_leave_s = 0;
  double errors_leave_s = 0;
};

/// How long a stage's update takes: the sums of its gradients and the computation, and until sums
/// of other stages with tied weights have arrived.
struct UpdateTimes {
  double update_s = 0;
  double sums_arrive_s = 0;
};

/// What the parts of a network send in one direction, from one replica to another. Neither end has
/// more than one message under way at a time.
class MessageClock final {
 public:
  /// A replica of the stage that has a part of the network.
  using End = std::pair<std::size_t, std::size_t>;  ///< part, replica

  /// When a message that is ready to leave would have arrived at an idle receiver.
  double send(End from, std::int64_t micro_batch, double ready_s, double takes_s);

  /// When that of the part `from` has arrived; 0 where it sends none. To be asked once, in the
  /// receiver's order.
  double receive(std::size_t from, std::int64_t micro_batch, End to);

 private:
  struct Message {
    double arrives_s;
    double takes_s;
  };
  std::map<std::pair<std::size_t, std::int64_t>, Message> sent_;  ///< by part and micro-batch
  std::map<End, double> last_sent_s_;
  std::map<End, double> last_received_s_;
};

/// Takes turns in an order in which each comes after all that it needs (walk()).
class ProgramClock final {
 public:
  /// `parts`: by part of the network; `updates`: by stage; `overlaps`: what leaves does so beside
  /// the sender's next pass. All must outlive the clock. Stages with tied weights are updated when
  /// the last of them would be by itself and its sums have arrived.
  ProgramClock(PipelineShape const& shape, std::vector<PassTimes> const& parts,
               std::vector<UpdateTimes> const& updates, bool overlaps);

  void take(Turn const& turn);

  /// When all turns are over.
  [[nodiscard]] double end_s() const;

 private:
  [[nodiscard]] double arrival(Turn const& turn, std::size_t part);
  void send(Turn const& turn, std::size_t part, double& free_s);
  [[nodiscard]] double made_s(std::size_t stage, std::size_t version) const;

  PipelineShape const& shape_;
  std::vector<PassTimes> const& parts_;
  std::vector<UpdateTimes> const& updates_;
  bool overlaps_;
  std::vector<std::vector<double>> free_s_;     ///< by stage and replica
  std::vector<std::vector<double>> updated_s_;  ///< each stage by itself, by version
  MessageClock features_;
  MessageClock errors_;
  double end_s_ = 0;  ///< of passes
};

}  // namespace tessera::partition
