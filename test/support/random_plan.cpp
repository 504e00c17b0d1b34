#include "test/support/random_plan.hpp"

namespace tessera::test {

using workloads::Dim;

partition::Plan random_plan(workloads::Network const& network, arch::ArraySpec const& array,
                            std::mt19937_64& random, std::vector<Dim> const& dims) {
  partition::Plan plan;
  plan.planner = "random";
  plan.network = network.name();
  plan.array = array.name;
  plan.batch = network.batch();
  plan.accelerators = array.accelerators;
  for (auto const& op : network.operators()) {
    partition::Splits splits;
    while (splits.size() < static_cast<std::size_t>(plan.levels())) {
      auto const dim = dims[random() % dims.size()];
      if (op.can_split(dim)) splits.emplace_back(dim);
    }
    plan.splits.push_back(std::move(splits));
  }
  return plan;
}

}  // namespace tessera::test
