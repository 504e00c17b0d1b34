// The recurrence from its end, entry by entry, without the candidates that a bound excludes.
//
// Computing is never shared better than evenly: A^k(i..j, m) >= T(i..j) / (M m), where M is the number of accelerators in a
// component. So a candidate (s, m') can be better than a known time t only if T(i..s) < (m - m') M t and T(s+1..j) < m' M t, which is
// a window of the prefix sums of T. The states before j are sorted by that sum: a binary search finds where the window begins, and it
// narrows as t falls. t begins at a limit just above the even share, where hardly any window has a state in it; if no partition is
// faster than the limit, a higher one is tried. What is found below a limit is exact.
#include "partition/search/pipedream.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "arch/base/contract.hpp"

namespace tessera::partition {

namespace {

using Rule = PipeDreamOptions::Rule;
using States = std::vector<PipelineState>;

constexpr double never = std::numeric_limits<double>::infinity();

/// Which operators: those of state `last` that are not in the state before `first`, if any.
struct Span {
  std::size_t first;
  std::size_t last;
};

/// The sums over spans, and which of them are one.
class Spans final {
 public:
  explicit Spans(States const& states)
      : states_{states}, is_before_(states.size(), std::vector<bool>(states.size())) {
    for (std::size_t j = 0; j < states.size(); ++j) {
      for (auto const k : states[j].predecessors) is_before_[j][k] = true;
    }
  }

  [[nodiscard]] std::size_t count() const { return states_.size(); }
  [[nodiscard]] States const& states() const { return states_; }

  /// Is the state before the span's first one contained in its last?
  [[nodiscard]] bool exists(Span span) const {
    return span.first == 0 || is_before_[span.last][span.first - 1];
  }
  [[nodiscard]] double compute_s(Span span) const { return sum(span, &PipelineState::compute_s); }
  [[nodiscard]] double parameter_bytes(Span span) const {
    return sum(span, &PipelineState::parameter_bytes);
  }
  [[nodiscard]] double stash_bytes(Span span) const {
    return sum(span, &PipelineState::activation_bytes) + parameter_bytes(span);
  }

  [[nodiscard]] std::vector<std::size_t> nodes(Span span) const {
    auto const& all = states_[span.last].nodes;
    if (span.first == 0) return all;
    auto const& before = states_[span.first - 1].nodes;
    std::vector<std::size_t> nodes;
    std::set_difference(all.begin(), all.end(), before.begin(), before.end(),
                        std::back_inserter(nodes));
    return nodes;
  }

 private:
  [[nodiscard]] double sum(Span span, double PipelineState::*prefix) const {
    auto const to = states_[span.last].*prefix;
    return span.first == 0 ? to : to - states_[span.first - 1].*prefix;
  }

  States const& states_;
  std::vector<std::vector<bool>> is_before_;  ///< [j][k]: k is a proper subset of j
};

/// How a time came about: the last stage, and what is before it.
struct Choice {
  double time_s = never;
  std::size_t cut = 0;        ///< the state before the last stage
  std::int64_t before = 0;    ///< components before the last stage; 0: it is the only one
  std::int64_t replicas = 0;  ///< of the last stage; 0: not worked out yet
};

/// One level of a cluster. Entries are worked out when they are first asked for.
class Level final {
 public:
  /// `below`: the level below, or none.
  Level(Spans const& spans, PipelineLevel const& spec, PipeDreamOptions const& options,
        Level* below)
      : spans_{spans},
        machines_{spec.machines},
        bytes_per_second_{spec.bytes_per_second},
        options_{options},
        below_{below},
        rows_(spans.count()) {
    EXPECTS(machines_ > 0 && bytes_per_second_ > 0, machines_, bytes_per_second_);
  }

  /// Forgets all entries; times from `limit_s` on are `never` from here.
  void limit(double limit_s) {
    limit_s_ = limit_s;
    for (auto& row : rows_) row.clear();
    // A stage on m' components takes at least 1 / m' of what one takes.
    if (below_ != nullptr) below_->limit(limit_s * static_cast<double>(machines_));
  }

