// `auto` against the other planners, all simulated.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/validation/suite.hpp"

namespace tessera::sim {

/// Networks on an array, and how many simulations `auto` has for each.
struct AutoCases {
  std::string array;
  std::vector<std::string> networks;
  std::string budget;
  double least_gain = 1;  ///< over `accpar`, in the geometric mean
};

/// Rows: of each network, that `auto` is as fast as the fastest of the other planners' plans for
/// the whole array; of each array, its gain over `accpar`.
[[nodiscard]] std::unique_ptr<Suite> auto_suite(std::vector<AutoCases> cases, bool takes_long);

/// Seconds: small networks on small arrays.
[[nodiscard]] std::vector<AutoCases> small_auto_cases();
/// An hour and more: AccPar's nine networks on detailed arrays.
[[nodiscard]] std::vector<AutoCases> large_auto_cases();

}  // namespace tessera::sim
