// What a run costs the machine that it runs on.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace tessera::sim {

class Stopwatch final {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Of this process so far, in bytes.
[[nodiscard]] std::int64_t peak_memory();

/// That this process has taken so far, in seconds: its own and the system's for it.
[[nodiscard]] double cpu_time_s();

/// That the machine has, or as much of it as this process may have, in bytes.
[[nodiscard]] std::int64_t memory_of_machine();

[[nodiscard]] std::string host_name();

}  // namespace tessera::sim
