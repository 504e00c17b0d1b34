// A torus, a mesh, a tree or a fat tree of which one accelerator stands for all that shifts along its dimensions and reflections map onto it, against
// all of them, one by one: whatever the shape, the routes, the collective, the plan and the network, both report the same to the last bit.
#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <random>

#include "arch/array/load.hpp"
#include "arch/fabric/topology_spec.hpp"
#include "partition/planners/planner.hpp"
#include "test/support/cases/cases.hpp"
#include "test/support/random_plan.hpp"
#include "test/support/skipping.hpp"
#include "test/support/two_speeds.hpp"

namespace tessera {
namespace {

using test::one_of;
using test::random_between;
using workloads::Dim;

using Shape = std::vector<std::int64_t>;

std::int64_t places_of(Shape const& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>{});
}

/// Of one to three dimensions of 2 to 8, half of them of 4 or 8; of at most so many accelerators.
Shape random_shape(std::mt19937_64& random, std::int64_t most) {
  while (true) {
    Shape shape(static_cast<std::size_t>(random_between(random, 1, 3)));
    for (auto& extent : shape) {
      bool const halves = random_between(random, 0, 1) == 0;
      extent = halves ? 4 * random_between(random, 1, 2) : random_between(random, 2, 8);
    }
    if (places_of(shape) <= most) return shape;
  }
}

std::string random_link(std::mt19937_64& random, std::string const& more = "") {
  return "{bandwidth: " + one_of(random, {"8 Gb/s", "8 Gb/s", "36 Gb/s"}) +
         ", latency: " + one_of(random, {"3 ns", "40 ns"}) + more + "}";
}

/// Alike, or in each dimension of another speed; few with two lanes.
std::string random_links(std::mt19937_64& random, std::size_t dimensions) {
  auto const lanes = random_between(random, 0, 9) == 0 ? ", lanes: 2" : "";
  auto const link = [&] { return random_link(random, lanes); };
  if (dimensions == 1 || random_between(random, 0, 2) > 0) return "link: " + link();
  auto links = "links: [" + link();
  for (std::size_t i = 1; i < dimensions; ++i) links += ", " + link();
  return links + "]";
}

std::string extents_of(Shape const& shape) {
  std::string extents;
  for (auto const extent : shape)
    extents += (extents.empty() ? "[" : ", ") + std::to_string(extent);
  return extents + "]";
}

std::string random_network_of(std::mt19937_64& random, std::string const& kind,
                              Shape const& shape) {
  return "{" + kind + ", shape: " + extents_of(shape) + ", " + random_links(random, shape.size()) +
         "}";
}

std::string random_grid(std::mt19937_64& random, Shape const& shape) {
  auto const places = static_cast<std::size_t>(places_of(shape));
  bool const may_be_by_level = arch::shape_by_level(places, shape.size()) == shape;
  auto const numbering =
      may_be_by_level ? one_of(random, {"by-dimension", "by-level"}) : "by-dimension";
  auto const rings = "kind: torus, numbering: " + numbering +
                     ", half_way: " + one_of(random, {"one", "both", "both"});
  auto const kind = one_of(random, {rings, rings, rings, "kind: mesh"});
  auto const port = random_between(random, 0, 3) == 0 ? ", port: " + random_link(random) : "";
  return random_network_of(random, kind + port, shape);
}

/// Of accelerators that compute at a rate, and some of those with a core and an HBM.
arch::ArraySpec random_array(std::mt19937_64& random, std::int64_t places,
                             std::string const& fabric, std::string const& collectives) {
  bool const is_detailed = places == 8 || places == 16;
  auto const base = is_detailed ? one_of(random, {"hypar-paper", "hypar-paper", "tpu-v3-128"})
                                : std::string{"hypar-paper"};
  return arch::load(base, {"accelerators=" + std::to_string(places),
                           "fabric={clock: 1 GHz, topology: " + fabric + "}",
                           "execution.overlap=" + one_of(random, {"none", "communication"}),
                           "execution.collectives=" + collectives});
}

arch::ArraySpec random_array_on_a_grid(std::mt19937_64& random, Shape const& shape) {
  bool const is_built_in = random_between(random, 0, 5) == 0;
  auto const fabric =
      is_built_in ? "torus, link: " + random_link(random) : random_grid(random, shape);
  auto const collectives =
      one_of(random, {"torus", "torus", "ring", "bidirectional", "halving-doubling", "double-tree",
                      "direct", "hierarchical", "hierarchical", "hierarchical", "auto"});
  return random_array(random, places_of(shape), fabric, collectives);
}

/// Servers with accelerators, or deeper; a star.
arch::ArraySpec random_array_on_a_tree(std::mt19937_64& random, Shape const& shape) {
  auto const fabric = shape.size() == 1 ? random_network_of(random, "kind: star", shape)
                                        : random_network_of(random, "kind: tree", shape);
  auto const collectives =
      one_of(random, {"ring", "ring", "ring", "bidirectional", "halving-doubling", "double-tree",
                      "direct", "hierarchical", "hierarchical", "auto"});
  return random_array(random, places_of(shape), fabric, collectives);
}

/// k-ary n-trees of 4 to 32 accelerators, where partners halves apart are frequent: their ways are
/// apart, too.
arch::ArraySpec random_array_on_a_fat_tree(std::mt19937_64& random, Shape const& /*shape*/) {
  std::vector<Shape> const shapes = {{2, 2}, {2, 3}, {2, 4}, {2, 5},
                                     {3, 2}, {3, 3}, {4, 2}, {5, 2}};
  auto const shape = shapes.at(
      static_cast<std::size_t>(random_between(random, 0, std::int64_t(shapes.size()) - 1)));
  auto const levels = static_cast<std::size_t>(shape[1]);
  auto const fabric =
      "{kind: fat-tree, shape: " + extents_of(shape) + ", " + random_links(random, levels) + "}";
  auto const collectives =
      one_of(random, {"ring", "bidirectional", "halving-doubling", "halving-doubling",
                      "double-tree", "direct", "hierarchical", "hierarchical", "auto"});
  return random_array(random, places_of(Shape(levels, shape[0])), fabric, collectives);
}

/// Of extents that the accelerators divide, nearly always.
workloads::Network random_network_for(std::mt19937_64& random, std::int64_t places) {
  using Options = test::RandomNetworkOptions;
  Options options;
  options.graph = random_between(random, 0, 1) == 0 ? Options::Graph::dag : Options::Graph::chain;
  options.weights =
      random_between(random, 0, 3) == 0 ? Options::Weights::tied : Options::Weights::own;
  options.extents =
      random_between(random, 0, 4) == 0 ? Options::Extents::arbitrary : Options::Extents::divisible;
  options.operators = 3;
  options.map_levels = 1;
  options.levels = 0;
  for (; places % 2 == 0; places /= 2) ++options.levels;
  options.factor = places;
  return test::random_network(random, options);
}

partition::Plan random_plan_of(std::mt19937_64& random, workloads::Network const& network,
                               arch::ArraySpec const& array) {
  auto const places = array.accelerators;
  bool const has_halves = (places & (places - 1)) == 0;
  std::vector<std::string> planners = {"", ""};
  if (network.batch() % places == 0) planners.insert(planners.end(), {"dp", "dp", "mp"});
  if (network.batch() % places == 0 && has_halves) {
    planners.insert(planners.end(), {"hypar", "accpar"});
  }
  auto const planner = one_of(random, planners);
  if (!planner.empty()) return partition::make_planner(planner)->solve({network, array});
  auto plan =
      random_between(random, 0, 2) == 0
          ? test::random_plan(network, array, random, {Dim::n, Dim::c, Dim::k, Dim::h, Dim::w})
          : test::random_plan(network, array, random);
  if (random_between(random, 0, 3) == 0) test::unbalance(plan, random, 4);
  return plan;
}

using RandomArray = arch::ArraySpec (*)(std::mt19937_64&, Shape const&);

/// What was left out of random arrays, and how many reflections that took.
struct LeftOut {
  std::size_t accelerators = 0;
  std::size_t reflections = 0;
};

LeftOut expect_what_all_accelerators_do(RandomArray random_array_on, std::uint64_t cases) {
  LeftOut left_out;
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    std::mt19937_64 random{seed};
    auto const shape = random_shape(random, 32);
    auto const array = random_array_on(random, shape);
    auto const network = random_network_for(random, array.accelerators);
    auto const plan = random_plan_of(random, network, array);
    auto const folding = partition::symmetry({network, array}, plan);
    left_out.accelerators += folding.accelerators() - folding.representatives();
    left_out.reflections += folding.reflections().size();
    SCOPED_TRACE("seed " + std::to_string(seed) + ", " + testing::PrintToString(shape) + ", " +
                 std::to_string(folding.representatives()) + " simulated");
    static_cast<void>(test::expect_that_skipping_changes_nothing(network, array, plan));
  }
  return left_out;
}

