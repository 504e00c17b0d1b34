// What `auto` chooses is the first of the cheapest, however the prices of sums were found out.
#include "partition/step/collectives.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "arch/array/load.hpp"
#include "partition/planners/planner.hpp"
#include "partition/step/exchanges.hpp"
#include "test/support/network_text.hpp"

namespace tessera::partition {
namespace {

using Algorithms = std::vector<arch::ExecutionSpec::Collectives::Algorithm>;

/// A step's sums of gradients.
std::vector<Conversion> sums_of(Problem const& problem, Plan const& plan) {
  std::vector<Conversion> sums;
  for (auto const& action : step_of(problem, plan).actions) {
    bool const is_sum =
        action.conversion && action.conversion->kind == Conversion::Kind::gradient_sum;
    if (is_sum) sums.push_back(*action.conversion);
  }
  return sums;
}

/// The times of all sums where nothing else can be chosen, from the exchanges of each.
std::vector<Time> times_by(Algorithms const& only, workloads::Network const& network,
                           arch::ArraySpec array, Plan const& plan) {
  array.execution.collectives.candidates = only;
  arch::Topology const topology{array};
  auto const mesh = hierarchy_mesh(array.hierarchy());
  Tiling const tiling{network, plan};
  std::vector<Time> times;
  for (auto const& sum : sums_of({network, array}, plan)) {
    auto const exchanges = exchanges_of(tiling, sum, everybody(mesh.devices.size()));
    times.push_back(exchange_time(topology, mesh, network.element_size(), exchanges));
  }
  return times;
}

/// Layers whose gradients have from 21 to 3072 elements, of two bytes or four.
workloads::Network layers(std::string const& element) {
  test::NetworkText text;
  text.batch = "48";
  text.element = element;
  text.input = "{name: x, features: 7}";
  return test::network_of(text.with({"{name: a, kind: linear, input: x, outputs: 3}",
                                     "{name: b, kind: linear, input: a, outputs: 64}",
                                     "{name: c, kind: linear, input: b, outputs: 48}"}));
}

TEST(Collectives, OfSumsTheFirstOfTheCheapestIsChosen) {
  std::set<std::size_t> chosen;
  for (auto const* const fabric :
       {"fabric={clock: 1 GHz, topology: torus, link: {bandwidth: 8 Gb/s, latency: 5 ns}}",
        "fabric={clock: 1 GHz, topology: {kind: torus, shape: [3, 4], half_way: both, links: "
        "[{bandwidth: 8 Gb/s, latency: 5 ns}, {bandwidth: 24 Gb/s, latency: 5 ns}]}}",
        "fabric={clock: 1 GHz, topology: {kind: torus, shape: [2, 6], link: {bandwidth: 8 Gb/s, "
        "latency: 5 ns}}}",
        "fabric={clock: 1 GHz, topology: {kind: torus, shape: [12], link: {bandwidth: 8 Gb/s, "
        "latency: 5 ns}}}",
        "fabric={clock: 1 GHz, topology: {kind: mesh, shape: [2, 6], link: {bandwidth: 8 Gb/s, "
        "latency: 5 ns}}}",
        "fabric={clock: 1 GHz, topology: {kind: tree, shape: [3, 4], links: [{bandwidth: 8 Gb/s, "
        "latency: 5 ns}, {bandwidth: 24 Gb/s, latency: 5 ns}]}}"}) {
    for (auto const* const sums : {"exact", "padded"}) {
      for (auto const* const element : {"fp16", "fp32"}) {
        auto const array = arch::load(
            "hypar-paper", {"accelerators=12", fabric, std::string{"execution.sums="} + sums,
                            "execution.collectives=auto"});
        auto const network = layers(element);
        auto const plan = make_planner("dp")->solve({network, array});
        SCOPED_TRACE(std::string{fabric} + ", " + sums + ", " + element);
        auto const& candidates = array.execution.collectives.candidates;
        std::vector<std::vector<Time>> times;  // by candidate
        for (auto const& algorithm : candidates) {
          times.push_back(times_by({algorithm}, network, array, plan));
        }
        auto const found = sums_of({network, array}, plan);
        ASSERT_EQ(found.size(), 3U);
        for (std::size_t i = 0; i < found.size(); ++i) {
          auto const first =
              std::min_element(times.begin(), times.end(),
                               [i](auto const& a, auto const& b) { return a[i] < b[i]; });
          auto const number = static_cast<std::size_t>(first - times.begin());
          auto const& how = found[i].collective;
          EXPECT_EQ(how ? how->algorithm : nullptr, candidates[number]) << "sum " << i;
          chosen.insert(number);
        }
      }
    }
  }
  EXPECT_GT(chosen.size(), 1U);
}

}  // namespace
}  // namespace tessera::partition
