// Profiles of PipeDream's repository (github.com/msr-fiddle/pipedream), as `tessera import pipedream` makes networks and times of them.
#pragma once

#include <cstdint>
#include <string>

#include "arch/array/array_spec.hpp"
#include "workloads/network.hpp"

namespace tessera::sim {

/// A network whose operators were measured on a V100.
struct ProfiledNetwork {
  workloads::Network network;
  arch::ProfileUnitSpec times;
};

/// The tables pipedream/MODEL.nodes and .edges, with the batch that was measured or another.
[[nodiscard]] ProfiledNetwork profiled_network(std::string const& model);
[[nodiscard]] ProfiledNetwork profiled_network(std::string const& model, std::int64_t batch);

}  // namespace tessera::sim
