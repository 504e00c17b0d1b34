// An HMC cube, an HBM stack or any other memory of Tessera as a component of somebody else's SystemC platform: a TLM-2.0 target.
//
//   tessera::sim::TlmMemory memory{"memory", {"hmc-2.1", {}, tessera::sim::TlmMemory::Through::links}};
//   initiator.socket.bind(memory.socket);
//
// Approximately timed (nb_transport, base protocol, four phases): END_REQ when the memory has taken the request, which is its
// back-pressure, BEGIN_RESP when the last data are there; one response at a time, the next after END_RESP. Loosely timed (b_transport):
// returns when the last data are there; it waits, and leaves no delay. The times are those of `tessera probe memory` (--through local
// or links), from END_REQ to BEGIN_RESP. Transactions of any length are cut where the memory's address map cuts them. Data are kept; they
// change hands when a request is taken. No byte enables, no DMI.
//
// What is included here is SystemC and the standard library only, so that the header can be installed by itself.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <tlm_utils/simple_target_socket.h>
#include <systemc>
#include <tlm>

namespace tessera::sim {

class TlmMemory final : public sc_core::sc_module {
 public:
  enum class Through {
    local,  ///< straight to the channels; of a cube: from its logic layer
    links,  ///< over the links and the crossbar of an HMC cube
  };
  struct Settings {
    std::string memory = {};                  ///< a preset ("hbm2", "hmc-2.1") or a path
    std::vector<std::string> overrides = {};  ///< "policy.page=closed"
    Through through = Through::local;
    std::size_t tags =
        512;  ///< links: requests that may be unanswered; a long transaction is several
  };

  /// What the memory has done since the beginning.
  struct Counts {
    std::int64_t bursts_read = 0;
    std::int64_t bursts_written = 0;
    std::int64_t activates = 0;
    std::int64_t precharges = 0;
    std::int64_t refreshes = 0;
    std::int64_t bank_refreshes = 0;
    std::int64_t link_flits = 0;
    std::int64_t active_clocks = 0;  ///< of ranks, with a row open
  };

  /// Throws std::runtime_error where there is no such memory, a file or an override is wrong, it
  /// has no links, or the kernel's resolution is coarser than a picosecond.
  TlmMemory(sc_core::sc_module_name const& name, Settings const& settings);
  ~TlmMemory() override;
  TlmMemory(TlmMemory const&) = delete;
  TlmMemory& operator=(TlmMemory const&) = delete;
  TlmMemory(TlmMemory&&) = delete;
  TlmMemory& operator=(TlmMemory&&) = delete;

  tlm_utils::simple_target_socket<TlmMemory> socket{"socket"};

  [[nodiscard]] sc_core::sc_time clock_period() const;
  [[nodiscard]] std::uint64_t capacity() const;  ///< bytes
  /// What the address map keeps together, in bytes: transactions within it are one request.
  [[nodiscard]] std::uint64_t block() const;
  [[nodiscard]] Counts counts() const;

  [[nodiscard]] char const* kind() const override { return "tessera::sim::TlmMemory"; }

 private:
  class Server;

  tlm::tlm_sync_enum forward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                             sc_core::sc_time& delay);
  void blocking(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned debug(tlm::tlm_generic_payload& payload);

  std::unique_ptr<Server> server_;
};

}  // namespace tessera::sim
