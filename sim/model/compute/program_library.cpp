// Looks a program up by core, part and phase.
#include "sim/model/compute/program_library.hpp"

namespace tessera::sim {

TileProgram const& ProgramLibrary::program(arch::CoreSpec const& core, Task const& task) {
  auto const phase = workloads::computed_as(task.phase);
  auto& known = programs_[{&core, task.part.index(), phase}];
  if (known) return *known;
  auto const& part = graph_.part(task.part);
  if (is_empty(part)) {  // it holds zeros of a sum
    known = std::make_unique<TileProgram>(core);
    return *known;
  }
  ComputeOptions options;
  options.element = graph_.element_size();
  if (fusions_.empty()) fusions_ = fusions_of(graph_.operators());
  auto const shape = shape_of(graph_.operation(part.op), part.extents,
                              core.has_vector_unit() ? fusions_[part.op] : Fusion{});
  known = std::make_unique<TileProgram>(core, shape, phase, options);
  return *known;
}

}  // namespace tessera::sim
