// What one run leaves for the next: the tile programs that it made, the records of computations
// that it worked out, and the courses of its memories' channels. A search runs thousands of plans
// of one network on one array, which differ in little.
//
// Exact for the reason that a run may use them itself: a program follows from core, operator and
// extents, a record from program, addresses and the memory's state, a course from the channel's
// state and what is asked of it, and their keys hold all of that (program_library.hpp,
// phase_memo.hpp, dram_courses.hpp).
#pragma once

#include "sim/model/compute/phase_memo.hpp"
#include "sim/model/compute/program_library.hpp"
#include "sim/model/memory/dram/dram_library.hpp"

namespace tessera::sim {

/// For runs of one network, in micro-batches of any size, on one array, an object that outlives it.
struct KeptWork {
  explicit KeptWork(PhaseMemo::Use use = PhaseMemo::Use::on) : memo{use} {}

  ProgramLibrary programs;
  PhaseMemo memo;
  DramLibrary drams;
};

}  // namespace tessera::sim
