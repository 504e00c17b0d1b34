// Sums of integers: the order of additions cannot matter.
#include "sim/model/record/breakdown.hpp"

#include <algorithm>
#include <numeric>

namespace tessera::sim {

void Breakdown::add(Task const& on_behalf_of, Activity activity, Time time) {
  EXPECTS(time >= Time{0}, time);
  times_of(on_behalf_of)[static_cast<std::size_t>(activity)] += time;
}

void Breakdown::move(Task const& on_behalf_of, Activity from, Activity to, Time time) {
  auto& times = times_of(on_behalf_of);
  auto& source = times[static_cast<std::size_t>(from)];
  auto const moved = std::min(time, source);
  source -= moved;
  times[static_cast<std::size_t>(to)] += moved;
}

Breakdown::Times& Breakdown::times_of(Task const& task) {
  if (task.op.index() >= operators_.size()) operators_.resize(task.op.index() + 1);
  return operators_[task.op.index()][static_cast<std::size_t>(task.phase)];
}

std::vector<Breakdown::Row> Breakdown::rows() const {
  std::vector<Row> all;
  for (std::size_t op = 0; op < operators_.size(); ++op) {
    for (workloads::Phase const phase : workloads::all_phases) {
      Times const& times = operators_[op][static_cast<std::size_t>(phase)];
      if (times != Times{}) all.push_back({workloads::OperatorId{op}, phase, times});
    }
  }
  return all;
}

Time Breakdown::total() const {
  Time sum{0};
  for (Row const& row : rows()) {
    sum = std::accumulate(row.times.begin(), row.times.end(), sum);
  }
  return sum;
}

}  // namespace tessera::sim
