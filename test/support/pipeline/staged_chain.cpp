// Networks, arrays and plans as their files.
#include "test/support/pipeline/staged_chain.hpp"

#include <algorithm>

#include "arch/array/load.hpp"
#include "partition/planners/staged_plan.hpp"
#include "test/support/network_text.hpp"

namespace tessera::test {

namespace {

std::size_t parts_of(partition::PipelineShape const& shape) {
  return shape.stages() * static_cast<std::size_t>(shape.chunks);
}

std::string clocks_text(std::int64_t clocks) { return std::to_string(clocks) + " ns"; }

/// As the hierarchies of arrays want it, without prime factors over 13.
std::size_t array_size(std::size_t accelerators) {
  auto size = std::max<std::size_t>(accelerators, 2);
  while (Hierarchy{size}.ways().front() > 13) ++size;
  return size;
}

std::string profile_text(StagedChain const& chain) {
  std::string text = "{schema: tessera.profile/1, name: chain, batch: 1, operators: [";
  for (std::size_t part = 0; part < parts_of(chain.shape); ++part) {
    auto const& times = chain.times.stages[part % chain.shape.stages()];
    text += (part == 0 ? "" : ", ") + std::string{"{name: "} + part_name(part);
    text += ", forward: " + clocks_text(times.forward);
    text += ", backward_data: " + clocks_text(times.backward_data);
    text += ", backward_weight: " + clocks_text(times.backward_weight);
    text += ", update: " + clocks_text(times.update) + "}";
  }
  return text + "]}";
}

/// Of one accelerator, or of a stage's.
std::string accelerator_text(StagedChain const& chain, std::string const& units) {
  auto const latency = std::string{chain.takes_clocks_to_issue ? "{latency: 1}" : "{latency: 0}"};
  return "{clock: 1 GHz, " + units + ", dispatch: " + latency + "}";
}

std::string units_text(StagedChain::Memory const& memory) {
  auto const rate = std::to_string(32'000'000'000 / memory.clocks_per_word) + " b/s";
  return "processing_unit: {kind: mac-rate, macs_per_cycle: 1}, memory: {kind: bandwidth, "
         "bandwidth: " +
         rate + ", latency: " + clocks_text(memory.latency) + ", capacity: 1 GB}";
}

std::string group_text(StagedChain const& chain, std::size_t count,
                       StagedChain::Memory const& memory) {
  return "{count: " + std::to_string(count) +
         ", accelerator: " + accelerator_text(chain, units_text(memory)) + "}";
}

/// All of them; those of no stage as the first.
std::string accelerators_text(StagedChain const& chain) {
  if (chain.memories.empty()) {
    auto const times = "processing_unit: {kind: profile, times: " + profile_text(chain) + "}";
    return "accelerator: " +
           accelerator_text(chain, times + ", memory: {kind: ideal, capacity: 1 GB}");
  }
  std::string groups;
  for (std::size_t stage = 0; stage < chain.shape.stages(); ++stage) {
    groups += (stage == 0 ? "" : ", ") +
              group_text(chain, chain.shape.replicas[stage], chain.memories[stage]);
  }
  auto const spare = array_size(chain.accelerators()) - chain.accelerators();
  if (spare > 0) groups += ", " + group_text(chain, spare, chain.memories.front());
  return "groups: [" + groups + "]";
}

/// Which stage an accelerator is in; the first that has no accelerator, beyond all.
std::size_t stage_of(StagedChain const& chain, std::size_t accelerator) {
  std::size_t stage = 0;
  for (auto left = accelerator; stage < chain.shape.stages(); ++stage) {
    if (left < chain.shape.replicas[stage]) break;
    left -= chain.shape.replicas[stage];
  }
  return stage;
}

/// A word of 32 bits leaves in `leaving` clocks.
std::string wire_text(StagedChain const& chain) {
  auto const leaving = chain.times.leaving;
  auto const rate = leaving == 0 ? "unlimited" : std::to_string(32'000'000'000 / leaving) + " b/s";
  return "{bandwidth: " + rate + ", latency: " + clocks_text(chain.times.transfer) + "}";
}

std::string topology_text(StagedChain const& chain) {
  auto const size = array_size(chain.accelerators());
  std::string edges;
  for (std::size_t a = 0; a < size; ++a) {
    for (auto b = a + 1; b < size; ++b) {
      bool const is_within = stage_of(chain, a) == stage_of(chain, b);
      edges += (edges.empty() ? "[" : ", [") + std::to_string(a) + ", " + std::to_string(b) +
               (is_within ? ", 0]" : ", 1]");
    }
  }
  return "{kind: edges, shape: [" + std::to_string(size) +
         "], links: [{bandwidth: unlimited, latency: 0 s}, " + wire_text(chain) + "], edges: [" +
         edges + "]}";
}

}  // namespace

std::size_t StagedChain::accelerators() const {
  std::size_t sum = 0;
  for (auto const count : shape.replicas) sum += count;
  return sum;
}

workloads::Network network_of(StagedChain const& chain) {
  NetworkText text;
  text.input = "{name: x, features: 1}";
  text.batch = std::to_string(chain.shape.micro_batches);
  text.more = "training: {input_error: computed}\n";
  std::vector<std::string> operators;
  for (std::size_t part = 0; part < parts_of(chain.shape); ++part) {
    auto const input = part == 0 ? std::string{"x"} : part_name(part - 1);
    bool const is_tied = std::count(chain.tied.begin(), chain.tied.end(), part) > 0;
    operators.push_back("{name: " + part_name(part) + ", kind: linear, input: " + input +
                        ", outputs: 1" + (is_tied ? ", tied_to: " + part_name(0) : "") + "}");
  }
  return network_of(text.with(operators));
}

arch::ArraySpec array_of(StagedChain const& chain) {
  auto const size = std::to_string(array_size(chain.accelerators()));
  bool const is_beside = chain.times.transfers == PipelineTimes::Transfers::beside_computation;
  auto const latency = std::string{chain.takes_clocks_to_issue ? "{latency: 1}" : "{latency: 0}"};
  std::string const text =
      "schema: tessera.array/2\nname: profiled\naccelerators: " + size + "\n" +
      accelerators_text(chain) + "\nfabric:\n  clock: 1 GHz\n  hop: " + latency +
      "\n  topology: " + topology_text(chain) +
      "\nexecution: {overlap: " + (is_beside ? "communication" : "none") +
      "}\nenergy: {multiply: 1 pJ, add: 1 pJ, buffer_access: 1 pJ, memory_access: 1 pJ, "
      "link_word: 1 pJ, local_memory: ignored, exchanged_word_accesses: 0}\n";
  return arch::array_from(read_config_text(text, "array.yaml"));
}

partition::Plan plan_of(StagedChain const& chain, workloads::Network const& network,
                        arch::ArraySpec const& array) {
  partition::Pipeline pipeline;
  pipeline.schedule = chain.schedule;
  pipeline.backward = chain.backward;
  pipeline.micro_batches = chain.shape.micro_batches;
  std::size_t device = 0;
  for (std::size_t index = 0; index < chain.shape.stages(); ++index) {
    partition::Stage stage;
    stage.replicas = chain.shape.replicas[index];
    for (std::size_t i = 0; i < stage.replicas; ++i) stage.mesh.devices.push_back(device++);
    if (stage.replicas > 1) stage.mesh.arity = {stage.replicas};
    for (auto part = index; part < parts_of(chain.shape); part += chain.shape.stages()) {
      stage.chunks.push_back({workloads::OperatorId{part}});
    }
    pipeline.stages.push_back(std::move(stage));
  }
  auto plan = partition::unpriced_plan("test", {network, array}, std::move(pipeline));
  validate(plan, network, array);
  return plan;
}

}  // namespace tessera::test
