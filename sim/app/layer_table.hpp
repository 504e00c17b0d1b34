// How a plan splits every layer, as a person reads it.
#pragma once

#include <string>
#include <vector>

#include "partition/plan/plan.hpp"
#include "workloads/network.hpp"

namespace tessera::sim {

struct LayerTable {
  std::vector<std::string> titles;
  std::vector<std::vector<std::string>> rows;  ///< a text for each title
  std::string legend;                          ///< what the entries mean; may be empty
};

/// A row for each layer with its split at every level of the array, H1 at the top; with stages
/// along the axes of each one's mesh, but for the replicas'. Where blocks of layers repeat, with
/// equal shapes and splits, the rows of one stand for all: "layer1..24/inner  III  x24". Nothing of
/// a pipeline that splits no layer.
[[nodiscard]] LayerTable layers_of(workloads::Network const& network, partition::Plan const& plan);
/// Likewise as text, and below it what the entries mean.
[[nodiscard]] std::string layer_table(workloads::Network const& network,
                                      partition::Plan const& plan);

}  // namespace tessera::sim
