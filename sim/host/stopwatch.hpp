// How long something takes on the machine that it runs on.
#pragma once

#include <chrono>

namespace tessera::sim {

class Stopwatch final {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace tessera::sim
