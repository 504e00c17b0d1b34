// One Hybrid Memory Cube: links, crossbar, vault controllers.
//
//   upstream link -> input buffer -> crossbar -> vault queue -> DRAM -> crossbar -> upstream link
//                                 \-> downstream link (requests for cubes further down the chain)      responses come back likewise
//   logic layer -> vault queue -> DRAM -> logic layer: local access, which needs neither link nor crossbar (HyPar, TETRIS, Neurocube)
//
// What it does at an instant, in this order, and thus what it does at all:
//
//   1. Packets whose last bit has arrived take their places in the input buffer of their link; local requests wait before their vault;
//      a link has its tokens back. The place in a vault's queue of a request whose last column command was issued one clock ago is free.
//   2. Vault by vault, local requests take free places in order of arrival, and are at the vault.
//   3. Link by link, packets leave the front of the input buffer, those for a vault as long as it has a free place, which they take.
//      A packet crosses from the first time on at which the ports at both of its ends are free, and reserves them at once; a port
//      carries one packet at a time (downstream links have none). When it has left its input port, its tokens go back. It is at its
//      vault or downstream link after the latency of the crossbar.
//   4. At each edge of the vaults' clock, what is at a vault enters it: in order of arrival there, local requests behind others.
//   5. Responses cross to the link that their request came from, likewise, and are sent: of one instant vault by vault, then those
//      from downstream. A local response is answered when the vault has done with it.
//   6. The vaults decide (dram_channel.hpp).
//
// Packets behind one that waits for a vault wait too (they do in the hardware's per-link FIFO as well). Addresses below the cube's
// capacity; blocks do not cross a row. A clocked twin in test/ does the same step by step.
//
// What follows from what is known is computed at once: a response that has its turn at the crossbar has its time on the link too. And a
// packet is on its way through the crossbar for a while: as long as that takes, vaults go on by themselves before anything else can
// reach them, and arrivals may wait before anybody could hear of them. Local requests could: where there are any, nothing waits.
//
// Leaves out: quadrants (all vaults are equally far), atomics, retries, a limit on responses that wait for a link (hosts bound them by
// their tags).
#pragma once

#include <optional>
#include <vector>

#include "arch/base/clock.hpp"
#include "arch/memory/dram_spec.hpp"
#include "sim/model/memory/dram/address_map.hpp"
#include "sim/model/memory/dram/dram_stack.hpp"
#include "sim/model/memory/hmc/hmc_link.hpp"

namespace tessera::sim {

class HmcCube final {
 public:
  enum class Side : std::uint8_t { upstream, downstream, local };
  struct Output {
    Time at;  ///< its last bit has arrived there: later than what was advanced over
    Side side = Side::upstream;
    std::size_t link = 0;
    HmcPacket packet;
  };

  enum class LocalSide : std::uint8_t { used, unused };

  /// Requires spec.hmc. The observer hears of the vaults' commands.
  HmcCube(arch::DramSpec const& spec, LocalSide local_side,
          DramStack::Observer const& observer = {});

  /// A packet whose last bit arrives at `at`, which was not advanced over: from upstream a request,
  /// or tokens for responses (ignored: responses are always taken); from downstream a response or
  /// tokens; a local request. Those of one side and link come in order of time.
  void push(Time at, Side side, std::size_t link, HmcPacket const& packet);
  /// Does what happens through `now`, and perhaps more, unless that is before next_wakeup(), which
  /// it must not be after. Requires that what arrives until then was pushed.
  void advance(Time now, std::vector<Output>& out);
  /// What happens before is not felt outside.
  [[nodiscard]] std::optional<Time> next_wakeup() const;

  /// Tells nobody of commands any more.
  void silence();
  /// Refreshes through `now`. Requires that every request is answered, and that none comes any
  /// more.
  void close(Time now);

  [[nodiscard]] DramStatistics statistics() const;
  /// FLITs that this cube has sent: responses upstream and requests downstream.
  [[nodiscard]] std::int64_t flits_sent() const;
  [[nodiscard]] std::size_t vaults() const { return vaults_.size(); }

 private:
  static constexpr Time never{INT64_MAX};

  struct Arrival {  ///< of a packet
    Time at;
    HmcPacket packet;
  };
  /// Something that happens to the request in a slot. At one time the lower source comes first.
  struct Event {
    Time at;
    std::uint32_t source = 0;
    std::uint32_t slot = 0;
    friend bool operator<(Event const& a, Event const& b) {
      return a.at != b.at ? a.at < b.at : a.source < b.source;
    }
  };
  struct Entry {
    Event event;  ///< when it is there; the sources are links, then the logic layer
    Time edge;    ///< when it enters
    friend bool operator<(Entry const& a, Entry const& b) { return a.event < b.event; }
  };
  struct Vault {
    DramChannel channel;
    Fifo<HmcPacket> local;  ///< wait for a place
    Fifo<Entry> entering;
    std::int64_t places = 0;  ///< of the queue that nothing is on its way to
    Time port_free{0};
  };
  struct InputBuffer {
    Fifo<Arrival> packets;
    std::int64_t flits = 0;
    Time port_free{0};
    bool is_blocked = false;  ///< the first packet waits for a place
  };
  struct FreePlace {
    Time at;
    std::size_t vault = 0;
    friend bool operator<(FreePlace const& a, FreePlace const& b) { return a.at < b.at; }
  };
  struct Pending {  ///< a request in a vault, by slot
    HmcPacket packet;
    Side side = Side::local;
    std::size_t link = 0;
  };

  void settle(Time now, std::vector<Output>& out);
  [[nodiscard]] Time next_move() const;
  void free_places(Time now);
  void take_local(Time now);
  void take_from_links(Time now, std::vector<Output>& out);
  /// Moves the first packet on, if it may go.
  [[nodiscard]] bool drain(Time now, std::size_t link, std::vector<Output>& out);
  void advance_downstream(std::size_t link, std::vector<Output>& out);
  void bring_to_vault(std::size_t vault, Time at, Pending const& pending, std::size_t source);
  void respond(Event const& event, std::vector<Output>& out);
  void run_vaults(Time until, std::vector<Output>& out);
  void run_vault(std::size_t index, std::int64_t until, std::vector<Output>& out);
  void enter_vault(Vault& vault, std::int64_t cycle, std::size_t slot);
  void answer(std::size_t vault, DramCompletion const& done, std::vector<Output>& out);

  [[nodiscard]] std::uint32_t new_slot(Pending const& pending);
  [[nodiscard]] Time find_wakeup() const;

  arch::DramSpec spec_;
  AddressMap map_;
  Time crossbar_period_;
  Time crossbar_latency_;
  // None where local requests can come at any time.
  Time run_ahead_{0};  ///< of the vaults: what leaves its link now is not there before
  Time patience_{0};   ///< what arrives now is not felt outside before
  std::vector<Vault> vaults_;
  std::vector<Time> vault_wakeups_;
  Time first_vault_wakeup_ = never;
  std::vector<InputBuffer> buffers_;
  std::vector<HmcLink> up_, down_;
  std::vector<Time> response_port_free_;
  std::vector<Pending> slots_;
  std::vector<std::uint32_t> free_slots_;
  Fifo<FreePlace> free_places_;
  Fifo<Arrival> local_;
  LocalSide local_side_;
  std::size_t waiting_local_ = 0;  ///< in front of vaults
  Fifo<Event> responses_;          ///< at the crossbar; the sources are vaults, then links
  Time next_wakeup_ = never;
  std::vector<DramCompletion> completions_;
};

}  // namespace tessera::sim
