// Taking levels out of an index and putting them back.
#include "arch/base/folding.hpp"

#include <algorithm>
#include <utility>

namespace tessera {

Folding::Folding(std::size_t accelerators, std::vector<bool> const& folded,
                 std::vector<Reflection> reflections, Maps maps)
    : hierarchy_{accelerators},
      folded_{folded},
      reflections_{std::move(reflections)},
      maps_{maps},
      kept_(folded.size() + 1, 1) {
  EXPECTS(folded.size() == hierarchy_.levels(), accelerators, folded.size());
  for (auto const& [level, reversed] : reflections_) {
    EXPECTS(folded.at(level) && hierarchy_.ways(level) == 2, level);
    for (auto const inner : reversed) EXPECTS(inner > level && !folded.at(inner), level, inner);
  }
  for (std::size_t level = 0; maps == Maps::swaps && level < folded.size(); ++level) {
    EXPECTS(!folded[level] || hierarchy_.ways(level) == 2, level);
  }
  bool continues = false;
  for (auto level = folded.size(); level-- > 0;) {
    auto const ways = folded[level] ? 1 : hierarchy_.ways(level);
    if (!folded[level] && !continues) {
      digits_.push_back({hierarchy_.group_size(level + 1), kept_[level + 1], 1});
    }
    if (!folded[level]) digits_.back().parts *= ways;
    kept_[level] = kept_[level + 1] * ways;
    continues = !folded[level];
  }
}

std::size_t Folding::representative(std::size_t accelerator) const {
  EXPECTS(accelerator < accelerators(), accelerator, accelerators());
  for (auto const& reflection : reflections_) {
    if (is_reflected(accelerator, reflection)) accelerator = reversed(accelerator, reflection);
  }
  std::size_t number = 0;
  for (auto const& digit : digits_) {
    number += accelerator / digit.of_accelerators % digit.parts * digit.of_representatives;
  }
  return number;
}

std::size_t Folding::accelerator(std::size_t representative) const {
  EXPECTS(representative < representatives(), representative, representatives());
  std::size_t index = 0;
  for (auto const& digit : digits_) {
    index += representative / digit.of_representatives % digit.parts * digit.of_accelerators;
  }
  return index;
}

std::vector<std::size_t> Folding::copies_of(std::size_t representative) const {
  std::vector<std::size_t> all = {accelerator(representative)};
  for (auto level = hierarchy_.levels(); level-- > 0;) {
    if (!folded_[level]) continue;
    auto const first_parts = all;
    auto const* const reflection = reflection_at(level);
    for (std::size_t part = 1; part < hierarchy_.ways(level); ++part) {
      for (auto const first : first_parts) {
        auto const equal = reflection == nullptr ? first : reversed(first, *reflection);
        all.push_back(equal + part * hierarchy_.group_size(level + 1));
      }
    }
  }
  return all;
}

std::size_t Folding::reversed(std::size_t accelerator, Reflection const& reflection) const {
  for (auto const level : reflection.reversed) {
    auto const part = hierarchy_.part(accelerator, level);
    auto const opposite = hierarchy_.ways(level) - 1 - part;
    accelerator += opposite * hierarchy_.group_size(level + 1);
    accelerator -= part * hierarchy_.group_size(level + 1);
  }
  return accelerator;
}

Folding::Reflection const* Folding::reflection_at(std::size_t level) const {
  auto const found =
      std::find_if(reflections_.begin(), reflections_.end(),
                   [level](Reflection const& reflection) { return reflection.level == level; });
  return found == reflections_.end() ? nullptr : &*found;
}

}  // namespace tessera
