#include "test/support/random_plan.hpp"

#include <algorithm>
#include <numeric>

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

namespace {

/// Of 0 to `count` - 1.
std::vector<std::size_t> shuffled(std::size_t count, std::mt19937_64& random) {
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  for (auto i = count; i > 1; --i) std::swap(all[i - 1], all[random() % i]);
  return all;
}

/// Consecutive operators, at least one in each of `count` parts.
std::vector<std::vector<workloads::OperatorId>> cut(workloads::Network const& network,
                                                    std::size_t count, std::mt19937_64& random) {
  std::vector<std::vector<workloads::OperatorId>> parts(1);
  auto const operators = network.operators().size();
  for (auto const op : network.operators().ids()) {
    auto const missing = count - parts.size();
    bool const must = operators - op.index() <= missing;
    if (!parts.back().empty() && missing > 0 && (must || random() % 2 == 0)) parts.emplace_back();
    parts.back().push_back(op);
  }
  return parts;
}

partition::Stage random_stage(std::vector<std::size_t> const& devices, std::mt19937_64& random) {
  partition::Stage stage;
  stage.mesh = {devices, Hierarchy{devices.size()}.ways()};
  if (devices.size() > 1 && random() % 2 == 0) stage.replicas = 2;
  return stage;
}

}  // namespace

partition::Plan random_staged_plan(workloads::Network const& network, arch::ArraySpec const& array,
                                   std::mt19937_64& random, std::string const& schedule) {
  auto plan = random_plan(network, array, random);
  auto& pipeline = plan.pipeline.emplace();
  pipeline.schedule = schedule;
  auto const parts =
      cut(network, std::min<std::size_t>(1 + random() % 4, plan.splits.size()), random);
  auto const devices = shuffled(static_cast<std::size_t>(array.accelerators), random);
  bool const alike = schedule == "2bw" || schedule == "zb-h1" || schedule == "zb-h2";
  auto size = std::size_t{1} << random() % 3;
  bool const replicated = random() % 2 == 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!alike) size = std::size_t{1} << random() % 3;
    auto const first = devices.begin() + static_cast<std::ptrdiff_t>(4 * i);
    auto stage = random_stage({first, first + static_cast<std::ptrdiff_t>(size)}, random);
    if (alike) stage.replicas = replicated && size > 1 ? 2 : 1;
    if (schedule == partition::Pipeline::layerwise) stage.replicas = 1;
    stage.chunks = {parts[i]};
    for (auto const op : parts[i]) {
      plan.splits[op].resize(stage.mesh.arity.size());
      if (stage.replicas > 1) plan.splits[op].front().reset();
    }
    pipeline.stages.push_back(std::move(stage));
  }
  pipeline.micro_batches = alike ? 8 : 2;
  return plan;
}

}  // namespace tessera::test
