// Looking for what repeats costs little where little repeats: what is found earns patience, what is not spends it, and without any one
// does not look for a while, longer each time.
#pragma once

#include <algorithm>
#include <cstdint>

namespace tessera::sim {

class Patience final {
 public:
  /// Not while it is asleep, for a step that counts as so many.
  [[nodiscard]] bool looks(std::int64_t steps = 1) {
    if (asleep_ == 0) return true;
    asleep_ = std::max<std::int64_t>(asleep_ - steps, 0);
    if (asleep_ == 0) left_ = when_awake;
    return false;
  }
  [[nodiscard]] bool is_asleep() const { return asleep_ > 0; }
  void found() { left_ = std::min(left_ + of_find, most); }
  void missed() {
    if (--left_ > 0) return;
    asleep_ = sleep_;
    sleep_ = std::min(2 * sleep_, most_sleep);
  }

 private:
  static constexpr std::int64_t most = 256;
  static constexpr std::int64_t of_find = 4;
  static constexpr std::int64_t when_awake = 16;
  static constexpr std::int64_t most_sleep = 16384;

  std::int64_t left_ = most;
  std::int64_t asleep_ = 0;  ///< steps for which it does not look
  std::int64_t sleep_ = 64;  ///< how many it will be next time
};

}  // namespace tessera::sim
