// One Hybrid Memory Cube: links, crossbar, vault controllers.
//
//   upstream link -> input buffer -> crossbar -> vault queue -> DRAM -> crossbar -> upstream link
//                                 \-> downstream link (requests for cubes further down the chain)      responses come back likewise
//   logic layer -> vault queue -> DRAM -> logic layer: local access, which needs neither link nor crossbar (HyPar, TETRIS, Neurocube)
//
// A packet leaves its input buffer when the vault has a place for it, and gives its tokens back then; those behind it wait (they do
// in the hardware's per-link FIFO as well). Each input and each vault port of the crossbar carries one packet at a time, in order of
// arrival, of equal arrivals the lower link first. Addresses below the cube's capacity; blocks do not cross a row.
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
  /// Does everything up to `now`. Requires that what arrives until then was pushed, in order of
  /// time.
  void advance(Time now, std::vector<Output>& out);
  [[nodiscard]] std::optional<Time> next_wakeup() const;

  [[nodiscard]] DramStatistics statistics() const;
  /// FLITs that this cube has sent: responses upstream and requests downstream.
  [[nodiscard]] std::int64_t flits_sent() const;
  [[nodiscard]] std::size_t vaults() const { return vaults_.size(); }

 private:
  struct Vault {
    DramChannel channel;
    std::optional<std::int64_t> wakeup;  ///< cycle
    Fifo<HmcPacket> local;               ///< wait for a place
    std::int64_t places = 0;             ///< of the queue that nothing is on its way to
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
  struct Event {
    enum class Kind : std::uint8_t { enter_vault, respond, send_response };
    Time at;
    Kind kind;
    std::size_t slot;
    [[nodiscard]] auto key() const { return std::tuple{at.value(), kind, slot}; }
    friend bool operator>(Event const& a, Event const& b) { return a.key() > b.key(); }
  };

  void process(Event const& event, std::vector<Output>& out);
  void run_vault(std::size_t index, std::int64_t cycle, Time now, std::vector<Output>& out);
  void enter_vault(Time now, std::size_t slot, std::vector<Output>& out);
  void drain_links(Time now, std::vector<Output>& out);
  [[nodiscard]] bool drain(Time now, std::size_t link, std::vector<Output>& out);
  void drain_local(Time now, std::size_t vault);
  void schedule(Time at, Event::Kind kind, std::size_t slot) { events_.push({at, kind, slot}); }
  [[nodiscard]] std::size_t new_slot(Pending const& pending);
  [[nodiscard]] Time crossbar_time(std::int64_t flits) const;
  [[nodiscard]] std::size_t next_vault() const;

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
  std::vector<DramCompletion> completions_;
};

}  // namespace tessera::sim
