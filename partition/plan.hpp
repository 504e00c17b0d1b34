// The plan: who computes what. One representation for every planner (values in, values out, a YAML file that can be edited by hand).
//
// The array is a binary hierarchy of groups; level 1 is the top. At every level each operator splits one loop dimension between the
// two halves of a group, or none (both halves compute the same). In the literature's words:
//   n = HyPar dp = AccPar Type-I      c = HyPar mp = AccPar Type-II      k = AccPar Type-III
// One choice serves all four phases; tensor layouts and all communication follow from it (layout.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arch/array_spec.hpp"
#include "arch/base/config.hpp"
#include "workloads/network.hpp"

namespace tessera::partition {

/// An operator's choice at each level, top first; none = not split.
using Splits = std::vector<std::optional<workloads::Dim>>;

/// What a cost model says of a plan (cost_model.hpp).
struct Prediction {
  double time_s = 0;
  Bytes communication{0};
  double energy_j = 0;
};

struct Plan {
  std::string planner;
  std::string network;
  std::string array;
  std::int64_t batch = 0;
  std::int64_t accelerators = 1;
  IdVector<workloads::OperatorId, Splits> splits;
  std::optional<Prediction> predicted;
  std::int64_t evaluations = 0;  ///< how many terms or plans the planner priced

  [[nodiscard]] int levels() const;
};

/// Throws ConfigError unless the plan fits the network and the array: same network, batch and size,
/// every operator once, every level, only dimensions that the operator can split.
void validate(Plan const& plan, workloads::Network const& network, arch::ArraySpec const& array);

/// Schema tessera.plan/1:
///   schema: tessera.plan/1
///   planner: hypar
///   network: hypar/lenet-c
///   array: hypar-paper
///   batch: 256
///   accelerators: 16
///   operators: {conv1: [n, n, n, n], fc1: [c, c, n, c]}      # level 1 first; "-" = not split
///   predicted: {time_s: 0.0012, communication: 16068000 B, energy_j: 0.1}
[[nodiscard]] ConfigNode to_config(Plan const& plan, workloads::Network const& network);
/// Reads and validates.
[[nodiscard]] Plan plan_from(ConfigNode const& node, workloads::Network const& network,
                             arch::ArraySpec const& array);
[[nodiscard]] Plan load_plan(std::string const& path, workloads::Network const& network,
                             arch::ArraySpec const& array);

/// "I", "II", "III" (n, c, k), the dimension's letter for others, "-" for none.
[[nodiscard]] std::string type_name(std::optional<workloads::Dim> split);

}  // namespace tessera::partition
