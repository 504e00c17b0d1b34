#include "partition/search/common_share.hpp"

#include <utility>

#include "partition/price/work.hpp"

namespace tessera::partition {

std::vector<std::size_t> levels_of_unlike_halves(arch::ArraySpec const& array) {
  std::vector<std::size_t> levels;
  auto const hierarchy = array.hierarchy();
  for (std::size_t level = 0; level < hierarchy.levels(); ++level) {
    if (hierarchy.ways(level) == 2 && !has_alike_halves(array, level)) levels.push_back(level);
  }
  return levels;
}

Plan with_common_share(Plan plan, std::size_t level, double first) {
  auto const weigh = [&](Splits& splits) {
    if (splits[level]) splits[level]->first = first;
  };
  for (auto& splits : plan.splits) weigh(splits);
  for (auto& [op_and_phase, splits] : plan.phase_splits) weigh(splits);
  plan.predicted.reset();
  return plan;
}

void search_common_share(std::function<std::optional<Time>(double)> const& guess,
                         std::function<bool(double)> const& is_better) {
  constexpr int parts = 64;
  auto const share = [](int part) { return static_cast<double>(part) / parts; };
  std::optional<std::pair<Time, int>> least;
  for (int part = 1; part < parts; ++part) {
    auto const time = guess(share(part));
    if (time && (!least || *time < least->first)) least.emplace(*time, part);
  }
  if (!least) return;
  auto at = least->second;
  static_cast<void>(is_better(share(at)));
  auto const tried = [&](int part) {
    bool const is_taken = part > 0 && part < parts && is_better(share(part));
    if (is_taken) at = part;
    return is_taken;
  };
  for (int const step : {8, 4, 2, 1}) {
    if (!tried(at + step)) static_cast<void>(tried(at - step));
  }
}

}  // namespace tessera::partition
