// Switches that add, flit by flit and tick by tick: slow and obvious. For trees in which each vertex has one way to the root, with
// channels that take a whole number of ticks per flit and, on the way down, are not faster than the one before.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "sim/model/fabric/packet/cut_through_network.hpp"

namespace tessera::test {

class InSwitchTwin final {
 public:
  InSwitchTwin(arch::Interconnect const& interconnect, sim::CutThroughSpec const& spec,
               std::vector<std::uint32_t> operands);

  /// When the last flit of the last sum is at the last endpoint.
  [[nodiscard]] sim::Tick run();

 private:
  /// A channel, and the operand that is on it.
  struct Wire {
    sim::ChannelTiming timing;
    std::int64_t credits = 0;
    std::size_t operand = 0;  ///< that is sent, or is next
    std::uint32_t flits = 0;  ///< of it that were sent
    sim::Tick next_flit = 0;
    bool is_sending = false;
    std::size_t received = 0;  ///< operands, whole on the way up, begun on the way down
    std::deque<sim::Tick> credits_under_way;
    std::deque<sim::Tick> heads;  ///< when the first bits of operands arrive, one after another
    std::deque<sim::Tick> tails;
  };

  struct Vertex {
    std::size_t parent = 0;
    std::vector<std::size_t> children;
    std::vector<std::size_t> whole;     ///< children of which each operand is there
    std::vector<sim::Tick> sum_ready;   ///< of each operand
    std::vector<sim::Tick> copy_ready;  ///< of each sum that comes down
    std::vector<std::size_t> copied;    ///< children to which each sum has gone
  };

  void connect(arch::Interconnect const& interconnect, std::size_t vertex);
  void receive(std::size_t vertex);
  void send(std::size_t vertex, Wire& wire, bool up);
  [[nodiscard]] bool may_start(std::size_t vertex, Wire const& wire, bool up) const;
  void left(std::size_t vertex, std::size_t operand, bool up);
  void give_back_operands(Vertex const& vertex);

  sim::CutThroughSpec spec_;
  std::vector<std::uint32_t> operands_;
  std::size_t root_;
  std::vector<Vertex> vertices_;
  std::vector<Wire> up_;    ///< from each vertex but the root
  std::vector<Wire> down_;  ///< to each vertex but the root
  sim::Tick now_ = 0;
  std::size_t missing_ = 0;  ///< sums that endpoints do not have
};

}  // namespace tessera::test
