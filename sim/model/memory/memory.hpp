// The accelerator's memory: what all models of it share, and the choice among them.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "arch/array/array_spec.hpp"
#include "sim/model/control/task_server.hpp"
#include "sim/model/memory/calm_memory.hpp"
#include "sim/model/memory/dram/dram_command.hpp"
#include "sim/model/memory/kernel_memory.hpp"
#include "sim/model/memory/memory_channel.hpp"
#include "sim/model/protocol/model_registry.hpp"
#include "sim/model/record/busy_histogram.hpp"

namespace tessera::sim {

class DramLibrary;

/// Asks a memory for pieces of tiles, at times that it knows ahead.
class MemoryMaster {
 public:
  virtual ~MemoryMaster() = default;
  /// Asks for all that it has to ask for before `now`.
  virtual void ask_before(Time now) = 0;
};

/// A memory serves up to three masters. The dispatcher sends load and store tasks as messages. A
/// core unit that computes tile by tile calls transfer() for each piece of a tile, ahead of the
/// simulated time: while it computes nobody else asks, so the answer is already certain (a
/// computation and load or store tasks of one accelerator never run beside each other; see
/// lower.hpp). Where transfers go through the memory the network interface asks, too: then both ask
/// when it is time, and those of one instant in this order: network interface, core unit.
class Memory : public TaskServer {
 public:
  struct Transfer {
    Access access = Access::read;
    Bytes address{0};
    Bytes size{0};
  };

  /// Asks at `at`, which is no earlier than the transfer before; returns when the last byte is
  /// there. Transfers are served in order and may overlap.
  [[nodiscard]] virtual Time transfer(Time at, Transfer const& transfer) = 0;

  /// Who computes beside transfers that go through the memory; it must outlive the memory's use.
  void set_master(MemoryMaster& master) { master_ = &master; }
  /// Asks at `now` on behalf of the network interface. Transfers of links have no address here:
  /// they walk through the memory one behind the other.
  [[nodiscard]] Time transfer_of_link(Time now, Access access, Bytes size);

  /// Writes its state relative to `now`: memories of equal text answer equal transfers alike.
  virtual void serialize(Time now, StateWriter& out) const = 0;

  /// What a run of transfers left behind, for repeating it.
  class Change {
   public:
    virtual ~Change() = default;
    /// How much it remembers.
    [[nodiscard]] virtual std::size_t size() const = 0;
  };
  /// From `now` on, until take_record(), transfers are also written down.
  virtual void record(Time /*now*/) {}
  /// Nothing where a memory cannot repeat.
  [[nodiscard]] virtual std::unique_ptr<Change> take_record() { return nullptr; }
  /// Does at `now` once more what was recorded from `then` on. Requires a change of this kind of
  /// memory, and the state, relative to now, in which its recording began.
  virtual void repeat(Change const& /*change*/, Time /*then*/, Time /*now*/) {}
  /// Nothing where single transfers cannot be repeated, or must not.
  [[nodiscard]] virtual CalmMemory* calm() { return nullptr; }

  /// Nothing where kernels do not begin in phase with it.
  [[nodiscard]] virtual KernelMemory* kernels() { return nullptr; }

  /// Of its simulated channels.
  [[nodiscard]] virtual RepeatedBlocks repeated_blocks() const { return {}; }

  /// Accounts for the time up to the end of the run.
  virtual void close(Time /*end*/) {}

  /// Its vaults or channels, where it has any.
  [[nodiscard]] virtual MemoryInside inside() { return {}; }
  /// From now on the simulated channel of that number is called through `caller`, which must
  /// outlive the last call and pass every call on to it. Requires a channel that is simulated.
  virtual void call_through(std::size_t channel, MemoryChannel& caller);

 protected:
  using TaskServer::TaskServer;

  /// Loads and stores have no address: all begin at the first.
  [[nodiscard]] Result perform(Task const& task, Time now) override;

 private:
  MemoryMaster* master_ = nullptr;
  Bytes next_of_links_{0};
};

/// The counters of every memory. A word has 32 bits; each transfer is rounded up to whole words.
class MemoryCounters final {
 public:
  /// One transfer that keeps the memory busy for `busy`.
  void count(Access access, Bytes size, Time busy);
  [[nodiscard]] std::vector<Statistic> const& all() const { return statistics_; }

 private:
  enum Counter : std::size_t { busy_time, bytes_read, bytes_written, words };
  std::vector<Statistic> statistics_{
      {"busy", "ps"}, {"bytes_read", "B"}, {"bytes_written", "B"}, {"words", "1"}};
};

/// What a load or a store asks for.
[[nodiscard]] Access access_of(Task const& task);

/// The 32-bit words that `bytes` fill, the last one perhaps partly.
[[nodiscard]] std::int64_t words_of(Bytes bytes);

/// What a memory is built with; all of it must outlive the memory.
struct MemoryParts {
  MessageClock clock;  ///< of the accelerator
  TaskGraph const& graph;
  BusyHistogram& utilisation;
  DramLibrary& drams;  ///< what memories of a DRAM know in common
  /// Hears of every command of a DRAM, in order of time; unset: nobody asked.
  std::function<void(Time, DramCommand const&)> commands = {};
  /// Serve a long transfer period by period where its blocks provably repeat (DramStream), on one
  /// channel for all.
  bool fast_forward = true;
  arch::ExecutionSpec::Kernels kernels = arch::ExecutionSpec::Kernels::free;
};

/// Memories of `kind: model`, by name.
using MemoryModels = ModelRegistry<Memory, MemoryParts>;
/// The table of contents.
[[nodiscard]] MemoryModels builtin_memory_models();

/// The model that `spec` names. Throws ConfigError where it is none of `models`, or its keys are
/// wrong.
[[nodiscard]] std::unique_ptr<Memory> make_memory(
    arch::MemorySpec const& spec, MemoryParts const& parts,
    MemoryModels const& models = builtin_memory_models());

}  // namespace tessera::sim
