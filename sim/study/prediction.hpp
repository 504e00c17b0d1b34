// How good predictions are for choosing: whether they rank what is compared as the simulation does, and what following them costs.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "sim/study/comparison.hpp"

namespace tessera::sim {

/// Spearman's: 1 where both rank alike, -1 where one is the other backwards; of equal values each
/// has their mean rank. None of fewer than two values, and none where all of one side are equal.
/// Requires as many of both.
[[nodiscard]] std::optional<double> rank_correlation(std::vector<double> const& first,
                                                     std::vector<double> const& second);

/// How much longer than the best the one takes that was predicted to be the best, as a fraction: 0
/// where it is the best. Of several that are predicted alike the first is taken. Requires a value,
/// and as many of both.
[[nodiscard]] double regret(std::vector<double> const& predicted,
                            std::vector<double> const& simulated);

/// Of planners on one problem, over all problems.
struct PredictionQuality {
  std::size_t problems = 0;                     ///< on which at least two planners were simulated
  std::size_t ranked = 0;                       ///< of these, where there is something to rank
  std::optional<double> rank_correlation = {};  ///< the mean over these
  double mean_regret = 0;
  double most_regret = 0;

  template <typename Self, typename Visit>
  static void each_field(Self& self, Visit&& visit) {
    visit("problems", self.problems);
    visit("ranked", self.ranked);
    visit("rank_correlation", self.rank_correlation);
    visit("mean_regret", self.mean_regret);
    visit("most_regret", self.most_regret);
  }
};

/// What a plan was said to take [s]; none: nothing was said.
using PriceOf = std::function<std::optional<double>(Result const&)>;
[[nodiscard]] std::optional<double> sum_price(Result const& result);
[[nodiscard]] std::optional<double> timeline_time(Result const& result);

/// Of entries that come problem by problem, `planners` >= 1 of each. Those that failed, or have no
/// price, do not count; none where no problem has two others.
[[nodiscard]] std::optional<PredictionQuality> prediction_quality(std::vector<Entry> const& entries,
                                                                  std::size_t planners,
                                                                  PriceOf const& price = sum_price);

}  // namespace tessera::sim
