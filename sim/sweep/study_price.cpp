// A systematic sample of sorted points: each kind of point is in it about as often as it is in the study.
#include "sim/sweep/study_price.hpp"

#include <algorithm>
#include <tuple>

#include "sim/study/host.hpp"

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

/// What the sampled points took themselves, in seconds each.
struct SampleTimes {
  std::size_t points = 0;
  double sum_s = 0;

  [[nodiscard]] double mean_s() const {
    return points == 0 ? 0 : sum_s / static_cast<double>(points);
  }
};

SampleTimes times_of(std::vector<StudyPoint> const& choice, StudyResults const& results) {
  SampleTimes times;
  for (auto const& point : choice) {
    auto const found = results.records.find(point.id);
    auto const seconds =
        found == results.records.end() ? std::nullopt : host_time_of(found->second);
    if (!seconds) continue;
    ++times.points;
    times.sum_s += *seconds;
  }
  return times;
}

/// Of these as many that no worker waits long for the last one: then all that a point takes can be
/// read from a clock, also the processes and files around it.
bool keeps_busy(std::size_t points, std::size_t workers) { return points >= 4 * workers; }

}  // namespace

StudyPrice price_study(std::string const& folder, StudyWork work, std::size_t sample) {
  work.slices = 1;
  work.slice = 0;
  auto const points = read_study_points(folder);
  auto const choice = even_choice(points, sample);
  auto const before = tally_of(choice, read_results(folder, work.programs)).left();
  Stopwatch const watch;
  work_on(folder, choice, work);
  auto const elapsed_s = watch.seconds();
  auto const results = read_results(folder, work.programs);
  auto const times = times_of(choice, results);
  auto per_point_s = times.mean_s();
  if (before > 0 && before == choice.size() && keeps_busy(before, work.workers)) {
    per_point_s = std::max(
        per_point_s, elapsed_s * static_cast<double>(work.workers) / static_cast<double>(before));
  }
  StudyPrice price;
  price.left = tally_of(points, results).left();
  price.sampled = times.points;
  price.core_s = per_point_s * static_cast<double>(price.left);
  return price;
}

}  // namespace tessera::sim
