// Looks a program up by core, part and phase.
#include "sim/model/program_library.hpp"

#include <algorithm>

namespace tessera::sim {

namespace {

/// An accelerator whose share of a reduced dimension is nothing holds zeros.
bool is_empty(Part const& part) {
  return std::any_of(workloads::all_dims.begin(), workloads::all_dims.end(),
                     [&](auto const dim) { return part.extents[dim] == 0; });
}

}  // namespace

TileProgram const& ProgramLibrary::program(arch::CoreSpec const& core, Task const& task) {
  auto& known = programs_[{&core, task.part.index(), task.phase}];
  if (known) return *known;
  auto const& part = graph_.part(task.part);
  if (is_empty(part)) {
    known = std::make_unique<TileProgram>(core);
    return *known;
  }
  ComputeOptions options;
  options.element = graph_.element_size();
  auto const shape = shape_of(graph_.operation(part.op), part.extents);
  known = std::make_unique<TileProgram>(core, shape, task.phase, options);
  return *known;
}

}  // namespace tessera::sim
