// What a network file says: operators as they are written, before their shapes are known.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "arch/base/config_error.hpp"
#include "workloads/network.hpp"

namespace tessera::workloads {

/// Where something was written.
struct Place {
  SourceLocation where;
  std::string key_path;

  [[nodiscard]] ConfigError error(std::string problem) const {
    return {where, key_path, std::move(problem)};
  }
};

/// Rows and columns of a kernel, a stride, a padding or a map.
struct Size2d {
  std::int64_t rows = 1;
  std::int64_t columns = 1;
};

/// Pooling behind a convolution. Maximum or average is the same to us: neither multiplies.
struct PoolSpec {
  enum class Rounding { down, up };

  Size2d size;
  Size2d stride;
  Size2d padding{0, 0};
  Rounding rounding = Rounding::down;  ///< of the output's size; Caffe rounds up, most others down
};

struct ConvSpec {
  std::int64_t filters = 1;
  Size2d kernel;
  Size2d stride;
  Size2d padding{0, 0};
  std::optional<PoolSpec> pool;
};

struct LinearSpec {
  std::int64_t outputs = 1;
};

struct AddSpec {};

struct OperatorSpec {
  struct Input {
    std::string tensor;
    Place place;
  };

  std::string name;
  std::variant<ConvSpec, LinearSpec, AddSpec> work;
  std::vector<Input> inputs;
  Place place;
};

/// The network's input, per sample: {features} or {channels, rows, columns}.
struct InputSpec {
  std::string name;
  std::vector<std::int64_t> extents;
  Place place;
};

struct NetworkSpec {
  std::string name;
  std::int64_t batch = 1;
  Bytes element_size{4};
  TrainingSpec training;
  InputSpec input;
  std::vector<OperatorSpec> operators;
  Place place;              ///< of the list of operators
  std::string source_text;  ///< the configuration as YAML
};

}  // namespace tessera::workloads
