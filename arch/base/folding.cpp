// Taking bits out of an index and putting them back.
#include "arch/base/folding.hpp"

namespace tessera {

Folding::Folding(std::size_t accelerators, std::vector<bool> const& folded)
    : accelerators_{accelerators} {
  EXPECTS(accelerators == std::size_t{1} << folded.size(), accelerators, folded.size());
  for (std::size_t bit = 0; bit < folded.size(); ++bit) {
    if (!folded[folded.size() - 1 - bit]) continue;
    folded_bits_.push_back(bit);
    mask_ |= std::size_t{1} << bit;
  }
}

std::size_t Folding::representative(std::size_t accelerator) const {
  EXPECTS(accelerator < accelerators_, accelerator, accelerators_);
  auto number = accelerator;
  for (auto bit = folded_bits_.rbegin(); bit != folded_bits_.rend(); ++bit) {
    auto const below = (std::size_t{1} << *bit) - 1;
    number = ((number >> 1U) & ~below) | (number & below);
  }
  return number;
}

std::size_t Folding::accelerator(std::size_t representative) const {
  EXPECTS(representative < representatives(), representative, representatives());
  auto index = representative;
  for (auto const bit : folded_bits_) {
    auto const below = (std::size_t{1} << bit) - 1;
    index = ((index & ~below) << 1U) | (index & below);
  }
  return index;
}

std::vector<std::size_t> Folding::copies_of(std::size_t representative) const {
  std::vector<std::size_t> all = {accelerator(representative)};
  for (auto const bit : folded_bits_) {
    auto const known = all.size();
    for (std::size_t i = 0; i < known; ++i) all.push_back(all[i] | (std::size_t{1} << bit));
  }
  return all;
}

int Folding::kept_below(int bits) const {
  int kept = bits;
  for (auto const bit : folded_bits_) kept -= static_cast<int>(bit) < bits ? 1 : 0;
  return kept;
}

}  // namespace tessera
