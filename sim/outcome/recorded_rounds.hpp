// What the rounds of a run's transfers waited for, and how much longer they took than by
// sim/outcome/round_times.hpp.
#pragma once

#include <optional>
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
  /// How much later it was served, or had left, than if its ring had the fabric for itself; less
  /// than nothing where lengths are not exact.
  [[nodiscard]] Service const& longer(std::uint32_t number) const { return longer_[number]; }
  /// If it left its link after all that began there before it had left: the last of them that did,
  /// perhaps itself. Else none.
  [[nodiscard]] std::optional<TaskId> left_after(std::uint32_t number) const {
    return left_after_[number];
  }
  /// Then as longer(), but than if the link had also carried these without a break.
  [[nodiscard]] Service const& excess(std::uint32_t number) const { return excess_[number]; }

 private:
  void find_last_to_leave(TaskGraph const& graph, UnitTimes const& times);

  RoundTimes rounds_;
  RoundLengths lengths_;
  std::vector<RoundTimes::Last> last_;
  std::vector<Service> longer_;
  std::vector<std::optional<TaskId>> left_after_;
  std::vector<Service> excess_;
};

}  // namespace tessera::sim::outcome
