// Which levels split samples, for planners that decide level by level and look at the batch last.
//
// A plan splits samples at a level where any operator does so, and is valid if the batch divides by the parts of all those levels
// (validate()). A planner first chooses freely; where what it chose is not allowed, it decides again, for every set of levels that may
// split samples and that the batch divides by: at the other levels samples stay whole, and operators choose among what else they
// can be split over (none: every part computes all of it). The cheapest of these plans is the planner's.
//
// For example 16 accelerators and batch 100, which can be halved twice: two of four levels may split samples, six plans at most.
//
// Left out: where levels with equal shares come before ones with unequal shares, batches that only the latter allow. Of more
// than 512 plans (2^13 accelerators and more) the first 512 are made or ruled out, those that split samples further out first.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "partition/plan/plan.hpp"

namespace tessera::partition {

/// What a level may do with samples.
enum class Samples { may_be_split, kept_whole };

/// A plan whose levels are decided one after another. Copied where there are two ways to go on.
///   Plan plan;                               // its levels so far, with evaluations
///   void decide(std::size_t level, Samples); // one more, from the top
///   double bound() const;                    // however it goes on, it will not cost less
///   double cost();                           // once complete; by which plans are compared
template <typename Levels>
class SampleLevels final {
 public:
  /// Deciding begins with `none_decided`. Returns the levels of the planner's plan, with the
  /// evaluations of all plans that were made.
  [[nodiscard]] static Levels decide_all(Levels const& none_decided) {
    auto freely = none_decided;
    auto const levels = static_cast<std::size_t>(freely.plan.levels());
    for (std::size_t level = 0; level < levels; ++level) {
      freely.decide(level, Samples::may_be_split);
    }
    if (divides_samples(freely.plan)) return freely;
    SampleLevels search{levels, freely.plan.evaluations};
    search.explore(none_decided, 0);
    search.best_->plan.evaluations = search.evaluations_;
    return std::move(*search.best_);
  }

 private:
  static constexpr int most_plans = 512;

  SampleLevels(std::size_t levels, std::int64_t evaluations)
      : levels_{levels}, evaluations_{evaluations} {}

  void explore(Levels const& outer, std::size_t level) {
    if (outer.bound() >= least_) {
      ++plans_;
      return;
    }
    if (level == levels_) return offer(outer);
    auto const next = decided(outer, level, Samples::may_be_split);
    if (divides_samples(next.plan)) explore(next, level + 1);
    if (!splits_samples(next.plan, level) || plans_ >= most_plans) return;
    explore(decided(outer, level, Samples::kept_whole), level + 1);
  }

  [[nodiscard]] Levels decided(Levels const& outer, std::size_t level, Samples samples) {
    auto next = outer;
    next.decide(level, samples);
    evaluations_ += next.plan.evaluations - outer.plan.evaluations;
    return next;
  }

  void offer(Levels complete) {
    ++plans_;
    auto const cost = complete.cost();
    if (best_ && cost >= least_) return;
    least_ = cost;
    best_.emplace(std::move(complete));
  }

  std::size_t levels_;
  std::int64_t evaluations_;
  int plans_ = 0;  ///< made, or ruled out by their bound
  double least_ = std::numeric_limits<double>::infinity();
  std::optional<Levels> best_;
};

}  // namespace tessera::partition
