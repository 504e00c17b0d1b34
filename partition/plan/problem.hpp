// What is planned: a network on an array.
#pragma once

#include "arch/array/array_spec.hpp"
#include "workloads/network.hpp"

namespace tessera::partition {

struct Problem {
  workloads::Network const& network;
  arch::ArraySpec const& array;
};

}  // namespace tessera::partition
