// A systematic sample of sorted points: each kind of point is in it about as often as it is in the study.
#include "sim/sweep/study_price.hpp"

#include <algorithm>
#include <tuple>

namespace tessera::sim {

namespace {

std::vector<StudyPoint> even_choice(std::vector<StudyPoint> points, std::size_t count) {
  std::stable_sort(points.begin(), points.end(), [](auto const& first, auto const& second) {
    return std::tie(first.network, first.planner, first.plan, first.array, first.steps) <
           std::tie(second.network, second.planner, second.plan, second.array, second.steps);
  });
  auto const chosen = std::min(count, points.size());
  std::vector<StudyPoint> choice;
  choice.reserve(chosen);
  for (std::size_t i = 0; i < chosen; ++i) {
    choice.push_back(points[(2 * i + 1) * points.size() / (2 * chosen)]);
  }
  return choice;
}

}  // namespace

StudyPrice price_study(std::string const& folder, StudyWork work, std::size_t sample) {
  work.slices = 1;
  work.slice = 0;
  auto const points = read_study_points(folder);
  auto const choice = even_choice(points, sample);
  work_on(folder, choice, work);
  auto const results = read_results(folder, work.programs);
  StudyPrice price;
  price.left = tally_of(points, results).left();
  double sum = 0;
  for (auto const& point : choice) {
    auto const found = results.records.find(point.id);
    auto const seconds =
        found == results.records.end() ? std::nullopt : host_time_of(found->second);
    if (!seconds) continue;
    ++price.sampled;
    sum += *seconds;
  }
  if (price.sampled > 0) {
    price.core_s = sum / static_cast<double>(price.sampled) * static_cast<double>(price.left);
  }
  return price;
}

}  // namespace tessera::sim
