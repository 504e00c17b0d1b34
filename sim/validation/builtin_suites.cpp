// The table of contents of `tessera validate`, and the tables that suites compare with.
#include "arch/base/builtin_config.hpp"
#include "arch/base/contract.hpp"
#include "arch/base/csv.hpp"
#include "sim/validation/auto_suite.hpp"
#include "sim/validation/memory_suite.hpp"
#include "sim/validation/references.hpp"
#include "sim/validation/suites.hpp"

namespace tessera::sim {

std::vector<BuiltinConfig> reference_tables();  // generated from sim/validation/references

SuiteRegistry builtin_suites() {
  SuiteRegistry suites{"suite"};
  for (auto const& name : builtin_references()) {
    suites.add(name, load_references(name).description, [name] { return reference_suite(name); });
  }
  suites.add("systolic", "SCALE-Sim's golden traces and recorded layers, exactly", systolic_suite)
      .add("eyeriss", "the Eyeriss chip (JSSC 2017), Tables V and VI", eyeriss_suite)
      .add("tpu-v3", "measured cycles of a TPU-v3 core, and a published training rate",
           tpu_v3_suite)
      .add("fabric", "mesh and torus under load, against BookSim 2", fabric_suite)
      .add("memory", "DRAM of HMC and HBM: DRAMsim3, Ramulator 1 and 2, Ramulator-PIM; data sheets",
           memory_suite)
      .add("collectives", "ring, switch and fully connected, against ASTRA-sim 2",
           collectives_suite)
      .add("soybean", "SoyBean (arXiv:1805.04170): what its cuts of perceptrons move",
           soybean_suite)
      .add("pipedream-optimizer", "the times that PipeDream's released optimizer prints",
           pipedream_optimizer_suite)
      .add("pipedream", "PipeDream's speedups (SOSP 2019): its clusters, stages and measured times",
           pipedream_suite)
      .add("zero-bubble", "idle shares of pipeline schedules (Qi et al., ICLR 2024), Table 5",
           zero_bubble_suite)
      .add("auto", "planner auto against the others, simulated: small networks",
           [] { return auto_suite(small_auto_cases(), false); })
      .add("auto-large", "the same: AccPar's networks on detailed arrays (hours; by name only)",
           [] { return auto_suite(large_auto_cases(), true); })
      .add("skipping", "every network simulated in full, too (minutes; by name only)",
           skipping_suite);
  return suites;
}

std::unique_ptr<Suite> make_suite(std::string const& name_or_path) {
  auto const is_path =
      name_or_path.size() > 5 && name_or_path.substr(name_or_path.size() - 5) == ".yaml";
  return is_path ? reference_suite(name_or_path) : builtin_suites().make(name_or_path);
}

std::vector<ConfigNode> reference_table(std::string const& name) {
  for (auto const& [known, text] : reference_tables()) {
    if (known == name) return read_csv_table(text, name + ".csv");
  }
  EXPECTS(false, name);
  return {};
}

}  // namespace tessera::sim
