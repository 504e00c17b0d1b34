#include "partition/planners/auto_territory.hpp"

#include "partition/price/work.hpp"

namespace tessera::partition {

double least_seconds(workloads::Network const& network, arch::ArraySpec const& array) {
  double rate = 0;  // networks a second
  for (auto const& group : array.groups) {
    double seconds = 0;
    for (auto const& op : network.operators()) {
      for (auto const phase : workloads::own_phases) {
        seconds += seconds_on_one(group.accelerator, op, phase);
      }
    }
    if (seconds == 0) return 0;
    rate += static_cast<double>(group.count) / seconds;
  }
  return 1 / rate;
}

}  // namespace tessera::partition
