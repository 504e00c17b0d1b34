// Sums over cores.
#include "sim/model/array/resource.hpp"

namespace tessera::sim {

std::int64_t Resource::statistic(std::string_view statistic_name) const {
  for (Statistic const& candidate : *statistics) {
    if (candidate.name == statistic_name)
      return tessera::detail::checked_multiply(candidate.value, times);
  }
  return 0;
}

std::int64_t total(std::vector<Resource> const& resources, Resource::Kind kind,
                   std::string_view statistic) {
  std::int64_t sum = 0;
  for (Resource const& resource : resources) {
    if (resource.kind == kind)
      sum = tessera::detail::checked_add(sum, resource.statistic(statistic));
  }
  return sum;
}

}  // namespace tessera::sim
