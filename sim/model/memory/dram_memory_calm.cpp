// Times in clocks, blocks as views of banks.
#include "sim/model/memory/dram_memory_calm.hpp"

#include <algorithm>

namespace tessera::sim {

/// The channel, and for how long the memory goes on being busy.
struct DramMemory::Calm::KeptChannel final : CalmMemory::Kept {
  KeptChannel(DramStream::Calm the_channel, Time the_busy)
      : channel{std::move(the_channel)}, busy{the_busy} {}

  DramStream::Calm channel;
  Time busy;
};

std::unique_ptr<CalmMemory> DramMemory::Calm::of(DramMemory& memory, arch::DramSpec const& spec) {
  constexpr auto most_blocks = std::uint64_t{1} << 32;  // whose numbers are half a word of a key
  bool const serves = memory.channels_.first().stream() != nullptr &&
                      memory.reads_.row_step() > 0 && memory.reads_.blocks() <= most_blocks;
  return serves ? std::make_unique<Calm>(memory, spec) : nullptr;
}

DramMemory::Calm::Calm(DramMemory& memory, arch::DramSpec const& spec) : memory_{memory} {
  using Policy = arch::DramPolicy;
  auto const& walk = memory.reads_;
  bool const refreshes = spec.policy.refresh != Policy::Refresh::none;
  // Where a request leaves its row closed, it does not matter which row it is.
  bool const closes = spec.policy.page == Policy::Page::closed;
  rules_ = {spec.clock_period,
            memory.stripe_,
            walk.turn(),
            closes ? walk.period() : walk.blocks(),
            closes ? UINT64_MAX : walk.blocks(),
            refreshes ? spec.timing.tREFI : 0,
            spec.timing.tRP,
            spec.timing.tRFC};
}

bool DramMemory::Calm::settle(Time now) {
  bool const is_calm = DramStream::Calm::settle(stream(), memory_.cycle_at_or_after(now));
  memory_.count_commands();
  return is_calm;
}

void DramMemory::Calm::write(Time now, std::uint64_t block, StateWriter& out) {
  auto const since = now - memory_.origin_;
  out.put((since - memory_.clock_period_ * (since / memory_.clock_period_)).value());
  out.put_future(memory_.busy_until_, now);
  DramStream::Calm::write(stream(), memory_.cycle_at_or_after(now), memory_.reads_.view(block),
                          out);
}

std::unique_ptr<CalmMemory::Kept> DramMemory::Calm::keep(Time now, std::uint64_t block) {
  return std::make_unique<KeptChannel>(
      DramStream::Calm{stream(), memory_.cycle_at_or_after(now), memory_.reads_.view(block)},
      std::max(memory_.busy_until_ - now, Time{0}));
}

void DramMemory::Calm::put_back(Kept const& kept, Time now, std::uint64_t block) {
  auto const& state = dynamic_cast<KeptChannel const&>(kept);
  state.channel.put_back(stream(), memory_.cycle_at_or_after(now), memory_.reads_.view(block));
  memory_.busy_until_ = now + state.busy;
  memory_.count_commands();
}

void DramMemory::Calm::refresh(Time now) {
  DramStream::Calm::refresh(stream(), memory_.cycle_at_or_after(now));
  memory_.count_commands();
}

void DramMemory::Calm::watch() {
  counts_ = memory_.counts();
  busy_ = {};
  memory_.watched_ = &busy_;
  epoch_ = DramStream::Calm::epoch(stream());
}

/// Refreshes are the calendar's.
CalmMemory::Used DramMemory::Calm::watched(Time next) {
  memory_.watched_ = nullptr;
  auto const until = DramStream::Calm::rest(stream(), memory_.cycle_at_or_after(next));
  memory_.count_commands();
  Used used;
  used.counts = memory_.counts();
  for (std::size_t i = 0; i < counts_.size(); ++i) used.counts.at(i) -= counts_.at(i);
  used.counts.at(refreshes) = 0;
  used.busy = std::move(busy_);
  used.until = until;
  used.stayed_calm =
      DramStream::Calm::is_calm(stream()) && DramStream::Calm::epoch(stream()) == epoch_;
  return used;
}

void DramMemory::Calm::add(Counts const& counts) {
  for (std::size_t i = 0; i < memory_.statistics_.size(); ++i) {
    memory_.statistics_.at(i).add(counts.at(i));
  }
}

}  // namespace tessera::sim
