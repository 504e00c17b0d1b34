// Random whole numbers, the same from the same seed with every standard library.
#pragma once

#include <cstdint>
#include <random>

namespace tessera::test {

class Draw final {
 public:
  explicit Draw(std::uint64_t seed) : random_{seed} {}

  /// Any of low, low + 1 ... high.
  std::int64_t operator()(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(high - low + 1));
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace tessera::test
