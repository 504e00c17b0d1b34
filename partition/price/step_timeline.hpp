// The timeline of a plan's step, which follows changes of the plan. An action keeps its tasks where the operators that it is about are split
// and placed as they were; those of the others are made anew, and Timeline::update() moves what that moves. Whatever plans it came from, it
// is the same as that of the plan from the beginning: ties on a resource go by a task's place in the step.
//
// Where the array lets no two actions overlap, all is made anew.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "partition/plan/plan.hpp"
#include "partition/price/task_piece.hpp"
#include "partition/price/timeline.hpp"

namespace tessera::partition {

/// What a plan's step takes.
struct TimelinePrice {
  Time step{0};          ///< from the first task's start to the last one's end
  Time busiest_core{0};  ///< sum of the tasks of the core with most
  Time busiest_lane{0};  ///< of the lane of a link
  std::size_t tasks = 0;
};

class StepTimeline final {
 public:
  /// Can there be a timeline of the plan? Of stages those of `layerwise`, all samples at once.
  [[nodiscard]] static bool is_for(Plan const& plan);

  /// The network and the array must outlive this. Requires a valid plan that this is for, as
  /// follow() does.
  StepTimeline(Problem const& problem, Plan plan, OperatorTimes times = peak_rates());
  ~StepTimeline();
  StepTimeline(StepTimeline const&) = delete;
  StepTimeline& operator=(StepTimeline const&) = delete;

  /// Another plan of the same network on the same array. Returns how many tasks were looked at.
  std::size_t follow(Plan plan);

  /// What is followed from here on can be taken back.
  void begin_trial();
  void keep_trial();
  void undo_trial();

  [[nodiscard]] Plan const& plan() const { return *plan_; }
  [[nodiscard]] Time length() const { return timeline_.length(); }
  [[nodiscard]] TimelinePrice price() const;
  /// Of whose tasks the timeline is; for tests and benchmarks.
  [[nodiscard]] Timeline const& timeline() const { return timeline_; }
  /// By rank; equal for equal plans.
  [[nodiscard]] std::vector<std::pair<Time, Time>> starts_and_ends() const;
  /// Works the timeline of the same tasks out anew.
  void simulate() { timeline_.simulate(); }

 private:
  using Key = std::uint64_t;  ///< of an action: who does what for whom

  /// An action's tasks.
  struct Placed {
    std::vector<Key> after;
    TaskPiece piece;
    std::vector<TimelineTaskId> tasks;                        ///< of the piece
    std::map<std::size_t, std::vector<TimelineTaskId>> done;  ///< by accelerator
    bool passes_on = false;                                   ///< to others what it reads, as it is
  };
  /// Where an operator is.
  struct Place {
    std::shared_ptr<Stage const> stage;
    std::shared_ptr<Tiling const> tiling;
  };
  using Places = IdVector<workloads::OperatorId, Place>;
  class Following;

  /// What a trial may change.
  struct Trial {
    Plan plan;
    Places places;
    std::vector<std::pair<Key, std::optional<Placed>>> placed;  ///< before it
  };

  Problem problem_;
  OperatorTimes times_;
  PieceMaker make_;
  Timeline timeline_;
  std::unique_ptr<Plan> plan_;  ///< stays where it is, as tilings refer to it
  Places places_;
  std::unordered_map<Key, Placed> placed_;
  std::optional<Trial> trial_;
};

}  // namespace tessera::partition
