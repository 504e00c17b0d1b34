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

/// What keeps the parts of a level apart, by level: "what conv1.forward exchanges".
using Reasons = std::map<std::size_t, std::string>;

struct Symmetry {
  Folding folding;
  Reasons apart;  ///< of levels that are not folded
};

/// Follows the levels that are folded while more and more of a step is looked at.
class KeptApart final {
 public:
  /// Before any exchange, of levels that are `alike` or not.
  KeptApart(std::vector<bool> folded, std::vector<bool> const& alike) : folded_{std::move(folded)} {
    for (std::size_t level = 0; level < alike.size(); ++level) {
      if (folded_[level]) continue;
      reasons_[level] = alike[level] ? "how links lie" : "unequal parts or accelerators";
    }
  }

  /// What is left.
  void leave(std::vector<bool> const& folded, std::string const& because) {
    for (std::size_t level = 0; level < folded.size(); ++level) {
      if (folded_[level] && !folded[level]) reasons_[level] = because;
      if (folded[level]) reasons_.erase(level);
    }
    folded_ = folded;
  }

  [[nodiscard]] Reasons const& reasons() const { return reasons_; }

 private:
  std::vector<bool> folded_;
  Reasons reasons_;
};

/// That it exchanges something: "what conv1.forward exchanges".
[[nodiscard]] inline std::string reason_of(Step const& step, Action const& action) {
  return "what " + step.network->at(action.op).name + '.' + workloads::name(action.phase) +
         " exchanges";
}

/// All levels of an array that is not folded, because of one thing.
[[nodiscard]] inline Symmetry unfolded(Folding const& whole, std::string const& because) {
  Symmetry symmetry{whole, {}};
  for (std::size_t level = 0; level < whole.hierarchy().levels(); ++level) {
    symmetry.apart[level] = because;
  }
  return symmetry;
}

}  // namespace tessera::partition
