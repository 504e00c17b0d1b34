// The recurrence from its end, entry by entry, without the candidates that a bound excludes.
//
// Computing is never shared better than evenly: A^k(i..j, m) >= T(i..j) / (M m), where M is the number of accelerators in a
// component. So a candidate (s, m') can be better than a known time t only if T(i..s) < (m - m') M t and T(s+1..j) < m' M t, which is
// a window of the prefix sums of T. The states before j are sorted by that sum: a binary search finds where the window begins, and it
// narrows as t falls.
//
// An entry is asked for below a limit: below what is known, of a stage on m' components less what their gradients take. It is then
// worked out exactly, or known not to be below, and worked out again when a higher limit is asked for. That of the whole begins just above
// the even share, where hardly any window has a state in it; if no partition is faster, a higher one is tried.
#include "partition/search/pipedream.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "arch/base/contract.hpp"
#include "partition/search/stage_costs.hpp"

namespace tessera::partition {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// How a time came about: the last stage, and what is before it.
struct Choice {
  double time_s = never;  ///< never: not known, but no less than `least_s`
  double least_s = 0;
  std::uint32_t cut = 0;       ///< the state before the last stage
  std::uint32_t before = 0;    ///< components before the last stage; 0: it is the only one
  std::uint32_t replicas = 0;  ///< of the last stage

  [[nodiscard]] bool is_below(double limit_s) const { return time_s < limit_s; }
};

/// One level of a cluster. Entries are worked out when they are first asked for, and again when
/// they are asked for below a higher limit than before and were not below that.
class Level final {
 public:
  /// `below`: the level below, or none.
  Level(Spans const& spans, PipelineLevel const& spec, PipeDreamOptions const& options,
        Level* below)
      : spans_{spans},
        machines_{spec.machines},
        options_{options},
        below_{below},
        components_{components_of(below)},
        costs_{spans, spec, components_, options},
        rows_(spans.count()) {
    EXPECTS(machines_ > 0 && spec.bytes_per_second > 0, machines_, spec.bytes_per_second);
  }

  /// A(span) with all components; where it is not below the limit, that or `never`.
  [[nodiscard]] double time_s(Span span, double limit_s) {
    return entry(span, machines_, limit_s).time_s;
  }

  /// No partition is faster than that.
  [[nodiscard]] double even_share_s(Span span) const {
    return spans_.compute_s(span) / on_one(static_cast<double>(machines_));
  }

  [[nodiscard]] std::int64_t evaluations() const { return evaluations_; }

  /// The printed baseline: all operators replicated everywhere.
  [[nodiscard]] double data_parallel_s() const {
    Span const all{0, spans_.count() - 1};
    auto const inner = below_ == nullptr ? spans_.compute_s(all) : below_->data_parallel_s();
    return costs_.shared(inner, costs_.first_sync_s(all, machines_), machines_);
  }

  [[nodiscard]] std::vector<PipelineStage> stages(Span span) {
    std::vector<PipelineStage> stages;
    auto machines = machines_;
    while (true) {
      auto const choice = entry(span, machines, never);
      Span const last{choice.before == 0 ? span.first : choice.cut + 1, span.last};
      stages.push_back({spans_.nodes(last), choice.replicas, {}});
      if (below_ != nullptr) stages.back().inner = below_->stages(last);
      if (choice.before == 0) break;
      span.last = choice.cut;
      machines = choice.before;
    }
    std::reverse(stages.begin(), stages.end());
    return stages;
  }

 private:
  /// Candidates (s, m') with one m'.
  struct LastStage {
    std::int64_t replicas;
    std::int64_t before;  ///< components before it
    StageCosts::Least least;
  };

  [[nodiscard]] static PipelineComponents components_of(Level const* below) {
    if (below == nullptr) return {};
    return {below->machines_ * below->components_.accelerators, below->machines_};
  }

  /// What components compute in that time at most, in one accelerator's seconds.
  [[nodiscard]] double on_one(double time_s) const {
    return time_s * static_cast<double>(components_.accelerators);
  }

  [[nodiscard]] Choice& known(Span span, std::int64_t machines) {
    auto& row = rows_[span.first];
    if (row.empty()) row.resize(spans_.count() - span.first);
    auto& choices = row[span.last - span.first];
    if (choices.empty()) choices.resize(static_cast<std::size_t>(machines_));
    return choices[static_cast<std::size_t>(machines - 1)];
  }

  /// A(span, machines) below the limit.
  [[nodiscard]] Choice const& entry(Span span, std::int64_t machines, double limit_s) {
    auto& choice = known(span, machines);
    bool const is_known = choice.is_below(never) || choice.least_s >= limit_s;
    if (!is_known) choice = best(span, machines, limit_s);
    return choice;
  }

  [[nodiscard]] Choice best(Span span, std::int64_t machines, double limit_s) {
    auto best = one_stage(span, machines, limit_s);
    if (options_.machines == PipeDreamOptions::Machines::fewer && machines > 1) {
      auto const& with_fewer = entry(span, machines - 1, best.least_s);
      if (with_fewer.is_below(best.least_s)) best = with_fewer;
    }
    auto const most = is_straight() ? std::min<std::int64_t>(1, machines - 1) : machines - 1;
    for (std::int64_t replicas = 1; replicas <= most; ++replicas) {
      try_cuts(span, {replicas, machines - replicas, costs_.least(replicas)}, best);
    }
    return best;
  }

