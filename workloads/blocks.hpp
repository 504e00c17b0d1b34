// Blocks: what a network repeats, written once, as the tables of papers do.
//
//   blocks:
//     bottleneck:
//       - {name: a, kind: conv, input: $input, filters: $width, kernel: 1}
//       - {name: b, kind: conv, input: a, filters: $width, kernel: 3, padding: 1}
//       - {name: c, kind: conv, input: b, filters: $outputs, kernel: 1}
//       - {name: sum, kind: add, inputs: [c, $input]}
//   operators:
//     - {name: conv2_2..3, block: bottleneck, input: conv2_1, width: 64, outputs: 256}
//
// Every $parameter of a block is a key where the block is used. Its last operator is its result and
// takes the name of the use; the others are named below it (conv2_2/a). Inside a block an operator
// reads (and is tied to) the block's own operators and parameters, nothing else. `name: conv2_2..3` stands for
// conv2_2 and conv2_3, each reading the one before it; operators of a kind may be repeated so too. In a list of inputs a
// range is all of its names: `inputs: [pool1, conv2_1..3]`.
// Left out: blocks inside blocks.
#pragma once

#include <string>
#include <vector>

#include "arch/base/config.hpp"

namespace tessera::workloads {

/// An operator as if it had been written out.
struct ExpandedOperator {
  ConfigNode node;
  std::string instance;  ///< the use of a block that it belongs to; empty: it was written out
};

/// `blocks` may be null. Throws ConfigError at the block or at its use, whichever is at fault.
[[nodiscard]] std::vector<ExpandedOperator> expand_blocks(ConfigNode const& operators,
                                                          ConfigNode const* blocks);

}  // namespace tessera::workloads
