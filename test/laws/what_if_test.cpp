// What the run file says of faster resources, against runs with these resources faster: a bound is never beaten, and an estimate is near.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <random>

#include "arch/array/load.hpp"
#include "partition/planners/planner.hpp"
#include "sim/engine/run.hpp"
#include "sim/lower/lower.hpp"
#include "test/support/cases/cases.hpp"
#include "test/support/random_network.hpp"
#include "test/support/random_plan.hpp"
#include "traces/sink.hpp"
#include "workloads/load.hpp"

namespace tessera {
namespace {

using workloads::Dim;

/// A random array as text, so that it can be loaded again with something faster.
struct ArrayText {
  std::string base;
  std::vector<std::string> settings;
  std::string fabric;  ///< with BANDWIDTH
};

enum class Rate { as_it_is, doubled, infinite };

std::string drawn_from(std::mt19937_64& random, std::vector<std::string> const& all) {
  return all.at(random() % all.size());
}

std::string random_network_text(std::mt19937_64& random) {
  std::string const link = "link: {bandwidth: BANDWIDTH, latency: 40 ns}";
  auto const kind = drawn_from(random, {"htree", "htree", "torus", "mesh", "packets"});
  if (kind == "htree" || kind == "torus") {
    return "{clock: 1 GHz, topology: " + kind + ", " + link + "}";
  }
  auto const mesh = "topology: {kind: mesh, shape: [4, 2], " + link + "}";
  if (kind == "mesh") return "{clock: 1 GHz, " + mesh + "}";
  return "{clock: 1 GHz, packet: 512 B, header: 16 B, router: {pipeline: 12 ns, virtual_channels: "
         "2, buffer_packets: 2}, " +
         mesh + "}";
}

/// Eight accelerators; of MAC rates with a memory of a bandwidth or none, or cores with a memory of
/// a bandwidth or DRAM.
ArrayText random_array_text(std::mt19937_64& random) {
  auto const base =
      drawn_from(random, {"hypar-paper", "hypar-paper", "hmc-htree-16", "tpu-v3-128"});
  ArrayText text{
      base,
      {"accelerators=8", "execution.overlap=" + drawn_from(random, {"none", "communication"}),
       "execution.collectives=" +
           drawn_from(random, {"hierarchical", "ring", "direct", "halving-doubling"})},
      random_network_text(random)};
  if (random() % 2 == 0) return text;
  bool const has_cores = base != "hypar-paper";
  auto const bandwidth = has_cores ? drawn_from(random, {"20", "200", "900"}) : "9";
  text.settings.emplace_back("accelerator.memory={kind: bandwidth, bandwidth: " + bandwidth +
                             " GB/s, latency: 30 ns, capacity: 8 GiB}");
  if (has_cores) text.settings.emplace_back("execution.kernels=free");
  return text;
}

bool has_packets(ArrayText const& text) { return text.fabric.find("packet") != std::string::npos; }

arch::ArraySpec array_from_text(ArrayText const& text, Rate links) {
  auto const* const most = has_packets(text) ? "900 Tb/s" : "unlimited";  // they take turns
  auto const* const bandwidth = links == Rate::as_it_is  ? "36 Gb/s"
                                : links == Rate::doubled ? "72 Gb/s"
                                                         : most;
  auto fabric = text.fabric;
  std::string const place = "BANDWIDTH";
  fabric.replace(fabric.find(place), place.size(), bandwidth);
  auto settings = text.settings;
  settings.push_back("fabric=" + fabric);
  return arch::load(text.base, settings);
}

/// None: such a run cannot be asked for.
std::optional<arch::ArraySpec> array_with_faster(ArrayText const& text, std::string const& resource,
                                                 Rate rate) {
  if (resource == "links") return array_from_text(text, rate);
  auto array = array_from_text(text, Rate::as_it_is);
  auto& accelerator = array.groups.front().accelerator;
  if (resource == "compute") {
    if (auto* const unit = std::get_if<arch::MacRateUnitSpec>(&accelerator.processing_unit)) {
      unit->macs_per_cycle = rate == Rate::doubled ? 2 * unit->macs_per_cycle : INT64_MAX / 2;
      return array;
    }
    if (rate == Rate::infinite) return std::nullopt;
    auto& core = std::get<arch::CoreUnitSpec>(accelerator.processing_unit).core;
    core.clock = accelerator.clock = core.clock * 2;  // its messages are quicker, too
    return array;
  }
  if (resource != "memory") return std::nullopt;
  if (auto* const memory = std::get_if<arch::BandwidthMemorySpec>(&accelerator.memory)) {
    memory->bandwidth = rate == Rate::doubled ? memory->bandwidth * 2 : unlimited_bandwidth;
    return array;
  }
  if (rate == Rate::doubled) return std::nullopt;
  accelerator.memory = arch::IdealMemorySpec{};
  return array;
}

/// How far estimates were from runs, in shares of the run.
struct Errors {
  std::vector<double> all;

