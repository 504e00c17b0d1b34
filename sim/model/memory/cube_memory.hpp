// The accelerator's memory as a Hybrid Memory Cube that it reaches over links: packets, crossbar and vaults as `tessera probe memory
// --through links` has them (hmc/hmc_cube.hpp). The logic layer's own way to the vaults is DramMemory.
#pragma once

#include <functional>
#include <vector>

#include "arch/array/array_spec.hpp"
#include "sim/model/memory/hmc/link_port.hpp"
#include "sim/model/memory/memory.hpp"

namespace tessera::sim {

/// Every transfer is a run of whole blocks, a request each, which take the links in turn and begin
/// where the address says. The requests of all transfers are sent in order, each as soon as a tag
/// is free.
///
/// What happens up to the last request is certain. From there on a copy goes on without further
/// requests, to see when the last answer comes (as DramFeed does): later requests that overtake
/// those in a vault's queue delay what follows them, but not the answer.
///
/// All vaults are simulated: over links they do not see the same requests at the same times. Equal
/// computations are worked out each time, and steps do not become steady.
///
/// Leaves out: chains of cubes; answers that are taken late; ECC.
class CubeMemory final : public Memory {
 public:
  /// Requires spec.links.
  CubeMemory(arch::DramMemorySpec const& spec, MemoryParts const& parts);

  [[nodiscard]] Time transfer(Time at, Transfer const& transfer) override;
  void close(Time end) override;

  void serialize(Time now, StateWriter& out) const override;
  [[nodiscard]] std::vector<Statistic> const& statistics() const override { return statistics_; }
  [[nodiscard]] char const* kind() const override { return "HMC"; }
  [[nodiscard]] MemoryInside inside() override;

 private:
  enum Counter : std::size_t {
    busy_time,
    bytes_read,
    bytes_written,
    words,
    activates,
    bursts_read,
    bursts_written,
    refreshes,
    active_clocks,
    bank_refreshes,
    link_flits,
  };

  [[nodiscard]] Result perform(Task const& task, Time now) override;
  /// Sends it as soon as the port takes it.
  void send(DramStack::Request const& request);
  /// Does what happens before `now`, at which somebody may ask for something.
  void go_on(Time now);
  void take_answers();
  [[nodiscard]] Time last_answer();
  void count(Transfer const& transfer, Time start, Time end);
  void count_commands();

  Bytes block_;
  std::uint16_t bursts_;  ///< of a block
  std::int64_t blocks_;   ///< that there are
  std::int64_t links_;
  std::size_t vaults_;
  BusyHistogram& utilisation_;

  LinkPort port_;                ///< up to the last request
  LinkPort ahead_;               ///< a copy that goes on to the last answer
  Time sent_{0};                 ///< the last request
  std::uint64_t transfers_ = 0;  ///< the tag of the last one's requests
  std::int64_t waiting_ = 0;     ///< of these
  Time done_{0};                 ///< their last answer
  std::vector<RequestPort::Answer> answers_;

  Time busy_until_{0};
  Bytes next_address_{0};  ///< of load and store tasks
  std::vector<Statistic> statistics_{
      {"busy", "ps"},         {"bytes_read", "B"},     {"bytes_written", "B"},  {"words", "1"},
      {"activates", "1"},     {"bursts_read", "1"},    {"bursts_written", "1"}, {"refreshes", "1"},
      {"active_clocks", "1"}, {"bank_refreshes", "1"}, {"link_flits", "1"}};
};

}  // namespace tessera::sim
