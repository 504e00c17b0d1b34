// What the rounds of a run's transfers waited for, and how much longer they took than by sim/outcome/round_times.hpp.
#pragma once

#include <vector>

#include "sim/outcome/round_times.hpp"
#include "sim/outcome/unit_times.hpp"

namespace tessera::sim::outcome {

class RecordedRounds final {
 public:
  /// `blueprint` and `times` must outlive it.
  RecordedRounds(Blueprint const& blueprint, UnitTimes& times);

  [[nodiscard]] RoundTimes const& times() const { return rounds_; }
  [[nodiscard]] RoundLengths const& lengths() const { return lengths_; }
  /// Of a transfer, by number: its last round.
  [[nodiscard]] RoundTimes::Last const& last(std::uint32_t number) const { return last_[number]; }
  /// How much later it was served, or had left, than a last round that begins then; less than
  /// nothing where lengths are not exact.
  [[nodiscard]] Service const& excess(std::uint32_t number) const { return excess_[number]; }

 private:
  RoundTimes rounds_;
  RoundLengths lengths_;
  std::vector<RoundTimes::Last> last_;
  std::vector<Service> excess_;
};

}  // namespace tessera::sim::outcome
