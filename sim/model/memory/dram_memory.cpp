// Stripe by stripe on the channel that stands for all.
#include "sim/model/memory/dram_memory.hpp"

#include <algorithm>

#include "arch/base/config_error.hpp"
#include "arch/memory/dram_stripe.hpp"
#include "sim/model/memory/dram_memory_calm.hpp"

namespace tessera::sim {

namespace {

/// Do all channels get a block before any gets its second?
bool spreads_blocks(arch::DramSpec const& spec) {
  std::int64_t channels = 1;
  for (auto const& field : spec.address_map) {
    using Kind = arch::AddressField::Kind;
    if (field.kind == Kind::channel) {
      channels <<= field.bits;
    } else if (channels > 1 || (field.kind != Kind::byte && field.kind != Kind::column)) {
      break;
    }
  }
  return channels == spec.organization.channels;
}

std::uint16_t bursts_of_block(arch::DramSpec const& spec) {
  return static_cast<std::uint16_t>(spec.block() / spec.organization.burst());
}

arch::DramSpec const& checked(arch::DramSpec const& spec) {
  if (!spreads_blocks(spec)) {
    throw ConfigError({}, spec.name,
                      "the address map does not spread neighbouring blocks over all channels "
                      "(channel bits must follow those of byte and column)");
  }
  return spec;
}

/// Tensors for which there is no room lie in rows that there are not, and in nobody else's.
arch::DramSpec with_more_rows(arch::DramSpec spec) {
  constexpr auto most_blocks = std::int64_t{1} << 31;
  auto& top = spec.address_map.back();
  if (top.kind != arch::AddressField::Kind::row) return spec;
  auto blocks = spec.organization.capacity() / DramMemory::stripe(spec);
  for (; blocks < most_blocks && top.bits < 31; blocks *= 2) ++top.bits;
  return spec;
}

/// From one refresh to the next; 0: there are none.
Time refresh_interval(arch::DramSpec const& spec) {
  bool const refreshes = spec.policy.refresh != arch::DramPolicy::Refresh::none;
  return spec.clock_period * (refreshes ? spec.timing.tREFI : 0);
}

/// For which a refresh interrupts a stream of reads.
Time refresh_gap(arch::DramSpec const& spec) {
  auto const& t = spec.timing;
  return spec.clock_period * (t.tRTP + t.tRP + t.tRFC + t.tRCD);
}

}  // namespace

Bytes DramMemory::stripe(arch::DramSpec const& spec) { return arch::stripe_of(spec); }

DramMemory::DramMemory(arch::DramSpec const& spec, MemoryParts const& parts)
    : Memory{parts.clock, parts.graph},
      clock_period_{spec.clock_period},
      precharge_after_{clock_period_ * std::max(spec.timing.tRAS, spec.timing.tWR)},
      refresh_after_{precharge_after_ + clock_period_ * spec.timing.tRP},
      refresh_interval_{refresh_interval(spec)},
      stripe_{stripe(spec)},
      reads_{with_more_rows(checked(spec)), Access::read, bursts_of_block(spec)},
      writes_{with_more_rows(spec), Access::write, bursts_of_block(spec)},
      commands_{parts.commands},
      fast_forward_{parts.fast_forward && !parts.commands},
      channels_{make_channels(spec)},
      stands_for_{spec.organization.channels / static_cast<std::int64_t>(channels_.size())},
      is_cube_{spec.hmc.has_value()},
      links_{spec.hmc ? spec.hmc->links : 0},
      utilisation_{parts.utilisation},
      phase_{refresh_interval_, refresh_gap(spec)} {
  for (auto& channel : channels_) callers_.push_back(&channel);
  if (parts.kernels == arch::ExecutionSpec::Kernels::in_phase) fresh_ = channels_.front();
  if (fast_forward_ && channels_.size() == 1) calm_ = Calm::of(*this, spec);
  bool const per_bank = spec.policy.refresh == arch::DramPolicy::Refresh::per_bank;
  if (per_bank) statistics_.push_back({"bank_refreshes", "1"});
}

std::vector<SimulatedChannel> DramMemory::make_channels(arch::DramSpec const& spec) {
  std::function<void(DramCommand const&)> observer;
  if (commands_) observer = [this](DramCommand const& command) { untold_.push_back(command); };
  bool const is_one = commands_ || fast_forward_;
  auto const simulated = static_cast<std::size_t>(is_one ? 1 : spec.organization.channels);
  using Repeats = SimulatedChannel::Repeats;
  auto const repeats = fast_forward_ ? Repeats::skipped : Repeats::worked_out;
  return std::vector<SimulatedChannel>(simulated, SimulatedChannel{spec, repeats, observer});
}

RepeatedBlocks DramMemory::repeated_blocks() const {
  auto blocks = of_kernels_before_;
  for (auto const& channel : channels_) blocks += channel.repeated_blocks();
  return blocks;
}

/// Its PEs are in the logic layer of a cube, beside the vaults: nothing goes through the crossbar
/// or over the links of the memory.
MemoryInside DramMemory::inside() {
  MemoryInside inside{is_cube_ ? "vault" : "channel",
                      channels_.size() * static_cast<std::size_t>(stands_for_)};
  for (auto& channel : channels_) inside.simulated.push_back(&channel);
  if (!is_cube_) return inside;
  inside.unused.push_back({"crossbar", "crossbar"});
  for (std::int64_t link = 0; link < links_; ++link) {
    inside.unused.push_back({"link-" + std::to_string(link), "link"});
  }
  return inside;
}

void DramMemory::call_through(std::size_t channel, MemoryChannel& caller) {
  callers_.at(channel) = &caller;
}

Time DramMemory::begin_task(Time now) {
  if (!is_in_phase()) return Time{0};
  auto const before = phase_.refreshes();
  auto const wait = phase_.begin_task(now);
  tell_refreshes(phase_.refreshes() - before);
  return wait;
}

void DramMemory::begin_kernel(Time now, Time start) { phase_.begin_kernel(now, start); }

Time DramMemory::end_kernel(Time now) {
  rest(now);
  auto const before = phase_.refreshes();
  auto const wait = phase_.end_kernel(now);
  tell_refreshes(phase_.refreshes() - before);
  return wait;
}

void DramMemory::end_task(Time now) {
  rest(now);
  phase_.end_task(now);
}

/// All rows are closed, and channels are as they were at first.
void DramMemory::rest(Time now) {
  for (auto& channel : channels_) {
    channel.finish((now - phase_.origin()) / clock_period_);
    of_kernels_before_ += channel.repeated_blocks();
  }
  count_commands();
  if (commands_) {
    tell_commands(INT64_MAX);
    commands_(now + precharge_after_, {0, DramCommand::Kind::precharge_all, 0, 0});
  }
  std::fill(channels_.begin(), channels_.end(), *fresh_);
  counted_ = commands();
}

/// Those outside of kernels, an interval apart.
void DramMemory::tell_refreshes(std::int64_t count) {
  if (!commands_) return;
  for (; count > 0; --count) {
    auto const earlier = refresh_interval_ * (count - 1);
    commands_(phase_.origin() + refresh_after_ - earlier, {0, DramCommand::Kind::refresh, 0, 0});
  }
}

/// In turns of the address map: two blocks are in one row if they are of one turn, and in one bank
/// if their turns are a multiple of a period apart. Which turns these are does not matter.
void DramMemory::write_places(std::array<Region, 3> const& operands, StateWriter& out) const {
  auto const unit = reads_.keeps_rows() ? reads_.turn() : reads_.period();
  auto const bytes = stripe_ * static_cast<std::int64_t>(unit);
  auto const units = static_cast<std::int64_t>(reads_.blocks() / unit);
  auto const alike = static_cast<std::int64_t>(reads_.period() / unit);
  struct Span {
    std::int64_t first, count;
  };
  std::vector<Span> spans;
  for (auto const& [address, size] : operands) {
    if (size == Bytes{0}) continue;
    auto const first = address / bytes;
    out.put((address - bytes * first).value());
    spans.push_back({first, std::min(ceil_ratio(address + size, bytes) - first, units)});
  }
  for (std::size_t i = 1; i < spans.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      auto const on = ((spans[i].first - spans[j].first) % units + units) % units;  // round the end
      bool const share_rows = on < spans[j].count || (units - on) % units < spans[i].count;
      out.put(share_rows ? on : -1 - on % alike);
    }
  }
}