TEST(FoldedNetwork, ReportsWhatAllItsAcceleratorsDo) {
  auto const left_out = expect_what_all_accelerators_do(random_array_on_a_grid, test::cases(192));
  EXPECT_GT(left_out.accelerators, 0U);
  EXPECT_GT(left_out.reflections, 0U);
}

TEST(FoldedTree, ReportsWhatAllItsAcceleratorsDo) {
  auto const left_out = expect_what_all_accelerators_do(random_array_on_a_tree, test::cases(96));
  EXPECT_GT(left_out.accelerators, 0U);
}

TEST(FoldedFatTree, ReportsWhatAllItsAcceleratorsDo) {
  auto const left_out =
      expect_what_all_accelerators_do(random_array_on_a_fat_tree, test::cases(96));
  EXPECT_GT(left_out.accelerators, 0U);
}

/// The stages of a plan, each on a quarter of the accelerators, one after another.
partition::Plan on_quarters(partition::Plan plan, partition::Plan const& splits) {
  auto const size = static_cast<std::size_t>(plan.accelerators) / 4;
  auto const arity = Hierarchy{size}.ways();
  auto& pipeline = *plan.pipeline;
  for (auto const id : pipeline.stages.ids()) {
    auto& stage = pipeline.stages[id];
    stage.replicas = 1;
    stage.mesh = {std::vector<std::size_t>(size), arity};
    std::iota(stage.mesh.devices.begin(), stage.mesh.devices.end(), size * id.index());
  }
  plan.splits = splits.splits;
  for (auto& of_operator : plan.splits) of_operator.resize(arity.size());
  return plan;
}

