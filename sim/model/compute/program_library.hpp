// Tile programs, each different one made once for all operators and accelerators that run it, and for all runs that share a library:
// finding a mapping is a search, and layers of one shape have one program (the 24 of BERT-large).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <unordered_map>

#include "arch/base/hash.hpp"
#include "sim/model/compute/tile_program.hpp"
#include "sim/task/task_graph.hpp"

namespace tessera::sim {

/// For the graphs of one network, of which an operator is known by its number; they may be of
/// micro-batches of any size.
class ProgramLibrary final {
 public:
  /// The program of a computation on a core, which must outlive the library.
  [[nodiscard]] TileProgram const& program(arch::CoreSpec const& core, TaskGraph const& graph,
                                           Task const& task);

  [[nodiscard]] TileProgram::Totals totals(arch::CoreSpec const& core, TaskGraph const& graph,
                                           Task const& task);
  /// Of one of its programs.
  [[nodiscard]] TileProgram::Totals const& totals(TileProgram const& program);

 private:
  /// Operator, samples of its batch, phase, and what of it is computed.
  using PartKey = std::array<std::int64_t, 3 + workloads::dim_count>;
  using ByPart = std::unordered_map<PartKey, TileProgram const*, HashOfWords>;
  using ByShape = std::tuple<arch::CoreSpec const*, OperatorShape, workloads::Phase>;

  [[nodiscard]] TileProgram const& made(arch::CoreSpec const& core, TaskGraph const& graph,
                                        Part const& part, workloads::Phase phase);

  IdVector<workloads::OperatorId, Fusion> fusions_;
  std::map<arch::CoreSpec const*, ByPart> by_part_;
  std::map<ByShape, std::unique_ptr<TileProgram>> by_shape_;
  std::map<arch::CoreSpec const*, std::unique_ptr<TileProgram>> empty_;
  std::map<TileProgram const*, TileProgram::Totals> totals_;  ///< as far as anybody asked
};

}  // namespace tessera::sim
