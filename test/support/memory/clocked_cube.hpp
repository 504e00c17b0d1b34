// The clocked twin of an HMC cube: step by step, plain queues, every packet moved by itself. It follows the numbered list
// in sim/model/memory/hmc/hmc_cube.hpp and shares no code with the cube but the address map; its vaults are clocked twins of channels.
#pragma once

#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "sim/model/memory/dram/address_map.hpp"
#include "sim/model/memory/dram/dram_stack.hpp"
#include "test/support/memory/clocked_channel.hpp"

namespace tessera::test {

using Picoseconds = std::int64_t;

/// A request on its way there and, as a response, back.
struct CubePacket {
  sim::DramStack::Request request;
  std::size_t link = 0;
  std::size_t cubes_to_go = 0;  ///< a request has to pass
  bool is_local = false;
  bool is_response = false;

  [[nodiscard]] std::int64_t flits(arch::DramSpec const& spec) const;
};

/// One direction of a link.
class ClockedLink {
 public:
  /// `tokens`: FLITs that the receiver holds.
  ClockedLink(arch::DramSpec const& spec, std::int64_t tokens) : spec_{&spec}, tokens_{tokens} {}

  [[nodiscard]] static Picoseconds transfer(arch::DramSpec const& spec, std::int64_t flits);

  void push(CubePacket const& packet) { waiting_.push_back(packet); }
  void give_back(Picoseconds when, std::int64_t tokens) { returning_.push_back({when, tokens}); }
  void step(Picoseconds now);
  /// The packet whose last bit arrives now, if there is one.
  [[nodiscard]] std::vector<CubePacket> arriving(Picoseconds now);
  [[nodiscard]] std::int64_t flits() const { return flits_; }

 private:
  arch::DramSpec const* spec_;
  std::int64_t tokens_;
  Picoseconds free_ = 0;
  std::int64_t flits_ = 0;
  std::deque<CubePacket> waiting_;
  std::deque<std::pair<Picoseconds, CubePacket>> flying_;
  std::deque<std::pair<Picoseconds, std::int64_t>> returning_;
};

class ClockedCube {
 public:
  using Links = std::vector<ClockedLink>;
  /// `down`: requests to the next cube; null at the end of a chain.
  ClockedCube(arch::DramSpec const& spec, Links& requests, Links& responses, Links* down);

  /// What arrives now, before step(now).
  void take(CubePacket const& packet);
  /// From 0 on, at least at every time at which something arrives or ends.
  void step(Picoseconds now);
  /// Local requests that are answered now.
  [[nodiscard]] std::vector<CubePacket> local_answers(Picoseconds now);
  /// Of each vault, up to its last completion.
  [[nodiscard]] std::vector<std::vector<sim::DramCommand>> commands() const;

 private:
  using Timed = std::pair<Picoseconds, CubePacket>;
  struct Vault {
    explicit Vault(arch::DramSpec const& spec);

    RunResult done;
    ClockedChannel channel;
    std::int64_t places;
    Picoseconds port_free = 0;
    std::deque<CubePacket> local;  ///< wait for a place
    std::vector<Timed> ahead;      ///< have one; when they are at the vault
    std::vector<CubePacket> inside;
    std::vector<Timed> responses;  ///< when the vault has done with them
    std::size_t answered = 0;      ///< of done.completions
  };

  void take_places(Picoseconds now);
  void leave_input(Picoseconds now, std::size_t link);
  void enter(std::int64_t cycle, Vault& vault) const;
  void respond(Picoseconds now);
  void respond(Picoseconds now, CubePacket const& packet);
  void decide(std::int64_t cycle, Vault& vault) const;
  [[nodiscard]] Vault& vault_of(CubePacket const& packet) const;
  [[nodiscard]] Picoseconds crossing(CubePacket const& packet) const;
  [[nodiscard]] Picoseconds latency() const;

  arch::DramSpec spec_;
  sim::AddressMap map_;
  Links& requests_;
  Links& responses_;
  Links* down_;
  std::vector<std::unique_ptr<Vault>> vaults_;
  std::vector<std::deque<CubePacket>> inputs_;  ///< by link
  std::vector<Picoseconds> input_free_, response_free_;
  bool has_taken_ = false;  ///< since the last step
  std::vector<CubePacket> from_downstream_;
  std::vector<Timed> crossed_up_, crossed_down_;  ///< when they are at their link
};

}  // namespace tessera::test
