// Tile programs, each different one made once for all operators and accelerators that run it: finding a mapping is a search, and
// layers of one shape have one program (the 24 of BERT-large).
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
  using ByPart = std::tuple<arch::CoreSpec const*, std::size_t, workloads::Phase>;
  using ByShape = std::tuple<arch::CoreSpec const*, OperatorShape, workloads::Phase>;

  [[nodiscard]] TileProgram const& program(arch::CoreSpec const& core, Part const& part,
                                           workloads::Phase phase);

  TaskGraph const& graph_;
  IdVector<workloads::OperatorId, Fusion> fusions_;
  std::map<ByPart, TileProgram const*> by_part_;
  std::map<ByShape, std::unique_ptr<TileProgram>> by_shape_;
  std::map<arch::CoreSpec const*, std::unique_ptr<TileProgram>> empty_;
};

}  // namespace tessera::sim
