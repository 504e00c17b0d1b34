// A stacked DRAM memory as data: an HMC cube, an HBM stack, or several of them behind one address map. The schema is
// tessera.memory/1; arch/presets/memory shows every key.
//
// All timing is counted in cycles of the memory's clock (tCK), under JEDEC's names.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arch/base/builtin_config.hpp"
#include "arch/base/config.hpp"
#include "arch/base/quantity.hpp"

namespace tessera::arch {

/// What there is. Counts are powers of two.
struct DramOrganization {
  std::int64_t channels = 1;         ///< vaults of a cube, channels of a stack: independent
  std::int64_t pseudo_channels = 1;  ///< of a channel: one command bus, a data bus each
  std::int64_t ranks = 1;            ///< of a pseudo channel: one data bus, banks of their own
  std::int64_t bank_groups = 1;      ///< of a rank
  std::int64_t banks = 1;            ///< of a bank group
  std::int64_t rows = 1;             ///< of a bank
  std::int64_t columns = 1;          ///< of a row, in bursts
  std::int64_t bus_width = 1;        ///< data bits of a pseudo channel
  std::int64_t burst_length = 2;     ///< beats of a burst, two per clock

  [[nodiscard]] Bytes burst() const { return Bytes{bus_width * burst_length / 8}; }
  [[nodiscard]] std::int64_t all_ranks() const { return pseudo_channels * ranks; }
  [[nodiscard]] std::int64_t banks_per_rank() const { return bank_groups * banks; }
  [[nodiscard]] std::int64_t banks_per_channel() const { return all_ranks() * banks_per_rank(); }
  [[nodiscard]] Bytes capacity() const {
    return burst() * (columns * rows) * (banks_per_channel() * channels);
  }
};

/// JEDEC's constraints in clock cycles. _S: another bank group, _L: the same one.
struct DramTiming {
  std::int64_t tRCD = 0;    ///< activate to read
  std::int64_t tRCDWR = 0;  ///< activate to write; as tRCD where the file does not say
  std::int64_t tCL = 0;     ///< read to first data
  std::int64_t tCWL = 0;    ///< write to first data
  std::int64_t tBL = 0;     ///< a burst on the data bus
  std::int64_t tRP = 0;     ///< precharge to activate
  std::int64_t tRAS = 0;    ///< activate to precharge
  std::int64_t tRC = 0;     ///< activate to activate of one bank
  std::int64_t tCCD_S = 0;  ///< column command to column command
  std::int64_t tCCD_L = 0;
  std::int64_t tRRD_S = 0;  ///< activate to activate of another bank
  std::int64_t tRRD_L = 0;
  std::int64_t tFAW = 0;    ///< window of at most four activates of a rank; 0: no such limit
  std::int64_t tWR = 0;     ///< last data written to precharge
  std::int64_t tWTR_S = 0;  ///< last data written to read
  std::int64_t tWTR_L = 0;
  std::int64_t tRTP = 0;    ///< read to precharge
  std::int64_t tRTRS = 0;   ///< gap on the data bus when its rank or direction changes
  std::int64_t tREFI = 0;   ///< between two refreshes of a rank
  std::int64_t tACT = 1;    ///< an activate on its command bus; timing counts from the last clock
  std::int64_t tRFC = 0;    ///< a refresh of all banks
  std::int64_t tRFCpb = 0;  ///< a refresh of one bank

  /// Once the last data have moved: until all rows may be precharged, and until they are closed.
  [[nodiscard]] std::int64_t until_precharge() const { return std::max(tRAS, tWR); }
  [[nodiscard]] std::int64_t until_closed() const { return until_precharge() + tRP; }
  /// How long a refresh of all banks interrupts a stream of reads.
  [[nodiscard]] std::int64_t refresh_gap() const { return tRTP + tRP + tRFC + tRCD; }
};

/// How requests become commands.
struct DramPolicy {
  enum class Page { open, closed, timeout };
  enum class Scheduler { fcfs, frfcfs };
  enum class Queues { shared, separate };
  enum class Refresh { none, all_bank, per_bank };
  enum class CommandBus {
    shared,  ///< one command per clock
    split,   ///< HBM: a row command and a column command per clock
  };

