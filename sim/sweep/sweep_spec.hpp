// A design space as a file, schema tessera.sweep/1:
//
//   schema: tessera.sweep/1
//   name: link-bandwidth
//   options: {arch: hypar-paper}                       # the same for every point
//   axes:                                              # every combination; the last varies fastest
//     workload: [hypar/lenet-c, hypar/sfc]
//     planner: [dp, hypar]
//     arch.accelerators: {from: 4, to: 32, factor: 2}  # or step: 4; or count: 5, with scale: linear | log
//   zip:                                               # keys that vary together, an axis each item
//     - arch.fabric.link.bandwidth: [500 Mb/s, 1 Gb/s]
//       arch.fabric.link.latency: [4 ns, 2 ns]
//   derive: {workload.batch: 16 * arch.accelerators}   # follows from other keys (expression.hpp)
//   where: ["not (planner == 'dp' and arch.accelerators > 16)"]
//   exclude: [{workload: hypar/sfc, arch.accelerators: 4}]
//   include: [{workload: hypar/vgg-a, planner: hypar}]  # points besides, with the options; not derived
//   sample: {points: 100, seed: 1, method: random}     # or latin-hypercube; none: all
//   results: {edp: energy_j * time_s}                  # columns made of columns
//
// The keys of a point are workload, arch, planner, plan (a file, in place of a planner) and steps, and what --set takes:
// workload.KEY, arch.KEY, planner.KEY. What is set by several of these is an error, so there is no rank among them; only a map among
// the options may be changed inside by an axis, and a point besides may set an option otherwise. Results are made of keys and columns;
// where one of them has no value, they have none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arch/base/config.hpp"
#include "sim/sweep/expression.hpp"

namespace tessera::sim {

/// A key and its value, which is a scalar, a list or a map as the file has it.
struct SweepSetting {
  std::string key;
  ConfigNode value;
};

/// Keys that vary together: values[i] of keys[k] is settings[i][k].
struct SweepAxis {
  std::vector<std::string> keys;
  std::vector<std::vector<SweepSetting>> settings;
};

struct SweepDerived {
  std::string key;
  Expression expression;
};

struct SweepSample {
  enum class Method : std::uint8_t { random, latin_hypercube };
  std::int64_t points = 1;
  std::uint64_t seed = 0;
  Method method = Method::random;
  SourceLocation place;  ///< of `points`
};

struct SweepSpec {
  std::string name;
  std::vector<SweepSetting> options;
  std::vector<SweepAxis> axes;
  std::vector<SweepDerived> derive;  ///< each after those that it reads
  std::vector<Expression> where;
  std::vector<std::vector<SweepSetting>> exclude;
  std::vector<std::vector<SweepSetting>> include;
  std::optional<SweepSample> sample;
  std::vector<SweepDerived> results;
  std::string text;      ///< of the file
  SourceLocation place;  ///< of its axes, or of its name where it has none
};

/// Throws ConfigError: unknown keys, a key that is set twice or inside of another, values of other
/// lengths, derived values that need each other, expressions that do not parse.
[[nodiscard]] SweepSpec sweep_from(ConfigNode const& node);
[[nodiscard]] SweepSpec load_sweep(std::string const& path);

/// Results are columns of their own, made of columns and keys. Throws ConfigError for those that
/// are columns already or are made of none. To be asked when it is known that the keys are keys: a
/// slip in one of them is no advice for what a result reads.
void check_results(SweepSpec const& spec);

/// The values of a range: {from: 4, to: 32, factor: 2}. With the unit of `from` and `to`.
[[nodiscard]] std::vector<ConfigNode> range_values(ConfigNode const& node);

}  // namespace tessera::sim
