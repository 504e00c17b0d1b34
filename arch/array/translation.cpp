#include "arch/array/translation.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace tessera::arch {

Translations::Translations(Topology const& whole) : accelerators_(whole.accelerators()) {
  EXPECTS(!whole.is_folded());
  for (std::size_t index = 0; index < whole.accelerators(); ++index) {
    auto const coordinates = whole.coordinates(NodeId{index});
    extents_.resize(coordinates.size(), 0);
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
      extents_[i] = std::max(extents_[i], coordinates[i] + 1);
    }
    places_.insert(places_.end(), coordinates.begin(), coordinates.end());
  }
  auto const size = std::accumulate(extents_.begin(), extents_.end(), std::size_t{1},
                                    std::multiplies<std::size_t>{});
  EXPECTS(!extents_.empty() && size == accelerators_.size(), size, accelerators_.size());
  for (std::size_t index = 0; index < accelerators_.size(); ++index) {
    std::size_t at = 0;
    for (auto i = dimensions(); i-- > 0;) at = at * extents_[i] + place(index, i);
    accelerators_[at] = index;
  }
}

std::size_t Translations::shifted(std::size_t accelerator, std::size_t from, std::size_t to) const {
  std::size_t at = 0;
  for (auto i = dimensions(); i-- > 0;) {
    auto const further = place(accelerator, i) + extents_[i] + place(to, i) - place(from, i);
    at = at * extents_[i] + further % extents_[i];
  }
  return accelerators_[at];
}

std::vector<std::size_t> Translations::along(std::size_t dimension, std::size_t places) const {
  std::size_t stride = 1;
  for (std::size_t lower = 0; lower < dimension; ++lower) stride *= extents_[lower];
  auto const to = accelerators_[stride * (places % extents_[dimension])];
  std::vector<std::size_t> all;
  for (std::size_t index = 0; index < accelerators_.size(); ++index) {
    all.push_back(shifted(index, accelerators_.front(), to));
  }
  return all;
}

}  // namespace tessera::arch
