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
  std::string instance = {};  ///< the use of a block, when it was written in a block

  [[nodiscard]] ConfigError error(std::string problem) const {
    if (!instance.empty()) problem += "; in '" + instance + "'";
    return {where, key_path, std::move(problem)};
  }
};

/// Rows and columns of a kernel, a stride, a padding or a map.
struct Size2d {
  std::int64_t rows = 1;
  std::int64_t columns = 1;
};

/// A pooling window. Maximum or average is the same to us: neither multiplies.
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
  Size2d dilation;
  std::int64_t groups = 1;
  Place groups_place;
  std::optional<PoolSpec> pool;
};

struct LinearSpec {
  std::int64_t outputs = 1;
};

struct AddSpec {};

/// Pooling as an operator of its own.
struct PoolingSpec {
  std::optional<PoolSpec> window;  ///< none: the whole map
};

/// Per sample: {features}, {positions, features} or {channels, rows, columns}.
struct RecastSpec {
  std::vector<std::int64_t> extents;
};

struct ConcatSpec {};
struct SoftmaxSpec {};
struct LayerNormSpec {};

struct EmbeddingSpec {
  std::int64_t entries = 1;
  std::int64_t outputs = 1;
};

/// Inputs: the sequence, and what the cells begin with, if they go on where others stopped.
struct LstmSpec {
  std::int64_t hidden = 1;
};

/// Inputs: queries and keys.
struct ScoresSpec {
  std::int64_t heads = 1;
  Place heads_place;
};

/// Inputs: probabilities, which know the heads, and values.
struct ContextSpec {};

/// An operator of which only its sizes are known.
struct ProfiledSpec {
  std::int64_t outputs = 1;  ///< elements of a sample
  std::int64_t weights = 0;  ///< elements
};

struct OperatorSpec {
  struct Input {
    std::string tensor;
    Place place;
  };
  /// To the operator whose weights it shares.
  struct Tie {
    std::string name;
    Place place;
  };

  std::string name;
  std::variant<ConvSpec, LinearSpec, AddSpec, PoolingSpec, RecastSpec, ConcatSpec, SoftmaxSpec,
               LayerNormSpec, EmbeddingSpec, LstmSpec, ScoresSpec, ContextSpec, ProfiledSpec>
      work;
  std::vector<Input> inputs;
  std::optional<Tie> tied_to;  ///< none: its weights are its own
  Place place;
};

/// The network's input, per sample: {features} or {positions} (of ids), {positions, features} or
/// {channels, rows, columns}.
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
