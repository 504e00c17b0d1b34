// The synchronizer: barriers over all accelerators, or over those of a stage.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "sim/model/protocol/core.hpp"

namespace tessera::sim {

/// Releases every member of a barrier a hop's latency after the last one has reached it (one fabric
/// clock, unless the array says otherwise).
///
/// Leaves out: wires and the time that they take, which grows with the array; a barrier here costs
/// the two messages and nothing else (HyPar's evaluation has no such term).
class Synchronizer final : public Core {
 public:
  enum In : Port { from_dispatchers };
  static constexpr Port inputs = 1;  ///< output i goes to the dispatcher of accelerator i

  /// Who takes part in each barrier, by accelerator.
  using Members = IdVector<BarrierId, std::vector<bool>>;

  /// Between the representatives of `folding`, who arrive when their copies do. `members` must
  /// outlive the synchronizer.
  Synchronizer(Folding folding, Time latency, Members const& members)
      : folding_{std::move(folding)},
        accelerators_{folding_.representatives()},
        latency_{latency},
        members_{&members} {}

  void push(Time now, Port port, Message const& message) override;
  [[nodiscard]] std::optional<Time> advance(Time now, Outbox& out) override;

  [[nodiscard]] char const* kind() const override { return "synchronizer"; }
  [[nodiscard]] std::vector<Statistic> const& statistics() const override { return statistics_; }
  /// The barriers that some have reached and not all, one line each, for the report of a deadlock.
  [[nodiscard]] std::vector<std::string> waits_for() const;

 private:
  enum Counter : std::size_t { barriers };

  /// A barrier that some have reached: with which task each, by accelerator.
  struct Gathering {
    std::vector<std::optional<TaskId>> tasks;
    std::size_t missing = 0;
  };

  void collect(Message const& arrival, Time now, Outbox& out);
  void release(BarrierId barrier, Gathering const& gathering, Time now, Outbox& out);
  [[nodiscard]] Gathering gathering_of(BarrierId barrier) const;
  [[nodiscard]] std::string waits_for(BarrierId barrier, Gathering const& gathering) const;

  Folding folding_;
  std::size_t accelerators_;
  Time latency_;
  Members const* members_;
  std::map<BarrierId, Gathering> gatherings_;
  std::vector<Message> arrived_;
  std::vector<Statistic> statistics_{{"barriers", "1"}};
};

}  // namespace tessera::sim
