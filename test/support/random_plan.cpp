#include "test/support/random_plan.hpp"

#include <algorithm>
#include <numeric>

#include "partition/search/planning.hpp"

namespace tessera::test {

using workloads::Dim;

partition::Plan random_plan(workloads::Network const& network, arch::ArraySpec const& array,
                            std::mt19937_64& random, std::vector<Dim> const& dims) {
  auto plan = partition::empty_plan("random", {network, array});
  for (auto const id : network.operators().ids()) {
    auto& splits = plan.splits[id];
    while (splits.size() < static_cast<std::size_t>(plan.levels())) {
      auto const dim = dims[random() % dims.size()];
      if (network.at(id).can_split(dim)) splits.emplace_back(dim);
    }
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

/// The orders of that schedule in the plan's own words.
void make_explicit(partition::Pipeline& pipeline) {
  auto const program = partition::program_of(pipeline, 1);
  for (auto const id : pipeline.stages.ids()) {
    pipeline.stages[id].orders = program.orders[id.index()];
  }
  pipeline.schedule = partition::Pipeline::explicit_orders;
  pipeline.backward = partition::Pipeline::Backward::fused;
}

}  // namespace

partition::Plan random_staged_plan(workloads::Network const& network, arch::ArraySpec const& array,
                                   std::mt19937_64& random, std::string const& named) {
  auto plan = random_plan(network, array, random);
  auto& pipeline = plan.pipeline.emplace();
  bool const is_explicit = named == partition::Pipeline::explicit_orders;
  std::vector<std::string> const written = {"gpipe", "1f1b", "pipedream"};
  auto const schedule = is_explicit ? written[random() % written.size()] : named;
  pipeline.schedule = schedule;
  if (schedule != partition::Pipeline::layerwise && random() % 2 == 0) {
    pipeline.backward = partition::Pipeline::Backward::split;
  }
  std::size_t const chunks = schedule == "interleaved-1f1b" ? 2 : 1;
  auto stages = std::min<std::size_t>(1 + random() % 4, plan.splits.size() / chunks);
  if (chunks > 1 && stages == 3) stages = 2;  // micro-batches divide by them
  auto const parts = cut(network, stages * chunks, random);
  auto const devices = shuffled(static_cast<std::size_t>(array.accelerators), random);
  bool const alike = chunks > 1 || schedule == "2bw" || schedule == "zb-h1" || schedule == "zb-h2";
  auto const room = devices.size() / 4;  // for a stage
  auto const random_size = [&] { return std::size_t{1} << random() % (room == 4 ? 3 : 2); };
  auto size = random_size();
  bool const replicated = random() % 2 == 0;
  for (std::size_t i = 0; i < stages; ++i) {
    if (!alike) size = random_size();
    auto const first = devices.begin() + static_cast<std::ptrdiff_t>(room * i);
    auto stage = random_stage({first, first + static_cast<std::ptrdiff_t>(size)}, random);
    if (alike) stage.replicas = replicated && size > 1 ? 2 : 1;
    if (schedule == partition::Pipeline::layerwise) stage.replicas = 1;
    for (auto part = i; part < parts.size(); part += stages) {
      stage.chunks.push_back(parts[part]);
      for (auto const op : parts[part]) {
        plan.splits[op].resize(stage.mesh.arity.size());
        if (stage.replicas > 1) plan.splits[op].front().reset();
      }
    }
    pipeline.stages.push_back(std::move(stage));
  }
  pipeline.micro_batches = alike ? 8 : 2;
  if (is_explicit) make_explicit(pipeline);
  return plan;
}

}  // namespace tessera::test
