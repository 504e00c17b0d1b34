// Why an array is not folded at some of its levels: what a report says to those who wonder how much was simulated.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "arch/base/folding.hpp"
#include "partition/step/step.hpp"

namespace tessera::partition {

/// By level that is not folded, why: "communication of conv1.forward".
using UnfoldedReasons = std::map<std::size_t, std::string>;

struct ExplainedFolding {
  Folding folding;
  UnfoldedReasons unfolded;
};

/// Follows which levels are folded while the exchanges of a step are looked at, one after another.
class UnfoldedLevels final {
 public:
  /// Before any exchange, of levels that are `alike` (equal accelerators and shards) or not.
  UnfoldedLevels(std::vector<bool> folded, std::vector<bool> const& alike)
      : folded_{std::move(folded)} {
    for (std::size_t level = 0; level < alike.size(); ++level) {
      if (folded_[level]) continue;
      reasons_[level] = alike[level] ? "topology" : "unequal shards or accelerators";
    }
  }

  /// Only these are folded still.
  void leave(std::vector<bool> const& folded, std::string const& reason) {
    for (std::size_t level = 0; level < folded.size(); ++level) {
      if (folded_[level] && !folded[level]) reasons_[level] = reason;
      if (folded[level]) reasons_.erase(level);
    }
    folded_ = folded;
  }

  [[nodiscard]] UnfoldedReasons const& reasons() const { return reasons_; }

 private:
  std::vector<bool> folded_;
  UnfoldedReasons reasons_;
};

/// "communication of conv1.forward"
[[nodiscard]] inline std::string communication_of(Step const& step, Action const& action) {
  return "communication of " + step.network->at(action.op).name + '.' +
         workloads::name(action.phase);
}

/// Of an array that is folded at no level, for one reason.
[[nodiscard]] inline ExplainedFolding not_folded(Folding const& whole, std::string const& reason) {
  ExplainedFolding explained{whole, {}};
  for (std::size_t level = 0; level < whole.hierarchy().levels(); ++level) {
    explained.unfolded[level] = reason;
  }
  return explained;
}

}  // namespace tessera::partition
