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
  /// The last round of a transfer, by number.
  [[nodiscard]] LastBegun const& last(std::uint32_t number) const { return last_[number]; }
  /// How much later a transfer (by number) left and was served than with the fabric to its ring
  /// alone; negative where lengths are not exact.
  [[nodiscard]] Service const& longer(std::uint32_t number) const { return longer_[number]; }
  /// Of a transfer that left its link after all that began there before it: the last of these to
  /// begin, perhaps itself. None of a transfer that left before one of them.
  [[nodiscard]] std::optional<TaskId> left_after(std::uint32_t number) const {
    return left_after_[number];
  }
  /// How much later a transfer left and was served than that, and than its link could have carried
  /// it behind left_after().
  [[nodiscard]] Service const& excess(std::uint32_t number) const { return excess_[number]; }

 private:
  void find_last_to_leave(TaskGraph const& graph, UnitTimes const& times);

  RoundTimes rounds_;
  RoundLengths lengths_;
  std::vector<LastBegun> last_;
  std::vector<Service> longer_;
  std::vector<std::optional<TaskId>> left_after_;
  std::vector<Service> excess_;
};

}  // namespace tessera::sim::outcome
