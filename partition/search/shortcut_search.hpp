// How AccPar's released solver (github.com/linghaosong/AccPar) searches a level of a ResNet.
//
// Its tables list the layers one after another, without shortcuts. For a span of s layers (2 in ResNet-18 and -34, 3 in ResNet-50) it
// adds at every layer l > s with l mod s = 1 (l from 0) what the tables ask for between the types of layers l - s and l, where the
// type of l - s is that of the best way to each choice of layer l - 1. So what a layer costs depends on more than the layer before, and
// the dynamic programme over single layers is not exact. A quirk besides: the way through Type I is compared without that
// term, so a shortcut costs nothing when layer l - 1 has Type I. Kept as they are, because they decide the authors' plans.
#pragma once

#include <cstddef>

#include "partition/search/level_problem.hpp"

namespace tessera::partition {

/// A LevelSearch. The operators with weights must form a chain.
class ShortcutSearch final {
 public:
  explicit ShortcutSearch(std::size_t span) : span_{span} {}

  void operator()(workloads::Network const& network, LevelProblem const& level, Plan& plan) const;

 private:
  std::size_t span_;
};

}  // namespace tessera::partition
