// In switches: endpoints send a vector once, switches add, and the sum comes down (SHArP, COMHPC 2016). No messages between ranks:
// sim/model/fabric/collective/in_switch.hpp runs it.
#pragma once

#include "arch/base/contract.hpp"
#include "arch/collective/collective_algorithm.hpp"

namespace tessera::arch {

class InSwitchCollective final : public CollectiveAlgorithm {
 public:
  [[nodiscard]] bool makes(CollectiveKind kind) const override {
    return kind == CollectiveKind::all_reduce;
  }
  [[nodiscard]] std::vector<std::int64_t> pieces(CollectiveSpec const& spec,
                                                 std::uint32_t /*ranks*/) const override {
    return equal_pieces(spec.size, spec.chunks);
  }
  void send(CollectiveBuilder& /*build*/) const override {
    EXPECTS(false && "no messages from rank to rank");
  }
  /// No array's switches add.
  [[nodiscard]] bool is_for_steps() const override { return false; }
  [[nodiscard]] bool adds_in_switches() const override { return true; }
};

}  // namespace tessera::arch
