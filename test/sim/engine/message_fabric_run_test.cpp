// All routers and links in one core against a core each: every task, counter and histogram, under heavy random traffic, and where rings
// have their links to themselves for a while.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <utility>

#include "sim/engine/run.hpp"
#include "test/sim/model/fabric/small_arrays.hpp"
#include "test/sim/shell/random_tasks.hpp"
#include "test/support/cases/cases.hpp"
#include "test/support/run_text.hpp"

namespace tessera::sim {
namespace {

std::string outcome(arch::ArraySpec const& array, TaskGraph const& tasks,
                    PhaseMemo::Use fast_forward) {
  test::TextSink sink;
  RunOptions options;
  options.fast_forward = fast_forward;
  auto const summary = engine::run(array, tasks, sink, options).summary;
  return sink.text.str() + test::everything(summary);
}

void expect_the_same_by_themselves(arch::ArraySpec const& array, TaskGraph const& tasks) {
  auto const by_themselves = outcome(array, tasks, PhaseMemo::Use::off);
  EXPECT_EQ(outcome(array, tasks, PhaseMemo::Use::on), by_themselves);
}

arch::ArraySpec random_array(std::mt19937& random) {
  auto const kind = random() % 8;
  std::array<char const*, 6> const networks = {"torus:4x2", "torus:2x2x2", "mesh:4x2",
                                               "torus:8",   "tree:2x4",    "dragonfly:2x2x2"};
  auto array = kind < networks.size() ? small_network(networks.at(kind))
               : kind == 6            ? small_array(8)
                                      : small_array(8, arch::FabricSpec::Topology::torus);
  array.fabric.clock = Frequency{random() % 2 == 0 ? 1'000'000'000 : 940'000'000};
  array.fabric.hop_latency = Cycles{static_cast<std::int64_t>(random() % 3)};
  array.fabric.latency = Time{static_cast<std::int64_t>(random() % 3 * 700)};
  auto& accelerator = array.groups.front().accelerator;
  accelerator.clock = Frequency{random() % 2 == 0 ? 1'000'000'000 : 700'000'000};
  accelerator.dispatch_latency = Cycles{static_cast<std::int64_t>(random() % 2)};
  if (random() % 3 == 0) accelerator.transfer_block = Bytes{128};
  return array;
}

TEST(MessagesInOneCore, TakeTheTimesThatRoutersAndLinksTakeByThemselves) {
  for (std::uint32_t seed = 1; seed <= test::cases(200); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random{seed};
    auto const array = random_array(random);
    auto const tasks = random_tasks(seed, static_cast<std::size_t>(array.accelerators), 300);
    expect_the_same_by_themselves(array, tasks);
  }
}

/// Members of a ring: all, one way or the other; two of them; every second.
std::vector<std::size_t> random_members(std::mt19937& random, std::size_t accelerators) {
  std::vector<std::size_t> members(accelerators);
  std::iota(members.begin(), members.end(), std::size_t{0});
  if (random() % 2 == 0) std::reverse(members.begin(), members.end());
  auto const kind = random() % 8;
  if (kind == 0) members.resize(2);
  for (std::size_t member = 0; kind == 1 && member < members.size(); ++member) {
    members.erase(members.begin() + static_cast<std::ptrdiff_t>(member));
  }
  return members;
}

/// Rings of neighbours, some alone, some beside computations, single transfers and each other.
TaskGraph random_rings_of_neighbours(std::uint32_t seed, std::size_t accelerators) {
  std::mt19937 random{seed};
  TaskBuilder build{accelerators};
  KnownTasks known{accelerators, random};
  for (int i = 0; i < 12; ++i) {
    auto const here = random() % accelerators;
    auto const there = (here + 1 + random() % (accelerators - 1)) % accelerators;
    auto const computed = build.compute(here, 1 + random() % 9'000, known.pick(here));
    known.add(here, computed);
    if (random() % 3 == 0) {
      auto const bytes = static_cast<std::int64_t>(1 + random() % 900);
      known.add(here, build.transfer(here, there, bytes, {computed}));
    }
    auto const members = random_members(random, accelerators);
    std::vector<std::vector<TaskId>> after;
    for (auto const member : members) after.push_back(known.pick(member));
    build.reduces = random() % 2 == 0;
    auto const rounds = static_cast<std::uint32_t>(2 + random() % 30);
    auto const bytes = static_cast<std::int64_t>(1 + random() % 300);
    for (auto rings = 1 + random() % 2; rings > 0; --rings) {
      known.add_ring(members, build.ring(members, rounds, bytes, after));
    }
    if (random() % 3 > 0) continue;
    for (std::size_t first = 0; first + 1 < accelerators; first += 2) {  // in pairs, side by side
      auto const of_pair = static_cast<std::uint32_t>(2 + random() % 30);
      std::vector<std::size_t> const pair{first, first + 1};
      known.add_ring(pair,
                     build.ring(pair, of_pair, bytes, {known.pick(first), known.pick(first + 1)}));
    }
  }
  return build.graph;
}

TEST(MessagesInOneCore, CarryRingsOfNeighboursAsRoutersAndLinksByThemselvesDo) {
  for (std::uint32_t seed = 1; seed <= test::cases(300); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random{seed};
    auto array = random_array(random);
    auto& accelerator = array.groups.front().accelerator;
    if (random() % 2 == 0) accelerator.reduce_bandwidth = Bandwidth{5'000'000'000};
    auto const tasks =
        random_rings_of_neighbours(seed, static_cast<std::size_t>(array.accelerators));
    expect_the_same_by_themselves(array, tasks);
  }
}

/// A group of accelerators of its own, with another clock, another latency of messages or slower
/// sums.
void add_other_group(std::mt19937& random, arch::ArraySpec& array) {
  auto& all = array.groups.front();
  auto other = all;
  other.count = 1 + static_cast<std::int64_t>(random() % 4);
  all.count -= other.count;
  switch (random() % 3) {
    case 0:
      other.accelerator.clock = Frequency{500'000'000};
      break;
    case 1:
      other.accelerator.dispatch_latency = Cycles{3};
      break;
    default:
      other.accelerator.reduce_bandwidth = Bandwidth{3'000'000'000};
  }
  array.groups.push_back(other);
}

/// Rings of neighbours, each a while after the one before, like each other but for their place and
/// which of their members begins late; in some runs also rounds, bytes, how late, or when the
/// others begin.
TaskGraph rings_again_and_again(std::uint32_t seed, std::size_t accelerators) {
  std::mt19937 random{seed};
  TaskBuilder build{accelerators};
  auto const varied = random() % 8;
  auto const vary = [&](unsigned what, std::int64_t usual, std::int64_t other) {
    return varied == what && random() % 2 == 0 ? other : usual;
  };
  std::vector<TaskId> last(accelerators);
  for (std::size_t at = 0; at < accelerators; ++at) last[at] = build.compute(at, 1);
  auto const size = random() % 2 == 0 ? 2 : 2 + random() % 3;
  auto const rounds = static_cast<std::int64_t>(24 + random() % 12);
  auto const bytes = static_cast<std::int64_t>(1 + random() % 300);
  auto const late_by = static_cast<std::int64_t>(random() % 3 * 350);
  build.reduces = random() % 2 == 0;
  for (int i = 0; i < 40; ++i) {
    auto const first = random() % accelerators;
    auto const late = random() % 2;
    std::vector<std::size_t> members;
    std::vector<std::vector<TaskId>> after;
    for (std::size_t member = 0; member < size; ++member) {
      auto const at = (first + member) % accelerators;
      auto const by = member == late ? vary(0, late_by, late_by + 40) : vary(1, 0, 7);
      members.push_back(at);
      after.push_back({build.compute(at, 3'000 + by, {last[at]})});
    }
    auto const sent = build.ring(members, static_cast<std::uint32_t>(vary(2, rounds, rounds + 1)),
                                 vary(3, bytes, bytes + 1), after);
    for (std::size_t member = 0; member < size; ++member) {
      auto const at = members[member];
      last[at] = build.compute(at, 1, {sent[member], sent[(member + size - 1) % size]});
    }
    if (varied != 4 || random() % 2 == 0) continue;
    auto const there = (first + 1 + random() % (accelerators - 1)) % accelerators;
    static_cast<void>(build.transfer(first, there, 1 + static_cast<std::int64_t>(random() % 4'000),
                                     {last[first]}));
  }
  return build.graph;
}

TEST(MessagesInOneCore, CarryRingsThatComeAgainAsRoutersAndLinksByThemselvesDo) {
  for (std::uint32_t seed = 1; seed <= test::cases(200); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random{seed};
    auto array = random_array(random);
    array.groups.front().accelerator.transfer_block.reset();
    if (random() % 2 == 0) add_other_group(random, array);
    auto const tasks = rings_again_and_again(seed, static_cast<std::size_t>(array.accelerators));
    expect_the_same_by_themselves(array, tasks);
  }
}

/// Rings in pairs, side by side, again and again, beside one that has links in common with them and
/// is done sooner: for a while they are carried together without need. Some wait for each other, on
/// their links and behind what else is sent there.
TaskGraph pairs_beside_all(std::uint32_t seed, std::size_t accelerators) {
  std::mt19937 random{seed};
  TaskBuilder build{accelerators};
  std::vector<std::vector<TaskId>> last(accelerators);
  std::vector<std::size_t> all(accelerators);
  std::iota(all.begin(), all.end(), std::size_t{0});
  auto const bytes = static_cast<std::int64_t>(1 + random() % 300);
  auto const rounds = static_cast<std::uint32_t>(24 + random() % 12);
  auto const few = static_cast<std::uint32_t>(5 + random() % 4);
  build.reduces = random() % 2 == 0;
  auto const add = [&](std::vector<std::size_t> const& members, std::uint32_t count,
                       std::vector<std::vector<TaskId>> const& computed) {
    std::vector<std::vector<TaskId>> after;
    for (auto const member : members) after.push_back(computed[member]);
    auto const sent = build.ring(members, count, bytes, after);
    for (std::size_t i = 0; i < members.size(); ++i) {
      last[members[i]].push_back(sent[i]);
      last[members[(i + 1) % members.size()]].push_back(sent[i]);
    }
  };
  for (int i = 0; i < 12; ++i) {
    std::vector<std::vector<TaskId>> computed;
    for (auto const at : all) {
      auto const late = at % 2 == 1 ? static_cast<std::int64_t>(random() % 3 * 100) : 0;
      computed.push_back({build.compute(at, 3'000 + late, std::exchange(last[at], {}))});
    }
    if (random() % 3 > 0) add(all, few, computed);
    for (std::size_t first = 0; first < accelerators; first += 2) {
      add({first, first + 1}, rounds, computed);
      if (random() % 4 > 0) continue;
      auto const there = (first + 1 + random() % (accelerators - 1)) % accelerators;
      auto const load = 1 + static_cast<std::int64_t>(random() % 9'000);
      static_cast<void>(build.transfer(first, there, load, computed[first]));
    }
  }
  return build.graph;
}

TEST(MessagesInOneCore, CarryRingsThatWereJoinedAsRoutersAndLinksByThemselvesDo) {
  for (std::uint32_t seed = 1; seed <= test::cases(100); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random{seed};
    auto array = random_array(random);
    array.groups.front().accelerator.transfer_block.reset();
    auto const tasks = pairs_beside_all(seed, static_cast<std::size_t>(array.accelerators));
    expect_the_same_by_themselves(array, tasks);
  }
}

}  // namespace
}  // namespace tessera::sim
