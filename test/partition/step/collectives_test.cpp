// What `auto` chooses is the first of the cheapest, however the prices of sums were found out.
#include "partition/step/collectives.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "arch/array/load.hpp"
#include "partition/planners/planner.hpp"
#include "partition/step/exchanges.hpp"
#include "test/support/network_text.hpp"

namespace tessera::partition {
namespace {

using How = std::shared_ptr<GroupCollective const>;

/// The times of a conversion by each algorithm that an array may choose, in its order; from the
/// exchanges that each makes.
std::vector<Time> times_of(arch::ArraySpec const& array, workloads::Network const& network,
                           Tiling const& tiling, Conversion conversion) {
  arch::Topology const topology{array};
  auto const mesh = hierarchy_mesh(array.hierarchy());
  std::vector<std::vector<std::size_t>> coordinates;
  for (auto const device : mesh.devices) {
    auto places = topology.coordinates(arch::NodeId{device});
    if (!places.empty()) coordinates.push_back(std::move(places));
  }
  Holders all(mesh.devices.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<Time> times;
  for (auto const& algorithm : array.execution.collectives.candidates) {
    conversion.collective =
        algorithm ? std::make_shared<GroupCollective const>(GroupCollective{algorithm, coordinates})
                  : nullptr;
    times.push_back(exchange_time(topology, mesh, network.element_size(),
                                  exchanges_of(tiling, conversion, all)));
  }
  return times;
}

/// Of which algorithm a collective is, by its place among the candidates.
std::size_t number_of(How const& how, arch::ArraySpec const& array) {
  auto const& candidates = array.execution.collectives.candidates;
  auto const algorithm = how ? how->algorithm : nullptr;
  return static_cast<std::size_t>(std::find(candidates.begin(), candidates.end(), algorithm) -
                                  candidates.begin());
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
        Tiling const tiling{network, plan};
        for (auto const& action : step_of({network, array}, plan).actions) {
          auto const& conversion = action.conversion;
          if (!conversion || conversion->kind != Conversion::Kind::gradient_sum) continue;
          SCOPED_TRACE(std::string{fabric} + ", " + sums + ", " + element + ", " +
                       network.at(action.op).name);
          auto const times = times_of(array, network, tiling, *conversion);
          auto const first = std::min_element(times.begin(), times.end()) - times.begin();
          auto const number = number_of(conversion->collective, array);
          EXPECT_EQ(number, static_cast<std::size_t>(first));
          chosen.insert(number);
        }
      }
    }
  }
  EXPECT_GT(chosen.size(), 1U);
}

}  // namespace
}  // namespace tessera::partition
