// A run of everything against one that skips what is provably the same: all that both report, as text.
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "partition/step/symmetry.hpp"
#include "sim/engine/run.hpp"
#include "sim/lower/lower.hpp"
#include "sim/shell/run.hpp"
#include "test/support/forked.hpp"
#include "test/support/random_network.hpp"
#include "test/support/run_text.hpp"

namespace tessera::test {

/// On SystemC, unless by the engine. In full, the modules of an instant may be run in another
/// order.
enum class Effort {
  skipping,
  skipping_by_the_engine,
  in_full,
  in_full_and_in_reverse,
  in_full_and_shuffled,
  in_full_by_the_engine
};

[[nodiscard]] inline bool is_skipping(Effort effort) {
  return effort == Effort::skipping || effort == Effort::skipping_by_the_engine;
}

[[nodiscard]] inline bool is_by_the_engine(Effort effort) {
  return effort == Effort::skipping_by_the_engine || effort == Effort::in_full_by_the_engine;
}

struct Outcome {
  std::int64_t worked_out_tiles = 0;
  std::string text;  ///< all events, and everything()
};

[[nodiscard]] inline Outcome simulated_with(workloads::Network const& network,
                                            arch::ArraySpec const& array,
                                            partition::Plan const& plan, Effort effort) {
  auto const words = forked([&] {
    sim::RunOptions options;
    Folding folding{static_cast<std::size_t>(array.accelerators)};
    if (is_skipping(effort)) {
      folding = partition::symmetry({network, array}, plan);
    } else {
      options.fast_forward = sim::PhaseMemo::Use::off;
    }
    if (effort == Effort::in_full_and_in_reverse) {
      options.module_order = sim::RunOptions::ModuleOrder::reverse;
    }
    if (effort == Effort::in_full_and_shuffled) options.shuffle_seed = 7;
    TextSink sink;
    auto const tasks = sim::lower(network, array, plan, folding);
    auto const run = is_by_the_engine(effort) ? sim::engine::run : sim::run;
    auto const report = run(array, tasks, sink, options);
    return std::to_string(report.worked_out_tiles) + '\n' + everything(report.summary) +
           sink.text.str();
  });
  auto const line = words.find('\n');
  return {std::stoll(words.substr(0, line)), words.substr(line + 1)};
}

/// How many tiles were skipped.
[[nodiscard]] inline std::int64_t expect_that_skipping_changes_nothing(
    workloads::Network const& network, arch::ArraySpec const& array, partition::Plan const& plan,
    Effort effort = Effort::in_full) {
  auto const full = simulated_with(network, array, plan, effort);
  auto const skipping = simulated_with(network, array, plan, Effort::skipping);
  EXPECT_FALSE(full.text.empty());
  EXPECT_EQ(skipping.text, full.text) << network.source_text();
  EXPECT_EQ(simulated_with(network, array, plan, Effort::skipping_by_the_engine).text, full.text);
  return full.worked_out_tiles - skipping.worked_out_tiles;
}

/// One of the strings.
[[nodiscard]] inline std::string one_of(std::mt19937_64& random,
                                        std::vector<std::string> const& all) {
  return all.at(static_cast<std::size_t>(
      random_between(random, 0, static_cast<std::int64_t>(all.size()) - 1)));
}

}  // namespace tessera::test
