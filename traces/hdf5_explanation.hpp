// The tables of a run file that say why it took so long, and what they are read beside.
#pragma once

#include <vector>

#include "traces/event.hpp"
#include "traces/hdf5_file.hpp"

namespace tessera::traces {

void write_places(Hdf5File& file, std::vector<PlaceEntry> const& places);
void write_plan(Hdf5File& file, std::vector<PlanEntry> const& costs);
void write_accelerators(Hdf5File& file, std::vector<AcceleratorEntry> const& accelerators);
void write_mirrors(Hdf5File& file, std::vector<AcceleratorEntry> const& accelerators);
void write_what_if(Hdf5File& file, std::vector<WhatIfEntry> const& entries);
void write_path(Hdf5File& file, std::vector<PathEntry> const& path);

}  // namespace tessera::traces
