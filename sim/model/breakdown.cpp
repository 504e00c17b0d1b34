// Sums of integers: the order of additions cannot matter.
#include "sim/model/breakdown.hpp"

#include <algorithm>
#include <numeric>

namespace tessera::sim {

void Breakdown::add(Task const& on_behalf_of, Activity activity, Time time) {
  EXPECTS(time >= Time{0}, time);
  std::size_t const op = on_behalf_of.op.index();
  if (op >= operators_.size()) operators_.resize(op + 1);
  auto& times = operators_[op][static_cast<std::size_t>(on_behalf_of.phase)];
  times[static_cast<std::size_t>(activity)] += time;
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
