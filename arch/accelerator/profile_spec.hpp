// Times that operators took on a real machine, for arrays whose chips are not modelled.
//
// A profile's file (schema tessera.profile/1):
//   schema: tessera.profile/1
//   name: vgg16
//   description: VGG-16 on a V100, from PipeDream's repository    # optional, one line
//   batch: 128                     # samples for which the times are
//   backward_data_share: 0.5       # optional: of `backward`, where that is one number
//   operators:
//     - {name: conv1, forward: 10.5 ms, backward_data: 9 ms, backward_weight: 11 ms}
//     - {name: fc1, forward: 3 ms, backward: 6 ms, update: 1 ms}    # update: default 0 s
//     - {name: size, forward: 0 s, backward: 0 s, output: 4 B}      # output: only where the network's is larger
// A time includes everything that the operator waited for on its accelerator, memory as well, and nothing between
// accelerators.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "arch/base/builtin_config.hpp"
#include "arch/base/config.hpp"
#include "arch/base/quantity.hpp"

namespace tessera::arch {

/// The backward pass in its two phases.
struct BackwardTimes {
  Time data{0};    ///< the error of the inputs
  Time weight{0};  ///< the gradient of the weights
};

/// Of an operator, for the profile's batch.
struct OperatorProfile {
  Time forward{0};
  std::variant<Time, BackwardTimes> backward = Time{0};  ///< as one number, or in phases
  Time update{0};                                        ///< of the weights; whatever the batch
  /// Measured size of its output, where a network cannot say it (whole elements of every sample).
  std::optional<Bytes> output = {};
};

struct ProfileSpec {
  std::string name;
  std::string description;
  std::int64_t batch = 1;
  /// Of a backward pass that is one number: half of the multiplications are each phase's.
  double backward_data_share = 0.5;
  std::map<std::string, OperatorProfile> operators;
  SourceLocation where = {};  ///< of the list of operators
  std::string key_path = {};  ///< and what leads to it

  /// Throws ConfigError with the nearest name.
  [[nodiscard]] OperatorProfile const& of(std::string const& operator_name) const;

  /// Forward, backward-data, backward-weight, update, each for the profile's batch. A backward pass
  /// that is one number is shared in whole picoseconds, the rest to backward-weight, if the
  /// operator has both phases; if it has one, that one takes all of it.
  [[nodiscard]] std::array<Time, 4> phase_times(std::string const& operator_name,
                                                bool has_backward_data,
                                                bool has_backward_weight) const;
};

/// The file behind a profile's name or path, not read yet.
[[nodiscard]] ConfigNode profile_config(std::string const& name_or_path,
                                        std::vector<std::string> const& overrides = {});
/// Throws ConfigError.
[[nodiscard]] ProfileSpec profile_from(ConfigNode const& node);
[[nodiscard]] ConfigNode to_config(ProfileSpec const& spec);

[[nodiscard]] std::vector<BuiltinEntry> builtin_profiles();

}  // namespace tessera::arch