  /// A(first..last) with all components.
  [[nodiscard]] double time_s(Span span) { return entry(span, machines_).time_s; }

  /// No partition is faster than that.
  [[nodiscard]] double even_share_s(Span span) const {
    return spans_.compute_s(span) / in_component(static_cast<double>(machines_));
  }

  [[nodiscard]] std::int64_t evaluations() const { return evaluations_; }

  /// The printed baseline: all operators replicated everywhere.
  [[nodiscard]] double data_parallel_s() const {
    Span const all{0, spans_.count() - 1};
    auto const inner = below_ == nullptr ? spans_.compute_s(all) : below_->data_parallel_s();
    return shared(inner, all, machines_);
  }

  [[nodiscard]] std::vector<PipelineStage> stages(Span span) {
    std::vector<PipelineStage> stages;
    auto machines = machines_;
    while (true) {
      auto const choice = entry(span, machines);
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
  [[nodiscard]] Choice const& entry(Span span, std::int64_t machines) {
    auto& row = rows_[span.first];
    if (row.empty()) row.resize(spans_.count() * static_cast<std::size_t>(machines_));
    auto& choice = row[span.last * static_cast<std::size_t>(machines_) +
                       static_cast<std::size_t>(machines - 1)];
    if (choice.replicas == 0) choice = best(span, machines);
    return choice;
  }

  [[nodiscard]] Choice best(Span span, std::int64_t machines) {
    Choice best{first_stage_s(span, machines), 0, 0, machines};
    if (best.time_s >= limit_s_) best.time_s = never;
    if (options_.machines == PipeDreamOptions::Machines::fewer && machines > 1) {
      auto const& with_fewer = entry(span, machines - 1);
      if (with_fewer.time_s < best.time_s) best = with_fewer;
    }
    bool const is_straight = options_.shape == PipeDreamOptions::Shape::straight;
    auto const most = is_straight ? std::min<std::int64_t>(1, machines - 1) : machines - 1;
    for (std::int64_t replicas = 1; replicas <= most; ++replicas) {
      try_cuts(span, machines, replicas, best);
    }
    return best;
  }

  /// All last stages of `replicas` behind the states that the bound leaves.
  void try_cuts(Span span, std::int64_t machines, std::int64_t replicas, Choice& best) {
    auto const& states = spans_.states();
    auto const& candidates = states[span.last].predecessors;
    auto const before = machines - replicas;
    auto const most_s = [&](std::int64_t components) {
      return in_component(static_cast<double>(components) * std::min(best.time_s, limit_s_));
    };
    auto const begin_s = span.first == 0 ? 0 : states[span.first - 1].compute_s;
    auto const least_s = states[span.last].compute_s - most_s(replicas);
    auto cut = std::partition_point(candidates.begin(), candidates.end(), [&](std::size_t state) {
      return states[state].compute_s <= least_s;
    });
    for (; cut != candidates.end(); ++cut) {
      if (states[*cut].compute_s - begin_s >= most_s(before)) break;
      if (*cut < span.first || !spans_.exists({span.first, *cut})) continue;
      ++evaluations_;
      auto const known_s = std::min(best.time_s, limit_s_);
      auto const transfer = transfer_s(*cut, span.last, replicas);
      if (transfer >= known_s) continue;
      auto const stage = last_stage_s({*cut + 1, span.last}, machines, replicas);
      if (stage >= known_s) continue;
      auto const time_s = std::max({entry({span.first, *cut}, before).time_s, transfer, stage});
      if (time_s < known_s) best = {time_s, *cut, before, replicas};
    }
  }

  /// What a component computes in that time at most, in one accelerator's seconds.
  [[nodiscard]] double in_component(double time_s) const {
    auto const below = below_ == nullptr ? time_s : below_->in_component(time_s);
    return below_ == nullptr ? below : below * static_cast<double>(below_->machines_);
  }

  /// The rest of this class is the two rules.

  [[nodiscard]] double first_stage_s(Span span, std::int64_t replicas) {
    bool const is_straight = options_.shape == PipeDreamOptions::Shape::straight;
    if (is_straight && replicas > 1) return never;
    if (!fits(span, replicas, replicas)) return never;
    return shared(component_s(span), span, replicas);
  }

  [[nodiscard]] double last_stage_s(Span span, std::int64_t machines, std::int64_t replicas) {
    if (!fits(span, machines, replicas)) return never;
    auto const inner = component_s(span);
    return options_.rule == Rule::paper
               ? shared(inner, span, replicas)
               : (inner + sync_s(span, replicas)) / static_cast<double>(replicas);
  }

  /// Of a stage on one component.
  [[nodiscard]] double component_s(Span span) {
    return below_ == nullptr ? spans_.compute_s(span) : below_->time_s(span);
  }

  /// Of the first stage on `replicas`, each of which takes `inner_s`.
  [[nodiscard]] double shared(double inner_s, Span span, std::int64_t replicas) const {
    auto const sync = sync_s(span, replicas);
    if (options_.rule == Rule::paper) {
      return std::max(inner_s, sync) / static_cast<double>(replicas);
    }
    auto const senders = below_ == nullptr ? 1 : static_cast<double>(below_->machines_);
    return (inner_s + sync / senders) / static_cast<double>(replicas);
  }

  /// Of the gradients of a stage between its replicas.
  [[nodiscard]] double sync_s(Span span, std::int64_t replicas) const {
    auto const others = static_cast<double>(replicas - 1);
    auto const bytes = spans_.parameter_bytes(span);
    if (options_.rule == Rule::paper) return 2 * others * bytes / bytes_per_second_;
    return 4 * others * bytes / (bytes_per_second_ * static_cast<double>(replicas));
  }

  /// X(cut, last, replicas).
  [[nodiscard]] double transfer_s(std::size_t cut, std::size_t last, std::int64_t replicas) const {
    auto const& states = spans_.states();
    auto const ratio = options_.activation_compression_ratio;
    if (options_.rule == Rule::paper) {
      return 2 * states[cut].crossing_bytes / bytes_per_second_ / ratio.value_or(1);
    }
    if (!ratio) return 0;
    auto const in = states[cut].antichain_bytes;
    auto const out = last + 1 == spans_.count() ? 0 : states[last].antichain_bytes;
    return 2 * std::max(in, out) / (bytes_per_second_ * static_cast<double>(replicas)) / *ratio;
  }

  [[nodiscard]] bool fits(Span span, std::int64_t machines, std::int64_t replicas) const {
    if (!options_.memory_limit_bytes) return true;
    auto const in_flight = options_.stash == PipeDreamOptions::Stash::in_flight ? 1 : 0;
    auto const stashed =
        in_flight + (machines_ - machines + replicas - 1) / replicas;  // rounded up
    return static_cast<double>(stashed) * spans_.stash_bytes(span) <= *options_.memory_limit_bytes;
  }

  Spans const& spans_;
  std::int64_t machines_;
  double bytes_per_second_;
  PipeDreamOptions const& options_;
  Level* below_;
  double limit_s_ = never;
  std::vector<std::vector<Choice>> rows_;  ///< by the first state: [last][machines - 1]
  std::int64_t evaluations_ = 0;
};

/// Limits from just above the even share up.
double least_time_s(Level& top, Span all) {
  for (auto const excess : {1.0 / 32, 1.0 / 8, 1.0 / 2, 2.0}) {
    top.limit((1 + excess) * top.even_share_s(all));
    auto const time_s = top.time_s(all);
    if (time_s < never) return time_s;
  }
  top.limit(never);
  return top.time_s(all);
}

}  // namespace

std::optional<PipelinePartition> pipedream_partition(States const& states,
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
