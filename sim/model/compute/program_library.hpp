// Tile programs, each different one made once for all accelerators that run it: finding a mapping is a search.
#pragma once

#include <map>
#include <memory>
#include <tuple>

#include "sim/model/compute/tile_program.hpp"
#include "sim/task/task_graph.hpp"

namespace tessera::sim {

class ProgramLibrary final {
 public:
  /// `graph` must outlive the library.
  explicit ProgramLibrary(TaskGraph const& graph) : graph_{graph} {}

  /// The program of a computation on a core, which must outlive the library.
  [[nodiscard]] TileProgram const& program(arch::CoreSpec const& core, Task const& task);

 private:
  TaskGraph const& graph_;
  IdVector<workloads::OperatorId, Fusion> fusions_;
  std::map<std::tuple<arch::CoreSpec const*, std::size_t, workloads::Phase>,
           std::unique_ptr<TileProgram>>
      programs_;
};

}  // namespace tessera::sim
