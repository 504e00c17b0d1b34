#include "arch/base/hierarchy.hpp"

#include <algorithm>

#include "arch/base/contract.hpp"

namespace tessera {

namespace {

/// Largest first.
std::vector<std::size_t> prime_factors(std::size_t number) {
  std::vector<std::size_t> factors;
  for (std::size_t factor = 2; factor * factor <= number; ++factor) {
    for (; number % factor == 0; number /= factor) factors.push_back(factor);
  }
  if (number > 1) factors.push_back(number);
  std::reverse(factors.begin(), factors.end());
  return factors;
}

}  // namespace

Hierarchy::Hierarchy(std::size_t accelerators) : sizes_{accelerators} {
  EXPECTS(accelerators > 0, accelerators);
  ways_ = prime_factors(accelerators);
  for (auto const ways : ways_) sizes_.push_back(sizes_.back() / ways);
}

std::size_t Hierarchy::sibling(std::size_t accelerator, std::size_t level, std::size_t turn) const {
  auto const here = part(accelerator, level);
  auto const there = (here + turn) % ways(level);
  return accelerator + there * group_size(level + 1) - here * group_size(level + 1);
}

}  // namespace tessera
