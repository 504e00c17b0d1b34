// Stripe by stripe on the channel that stands for all.
#include "sim/model/memory/dram_memory.hpp"

#include <algorithm>

#include "arch/base/config_error.hpp"
#include "arch/memory/dram_stripe.hpp"
#include "sim/model/memory/dram_memory_calm.hpp"
#include "sim/model/memory/dram_memory_kernels.hpp"

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
  constexpr auto most_blocks = std::int64_t{1} << 32;
  auto& top = spec.address_map.back();
  if (top.kind != arch::AddressField::Kind::row) return spec;
  auto blocks = spec.organization.capacity() / DramMemory::stripe(spec);
  for (; blocks < most_blocks && top.bits < 31; blocks *= 2) ++top.bits;
  return spec;
}

/// A log is of one channel.
DramChannels::Simulated simulated(MemoryParts const& parts) {
  bool const is_one = parts.commands || parts.fast_forward;
  return is_one ? DramChannels::Simulated::one : DramChannels::Simulated::all;
}

SimulatedChannel::Repeats repeats(MemoryParts const& parts) {
  using Repeats = SimulatedChannel::Repeats;
  return parts.fast_forward && !parts.commands ? Repeats::skipped : Repeats::worked_out;
}

}  // namespace

Bytes DramMemory::stripe(arch::DramSpec const& spec) { return arch::stripe_of(spec); }

DramMemory::DramMemory(arch::DramSpec const& spec, MemoryParts const& parts)
    : Memory{parts.clock, parts.graph},
      clock_period_{spec.clock_period},
      stripe_{stripe(spec)},
      reads_{with_more_rows(checked(spec)), Access::read, bursts_of_block(spec)},
      writes_{with_more_rows(spec), Access::write, bursts_of_block(spec)},
      commands_{spec, parts.commands},
      channels_{spec, parts.drams, simulated(parts), repeats(parts), commands_.observer()},
      is_cube_{spec.hmc.has_value()},
      links_{spec.hmc ? spec.hmc->links : 0},
      utilisation_{parts.utilisation} {
  if (repeats(parts) == SimulatedChannel::Repeats::skipped) calm_ = Calm::of(*this, spec);
  if (parts.kernels == arch::ExecutionSpec::Kernels::in_phase) {
    kernels_ = std::make_unique<Kernels>(*this, spec);
  }
  bool const per_bank = spec.policy.refresh == arch::DramPolicy::Refresh::per_bank;
  if (per_bank) statistics_.push_back({"bank_refreshes", "1"});
}

DramMemory::~DramMemory() = default;

KernelMemory* DramMemory::kernels() { return kernels_.get(); }

/// Its PEs are in the logic layer of a cube, beside the vaults: nothing goes through the crossbar
/// or over the links of the memory.
MemoryInside DramMemory::inside() {
  MemoryInside inside{is_cube_ ? "vault" : "channel", static_cast<std::size_t>(channels_.count())};
  for (auto& channel : channels_.simulated()) inside.simulated.push_back(&channel);
  if (!is_cube_) return inside;
  inside.unused.push_back({"crossbar", "crossbar"});
  for (std::int64_t link = 0; link < links_; ++link) {
    inside.unused.push_back({"link-" + std::to_string(link), "link"});
  }
  return inside;
}

Memory::Result DramMemory::perform(Task const& task, Time now) {
  auto const end = transfer(now, {access_of(task), next_address_, task.bytes});
  next_address_ += task.bytes;
  return {end};
}

Time DramMemory::transfer(Time at, Transfer const& transfer) {
  if (transfer.size == Bytes{0}) return at;
  EXPECTS(!kernels_ || kernels_->phase().is_in_kernel(), at);
  auto const first = cycle_at_or_after(at);
  auto const moved = ceil_ratio(transfer.size, stripe_);
  auto const& walk = transfer.access == Access::read ? reads_ : writes_;
  auto const base = static_cast<std::uint64_t>(transfer.address / stripe_);
  if (commands_.is_on()) {
    channels_.finish(first);  // with its refreshes up to then
    commands_.emit_before(first, origin_);
  }
  auto const done = channels_.serve(first, walk, base, static_cast<std::uint64_t>(moved));
  auto const end = origin_ + clock_period_ * done;
  count(transfer, moved, at, end);
  return end;
}

void DramMemory::close(Time end) {
  if (kernels_) return kernels_->close(end);
  channels_.close(end / clock_period_);
  refresh_until(end);
  commands_.emit_before(INT64_MAX, origin_);
}

/// Counts the refreshes that nobody had to wait for.
void DramMemory::refresh_until(Time now) {
  channels_.finish(now / clock_period_);
  count_commands();
}

std::int64_t DramMemory::cycle_at_or_after(Time time) const {
  return ceil_ratio(time - origin_, clock_period_);
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

void DramMemory::count_commands() {
  auto const added = channels_.take_statistics();
  statistics_[activates].add(added.activates);
  statistics_[bursts_read].add(added.reads);
  statistics_[bursts_written].add(added.writes);
  statistics_[refreshes].add(added.refreshes);
  statistics_[active_clocks].add(added.active_clocks);
  if (statistics_.size() > bank_refreshes) statistics_[bank_refreshes].add(added.bank_refreshes);
}

/// The channel as it was in the end, where kernels do not begin in phase; what has been counted.
struct DramMemory::Recorded final : Memory::Change {
  [[nodiscard]] std::size_t size() const override {
    return busy.all().size() + (channel ? channel_size : 0);
  }

  static constexpr std::size_t channel_size = 4096;  // its queues and calendars, in intervals
  std::optional<SimulatedChannel> channel;
  Time end{0};             ///< of the channel's work
  KernelPhase::Debt debt;  ///< where they do
  BusyIntervals busy;
  Counts counts{};
};

void DramMemory::record(Time now) {
  if (!kernels_) refresh_until(now);
  utilisation_.record();
  recorded_from_ = counts();
}

std::unique_ptr<Memory::Change> DramMemory::take_record() {
  EXPECTS(channels_.is_one(), channels_.count());
  auto record = std::make_unique<Recorded>();
  if (kernels_) {
    record->debt = kernels_->phase().debt();
    record->end = origin_;
  } else {
    record->channel = channels_.first();
    record->end = busy_until_;
  }
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
  if (kernels_) {
    kernels_->repeat(recorded.debt, now, recorded.end + by);
  } else {
    refresh_until(now);
    channels_.go_on(*recorded.channel, clocks_in(by));
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
  channels_.serialize(cycle_at_or_after(now), out);
  out.put_future(busy_until_, now);
  out.put((next_address_ - stripe_ * (next_address_ / stripe_)).value());
}

}  // namespace tessera::sim
