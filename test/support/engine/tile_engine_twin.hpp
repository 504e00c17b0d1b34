// The slow twin of the tile engine: a DMA engine with a list of orders and an array, looked at in every clock.
#pragma once

#include "sim/model/compute/tile_engine.hpp"

namespace tessera::sim {

/// Runs a program on a memory of its own; the outcome that TileEngine::run() must have.
[[nodiscard]] TileEngine::Outcome run_engine_twin(TileProgram const& program,
                                                  TileEngine::Addresses const& addresses,
                                                  Clock clock, Memory& memory, Time start);

}  // namespace tessera::sim