Memory::Result DramMemory::perform(Task const& task, Time now) {
  auto const end = transfer(now, {access_of(task), next_address_, task.bytes});
  next_address_ += task.bytes;
  return {end};
}

Time DramMemory::transfer(Time at, Transfer const& transfer) {
  if (transfer.size == Bytes{0}) return at;
  EXPECTS(!is_in_phase() || phase_.is_in_kernel(), at);
  auto const first = cycle_at_or_after(at);
  auto const moved = ceil_ratio(transfer.size, stripe_);
  auto const& walk = transfer.access == Access::read ? reads_ : writes_;
  auto const base = static_cast<std::uint64_t>(transfer.address / stripe_);
  if (commands_) tell_commands(first);
  std::int64_t done = 0;
  for (auto* const channel : callers_) {
    done = std::max(done, channel->serve(first, walk, base, static_cast<std::uint64_t>(moved)));
  }
  auto const end = phase_.origin() + clock_period_ * done;
  count(transfer, moved, at, end);
  return end;
}

/// Commands of later requests may come before those of earlier ones, but not before `before`.
void DramMemory::tell_commands(std::int64_t before) {
  std::sort(untold_.begin(), untold_.end(),
            [](auto const& a, auto const& b) { return a.key() < b.key(); });
  auto const end = std::find_if(untold_.begin(), untold_.end(),
                                [&](auto const& command) { return command.cycle >= before; });
  for (auto it = untold_.begin(); it != end; ++it) {
    commands_(phase_.origin() + clock_period_ * it->cycle, *it);
  }
  untold_.erase(untold_.begin(), end);
}

