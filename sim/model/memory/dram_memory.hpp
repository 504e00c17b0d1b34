// The accelerator's memory as vaults or channels of DRAM.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "arch/memory/dram_spec.hpp"
#include "sim/model/memory/dram/kernel_phase.hpp"
#include "sim/model/memory/memory.hpp"
#include "sim/model/memory/simulated_channel.hpp"

namespace tessera::sim {

/// Every transfer is a run of whole stripes. A stripe is one block on every channel (HMC: 256 bytes
/// on each of 32 vaults), so all channels see the same requests at the same clocks and are in the
/// same state for ever: one is simulated, command by command, and stands for all, exactly; without
/// fast-forward all are. A transfer begins at a stripe and is rounded up to whole ones; the words
/// that nobody asked for cost time and energy like the others ("stripes"), but are no bytes read or
/// written.
///
/// A host may call the channels through something of its own (call_through), as the shell does
/// through a SystemC module for each.
///
/// Load and store tasks walk through the memory one behind the other, as they come without
/// addresses.
///
/// Where kernels begin in phase, every kernel finds channels as they are at time 0
/// (dram/kernel_phase.hpp).
///
/// Leaves out: the way from the PEs to the vaults (the HMC's crossbar, the NoC of an HBM chip) but
/// for the controller's latency; ECC; where transfers go beside the memory (AcceleratorSpec::
/// transfer_block), contention with them, whose words count as energy only.
class DramMemory final : public Memory {
 public:
  /// Throws ConfigError where the address map does not spread blocks over all channels first.
  DramMemory(arch::DramSpec const& spec, MemoryParts const& parts);

  [[nodiscard]] Time transfer(Time at, Transfer const& transfer) override;
  void close(Time end) override;

  [[nodiscard]] bool is_in_phase() const override { return fresh_.has_value(); }
  [[nodiscard]] Time begin_task(Time now) override;
  void begin_kernel(Time now, Time start) override;
  [[nodiscard]] Time end_kernel(Time now) override;
  void end_task(Time now) override;
  void write_places(std::array<Region, 3> const& operands, StateWriter& out) const override;

  void record(Time now) override;
  [[nodiscard]] std::unique_ptr<Change> take_record() override;
  void repeat(Change const& change, Time then, Time now) override;

  void serialize(Time now, StateWriter& out) const override;
  [[nodiscard]] std::vector<Statistic> const& statistics() const override { return statistics_; }
  [[nodiscard]] char const* kind() const override { return is_cube_ ? "HMC" : "DRAM"; }

  [[nodiscard]] CalmMemory* calm() override { return calm_.get(); }
  [[nodiscard]] RepeatedBlocks repeated_blocks() const override;
  [[nodiscard]] MemoryInside inside() override;
  void call_through(std::size_t channel, MemoryChannel& caller) override;

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
  using Counts = std::array<std::int64_t, bank_refreshes + 1>;

  [[nodiscard]] Result perform(Task const& task, Time now) override;
  [[nodiscard]] Counts counts() const;
  [[nodiscard]] std::int64_t cycle_at_or_after(Time time) const;
  [[nodiscard]] std::int64_t clocks_in(Time by) const;
  void count(Transfer const& transfer, std::int64_t stripes_moved, Time start, Time end);
  [[nodiscard]] std::vector<SimulatedChannel> make_channels(arch::DramSpec const& spec);
  void tell_commands(std::int64_t before);
  void rest(Time now);
  void tell_refreshes(std::int64_t count);
  void close_phase(Time end);
  void refresh_until(Time now);
  [[nodiscard]] DramStatistics commands() const;
  void count_commands();

  Time clock_period_;
  Time precharge_after_;  ///< the last data of a kernel
  Time refresh_after_;    ///< likewise
  Time refresh_interval_;
  Bytes stripe_;
  DramWalk reads_;
  DramWalk writes_;
  std::function<void(Time, DramCommand const&)> commands_;
  bool fast_forward_;
  std::vector<DramCommand> untold_;         ///< commands that earlier ones may yet come before
  std::vector<SimulatedChannel> channels_;  ///< all, or the one that stands for all
  std::vector<MemoryChannel*> callers_;     ///< through which these are called
  std::int64_t stands_for_;                 ///< how many each of these stands for
  bool is_cube_;                            ///< with vaults, a crossbar and links
  std::int64_t links_;                      ///< of a cube
  BusyHistogram& utilisation_;

  KernelPhase phase_;
  std::optional<SimulatedChannel> fresh_;  ///< where kernels begin in phase: as one finds a channel
  RepeatedBlocks of_kernels_before_;       ///< likewise

  Time busy_until_{0};
  Bytes next_address_{0};  ///< of load and store tasks
  Counts recorded_from_{};
  std::unique_ptr<CalmMemory> calm_;  ///< where the one channel is in closed form
  BusyIntervals* watched_ = nullptr;  ///< writes down when it is busy
  DramStatistics counted_;            ///< of the channels, as far as the counters have them
  std::vector<Statistic> statistics_{
      {"busy", "ps"},     {"bytes_read", "B"},   {"bytes_written", "B"}, {"words", "1"},
      {"stripes", "1"},   {"activates", "1"},    {"bursts_read", "1"},   {"bursts_written", "1"},
      {"refreshes", "1"}, {"active_clocks", "1"}};  ///< of banks: where they are
};

}  // namespace tessera::sim
