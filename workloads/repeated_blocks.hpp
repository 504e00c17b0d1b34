// What repeats in a network or a table of it: blocks of consecutive operators that follow each other, all alike.
#pragma once

#include <string>
#include <vector>

#include "workloads/network.hpp"

namespace tessera::workloads {

/// Items begin .. begin + length - 1 of a sequence, `times` times one after another.
struct Repeat {
  std::size_t begin = 0;
  std::size_t length = 1;
  std::size_t times = 1;
};

/// A whole sequence as such blocks. From the first item on: the repetition that covers most items,
/// of those that cover equally many the one with the shortest block; an item that begins none
/// stands for itself. For example a b c b c d is a, b c twice, d.
[[nodiscard]] std::vector<Repeat> repeats(std::vector<std::string> const& items);

/// A name without its numbers: "layer#/norm#" of "layer12/norm1". Operators of blocks that a
/// network repeats differ in nothing else.
[[nodiscard]] std::string name_pattern(std::string const& name);

/// Everything that operators of repeated blocks have in common: pattern of the name, kind, extents.
[[nodiscard]] std::string block_key(Operator const& op);

}  // namespace tessera::workloads
