// Ranks.
#include "sim/study/prediction.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "arch/base/contract.hpp"

namespace tessera::sim {

namespace {

/// How many are less, and half of the others that are equal.
std::vector<double> ranks_of(std::vector<double> const& values) {
  std::vector<double> ranks;
  ranks.reserve(values.size());
  for (auto const value : values) {
    auto const less =
        std::count_if(values.begin(), values.end(), [&](double other) { return other < value; });
    auto const equal = std::count(values.begin(), values.end(), value);
    ranks.push_back(static_cast<double>(less) + static_cast<double>(equal - 1) / 2);
  }
  return ranks;
}

std::vector<double> centred(std::vector<double> values) {
  auto const mean =
      std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  for (auto& value : values) value -= mean;
  return values;
}

double product(std::vector<double> const& first, std::vector<double> const& second) {
  return std::inner_product(first.begin(), first.end(), second.begin(), 0.0);
}

}  // namespace

std::optional<double> rank_correlation(std::vector<double> const& first,
                                       std::vector<double> const& second) {
  EXPECTS(first.size() == second.size(), first.size(), second.size());
  if (first.size() < 2) return std::nullopt;
  auto const one = centred(ranks_of(first));
  auto const other = centred(ranks_of(second));
  auto const scale = product(one, one) * product(other, other);
  if (scale == 0) return std::nullopt;
  return product(one, other) / std::sqrt(scale);
}

double regret(std::vector<double> const& predicted, std::vector<double> const& simulated) {
  EXPECTS(!predicted.empty() && predicted.size() == simulated.size(), predicted.size(),
          simulated.size());
  auto const best = *std::min_element(simulated.begin(), simulated.end());
  auto const chosen = std::min_element(predicted.begin(), predicted.end()) - predicted.begin();
  return ratio(simulated[static_cast<std::size_t>(chosen)], best) - 1;
}

std::optional<double> sum_price(Result const& result) { return result.predicted.time_s; }

std::optional<double> timeline_time(Result const& result) {
  if (!result.timeline) return std::nullopt;
  return result.timeline->time_s;
}

std::optional<PredictionQuality> prediction_quality(std::vector<Entry> const& entries,
                                                    std::size_t planners, PriceOf const& price) {
  EXPECTS(planners >= 1 && entries.size() % planners == 0, entries.size(), planners);
  PredictionQuality quality;
  double correlations = 0;
  for (std::size_t first = 0; first < entries.size(); first += planners) {
    std::vector<double> predicted;
    std::vector<double> simulated;
    for (auto index = first; index < first + planners; ++index) {
      auto const& [result, failure] = entries[index];
      auto const priced = failure ? std::nullopt : price(result);
      if (!priced) continue;
      predicted.push_back(*priced);
      simulated.push_back(result.simulated.time_s);
    }
    if (predicted.size() < 2) continue;
    ++quality.problems;
    auto const lost = regret(predicted, simulated);
    quality.mean_regret += lost;
    quality.most_regret = std::max(quality.most_regret, lost);
    auto const correlation = rank_correlation(predicted, simulated);
    if (!correlation) continue;
    ++quality.ranked;
    correlations += *correlation;
  }
  if (quality.problems == 0) return std::nullopt;
  quality.mean_regret /= static_cast<double>(quality.problems);
  if (quality.ranked > 0) {
    quality.rank_correlation = correlations / static_cast<double>(quality.ranked);
  }
  return quality;
}

}  // namespace tessera::sim
