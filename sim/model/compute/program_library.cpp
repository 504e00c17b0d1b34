// Looks a program up by core, part and phase, and makes one for each core, shape and phase.
#include "sim/model/compute/program_library.hpp"

namespace tessera::sim {

TileProgram const& ProgramLibrary::program(arch::CoreSpec const& core, TaskGraph const& graph,
                                           Task const& task) {
  auto const phase = workloads::computed_as(task.phase);
  auto const& part = graph.part(task.part);
  auto const samples = graph.operation(part.op).extents[workloads::Dim::n];
  PartKey key{static_cast<std::int64_t>(part.op.index()), samples,
              static_cast<std::int64_t>(phase)};
  auto* extent = key.data() + 3;
  for (auto const dim : workloads::all_dims) *extent++ = part.extents[dim];
  auto& known = by_part_[&core][key];
  if (known == nullptr) known = &made(core, graph, part, phase);
  return *known;
}

TileProgram const& ProgramLibrary::made(arch::CoreSpec const& core, TaskGraph const& graph,
                                        Part const& part, workloads::Phase phase) {
  if (is_empty(part)) {  // it holds zeros of a sum
    auto& nothing = empty_[&core];
    if (!nothing) nothing = std::make_unique<TileProgram>(core);
    return *nothing;
  }
  ComputeOptions options;
  options.element = graph.element_size();
  if (fusions_.empty()) fusions_ = fusions_of(graph.operators());
  auto const shape = shape_of(graph.operation(part.op), part.extents,
                              core.has_vector_unit() ? fusions_[part.op] : Fusion{});
  auto& known = by_shape_[{&core, shape, phase}];
  if (!known) known = std::make_unique<TileProgram>(core, shape, phase, options);
  return *known;
}

TileProgram::Totals ProgramLibrary::totals(arch::CoreSpec const& core, TaskGraph const& graph,
                                           Task const& task) {
  return totals(program(core, graph, task));
}

TileProgram::Totals const& ProgramLibrary::totals(TileProgram const& program) {
  auto const [known, is_new] = totals_.try_emplace(&program);
  if (is_new) known->second = program.totals();
  return known->second;
}

}  // namespace tessera::sim