void DramMemory::close(Time end) {
  if (is_in_phase()) return close_phase(end);
  for (auto& channel : channels_) channel.close(end / clock_period_);
  refresh_until(end);
  if (commands_) tell_commands(INT64_MAX);
}

/// A run that was broken off may end before the last computation does.
void DramMemory::close_phase(Time end) {
  static_cast<void>(begin_task(std::max(end, phase_.origin())));
  auto const channels = static_cast<std::int64_t>(channels_.size()) * stands_for_;
  statistics_[refreshes].add(phase_.refreshes() * channels);
}

/// Counts the refreshes that nobody had to wait for.
void DramMemory::refresh_until(Time now) {
  for (auto& channel : channels_) channel.finish(now / clock_period_);
  count_commands();
}

std::int64_t DramMemory::cycle_at_or_after(Time time) const {
  return ceil_ratio(time - phase_.origin(), clock_period_);
}

/// Busy while anything is asked for and not there.
void DramMemory::count(Transfer const& transfer, std::int64_t stripes_moved, Time start, Time end) {
  auto const from = std::max(start, busy_until_);
  busy_until_ = std::max(busy_until_, end);
  utilisation_.add(from, std::max(from, end));
  if (watched_ != nullptr) watched_->add(from, std::max(from, end));
  statistics_[busy_time].add((std::max(from, end) - from).value());
  statistics_[transfer.access == Access::read ? bytes_read : bytes_written].add(
      transfer.size.value());
  statistics_[words].add(words_of(transfer.size));
  statistics_[stripes].add(stripes_moved);
  count_commands();
}

