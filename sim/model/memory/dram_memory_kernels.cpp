// The phase says when; channels start anew.
#include "sim/model/memory/dram_memory_kernels.hpp"

#include <algorithm>

namespace tessera::sim {

/// Lets the phase do something at rest, and logs its refreshes.
template <typename Act>
Time DramMemory::Kernels::rest_and_log(Time rests_since, Act const& act) {
  auto const before = phase_.refreshes();
  auto const wait = act(phase_);
  memory_.origin_ = phase_.origin();
  memory_.commands_.emit_refreshes(phase_.refreshes() - before, rests_since, memory_.origin_);
  return wait;
}

Time DramMemory::Kernels::begin_task(Time now) {
  return rest_and_log(phase_.origin(), [now](KernelPhase& phase) { return phase.begin_task(now); });
}

void DramMemory::Kernels::begin_kernel(Time now, Time start) {
  phase_.begin_kernel(now, start);
  memory_.origin_ = now;
}

Time DramMemory::Kernels::end_kernel(Time now) {
  rest(now);
  return rest_and_log(now, [now](KernelPhase& phase) { return phase.end_kernel(now); });
}

void DramMemory::Kernels::end_task(Time now) {
  rest(now);
  phase_.end_task(now);
  memory_.origin_ = now;
}

void DramMemory::Kernels::rest(Time now) {
  if (now == memory_.origin_) return;  // nothing was asked for
  memory_.channels_.finish((now - memory_.origin_) / memory_.clock_period_);
  memory_.count_commands();
  memory_.commands_.emit_kernel(memory_.origin_, now);
  memory_.channels_.restart();
}

/// A run that was broken off may end before its last computation does.
void DramMemory::Kernels::close(Time end) {
  phase_.close(std::max(end, phase_.origin()));
  memory_.statistics_[refreshes].add(phase_.refreshes() * memory_.channels_.count());
}

/// In turns of the address map: two blocks are in one row if they are of one turn, and in one bank
/// if their turns are a multiple of a period apart. Which turns these are does not matter.
void DramMemory::Kernels::write_layout(std::array<Region, 3> const& operands,
                                       StateWriter& out) const {
  auto const& walk = memory_.reads_;
  auto const unit = walk.keeps_rows() ? walk.turn() : walk.period();
  auto const bytes = memory_.stripe_ * static_cast<std::int64_t>(unit);
  auto const units = static_cast<std::int64_t>(walk.blocks() / unit);
  auto const alike = static_cast<std::int64_t>(walk.period() / unit);
  struct Span {
    std::int64_t first, count;
  };
  std::array<Span, 3> spans{};
  std::size_t count = 0;
  for (auto const& [address, size] : operands) {
    if (size == Bytes{0}) continue;
    auto const first = address / bytes;
    out.put((address - bytes * first).value());
    spans.at(count++) = {first, std::min(ceil_ratio(address + size, bytes) - first, units)};
  }
  for (std::size_t i = 1; i < count; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      auto const on = ((spans[i].first - spans[j].first) % units + units) % units;  // round the end
      bool const share_rows = on < spans[j].count || (units - on) % units < spans[i].count;
      out.put(share_rows ? on : -1 - on % alike);
    }
  }
}

}  // namespace tessera::sim
