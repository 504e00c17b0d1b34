// The accelerator's memory as vaults or channels of DRAM.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "arch/memory/dram_spec.hpp"
#include "sim/model/memory/dram/command_log.hpp"
#include "sim/model/memory/dram_channels.hpp"
#include "sim/model/memory/memory.hpp"

namespace tessera::sim {

/// Every transfer is a run of whole stripes. A stripe is one block on every channel (HMC: 256 bytes
/// on each of 32 vaults), so all channels are in the same state for ever (dram_channels.hpp): one
/// is simulated, command by command, and stands for all, exactly; without fast-forward all are. A
/// transfer begins at a stripe and is rounded up to whole ones; the words that nobody asked for
/// cost time and energy like the others ("stripes"), but are no bytes read or written.
///
/// A host may call the channels through something of its own (call_through), as the shell does
/// through a SystemC module for each.
///
/// Load and store tasks walk through the memory one behind the other, as they come without
/// addresses.
///
/// Where kernels begin in phase, every kernel finds channels as they were at first
/// (dram_memory_kernels.hpp). Tensors for which there is no room lie in rows that there are not.
///
/// Leaves out: the way from the PEs to the vaults (the HMC's crossbar, the NoC of an HBM chip) but
/// for the controller's latency; ECC; where transfers go beside the memory (AcceleratorSpec::
/// transfer_block), contention with them, whose words count as energy only.
class DramMemory final : public Memory {
 public:
  /// `spec` must outlive it, and what is recorded of it. Throws ConfigError where the address map
  /// does not spread blocks over all channels first.
  DramMemory(arch::DramSpec const& spec, MemoryParts const& parts);
  DramMemory(DramMemory const&) = delete;
  DramMemory& operator=(DramMemory const&) = delete;
  ~DramMemory() override;

  [[nodiscard]] Time transfer(Time at, Transfer const& transfer) override;
  void close(Time end) override;

  void record(Time now) override;
  [[nodiscard]] std::unique_ptr<Change> take_record() override;
  void repeat(Change const& change, Time then, Time now) override;

  void serialize(Time now, StateWriter& out) const override;
  [[nodiscard]] std::vector<Statistic> const& statistics() const override { return statistics_; }
  [[nodiscard]] char const* kind() const override { return is_cube_ ? "HMC" : "DRAM"; }

  [[nodiscard]] CalmMemory* calm() override { return calm_.get(); }
  [[nodiscard]] KernelMemory* kernels() override;
  [[nodiscard]] RepeatedBlocks repeated_blocks() const override {
    return channels_.repeated_blocks();
  }
  [[nodiscard]] MemoryInside inside() override;
  void call_through(std::size_t channel, MemoryChannel& caller) override {
    channels_.call_through(channel, caller);
  }

  /// One block on every channel.
  [[nodiscard]] static Bytes stripe(arch::DramSpec const& spec);

 private:
  enum Counter : std::size_t {
    busy_time,
    bytes_read,
    bytes_written,
    words,
    stripes,
    activates,
    bursts_read,
    bursts_written,
    refreshes,
    active_clocks,
    bank_refreshes,
  };

  struct Recorded;
  class Calm;
  class Kernels;
  using Counts = std::array<std::int64_t, bank_refreshes + 1>;

  [[nodiscard]] Result perform(Task const& task, Time now) override;
  [[nodiscard]] Counts counts() const;
  [[nodiscard]] std::int64_t cycle_at_or_after(Time time) const;
  [[nodiscard]] std::int64_t clocks_in(Time by) const;
  void count(Transfer const& transfer, std::int64_t stripes_moved, Time start, Time end);
  void refresh_until(Time now);
  void count_commands();

  Time clock_period_;
  Bytes stripe_;
  DramWalk reads_;
  DramWalk writes_;
  DramCommandLog commands_;
  DramChannels channels_;
  bool is_cube_;        ///< with vaults, a crossbar and links
  std::int64_t links_;  ///< of a cube
  BusyHistogram& utilisation_;

  Time origin_{0};  ///< from where on its clocks are counted: where a kernel in phase began
  Time busy_until_{0};
  Bytes next_address_{0};  ///< of load and store tasks
  Counts recorded_from_{};
  std::unique_ptr<CalmMemory> calm_;  ///< where the one channel is in closed form
  std::unique_ptr<Kernels> kernels_;  ///< where they begin in phase
  BusyIntervals* watched_ = nullptr;  ///< writes down when it is busy
  std::vector<Statistic> statistics_{
      {"busy", "ps"},     {"bytes_read", "B"},   {"bytes_written", "B"}, {"words", "1"},
      {"stripes", "1"},   {"activates", "1"},    {"bursts_read", "1"},   {"bursts_written", "1"},
      {"refreshes", "1"}, {"active_clocks", "1"}};  ///< of banks: where they are
};

}  // namespace tessera::sim
