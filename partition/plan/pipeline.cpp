// What a pipeline may be.
#include "partition/plan/pipeline.hpp"

#include <algorithm>

#include "arch/base/nearest_name.hpp"

namespace tessera::partition {

using workloads::Network;
using workloads::OperatorId;

namespace {

/// About one key of the pipeline, in a file or not.
ConfigError misfit(std::string key, std::string problem) {
  return ConfigError{{}, std::move(key), std::move(problem)};
}

std::string name_of(StageId stage) { return "stage " + std::to_string(stage.index()); }

void validate_chunks(Pipeline const& pipeline) {
  for (auto const id : pipeline.stages.ids()) {
    auto const chunks = pipeline.stages[id].chunks.size();
    if (chunks == pipeline.chunks()) continue;
    throw misfit("stages", name_of(id) + " has " + std::to_string(chunks) +
                               " chunks, but stage 0 has " + std::to_string(pipeline.chunks()) +
                               "; give all stages equally many");
  }
}

/// Every operator has one stage.
void validate_operators(Pipeline const& pipeline, Network const& network) {
  IdVector<OperatorId, std::optional<StageId>> owner{network.operators().size()};
  for (auto const id : pipeline.stages.ids()) {
    for (auto const& chunk : pipeline.stages[id].chunks) {
      for (auto const op : chunk) {
        if (owner[op]) {
          throw misfit("stages", "operator '" + network.at(op).name + "' is in " +
                                     name_of(*owner[op]) + " and in " + name_of(id) +
                                     "; leave it in one of them");
        }
        owner[op] = id;
      }
    }
  }
  for (auto const op : owner.ids()) {
    if (owner[op]) continue;
    throw misfit("stages", "operator '" + network.at(op).name + "' is in no stage; add it to one");
  }
}

/// Where stages have orders of their own, an accelerator has one of them.
void validate_accelerators(Pipeline const& pipeline, std::size_t accelerators) {
  std::vector<std::optional<StageId>> owner(accelerators);
  for (auto const id : pipeline.stages.ids()) {
    for (auto const device : pipeline.stages[id].mesh.devices) {
      if (owner[device]) {
        throw misfit("stages", "accelerator " + std::to_string(device) + " is in " +
                                   name_of(*owner[device]) + " and in " + name_of(id) +
                                   " (only schedule layerwise lets stages share accelerators); "
                                   "leave it in one of them");
      }
      owner[device] = id;
    }
  }
}

ConfigError reads_from_later(std::string const& reader, StageId stage, std::string const& later,
                             StageId later_stage) {
  auto text = "operator '" + reader + "' in " + name_of(stage);
  text.append(" reads what '").append(later).append("' in ").append(name_of(later_stage));
  text.append(
      " computes (micro-batches go through the stages in order, so the operators between two of a "
      "stage belong to it, too); move '");
  text.append(later).append("' to ").append(name_of(stage)).append(" or before it");
  return misfit("stages", text);
}

/// What goes from part to part goes forward.
void validate_direction(Pipeline const& pipeline, Network const& network) {
  auto const parts = parts_of(pipeline, network);
  for (auto const id : network.operators().ids()) {
    for (auto const& input : network.at(id).inputs) {
      auto const producer = network.at(input.tensor).producer;
      if (!producer || parts[*producer].part <= parts[id].part) continue;
      throw reads_from_later(network.at(id).name, parts[id].stage, network.at(*producer).name,
                             parts[*producer].stage);
    }
  }
}

bool is_explicit(Pipeline const& pipeline) {
  return pipeline.schedule == Pipeline::explicit_orders;
}

void validate_orders(Pipeline const& pipeline, Network const& network) {
  if (is_explicit(pipeline)) {
    auto const problem = order_problem(pipeline, network);
    if (problem) throw misfit("orders", problem->problem);
    return;
  }
  for (auto const id : pipeline.stages.ids()) {
    if (pipeline.stages[id].orders.empty()) continue;
    throw misfit("stages", name_of(id) + " has orders, which are for schedule explicit");
  }
}

void validate_name(std::string const& schedule) {
  std::vector<std::string> names;
  for (auto const& [name, description] : plan_schedules()) {
    if (name == schedule) return;
    names.push_back(name);
  }
  throw misfit("schedule", unknown_name("schedule", schedule, names));
}

/// That a key says something about this schedule.
void validate_options(Pipeline const& pipeline) {
  bool const is_synced = pipeline.options.vertical_sync == ScheduleOptions::VerticalSync::on;
  if (is_synced && pipeline.schedule != "pipedream") {
    throw misfit("vertical_sync", "is for schedule pipedream (" + pipeline.schedule +
                                      " has the same weights in all stages anyway); leave it out");
  }
  bool const has_order = pipeline.schedule != Pipeline::layerwise && !is_explicit(pipeline);
  if (pipeline.backward == Pipeline::Backward::split && !has_order) {
    throw misfit("backward", "is for a schedule with backward passes in one unit (" +
                                 pipeline.schedule + " says itself what is when); leave it out");
  }
}

/// That it can be for the stages, and updates those with tied weights alike: in as many steps as
/// one of them has replicas, and one more, updates of other micro-batches show.
void validate_schedule(Pipeline const& pipeline, Network const& network) {
  if (program_of(pipeline, network, 1).shape.tied.empty()) return;
  std::size_t replicas = 1;
  for (auto const& stage : pipeline.stages) replicas = std::max(replicas, stage.replicas);
  auto const program = program_of(pipeline, network, static_cast<std::int64_t>(replicas) + 1);
  if (auto const problem = unequal_updates(program)) {
    throw misfit("schedule", problem->problem + ", by gpipe, 1f1b or 2bw");
  }
}

void validate_layerwise(Pipeline const& pipeline) {
  for (auto const id : pipeline.stages.ids()) {
    if (pipeline.stages[id].replicas > 1) {
      throw misfit("stages", name_of(id) +
                                 " has replicas (schedule layerwise has one micro-batch at a time, "
                                 "so that others would idle); use another schedule");
    }
    if (pipeline.stages[id].recomputes()) {
      throw misfit("stages", name_of(id) +
                                 " recomputes activations (schedule layerwise has one micro-batch "
                                 "at a time, so that this would save nothing); write 'activations: "
                                 "stored', or use another schedule");
    }
  }
  if (pipeline.chunks() > 1) {
    throw misfit("stages", "chunks are for interleaved schedules; use operators");
  }
}

void validate_batch(Pipeline const& pipeline, Network const& network) {
  auto const count = pipeline.micro_batches;
  if (count < 1) throw misfit("micro_batches", "a step has at least one micro-batch");
  auto const batch = network.batch();
  if (batch % count == 0) return;
  throw misfit("micro_batches",
               "batch " + std::to_string(batch) + " cannot be cut in " + std::to_string(count) +
                   " equal micro-batches; use a divisor of " + std::to_string(batch));
}

}  // namespace

std::vector<std::pair<std::string, std::string>> plan_schedules() {
  std::vector<std::pair<std::string, std::string>> all = {
      {Pipeline::layerwise, "each operator as soon as its inputs are there, without orders"}};
  auto const schedules = builtin_schedules();
  for (auto const& entry : schedules.entries()) {
    all.emplace_back(entry.name, entry.description);
  }
  all.emplace_back(Pipeline::explicit_orders, "an order for each replica in the plan's file");
  return all;
}

IdVector<OperatorId, StagePart> parts_of(Pipeline const& pipeline, Network const& network) {
  IdVector<OperatorId, StagePart> parts{network.operators().size()};
  for (auto const id : pipeline.stages.ids()) {
    auto const& chunks = pipeline.stages[id].chunks;
    for (std::size_t chunk = 0; chunk < chunks.size(); ++chunk) {
      for (auto const op : chunks[chunk]) {
        parts[op] = {id, chunk, chunk * pipeline.stages.size() + id.index()};
      }
    }
  }
  return parts;
}

void validate(Pipeline const& pipeline, Network const& network, std::size_t accelerators) {
  validate_chunks(pipeline);
  validate_operators(pipeline, network);
  validate_batch(pipeline, network);
  validate_name(pipeline.schedule);
  validate_options(pipeline);
  if (pipeline.schedule == Pipeline::layerwise) return validate_layerwise(pipeline);
  validate_accelerators(pipeline, accelerators);
  validate_direction(pipeline, network);
  validate_orders(pipeline, network);
  if (!is_explicit(pipeline)) validate_schedule(pipeline, network);
}

}  // namespace tessera::partition
