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

}  // namespace

Bytes DramMemory::stripe(arch::DramSpec const& spec) { return arch::stripe_of(spec); }

DramMemory::DramMemory(arch::DramSpec const& spec, MemoryParts const& parts)
    : Memory{parts.clock, parts.graph},
      clock_period_{spec.clock_period},
      stripe_{stripe(spec)},
      reads_{checked(spec), Access::read, bursts_of_block(spec)},
      writes_{spec, Access::write, bursts_of_block(spec)},
      commands_{parts.commands},
      fast_forward_{parts.fast_forward && !parts.commands},
      channels_{make_channels(spec)},
      stands_for_{spec.organization.channels / static_cast<std::int64_t>(channels_.size())},
      is_cube_{spec.hmc.has_value()},
      links_{spec.hmc ? spec.hmc->links : 0},
      utilisation_{parts.utilisation} {
  for (auto& channel : channels_) callers_.push_back(&channel);
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
  RepeatedBlocks blocks;
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

Memory::Result DramMemory::perform(Task const& task, Time now) {
  auto const end = transfer(now, {access_of(task), next_address_, task.bytes});
  next_address_ += task.bytes;
  return {end};
}

Time DramMemory::transfer(Time at, Transfer const& transfer) {
  if (transfer.size == Bytes{0}) return at;
  auto const first = cycle_at_or_after(at);
  auto const moved = ceil_ratio(transfer.size, stripe_);
  auto const& walk = transfer.access == Access::read ? reads_ : writes_;
  auto const base = static_cast<std::uint64_t>(transfer.address / stripe_);
  if (commands_) tell_commands(first);
  std::int64_t done = 0;
  for (auto* const channel : callers_) {
    done = std::max(done, channel->serve(first, walk, base, static_cast<std::uint64_t>(moved)));
  }
  auto const end = clock_period_ * done;
  count(transfer, moved, at, end);
  return end;
}

/// Commands of later requests may come before those of earlier ones, but not before `before`.
void DramMemory::tell_commands(std::int64_t before) {
  std::sort(untold_.begin(), untold_.end(),
            [](auto const& a, auto const& b) { return a.key() < b.key(); });
  auto const end = std::find_if(untold_.begin(), untold_.end(),
                                [&](auto const& command) { return command.cycle >= before; });
  for (auto it = untold_.begin(); it != end; ++it) commands_(clock_period_ * it->cycle, *it);
  untold_.erase(untold_.begin(), end);
}

void DramMemory::close(Time end) {
  for (auto& channel : channels_) channel.close(end / clock_period_);
  refresh_until(end);
  if (commands_) tell_commands(INT64_MAX);
}

/// Counts the refreshes that nobody had to wait for.
void DramMemory::refresh_until(Time now) {
  for (auto& channel : channels_) channel.finish(now / clock_period_);
  count_commands();
}

std::int64_t DramMemory::cycle_at_or_after(Time time) const {
  return ceil_ratio(time, clock_period_);
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

/// The channel as it was in the end, and what has been counted.
struct DramMemory::Recorded final : Memory::Change {
  Recorded(SimulatedChannel the_channel, Time the_end, BusyIntervals intervals, Counts the_counts)
      : channel{std::move(the_channel)},
        busy_until{the_end},
        busy{std::move(intervals)},
        counts{the_counts} {}

  [[nodiscard]] std::size_t size() const override { return busy.all().size() + channel_size; }

  static constexpr std::size_t channel_size = 4096;  // its queues and calendars, in intervals
  SimulatedChannel channel;
  Time busy_until;
  BusyIntervals busy;
  Counts counts;
};

void DramMemory::record(Time now) {
  refresh_until(now);
  utilisation_.record();
  recorded_from_ = counts();
}

std::unique_ptr<Memory::Change> DramMemory::take_record() {
  auto added = counts();
  for (std::size_t i = 0; i < added.size(); ++i) added.at(i) -= recorded_from_.at(i);
  EXPECTS(channels_.size() == 1, channels_.size());
  return std::make_unique<Recorded>(channels_.front(), busy_until_, utilisation_.take_record(),
                                    added);
}

void DramMemory::repeat(Change const& change, Time then, Time now) {
  refresh_until(now);
  auto const by = now - then;
  auto const& recorded = dynamic_cast<Recorded const&>(change);
  channels_.front() = recorded.channel;
  channels_.front().shift(clocks_in(by));
  counted_ = commands();
  busy_until_ = recorded.busy_until + by;
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
