// The tasks of one action of a step (step.hpp), before they are on a timeline: what each takes, on which resource, and after what. What
// an action becomes depends on the operators that it is about and on where they are, and on nothing else; so where a plan changes elsewhere
// its tasks stay (step_timeline.hpp).
//
// A phase of an operator is one task per accelerator of its stage. A conversion is messages, step after step, each as soon as its sender has
// what it sends: a message is on all links of its path at once, as long on each as its bytes take there, and arrives when the last has
// carried it, plus the latencies of the path. A gradient's sum is whole: each lane that it uses is taken once, for all its bytes, when the
// accelerators that send over it have their summands, and all who share the sum have it together, on an idle fabric when its rounds one
// after another would be over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "arch/array/topology.hpp"
#include "partition/plan/problem.hpp"
#include "partition/price/operator_times.hpp"
#include "partition/step/exchanges.hpp"
#include "partition/step/step.hpp"

namespace tessera::partition {

struct TaskPiece {
  using Index = std::uint32_t;

  struct Task {
    Time time{0};
    std::optional<std::size_t> resource;  ///< cores first, then lanes
    std::vector<Index> after;             ///< tasks of this piece
    /// Accelerators whose parts of what the action reads it waits for.
    std::vector<std::size_t> operands_of;
  };
  /// When an accelerator's part of what the action makes is there.
  struct Done {
    std::vector<Index> after;
    std::vector<std::size_t> operands_of;  ///< nothing was done to them
  };

  std::vector<Task> tasks;
  std::map<std::size_t, Done> done;  ///< by accelerator
};

/// The lanes of all links, and where each link's begin.
class Lanes final {
 public:
  explicit Lanes(arch::Topology const& topology);
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::size_t of(arch::LinkId link, arch::NodeId source) const {
    return first_[link] + static_cast<std::size_t>(topology_->lane(link, source));
  }

 private:
  arch::Topology const* topology_;
  IdVector<arch::LinkId, std::size_t> first_;
  std::size_t count_ = 0;
};

/// Makes the pieces of all actions on one array.
class PieceMaker final {
 public:
  /// All must outlive this.
  PieceMaker(Problem const& problem, OperatorTimes const& times);

  /// Of the actions of a stage, whose accelerators are the positions of `tiling`.
  [[nodiscard]] TaskPiece computation(Action const& action, Stage const& stage,
                                      Tiling const& tiling) const;
  [[nodiscard]] TaskPiece conversion(Conversion const& conversion, Stage const& stage,
                                     Tiling const& tiling) const;
  /// To another stage. Both have all of their accelerators.
  [[nodiscard]] TaskPiece crossing(Conversion const& conversion, MeshHolders const& senders,
                                   MeshHolders const& receivers) const;

  [[nodiscard]] std::size_t cores() const;
  [[nodiscard]] std::size_t resources() const { return cores() + lanes_.count(); }
  /// Does the array let no two actions, nor steps of a conversion, overlap?
  [[nodiscard]] bool takes_turns() const;

 private:
  Problem problem_;
  OperatorTimes const* times_;
  arch::Topology topology_;
  Lanes lanes_;
};

}  // namespace tessera::partition
