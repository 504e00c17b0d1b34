// What PipeDream's two rules (pipedream.hpp) charge for the stages of one level, and how little a stage can take.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "partition/search/pipedream.hpp"

namespace tessera::partition {

/// Which operators: those of state `last` that are not in the state before `first`, if any.
struct Span {
  std::size_t first;
  std::size_t last;
};

/// The sums over spans, and which of them are one.
class Spans final {
 public:
  explicit Spans(std::vector<PipelineState> const& states)
      : states_{states}, is_before_(states.size(), std::vector<bool>(states.size())) {
    for (std::size_t j = 0; j < states.size(); ++j) {
      for (auto const k : states[j].predecessors) is_before_[j][k] = true;
    }
  }

  [[nodiscard]] std::size_t count() const { return states_.size(); }
  [[nodiscard]] std::vector<PipelineState> const& states() const { return states_; }

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

  std::vector<PipelineState> const& states_;
  std::vector<std::vector<bool>> is_before_;  ///< [j][k]: k is a proper subset of j
};

/// The components that a level joins.
struct PipelineComponents {
  std::int64_t accelerators = 1;  ///< in each
  std::int64_t machines = 1;      ///< of the level below; 1 if there is none
};

/// Of a level. m: `replicas` of a stage.
class StageCosts final {
 public:
  StageCosts(Spans const& spans, PipelineLevel const& level, PipelineComponents const& components,
             PipeDreamOptions const& options)
      : spans_{spans}, level_{level}, components_{components}, options_{options} {}

  /// T(span, m) of a stage whose gradients take `sync_s`, on components each of which takes
  /// `inner_s`.
  [[nodiscard]] double shared(double inner_s, double sync_s, std::int64_t replicas) const {
    auto const all_s = is_paper() ? std::max(inner_s, sync_s) : inner_s + sync_s;
    return all_s / static_cast<double>(replicas);
  }

  /// What a component may take such that shared() is `time_s`: with a larger one it is no less.
  [[nodiscard]] double inner_s(double time_s, double sync_s, std::int64_t replicas) const {
    auto const all_s = time_s * static_cast<double>(replicas);
    return is_paper() ? all_s : all_s - sync_s;
  }

  /// Of the gradients of a stage between its replicas, but for the first one.
  [[nodiscard]] double sync_s(Span span, std::int64_t replicas) const {
    return sync_s(spans_.parameter_bytes(span), replicas);
  }
  [[nodiscard]] double first_sync_s(Span span, std::int64_t replicas) const {
    auto const sync = sync_s(span, replicas);
    return is_paper() ? sync : sync / static_cast<double>(components_.machines);
  }

  /// X(cut, last, m).
  [[nodiscard]] double transfer_s(std::size_t cut, std::size_t last, std::int64_t replicas) const {
    auto const& states = spans_.states();
    auto const ratio = options_.activation_compression_ratio;
    if (is_paper()) {
      return 2 * states[cut].crossing_bytes / level_.bytes_per_second / ratio.value_or(1);
    }
    if (!ratio) return 0;
    auto const in = states[cut].antichain_bytes;
    auto const out = last + 1 == spans_.count() ? 0 : states[last].antichain_bytes;
    auto const bytes_per_second = level_.bytes_per_second * static_cast<double>(replicas);
    return 2 * std::max(in, out) / bytes_per_second / *ratio;
  }

  /// Is what a stage stashes within the limit, with `machines` used up to it?
  [[nodiscard]] bool fits(Span span, std::int64_t machines, std::int64_t replicas) const {
    if (!options_.memory_limit_bytes) return true;
    auto const in_flight = options_.stash == PipeDreamOptions::Stash::in_flight ? 1 : 0;
    auto const stashed =
        in_flight + (level_.machines - machines + replicas - 1) / replicas;  // rounded up
    return static_cast<double>(stashed) * spans_.stash_bytes(span) <= *options_.memory_limit_bytes;
  }

  /// The least that a last stage on m components takes, without a division.
  struct Least {
    double share;  ///< of its compute time: the even one
    double sync_s_per_byte;
  };
  [[nodiscard]] Least least(std::int64_t replicas) const {
    auto const components = static_cast<double>(replicas);
    return {1 / (components * static_cast<double>(components_.accelerators)),
            sync_s(1.0, replicas) / components};
  }
  [[nodiscard]] double least_s(Span span, Least const& least) const {
    auto const compute_s = spans_.compute_s(span) * least.share;
    auto const sync_s = spans_.parameter_bytes(span) * least.sync_s_per_byte;
    return is_paper() ? std::max(compute_s, sync_s) : compute_s + sync_s;
  }

 private:
  [[nodiscard]] bool is_paper() const { return options_.rule == PipeDreamOptions::Rule::paper; }

  [[nodiscard]] double sync_s(double bytes, std::int64_t replicas) const {
    auto const others = static_cast<double>(replicas - 1);
    if (is_paper()) return 2 * others * bytes / level_.bytes_per_second;
    return 4 * others * bytes / (level_.bytes_per_second * static_cast<double>(replicas));
  }

  Spans const& spans_;
  PipelineLevel level_;
  PipelineComponents components_;
  PipeDreamOptions const& options_;
};

}  // namespace tessera::partition
