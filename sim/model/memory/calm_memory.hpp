// What a memory offers to who repeats runs of transfers on it (sim/model/compute/step_repeater.hpp): its state between two refreshes,
// relative to a time and to a place in the pattern of banks, to be compared, kept and put back.
//
// A memory is calm where nothing that was asked for waits for a refresh. Of two states that are written alike the same transfers, asked
// for at the same times and at the same places relative to the state's, take as long and leave states that are written alike, as long as
// both times all commands come in time before the next refresh (Used::until).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "arch/base/quantity.hpp"
#include "sim/model/protocol/core.hpp"
#include "sim/model/record/busy_histogram.hpp"

namespace tessera::sim {

class CalmMemory {
 public:
  /// Of what it does, in its order.
  using Counts = std::array<std::int64_t, 11>;
  /// What never changes.
  struct Rules {
    Time clock_period{0};
    Bytes block{0};           ///< what one number of a block stands for, on all channels
    std::uint64_t turn = 1;   ///< blocks after which a walk comes to the next banks
    std::uint64_t wrap = 1;   ///< blocks this far apart are alike; a power of two
    std::uint64_t end = 0;    ///< from this block on that does not hold
    std::int64_t interval{};  ///< clocks from one refresh to the next; 0: none
    std::int64_t closing{};   ///< clocks before a refresh by which all rows must be closed
    std::int64_t recovery{};  ///< clocks after a refresh that are felt
  };
  /// What transfers left behind beside the state: counters, and when it was busy.
  struct Used {
    Counts counts{};
    BusyIntervals busy;
    /// Clock by which a refresh must not begin to close rows; open ones cost energy until they are.
    std::int64_t until = 0;
    bool stayed_calm = false;  ///< between the refreshes between which it was
  };
  class Kept {
   public:
    virtual ~Kept() = default;
  };

  virtual ~CalmMemory() = default;

  [[nodiscard]] virtual Rules rules() const = 0;
  /// Of its clock; where kernels begin in phase, from the beginning of one.
  [[nodiscard]] virtual std::int64_t cycle_at_or_after(Time time) const = 0;

  /// Does the refreshes up to `now`, before which nothing is asked for any more. Is it calm?
  [[nodiscard]] virtual bool settle(Time now) = 0;
  /// As if no refresh came up to `now`. `block`: from where on banks are counted.
  virtual void write(Time now, std::uint64_t block, StateWriter& out) = 0;
  [[nodiscard]] virtual std::unique_ptr<Kept> keep(Time now, std::uint64_t block) = 0;
  virtual void put_back(Kept const& kept, Time now, std::uint64_t block) = 0;
  /// The state at `now` of one that was calm at the last refresh and has not been asked since.
  virtual void refresh(Time now) = 0;

  /// Watches transfers from now on ...
  virtual void watch() = 0;
  /// ... until `next`, when it is asked again at the earliest. No refresh is done that comes
  /// before.
  [[nodiscard]] virtual Used watched(Time next) = 0;
  /// Counts what is repeated.
  virtual void add(Counts const& counts) = 0;
  [[nodiscard]] virtual BusyHistogram& utilisation() = 0;
};

}  // namespace tessera::sim
