// Where the time of a step goes: a sum over accelerators for every operator and phase.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/task/task_graph.hpp"

namespace tessera::sim {

/// What an accelerator does at an instant; the first that applies.
enum class Activity : std::uint8_t {
  compute,        ///< a compute task is outstanding and does not wait for its memory
  memory,         ///< a load or store is outstanding, or a compute task waits for tiles
  communication,  ///< an own transfer has not left yet, or a task waits for incoming ones only
  idle,           ///< none of these: it waits for others at a barrier, or has nothing to do
};
inline constexpr std::size_t activity_count = 4;

class Breakdown final {
 public:
  struct Row {
    workloads::OperatorId op;
    workloads::Phase phase = workloads::Phase::forward;
    std::array<Time, activity_count> times;  ///< by Activity
  };

  void add(Task const& on_behalf_of, Activity activity, Time time);

  /// Takes time that was added as one activity for another, as far as there is any.
  void move(Task const& on_behalf_of, Activity from, Activity to, Time time);

  /// The rows that are not all zero, in order of (operator, phase).
  [[nodiscard]] std::vector<Row> rows() const;
  [[nodiscard]] Time total() const;

 private:
  using Times = std::array<Time, activity_count>;
  using Phases = std::array<Times, workloads::all_phases.size()>;

  [[nodiscard]] Times& times_of(Task const& task);

  std::vector<Phases> operators_;  ///< by OperatorId
};

}  // namespace tessera::sim
