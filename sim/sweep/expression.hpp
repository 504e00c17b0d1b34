// The small language of a sweep's conditions and derived values.
//
//   16 * arch.accelerators                       keys are names; what a key holds is its value
//   planner == 'mp' and arch.accelerators > 16   and or not, == != < <= > >=, in [a, b]
//   max(2, log2(arch.accelerators)) ** 2         min max log2; + - * / // % **
//   arch.fabric.link.bandwidth >= '1 Gb/s'       texts with a unit are quantities: compared and added
//                                                within their family, multiplied by numbers
//
// Nothing else parses, and nothing is converted silently: 'dp' + 1 is an error.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arch/base/config_error.hpp"
#include "sim/sweep/value.hpp"

namespace tessera::sim {

class Expression final {
 public:
  /// The value of a key; none: there is no such key here.
  using Lookup = std::function<std::optional<SweepValue>(std::string const& name)>;
  struct Node;

  /// Throws ConfigError at `where` for a text that does not parse.
  Expression(std::string text, SourceLocation where);

  /// Throws ConfigError at the expression's place for a name that `lookup` does not know, values of
  /// kinds that do not go together, a division by zero or a result that is no finite number.
  [[nodiscard]] SweepValue evaluate(Lookup const& lookup) const;
  /// The same of an expression that must be true or false.
  [[nodiscard]] bool holds(Lookup const& lookup) const;

  [[nodiscard]] std::string const& text() const { return text_; }
  [[nodiscard]] SourceLocation const& where() const { return where_; }
  /// The keys that it mentions, in their order, each once.
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  std::string text_;
  SourceLocation where_;
  std::shared_ptr<Node const> root_;
};

}  // namespace tessera::sim