  /// If that is below the limit.
  [[nodiscard]] Choice one_stage(Span span, std::int64_t replicas, double limit_s) {
    Choice choice{never, limit_s, 0, 0, static_cast<std::uint32_t>(replicas)};
    bool const can = replicas == 1 || !is_straight();
    if (!can || !costs_.fits(span, replicas, replicas)) return choice;
    auto const time_s = stage_s(span, replicas, costs_.first_sync_s(span, replicas), limit_s);
    if (time_s < limit_s) choice.time_s = choice.least_s = time_s;
    return choice;
  }

  /// All last stages behind the states that the bound leaves; `best` has what is known so far, or
  /// the limit.
  void try_cuts(Span span, LastStage const& stage, Choice& best) {
    auto const& states = spans_.states();
    auto const& candidates = states[span.last].predecessors;
    auto const most_s = [&](std::int64_t components) {
      return on_one(static_cast<double>(components) * best.least_s) * rounding_margin;
    };
    auto const begin_s = span.first == 0 ? 0 : states[span.first - 1].compute_s;
    auto const least_s = states[span.last].compute_s - most_s(stage.replicas);
    auto cut = std::partition_point(candidates.begin(), candidates.end(), [&](std::size_t state) {
      return states[state].compute_s <= least_s;
    });
    for (; cut != candidates.end(); ++cut) {
      if (states[*cut].compute_s - begin_s >= most_s(stage.before)) break;
      if (*cut < span.first || !spans_.exists({span.first, *cut})) continue;
      ++evaluations_;
      auto const time_s = candidate_s(span, *cut, stage, best.least_s);
      if (time_s >= best.least_s) continue;
      best = {time_s, time_s, static_cast<std::uint32_t>(*cut),
              static_cast<std::uint32_t>(stage.before), static_cast<std::uint32_t>(stage.replicas)};
    }
  }

  /// With that cut; `never` where the limit is reached. What is cheap to know comes first.
  [[nodiscard]] double candidate_s(Span span, std::size_t cut, LastStage const& stage,
                                   double limit_s) {
    Span const before{span.first, cut};
    Span const last{cut + 1, span.last};
    auto const replicas = stage.replicas;
    auto const transfer = costs_.transfer_s(cut, span.last, replicas);
    if (transfer >= limit_s) return never;
    if (costs_.least_s(last, stage.least) >= limit_s * rounding_margin) return never;
    if (known(before, stage.before).least_s >= limit_s) return never;
    if (!costs_.fits(last, stage.before + replicas, replicas)) return never;
    auto const time_s = stage_s(last, replicas, costs_.sync_s(last, replicas), limit_s);
    if (time_s >= limit_s) return never;
    return std::max({entry(before, stage.before, limit_s).time_s, transfer, time_s});
  }

  /// Of a stage on `replicas` whose gradients take `sync_s`.
  [[nodiscard]] double stage_s(Span span, std::int64_t replicas, double sync_s, double limit_s) {
    if (below_ == nullptr) return costs_.shared(spans_.compute_s(span), sync_s, replicas);
    auto const inner_limit_s = costs_.inner_s(limit_s * rounding_margin, sync_s, replicas);
    if (below_->even_share_s(span) >= inner_limit_s) return never;
    return costs_.shared(below_->time_s(span, inner_limit_s), sync_s, replicas);
  }

  [[nodiscard]] bool is_straight() const {
    return options_.shape == PipeDreamOptions::Shape::straight;
  }

  Spans const& spans_;
  std::int64_t machines_;
  PipeDreamOptions const& options_;
  Level* below_;
  PipelineComponents components_;
  StageCosts costs_;
  /// By the first state: [last - first][machines - 1], made when they are first asked for.
  std::vector<std::vector<std::vector<Choice>>> rows_;
  std::int64_t evaluations_ = 0;
};

/// Limits from just above the even share up.
double least_time_s(Level& top, Span all) {
  for (auto const excess : {1.0 / 32, 1.0 / 8, 1.0 / 2, 2.0}) {
    auto const limit_s = (1 + excess) * top.even_share_s(all);
    auto const time_s = top.time_s(all, limit_s);
    if (time_s < limit_s) return time_s;
  }
  return top.time_s(all, never);
}

}  // namespace

std::optional<PipelinePartition> pipedream_partition(std::vector<PipelineState> const& states,
                                                     std::vector<PipelineLevel> const& levels,
                                                     PipeDreamOptions const& options) {
  EXPECTS(!states.empty() && !levels.empty(), states.size(), levels.size());
  Spans const spans{states};
  std::vector<Level> solved;
  solved.reserve(levels.size());
  for (auto const& level : levels) {
    solved.emplace_back(spans, level, options, solved.empty() ? nullptr : &solved.back());
  }
  Span const all{0, states.size() - 1};
  auto& top = solved.back();
  PipelinePartition partition;
  partition.bottleneck_s = least_time_s(top, all);
  if (std::isinf(partition.bottleneck_s)) return std::nullopt;
  partition.stages = top.stages(all);
  partition.one_accelerator_s = spans.compute_s(all);
  partition.data_parallel_s = top.data_parallel_s();
  for (auto const& level : solved) partition.evaluations += level.evaluations();
  return partition;
}

std::optional<PipelinePartition> pipedream_partition(PipelineGraph const& graph,
                                                     std::vector<PipelineLevel> const& levels,
                                                     PipeDreamOptions const& options) {
  return pipedream_partition(pipeline_states(graph), levels, options);
}

}  // namespace tessera::partition
