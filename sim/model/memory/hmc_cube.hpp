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
// Leaves out: quadrants (all vaults are equally far), atomics, retries, a limit on responses that wait for a link (hosts bound them by
// their tags).
#pragma once

#include <functional>
#include <optional>
#include <queue>
#include <vector>

#include "arch/base/clock.hpp"
#include "arch/dram_spec.hpp"
#include "sim/model/memory/address_map.hpp"
#include "sim/model/memory/dram_stack.hpp"
#include "sim/model/memory/hmc_link.hpp"

namespace tessera::sim {

class HmcCube final {
 public:
  enum class Side : std::uint8_t { upstream, downstream, local };
  struct Output {
    Time at;  ///< its last bit has arrived there
    Side side = Side::upstream;
    std::size_t link = 0;
    HmcPacket packet;
  };

  /// Requires spec.hmc. The observer hears of the vaults' commands.
  explicit HmcCube(arch::DramSpec const& spec, DramStack::Observer const& observer = {});

  /// A packet whose last bit arrives at `now`: from upstream a request, or tokens for responses
  /// (ignored: responses are always taken); from downstream a response or tokens; a local request.
  void push(Time now, Side side, std::size_t link, HmcPacket const& packet);
  /// Does what is to be done at `now`; once for each instant. Requires that what arrives then was
  /// pushed, and that nothing was left to do before (next_wakeup).
  void advance(Time now, std::vector<Output>& out);
  [[nodiscard]] std::optional<Time> next_wakeup() const;

  [[nodiscard]] DramStatistics statistics() const;
  /// FLITs that this cube has sent: responses upstream and requests downstream.
  [[nodiscard]] std::int64_t flits_sent() const;
  [[nodiscard]] std::size_t vaults() const { return vaults_.size(); }

 private:
  static constexpr std::int64_t never = INT64_MAX / 2;

  struct Vault {
    DramChannel channel;
    std::int64_t wakeup = never;  ///< cycle
    Fifo<HmcPacket> local;        ///< wait for a place
    std::int64_t places = 0;      ///< of the queue that nothing is on its way to
    Time port_free{0};
  };
  struct InputBuffer {
    Fifo<HmcPacket> packets;
    std::int64_t flits = 0;
    Time port_free{0};
  };
  struct Pending {  ///< a request in a vault, by slot
    HmcPacket packet;
    Side side = Side::local;
    std::size_t link = 0;
  };
  /// In the order in which they happen.
  struct Event {
    enum class Kind : std::uint8_t { free_place, enter_vault, respond, send };
    Time at;
    Kind kind = Kind::free_place;
    std::size_t slot = 0;    ///< free_place: the vault
    Time since{0};           ///< enter_vault: when it was at the vault
    std::size_t source = 0;  ///< the lower first: vaults or links
    std::uint64_t number = 0;
    [[nodiscard]] auto key() const {
      return std::tuple{at.value(), kind, since.value(), source, number};
    }
    friend bool operator>(Event const& a, Event const& b) { return a.key() > b.key(); }
  };

  void process(Event const& event, std::vector<Output>& out);
  void run_vault(std::size_t index, std::int64_t cycle, std::vector<Output>& out);
  void enter_vault(Event const& event);
  void respond(Event const& event);
  void send(Event const& event, std::vector<Output>& out);
  void drain_links(Time now, std::vector<Output>& out);
  [[nodiscard]] bool drain(Time now, std::size_t link, std::vector<Output>& out);
  void advance_downstream(Time now, std::size_t link, std::vector<Output>& out);
  void drain_local(Time now, std::size_t vault);
  void schedule(Event event);
  /// A request that is at its vault at `now` enters at the next edge.
  void schedule_entry(Time now, std::size_t slot, std::size_t source);
  [[nodiscard]] std::size_t new_slot(Pending const& pending);
  [[nodiscard]] Time crossbar_time(std::int64_t flits) const;
  void run_vaults(std::int64_t cycle, std::vector<Output>& out);

  arch::DramSpec spec_;
  AddressMap map_;
  Clock crossbar_;
  std::vector<Vault> vaults_;
  std::vector<InputBuffer> buffers_;
  std::vector<HmcLink> up_, down_;
  std::vector<Time> response_port_free_;
  std::vector<Pending> slots_;
  std::vector<std::size_t> free_slots_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::uint64_t scheduled_ = 0;
  bool has_moved_ = false;             ///< what waits may go on
  std::int64_t first_wakeup_ = never;  ///< of a vault: no later than any
  std::vector<DramCompletion> completions_;
};

}  // namespace tessera::sim