DramStatistics DramMemory::commands() const {
  DramStatistics sum;
  for (auto const& channel : channels_) sum += channel.statistics();
  return sum;
}

/// Of all channels.
void DramMemory::count_commands() {
  auto const now = commands();
  auto const add = [this](Counter counter, std::int64_t count, std::int64_t before) {
    statistics_[counter].add((count - before) * stands_for_);
  };
  add(activates, now.activates, counted_.activates);
  add(bursts_read, now.reads, counted_.reads);
  add(bursts_written, now.writes, counted_.writes);
  add(refreshes, now.refreshes, counted_.refreshes);
  add(active_clocks, now.active_clocks, counted_.active_clocks);
  if (statistics_.size() > bank_refreshes) {
    add(bank_refreshes, now.bank_refreshes, counted_.bank_refreshes);
  }
  counted_ = now;
}

/// The channel as it was in the end, where kernels do not begin in phase; what has been counted.
struct DramMemory::Recorded final : Memory::Change {
  [[nodiscard]] std::size_t size() const override {
    return busy.all().size() + (channel ? channel_size : 0);
  }

  static constexpr std::size_t channel_size = 4096;  // its queues and calendars, in intervals
  std::optional<SimulatedChannel> channel;
  Time end{0};             ///< of the channel's work
  KernelPhase::Left left;  ///< where they do
  BusyIntervals busy;
  Counts counts{};
};

void DramMemory::record(Time now) {
  if (!is_in_phase()) refresh_until(now);
  utilisation_.record();
  recorded_from_ = counts();
}

std::unique_ptr<Memory::Change> DramMemory::take_record() {
  EXPECTS(channels_.size() == 1 && !phase_.is_in_kernel(), channels_.size());
  auto record = std::make_unique<Recorded>();
  if (!is_in_phase()) record->channel = channels_.front();
  record->end = is_in_phase() ? phase_.origin() : busy_until_;
  record->left = phase_.left();
  record->busy = utilisation_.take_record();
  record->counts = counts();
  for (std::size_t i = 0; i < recorded_from_.size(); ++i) {
    record->counts.at(i) -= recorded_from_.at(i);
  }
  return record;
}

void DramMemory::repeat(Change const& change, Time then, Time now) {
  auto const by = now - then;
  auto const& recorded = dynamic_cast<Recorded const&>(change);
  if (is_in_phase()) {
    phase_.repeat(recorded.left, now, recorded.end + by);
  } else {
    refresh_until(now);
    channels_.front() = *recorded.channel;
    channels_.front().shift(clocks_in(by));
    counted_ = commands();
    busy_until_ = recorded.end + by;
  }
  utilisation_.add(recorded.busy, by);
  for (std::size_t i = 0; i < statistics_.size(); ++i) {
    statistics_.at(i).add(recorded.counts.at(i));
  }
}

/// On or back: an accelerator whose unit was still at work may have recorded what is to start at a
/// later time than now.
std::int64_t DramMemory::clocks_in(Time by) const {
  auto const clocks = by < Time{0} ? -((Time{0} - by) / clock_period_) : by / clock_period_;
  EXPECTS(clock_period_ * clocks == by, by, clock_period_);
  return clocks;
}

DramMemory::Counts DramMemory::counts() const {
  Counts counts{};
  for (std::size_t i = 0; i < statistics_.size(); ++i) counts.at(i) = statistics_[i].value;
  return counts;
}

void DramMemory::serialize(Time now, StateWriter& out) const {
  out.put((now - clock_period_ * (now / clock_period_)).value());
  for (auto const& channel : channels_) channel.serialize(cycle_at_or_after(now), out);
  out.put_future(busy_until_, now);
  out.put((next_address_ - stripe_ * (next_address_ / stripe_)).value());
}

}  // namespace tessera::sim
