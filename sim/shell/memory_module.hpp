// The SystemC modules of an accelerator's memory: the memory itself, and below it one for each vault or channel that is simulated.
//
//   memory ---- vault-0          memory's ports to_channels[i] are bound to the exports of the vaults
//          ---- vault-1
//          ---- ...
//
// The memory calls its vaults through these ports, ahead of the simulated time (temporal decoupling, as an interface method call of
// TLM-2.0's loosely timed style): who asks is certain that nobody else does (Memory), so that no process has to wake for a request.
#pragma once

#include <memory>
#include <vector>

#include "sim/model/memory/memory.hpp"
#include "sim/shell/core_module.hpp"

namespace tessera::sim::shell {

/// What a memory's port to a vault or channel is bound to.
class ChannelInterface : public virtual sc_core::sc_interface, public MemoryChannel {};

/// A vault or a channel.
class ChannelModule final : public sc_core::sc_module, public ChannelInterface {
 public:
  /// `channel` must outlive the module.
  ChannelModule(sc_core::sc_module_name const& name, char const* kind, MemoryChannel& channel);

  [[nodiscard]] char const* kind() const override { return kind_; }
  [[nodiscard]] std::int64_t serve(std::int64_t cycle, DramWalk const& walk, std::uint64_t first,
                                   std::uint64_t count) override {
    return channel_.serve(cycle, walk, first, count);
  }

  sc_core::sc_export<ChannelInterface> in{"in"};

 private:
  char const* kind_;
  MemoryChannel& channel_;
};

class MemoryModule final : public CoreModule {
 public:
  /// Of a core that is a memory; it and `supervisor` must outlive the module.
  MemoryModule(sc_core::sc_module_name const& name, WiredCore const& wired,
               host::Supervisor& supervisor, RunOptions::ModuleOrder order);

  sc_core::sc_vector<sc_core::sc_port<ChannelInterface>> to_channels{"to_channels"};

  [[nodiscard]] MemoryInside inside() const { return memory_.inside(); }

 private:
  /// From here on the ports know what they are bound to.
  void end_of_elaboration() override;

  Memory& memory_;
  std::vector<std::unique_ptr<ChannelModule>> channels_;
};

/// "vault-17"
[[nodiscard]] std::string channel_name(MemoryInside const& inside, std::size_t channel);

}  // namespace tessera::sim::shell
