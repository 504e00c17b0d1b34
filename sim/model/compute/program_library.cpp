// Looks a program up by core, part and phase, and makes one for each core, shape and phase.
#include "sim/model/compute/program_library.hpp"

namespace tessera::sim {

TileProgram const& ProgramLibrary::program(arch::CoreSpec const& core, Task const& task) {
  auto const phase = workloads::computed_as(task.phase);
  auto& known = by_part_[{&core, task.part.index(), phase}];
  if (known == nullptr) known = &program(core, graph_.part(task.part), phase);
  return *known;
}

TileProgram const& ProgramLibrary::program(arch::CoreSpec const& core, Part const& part,
                                           workloads::Phase phase) {
  if (is_empty(part)) {  // it holds zeros of a sum
    auto& nothing = empty_[&core];
    if (!nothing) nothing = std::make_unique<TileProgram>(core);
    return *nothing;
  }
  ComputeOptions options;
  options.element = graph_.element_size();
  if (fusions_.empty()) fusions_ = fusions_of(graph_.operators());
  auto const shape = shape_of(graph_.operation(part.op), part.extents,
                              core.has_vector_unit() ? fusions_[part.op] : Fusion{});
  auto& known = by_shape_[{&core, shape, phase}];
  if (!known) known = std::make_unique<TileProgram>(core, shape, phase, options);
  return *known;
}

}  // namespace tessera::sim
