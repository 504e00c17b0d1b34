// The configurations among which a search for a strategy chooses (operator_config.hpp): FlexFlow's SOAP dimensions (Jia et al., SysML'19,
// Table 1) with a bound on where parts may be.
//
// Degrees: over samples, output channels, rows and columns of the output, as far as an operator can be split over them; a divisor of the
// batch over samples, over others at most as many parts as there are indices (of rows and columns as many as hold what a neighbour
// needs). Degrees are powers of two, or any product of prime factors of the number of accelerators. Together they are the number of
// parts, which are numbered with samples outermost, then channels, rows, columns.
// Devices: a run, so many in a row from any first one (round the end of the array), or strided, so many with an equal distance between
// them. In order; so a set of devices that is no run is not in the space.
//
// Left out: splits of what is reduced over (input channels; SOAP is about dimensions of the output), and several parts of an operator on
// one device.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "arch/base/config.hpp"
#include "partition/search/operator_config.hpp"

namespace tessera::partition {

/// Degrees over the dimensions that SOAP may split.
struct Degrees {
  std::int64_t samples = 1;
  std::int64_t channels = 1;
  std::int64_t rows = 1;
  std::int64_t columns = 1;

  [[nodiscard]] std::int64_t parts() const { return samples * channels * rows * columns; }
};

/// `count` devices from `first` on, `stride` apart.
struct DeviceRun {
  std::size_t first = 0;
  std::size_t stride = 1;
  std::size_t count = 1;
};

class ConfigSpace final {
 public:
  enum class Devices {
    runs,     ///< contiguous and strided
    aligned,  ///< contiguous, from a multiple of their number on
    whole,    ///< as many parts as the operator can have: all accelerators, where it can
    any,      ///< for random_config(): distinct devices in any order
  };

  ConfigSpace(Problem const& problem, Devices devices);

  /// All of an operator with devices in runs.
  [[nodiscard]] std::vector<OperatorConfig> configs(workloads::OperatorId op) const;

  /// Of all degrees with equal probability one, then of all its runs, or of all devices.
  [[nodiscard]] OperatorConfig random_config(workloads::OperatorId op,
                                             std::mt19937_64& random) const;
  [[nodiscard]] Strategy random_strategy(std::mt19937_64& random) const;

  /// Is it legal for the operator?
  [[nodiscard]] bool has_degrees(workloads::OperatorId op, OperatorConfig const& config) const;

  [[nodiscard]] std::vector<Degrees> const& degrees(workloads::OperatorId op) const {
    return degrees_[op];
  }
  [[nodiscard]] std::vector<DeviceRun> runs(std::size_t count) const;

 private:
  Devices devices_;
  std::size_t accelerators_;
  IdVector<workloads::OperatorId, std::vector<Degrees>> degrees_;
};

/// The option `devices`.
[[nodiscard]] ConfigSpace::Devices devices_from(ConfigMap& options);

[[nodiscard]] OperatorConfig config_of(Degrees const& degrees,
                                       std::vector<std::size_t> const& devices);
[[nodiscard]] std::vector<std::size_t> devices_of(DeviceRun const& run, std::size_t accelerators);

}  // namespace tessera::partition
