// An expression as a tree. Internal to sim/sweep.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/sweep/expression.hpp"

namespace tessera::sim {

struct Expression::Node {
  enum class Kind : std::uint8_t {
    literal,
    name,        ///< `text`: the key
    negation,    ///< of one child
    inversion,   ///< not
    logic,       ///< `text`: and, or
    arithmetic,  ///< `text`: + - * / // % **
    comparison,  ///< `text`: == != < <= > >=
    membership,  ///< is the first child one of the others?
    call,        ///< `text`: min, max, log2
  };
  Kind kind = Kind::literal;
  std::string text = {};
  SweepValue value = 0.0;
  std::vector<Node> children = {};
};

/// Throws ConfigError at `where` when `text` is not in the language.
[[nodiscard]] Expression::Node parsed_expression(std::string const& text,
                                                 SourceLocation const& where);

}  // namespace tessera::sim
