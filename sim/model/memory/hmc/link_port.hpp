// A host on the links of one HMC cube that does not know yet what comes next: it uses the links in turn, and a tag for every request
// that is not answered yet. A value: a copy goes on from the same state.
//
// Leaves out: chains of cubes (hmc_host.hpp has them).
#pragma once

#include <functional>
#include <queue>
#include <vector>

#include "sim/model/memory/hmc/hmc_cube.hpp"
#include "sim/model/memory/request_port.hpp"

namespace tessera::sim {

class LinkPort final : public RequestPort {
 public:
  /// At most `tags` requests are unanswered. Requires spec.hmc. The observer hears of the vaults'
  /// commands.
  LinkPort(arch::DramSpec const& spec, std::size_t tags, DramStack::Observer const& observer = {});

  [[nodiscard]] std::optional<Time> offer(Time now, DramStack::Request const& request,
                                          std::vector<Answer>& out) override;
  void advance(Time now, std::vector<Answer>& out) override;
  [[nodiscard]] std::optional<Time> next_wakeup() const override { return cube_.next_wakeup(); }
  [[nodiscard]] DramStatistics statistics() const override { return cube_.statistics(); }
  [[nodiscard]] std::int64_t link_flits() const override;

  /// Tells nobody of commands any more.
  void silence() { cube_.silence(); }
  /// Refreshes through `now`. Requires that every request is answered, and that none comes any
  /// more.
  void close(Time now) { cube_.close(now); }

 private:
  void send(std::size_t link);

  Bytes burst_;
  std::size_t tags_;
  HmcCube cube_;
  std::vector<HmcLink> links_;
  std::size_t next_link_ = 0;
  std::size_t unanswered_ = 0;
  std::priority_queue<Time, std::vector<Time>, std::greater<>> answers_;  ///< still to come
  std::vector<HmcCube::Output> outputs_;
};

}  // namespace tessera::sim
