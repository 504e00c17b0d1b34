// Networks from files and from the zoo.
//
// A network file (schema tessera.network/1):
//   schema: tessera.network/1
//   name: hypar/lenet-c
//   description: Caffe LeNet on MNIST, after HyPar (HPCA 2019)     # optional, one line
//   batch: 256
//   element: fp32                                                 # fp32 | bf16 | fp16
//   training: {input_error: computed}                             # computed | skipped (default)
//   input: {name: image, channels: 1, rows: 28, columns: 28}      # or {name: image, features: 784}
//   operators:
//     - {name: conv1, kind: conv, input: image, filters: 20, kernel: 5, pool: 2}
//     - {name: fc1, kind: linear, input: conv1, outputs: 500}
//     - {name: fc2, kind: linear, input: conv1, outputs: 500}
//     - {name: sum, kind: add, inputs: [fc1, fc2]}
// kinds, with the keys that each needs besides name and input (inputs: a list):
//   conv        filters, kernel; stride, dilation, groups (default 1), padding (default 0), pool
//   linear      outputs; of a sequence at every position
//   add         inputs of one shape
//   pool        size, or size: global; stride (default size), padding, rounding
//   concat      inputs, joined along channels or features
//   softmax, layer_norm
//   embedding   entries, outputs; reads ids, the network's input {name: words, positions: 35}
//   lstm        hidden; a layer of cells over all positions of a sequence. state: another lstm, of the steps before, where they go on
//   scores      inputs [queries, keys], heads
//   context     inputs [probabilities, values]
//   profiled    outputs, elements per sample; weights (default 0); input or inputs: an operator of which
//               only sizes and measured times are known, the times in a profile (arch/accelerator/profile_spec.hpp)
//   recast      features, positions and features, or channels, rows and columns: its input as another
//               shape at no cost, for published tables whose layers do not meet
// Whatever has weights may share those of another operator of the same shape, or as a matrix of the
// transposed one (weight_ties.hpp): {name: output, kind: linear, input: norm, outputs: 50257, tied_to: token}.
// Kernel, stride, dilation and padding are one number or [rows, columns]. A pool of 2 is short for
// {size: 2, stride: 2, padding: 0, rounding: down}; Caffe's pools have rounding: up. Activations and
// dropout are folded into the operator before them. What a network repeats is written once, in blocks
// and ranges of names (blocks.hpp).
//
// An operator's output tensor has its name; a conv's is what its pool leaves. A feature map that a
// linear operator reads is flat for all its readers, which must be linear too. Operators may be
// written in any order; a cycle is an error that names it. Left out: vectors of parameters (biases,
// scales and shifts of normalisations).
#pragma once

#include <string>
#include <vector>

#include "arch/base/builtin_config.hpp"
#include "arch/base/config.hpp"
#include "workloads/network.hpp"

namespace tessera::workloads {

/// Reads a network by path or built-in name ("hypar/vgg-a"). `overrides` are "key.path=value"
/// relative to the file's root ("batch=512"). Throws ConfigError only.
[[nodiscard]] Network load(std::string const& name_or_path,
                           std::vector<std::string> const& overrides = {});

/// The file behind load(), not read yet.
[[nodiscard]] ConfigNode network_config(std::string const& name_or_path,
                                        std::vector<std::string> const& overrides = {});

/// The same network with blocks and ranges of names written out, and every key that has a default;
/// what was written keeps its place.
[[nodiscard]] ConfigNode resolved(ConfigNode const& network);

/// The network that a configuration describes.
[[nodiscard]] Network network_from(ConfigNode const& node);

/// The same network for batches of another size, for which it must be valid.
[[nodiscard]] Network with_batch(Network const& network, std::int64_t batch);

/// The zoo, by name.
[[nodiscard]] std::vector<BuiltinEntry> builtin_networks();

}  // namespace tessera::workloads
