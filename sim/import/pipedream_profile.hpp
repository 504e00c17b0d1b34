// Profiles of PipeDream (github.com/msr-fiddle/pipedream) and of DAPPLE (github.com/AlibabaPAI/DAPPLE).
//
// Both write a graph as text, one node or edge to a line:
//   line        = node | edge
//   node        = ID " -- " DESCRIPTION " -- " times ", " sizes [ " -- stage_id=" COUNT ]
//   times       = "forward_compute_time=" NUMBER ", backward_compute_time=" NUMBER         in ms
//   sizes       = "activation_size=" bytes ", parameter_size=" NUMBER                     in bytes
//   bytes       = NUMBER | "[" NUMBER { "; " NUMBER } "]"                                 several outputs: their sum
//   edge        = blank { blank } ID " -- " ID                                            the second reads the first
// for instance
//   node4 -- Linear(in_features=1024, out_features=10) -- forward_compute_time=0.073, backward_compute_time=6.949, activation_size=[64.0; 8.0], parameter_size=40.000 -- stage_id=0
//   	node3 -- node4
// The same as two tables: node, desc, forward_ms, backward_ms, activation_bytes, parameter_bytes; and src, dst.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "arch/base/config.hpp"
#include "partition/search/pipeline_states.hpp"

namespace tessera::sim {

/// What was measured of a node, for a minibatch.
struct PipeDreamNode {
  std::string id;
  std::string description;
  Time forward{0};
  Time backward{0};
  Bytes activation{0};  ///< its output
  Bytes parameters{0};
  ConfigNode place = ConfigNode::scalar({});  ///< where it stands
};

/// Nodes with the graph that is computed: without input nodes ("Input..."), whose readers read the
/// network's input, and without __getitem__ nodes that nobody reads, as PipeDream's optimizer
/// leaves them out.
struct PipeDreamProfile {
  std::vector<PipeDreamNode> nodes;
  std::vector<partition::PipelineEdge> edges;
  std::vector<bool> reads_input;  ///< per node
  Bytes input{0};                 ///< of all input nodes
};

/// Throw ConfigError for whatever is not as above, and for nodes that are named twice or not at
/// all, edges twice, and cycles.
[[nodiscard]] PipeDreamProfile read_pipedream_graph(std::string_view text, std::string const& name);
[[nodiscard]] PipeDreamProfile read_pipedream_tables(std::vector<ConfigNode> const& nodes,
                                                     std::vector<ConfigNode> const& edges);

/// What a planner of pipelines needs.
[[nodiscard]] partition::PipelineGraph pipeline_graph_of(PipeDreamProfile const& profile);

/// A network (tessera.network/1) of profiled operators and the profile with their times.
struct ImportedProfile {
  ConfigNode network = ConfigNode::map();
  ConfigNode times = ConfigNode::map();
  std::vector<std::string> remarks;  ///< sentences
};

/// The profile's minibatch has `batch` samples of 32-bit elements. An operator is called as its
/// node and the word that its description begins with: "node4.Linear". All errors are computed,
/// also of the network's input: the times of a first layer's backward pass are of both phases.
[[nodiscard]] ImportedProfile import_pipedream(PipeDreamProfile const& profile,
                                               std::string const& name, std::int64_t batch);

}  // namespace tessera::sim