  Page page = Page::open;
  std::int64_t page_timeout = 0;  ///< clocks without an access after which a row is closed
  Scheduler scheduler = Scheduler::fcfs;
  std::int64_t starvation_cap = 0;  ///< frfcfs: no row hit overtakes a request this old at its bank
  Queues queues = Queues::shared;
  std::int64_t queue_depth = 1;  ///< requests; of each queue where reads and writes have their own
  /// Requests that wait in a queue of their bank, in front of which the queue above is shared.
  std::int64_t bank_queue_depth = 0;
  std::int64_t high_watermark = 0;  ///< separate: this many writes are written back at once ...
  std::int64_t low_watermark = 0;   ///< ... until no more than these are left
  Refresh refresh = Refresh::none;
  /// Clocks from the refresh of a rank (bank) to that of the next one; evenly over tREFI where the
  /// file does not say.
  std::int64_t refresh_stagger = 0;
  CommandBus command_bus = CommandBus::shared;
  std::int64_t latency = 0;  ///< clocks of the controller on the way back to the requester
};

/// Some bits of an address. The list of all fields, lowest first, is the address map.
struct AddressField {
  enum class Kind { byte, column, channel, pseudo_channel, rank, bank_group, bank, row };
  Kind kind = Kind::byte;
  int bits = 0;
};

/// Energy per event of one channel; every preset cites its constants.
struct DramEnergy {
  Energy activate{0};    ///< one activate and its precharge
  Energy read_bit{0};    ///< one bit read, from the row buffer to the controller
  Energy write_bit{0};   ///< one bit written
  Energy refresh{0};     ///< one all-bank refresh of a rank; a bank's refresh is its share of it
  Energy background{0};  ///< a rank for one clock with all rows closed (precharge standby)
  Energy active_background{0};  ///< a rank for one clock with a row open (active standby)
};

/// The logic layer of an HMC cube: the crossbar, and the links to the outside (HMC specification
/// 2.1, sections 2 to 6). A FLIT has 16 bytes; every packet spends one on header and tail.
struct HmcInterface {
  std::int64_t links = 4;
  std::int64_t lanes = 16;  ///< of a link, each direction
  Bandwidth lane_rate{0};
  Time link_latency{0};     ///< SerDes, board and link controller, one way
  std::int64_t tokens = 0;  ///< FLITs that the cube's input buffer of a link holds
  Frequency crossbar_clock{0};
  std::int64_t crossbar_flits = 1;   ///< per crossbar clock and port
  std::int64_t crossbar_cycles = 0;  ///< latency of one way through the crossbar
  Energy link_bit{0};                ///< one bit over a link
  Energy link_idle_bit{0};           ///< what a link spends in the time of a bit that is not sent

  /// Of all links, in both directions.
  [[nodiscard]] Bandwidth peak_bandwidth() const { return lane_rate * (lanes * links * 2); }
};

struct DramSpec {
  std::string name;
  std::string description;
  Time clock_period{0};
  DramOrganization organization;
  DramTiming timing;
  DramPolicy policy;
  std::vector<AddressField> address_map;  ///< lowest bits first
  DramEnergy energy;
  std::optional<HmcInterface> hmc;

  /// Of all data buses together.
  [[nodiscard]] Bandwidth peak_bandwidth() const;
  /// What it spends whether it is used or not: background with all rows closed, and refreshes.
  [[nodiscard]] double standby_watts() const;
  /// Are requests served as they come, by one rank that is refreshed as a whole, if at all, and
  /// whose rows do not close by themselves?
  [[nodiscard]] bool is_in_order() const {
    return policy.scheduler == DramPolicy::Scheduler::fcfs &&
           policy.page != DramPolicy::Page::timeout && organization.all_ranks() == 1 &&
           policy.refresh != DramPolicy::Refresh::per_bank;
  }
  /// How many bytes follow each other in one row before the address map moves on.
  [[nodiscard]] Bytes block() const;
};

/// Reads a memory by path or preset name ("hmc-2.1", "peers/dramsim3-hmc-4gb"). Throws ConfigError
/// only.
[[nodiscard]] DramSpec load_dram(std::string const& name_or_path,
                                 std::vector<std::string> const& overrides = {});
/// The file behind load_dram(), not read yet.
[[nodiscard]] ConfigNode dram_config(std::string const& name_or_path,
                                     std::vector<std::string> const& overrides = {});
[[nodiscard]] DramSpec dram_from(ConfigNode const& node);

[[nodiscard]] std::vector<BuiltinEntry> builtin_memories();

}  // namespace tessera::arch
