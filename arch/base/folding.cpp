// Taking levels out of an index and putting them back.
#include "arch/base/folding.hpp"

namespace tessera {

Folding::Folding(std::size_t accelerators, std::vector<bool> const& folded)
    : hierarchy_{accelerators}, folded_{folded}, kept_(folded.size() + 1, 1) {
  EXPECTS(folded.size() == hierarchy_.levels(), accelerators, folded.size());
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
    for (std::size_t part = 1; part < hierarchy_.ways(level); ++part) {
      for (auto const first : first_parts) {
        all.push_back(first + part * hierarchy_.group_size(level + 1));
      }
    }
  }
  return all;
}

}  // namespace tessera
