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
// A conv may also have stride (default 1) and padding (default 0). Kernel, stride and padding are
// one number or [rows, columns]. A pool of 2 is short for {size: 2, stride: 2, padding: 0, rounding:
// down}; Caffe's pools have rounding: up.
//
// An operator's output tensor has its name; a conv's is what its pool leaves. A feature map that a
// linear operator reads is flat for all its readers, which must be linear too. Operators may be
// written in any order; a cycle is an error that names it. Left out: biases, groups, dilation.
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

/// The network that a configuration describes.
[[nodiscard]] Network network_from(ConfigNode const& node);

/// The zoo, by name.
[[nodiscard]] std::vector<BuiltinEntry> builtin_networks();

}  // namespace tessera::workloads