  void add(Time estimated, Time simulated) {
    all.push_back(std::abs(seconds(estimated) / seconds(simulated) - 1));
  }
  [[nodiscard]] std::string text() const {
    if (all.empty()) return "none";
    return std::to_string(all.size()) + " runs, mean " + std::to_string(mean()) + ", most " +
           std::to_string(most());
  }
  [[nodiscard]] double most() const {
    return all.empty() ? 0 : *std::max_element(all.begin(), all.end());
  }
  [[nodiscard]] double mean() const {
    double sum = 0;
    for (auto const error : all) sum += error;
    return all.empty() ? 0 : sum / static_cast<double>(all.size());
  }
};

constexpr auto const* links_of_packets = "links, packets";

/// By resource, at twice the rate and at an infinite one.
using AllErrors = std::map<std::string, std::pair<Errors, Errors>>;

Time time_on(arch::ArraySpec const& array, sim::TaskGraph const& tasks) {
  traces::NullSink sink;
  sim::RunOptions options;
  options.explain = false;
  return sim::engine::run(array, tasks, sink, options).summary.time;
}

void compare_with_runs(ArrayText const& text, sim::TaskGraph const& tasks, AllErrors& errors) {
  traces::NullSink sink;
  auto const run = sim::engine::run(array_from_text(text, Rate::as_it_is), tasks, sink).summary;
  for (auto const& entry : run.breakdown) EXPECT_LE(entry.kernel_starts, entry.memory);
  for (auto const& entry : run.reasons.value().what_if) {
    SCOPED_TRACE(entry.resource);
    EXPECT_LE(entry.bound, run.time);
    EXPECT_LE(entry.estimate_infinite, entry.estimate_2x);
    EXPECT_LE(entry.estimate_2x, run.time);
    auto& [twice, infinite] =
        errors[entry.resource == "links" && has_packets(text) ? links_of_packets : entry.resource];
    if (auto const array = array_with_faster(text, entry.resource, Rate::doubled)) {
      twice.add(entry.estimate_2x, time_on(*array, tasks));
    }
    if (auto const array = array_with_faster(text, entry.resource, Rate::infinite)) {
      auto const simulated = time_on(*array, tasks);
      EXPECT_LE(entry.bound, simulated);
      infinite.add(entry.estimate_infinite, simulated);
    }
  }
}

TEST(WhatIf, BoundsAreNeverBeatenAndEstimatesAreNear) {
  AllErrors errors;
  for (std::uint64_t seed = 1; seed <= test::cases(40); ++seed) {
    std::mt19937_64 random{seed};
    auto const text = random_array_text(random);
    auto const array = array_from_text(text, Rate::as_it_is);
    test::RandomNetworkOptions options;
    options.operators = 4;
    if (seed % 2 == 0) options.graph = test::RandomNetworkOptions::Graph::dag;
    auto const network = test::random_network(random, options);
    auto const plan =
        test::random_plan(network, array, random, {Dim::n, Dim::c, Dim::k, Dim::h, Dim::w});
    SCOPED_TRACE("seed " + std::to_string(seed) + ", " + text.base + ", " + text.fabric);
    compare_with_runs(text, sim::lower(network, array, plan), errors);
  }
  for (auto const& [resource, pair] : errors) {
    auto const& [twice, infinite] = pair;
    if (infinite.all.empty()) continue;  // one level of an H-tree cannot be asked for
    RecordProperty(resource + ", twice", twice.text());
    RecordProperty(resource + ", infinite", infinite.text());
    if (test::is_sanitized()) continue;  // a mean of few
    EXPECT_LT(twice.mean(), 0.02) << resource;
    if (resource == links_of_packets) continue;  // whose routers and credits take as long as ever
    EXPECT_LT(infinite.mean(), 0.02) << resource;
  }
}

/// A core with a memory of so many GB/s, on which some layers stream and others keep the arrays
/// busy.
ArrayText streaming_core(std::string const& bandwidth) {
  return {"tpu-v3-128",
          {"accelerators=1", "execution.kernels=free",
           "accelerator.memory={kind: bandwidth, bandwidth: " + bandwidth +
               " GB/s, latency: 30 ns, capacity: 64 GiB}"},
          "{clock: 1 GHz, topology: htree, link: {bandwidth: BANDWIDTH, latency: 40 ns}}"};
}

sim::TaskGraph bert_base_on(arch::ArraySpec const& array) {
  auto const network = workloads::load("bert-base", {"batch=8"});
  return sim::lower(network, array, partition::make_planner("dp")->solve({network, array}));
}

TEST(WhatIf, OfFasterCoresAndMemoriesIsNearOnATransformer) {
  for (auto const* const bandwidth : {"100", "300", "900", "2700"}) {
    SCOPED_TRACE(bandwidth);
    auto const text = streaming_core(bandwidth);
    AllErrors errors;
    compare_with_runs(text, bert_base_on(array_from_text(text, Rate::as_it_is)), errors);
    for (auto const& [resource, pair] : errors) {
      auto const& [twice, infinite] = pair;
      RecordProperty(resource + std::string{" at "} + bandwidth + ", twice", twice.text());
      RecordProperty(resource + std::string{" at "} + bandwidth + ", infinite", infinite.text());
      EXPECT_LT(twice.most(), 0.05) << resource;
      EXPECT_LT(infinite.most(), 0.01) << resource;
    }
  }
}

/// But for the memory's latency.
TEST(WhatIf, BoundOfAnInfinitelyFastMemoryIsTheRunOnOneCore) {
  auto const text = streaming_core("300");
  auto const array = array_from_text(text, Rate::as_it_is);
  auto const tasks = bert_base_on(array);
  traces::NullSink sink;
  auto const run = sim::engine::run(array, tasks, sink).summary;
  auto const& all = run.reasons.value().what_if;
  auto const memory = std::find_if(all.begin(), all.end(),
                                   [](auto const& entry) { return entry.resource == "memory"; });
  ASSERT_NE(memory, all.end());
  auto const fast = array_with_faster(text, "memory", Rate::infinite).value();
  EXPECT_NEAR(seconds(memory->bound) / seconds(time_on(fast, tasks)), 1, 5e-3);
}

}  // namespace
}  // namespace tessera
