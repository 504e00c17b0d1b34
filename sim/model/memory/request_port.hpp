// A memory as somebody meets it who asks at any time and does not know yet what comes next: the controllers that `tessera probe memory`
// drives with a list of requests (closed_loop.hpp, hmc_host.hpp), and what holds a requester back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "arch/memory/dram_spec.hpp"
#include "sim/model/memory/dram/dram_stack.hpp"

namespace tessera::sim {

class RequestPort {
 public:
  struct Answer {
    std::uint64_t tag = 0;
    Time at{0};  ///< the last data are there; now or later
  };

  virtual ~RequestPort() = default;

  /// Takes a request of at most largest() at `now`, or says when to offer it again; until it is
  /// taken, no other one may be offered. Times never decrease.
  [[nodiscard]] virtual std::optional<Time> offer(Time now, DramStack::Request const& request,
                                                  std::vector<Answer>& out) = 0;
  /// Works out what is certain at `now`. Requires that it is called at every next_wakeup().
  virtual void advance(Time now, std::vector<Answer>& out) = 0;
  [[nodiscard]] virtual std::optional<Time> next_wakeup() const = 0;

  [[nodiscard]] virtual DramStatistics statistics() const = 0;
  /// FLITs over all links of a cube, both directions.
  [[nodiscard]] virtual std::int64_t link_flits() const { return 0; }
};

/// The channels or vaults, without links: as many requests a clock as there are channels, in order;
/// one for a full queue holds up those behind it. `spec` must outlive the port.
[[nodiscard]] std::unique_ptr<RequestPort> make_local_port(arch::DramSpec const& spec);

/// A host on the links of an HMC cube, which it uses in turn; at most `tags` requests are
/// unanswered. Requires spec.hmc; `spec` must outlive the port.
[[nodiscard]] std::unique_ptr<RequestPort> make_link_port(arch::DramSpec const& spec,
                                                          std::size_t tags);

/// Of one request: it lies in a block of consecutive addresses of this size.
[[nodiscard]] Bytes largest_request(arch::DramSpec const& spec);

}  // namespace tessera::sim
