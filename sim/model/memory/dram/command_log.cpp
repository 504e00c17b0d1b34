// Sorts what requests do out of turn.
#include "sim/model/memory/dram/command_log.hpp"

#include <algorithm>
#include <utility>

namespace tessera::sim {

DramCommandLog::DramCommandLog(arch::DramSpec const& spec, Listener listener)
    : listener_{std::move(listener)},
      clock_period_{spec.clock_period},
      precharge_{clock_period_ * spec.timing.until_precharge()},
      refresh_{clock_period_ * spec.timing.until_closed()},
      interval_{clock_period_ * spec.timing.tREFI},
      length_{clock_period_ * spec.timing.tRFC} {}

DramChannel::Observer DramCommandLog::observer() {
  if (!is_on()) return {};
  return [this](DramCommand const& command) { pending_.push_back(command); };
}

void DramCommandLog::emit_before(std::int64_t cycle, Time origin) {
  if (!is_on()) return;
  std::sort(pending_.begin(), pending_.end(),
            [](auto const& a, auto const& b) { return a.key() < b.key(); });
  auto const end = std::find_if(pending_.begin(), pending_.end(),
                                [&](auto const& command) { return command.cycle >= cycle; });
  for (auto it = pending_.begin(); it != end; ++it) {
    listener_(origin + clock_period_ * it->cycle, *it);
  }
  pending_.erase(pending_.begin(), end);
}

void DramCommandLog::emit_kernel(Time begin, Time end) {
  if (!is_on()) return;
  emit_before(INT64_MAX, begin);
  listener_(end + precharge_, {0, DramCommand::Kind::precharge_all, 0, 0});
}

void DramCommandLog::emit_refreshes(std::int64_t count, Time begin, Time end) {
  if (!is_on() || count == 0) return;
  auto const evenly = Time{(end - begin).value() / count};
  auto const apart = std::max(length_, std::min(interval_, evenly));
  for (std::int64_t i = 0; i < count; ++i) {
    listener_(begin + refresh_ + apart * i, {0, DramCommand::Kind::refresh, 0, 0});
  }
}

}  // namespace tessera::sim