partition::Plan random_pipeline(std::mt19937_64& random, workloads::Network const& network,
                                arch::ArraySpec const& array) {
  auto const schedule =
      one_of(random, {"layerwise", "gpipe", "1f1b", "interleaved-1f1b", "zb-h1", "2bw"});
  auto const dims = random_between(random, 0, 3) > 0 ? std::vector<Dim>{Dim::n}
                                                     : std::vector<Dim>{Dim::n, Dim::c, Dim::k};
  auto plan = on_quarters(test::random_staged_plan(network, array, random, schedule),
                          test::random_plan(network, array, random, dims));
  if (random_between(random, 0, 3) == 0) test::unbalance(plan, random, 4);
  bool const recomputes =
      schedule != partition::Pipeline::layerwise && random_between(random, 0, 2) == 0;
  for (auto& stage : plan.pipeline->stages) {
    if (recomputes) stage.activations = partition::Stage::Activations::recomputed;
  }
  return plan;
}

TEST(FoldedPipeline, ReportsWhatAllItsAcceleratorsDo) {
  std::size_t left_out = 0;
  for (std::uint64_t seed = 1; seed <= test::cases(48); ++seed) {
    std::mt19937_64 random{seed};
    std::vector<Shape> const shapes = {{4, 4},    {8, 4}, {2, 2, 4}, {4, 2, 4},
                                       {2, 4, 4}, {2, 8}, {16, 2}};
    auto const shape = shapes.at(static_cast<std::size_t>(random_between(random, 0, 6)));
    bool const is_tree = shape == Shape{16, 2} || random_between(random, 0, 3) == 0;
    auto const array =
        is_tree ? random_array_on_a_tree(random, shape) : random_array_on_a_grid(random, shape);
    using Options = test::RandomNetworkOptions;
    Options options;
    options.graph = seed % 2 == 0 ? Options::Graph::dag : Options::Graph::chain;
    options.weights = seed % 3 == 0 ? Options::Weights::tied : Options::Weights::own;
    options.operators = 4;
    options.levels = 6;
    options.map_levels = 1;
    auto const network = test::random_network(random, options);
    auto const plan = random_pipeline(random, network, array);
    auto const folding = partition::symmetry({network, array}, plan);
    left_out += folding.accelerators() - folding.representatives();
    SCOPED_TRACE("seed " + std::to_string(seed) + ", " + testing::PrintToString(shape) + ", " +
                 plan.pipeline->schedule + ", " + std::to_string(folding.representatives()) +
                 " simulated");
    static_cast<void>(test::expect_that_skipping_changes_nothing(network, array, plan));
  }
  EXPECT_GT(left_out, 0U);
}

}  // namespace
}  // namespace tessera
