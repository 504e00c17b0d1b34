// Laws of halos: everybody gets what its windows touch and it does not hold, gives as much back, and what moves is what the closed
// form says.
#include "partition/geometry/halo.hpp"
#include "partition/price/halo_traffic.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>

#include "arch/array/load.hpp"
#include "test/support/network_text.hpp"
#include "test/support/random_network.hpp"
#include "test/support/random_plan.hpp"

namespace tessera::partition {
namespace {

using workloads::Dim;
using workloads::Network;
using workloads::OperatorId;
using workloads::TensorAccess;

arch::ArraySpec array_of(std::string const& accelerators) {
  return arch::load("hypar-paper",
                    {"accelerators=" + accelerators, "fabric.link.bandwidth=24 Gb/s"});
}

/// Convolutions and pools with windows of all kinds, one after another.
Network random_maps(std::mt19937_64& random) {
  std::vector<std::string> operators;
  std::string input = "x";
  std::int64_t side = test::random_between(random, 24, 40);
  test::NetworkText text;
  text.input = "{name: x, channels: 4, rows: " + std::to_string(side) +
               ", columns: " + std::to_string(side) + "}";
  text.batch = "48";
  for (int i = 0; i < 4; ++i) {
    auto const kernel = test::random_between(random, 1, 5);
    auto const stride = test::random_between(random, 1, 3);
    auto const padding = test::random_between(random, 0, kernel / 2);
    if (side + 2 * padding < kernel) break;
    auto const name = "op" + std::to_string(i);
    auto const is_pool = test::random_between(random, 0, 3) == 0;
    operators.push_back("{name: " + name + ", kind: " + (is_pool ? "pool" : "conv") +
                        ", input: " + input + (is_pool ? ", size: " : ", filters: 8, kernel: ") +
                        std::to_string(kernel) + ", stride: " + std::to_string(stride) +
                        ", padding: " + std::to_string(padding) + "}");
    side = (side + 2 * padding - kernel) / stride + 1;
    input = name;
  }
  return test::network_of(text.with(operators));
}

Holders everybody(Tiling const& tiling) {
  Holders all(tiling.accelerators());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

/// What the windows of an accelerator's part touch along an axis, position by position, and what
/// lies in its own part.
std::set<std::int64_t> needed(Tiling const& tiling, OperatorId op, TensorAccess const& input,
                              std::size_t axis, std::size_t accelerator) {
  auto const layout = layout_read(input, tiling.splits(op));
  std::set<std::int64_t> positions;
  auto const own = tiling.region(input.tensor, layout, accelerator).axes[axis];
  for (auto const& [begin, end] : own.ranges()) {
    for (auto position = begin; position < end; ++position) positions.insert(position);
  }
  auto const& access = input.axes[axis];
  auto const loops = tiling.loop_part(op, access.dim, accelerator);
  auto const length = tiling.length(input.tensor, axis);
  for (auto const& [begin, end] : loops.ranges()) {
    for (auto index = begin; index < end; ++index) {
      for (std::int64_t tap = 0; tap < access.window; ++tap) {
        auto const position = index * access.step - access.before + tap;
        if (0 <= position && position < length) positions.insert(position);
      }
    }
  }
  return positions;
}

Elements needed(Tiling const& tiling, OperatorId op, TensorAccess const& input,
                std::size_t accelerator) {
  Elements product{1};
  for (std::size_t axis = 0; axis < input.axes.size(); ++axis) {
    auto const positions = needed(tiling, op, input, axis, accelerator);
    product = product * static_cast<std::int64_t>(positions.size());
  }
  return product;
}

std::map<std::size_t, Elements> received(std::vector<ReshardStep> const& steps) {
  std::map<std::size_t, Elements> sums;
  for (auto const& step : steps) {
    for (auto const& exchange : step.exchanges) sums[exchange.to] += exchange.elements;
  }
  return sums;
}

std::map<std::size_t, Elements> sent(std::vector<ReshardStep> const& steps) {
  std::map<std::size_t, Elements> sums;
  for (auto const& step : steps) {
    for (auto const& exchange : step.exchanges) sums[exchange.from] += exchange.elements;
  }
  return sums;
}

class Halos : public testing::TestWithParam<char const*> {};
INSTANTIATE_TEST_SUITE_P(Sizes, Halos, testing::Values("4", "8", "12"));

TEST_P(Halos, BringWhatWindowsTouchUnderAnyPlan) {
  auto const array = array_of(GetParam());
  std::int64_t moved = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random{seed};
    auto const network = random_maps(random);
    auto const plan = test::random_plan(network, array, random, {Dim::n, Dim::k, Dim::h, Dim::w});
    Tiling const tiling{network, plan};
    for (auto const id : network.operators().ids()) {
      auto const& input = network.at(id).inputs.front();
      auto const layout = layout_read(input, plan.splits[id]);
      auto const fetched = fetch_halo(tiling, id, input, everybody(tiling));
      auto const returned = return_halo(tiling, id, input, everybody(tiling));
      auto arrived = received(fetched);
      auto given_back = sent(returned);
      EXPECT_EQ(received(returned), sent(fetched));
      for (std::size_t i = 0; i < tiling.accelerators(); ++i) {
        auto const own = tiling.region(input.tensor, layout, i).elements();
        auto const read = region_read(tiling, id, input, i).elements();
        EXPECT_EQ(own + arrived[i], read) << network.at(id).name << " accelerator " << i;
        EXPECT_EQ(arrived[i], given_back[i]);
        EXPECT_EQ(read, needed(tiling, id, input, i)) << network.source_text();
        moved += arrived[i].value();
      }
    }
  }
  EXPECT_GT(moved, 10'000);
}

TEST_P(Halos, AreTheSameForSomeAsForAll) {
  auto const array = array_of(GetParam());
  std::mt19937_64 random{3};
  auto const network = random_maps(random);
  auto const plan = test::random_plan(network, array, random, {Dim::h, Dim::w});
  Tiling const tiling{network, plan};
  for (auto const id : network.operators().ids()) {
    auto const& input = network.at(id).inputs.front();
    auto all = received(fetch_halo(tiling, id, input, everybody(tiling)));
    auto back = received(return_halo(tiling, id, input, everybody(tiling)));
    for (std::size_t i = 0; i < tiling.accelerators(); ++i) {
      EXPECT_EQ(received(fetch_halo(tiling, id, input, {i}))[i], all[i]);
      EXPECT_EQ(received(return_halo(tiling, id, input, {i}))[i], back[i]);
    }
  }
}

/// A convolution whose rows and columns divide by 32, and a plan: the innermost levels over rows
/// and columns, those above over samples or channels.
struct Contiguous {
  Contiguous(std::mt19937_64& random, arch::ArraySpec const& array)
      : network{test::network_of(text(random))} {
    plan = test::random_plan(network, array, random, {Dim::n, Dim::k});
    auto const order = test::random_between(random, 0, 2);
    auto const levels = static_cast<std::int64_t>(plan.levels());
    for (auto& splits : plan.splits) {
      for (std::int64_t place = test::random_between(random, 0, levels) - 1; place >= 0; --place) {
        auto const is_row = order == 2 ? place % 2 == 0 : order == 0;
        splits[static_cast<std::size_t>(levels - 1 - place)] = is_row ? Dim::h : Dim::w;
      }
    }
  }

  static std::string text(std::mt19937_64& random) {
    auto const conv = [&](std::string const& name, std::string const& input) {
      auto const stride = test::random_between(random, 1, 2);
      auto const padding = test::random_between(random, 0, 2);
      // As many windows as strides fit.
      auto const kernel = stride + 2 * padding;
      return "{name: " + name + ", kind: conv, input: " + input +
             ", filters: 16, kernel: " + std::to_string(kernel) +
             ", stride: " + std::to_string(stride) + ", padding: " + std::to_string(padding) + "}";
    };
    test::NetworkText text;
    text.input = "{name: x, channels: 16, rows: 128, columns: 128}";
    text.batch = "16";
    return text.with({conv("a", "x"), conv("b", "a"), conv("c", "b")});
  }

  Network network;
  Plan plan;
};

TEST(Halo, IsPricedAsItMoves) {
  auto const array = array_of("8");
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random{seed};
    Contiguous const drawn{random, array};
    auto const& [network, plan] = drawn;
    Tiling const tiling{network, plan};
    for (auto const id : network.operators().ids()) {
      auto const& input = network.at(id).inputs.front();
      auto const steps = fetch_halo(tiling, id, input, everybody(tiling));
      for (std::size_t level = 0; level < tiling.levels(); ++level) {
        std::map<std::size_t, double> arrived;
        Traffic moved;
        for (auto const& step : steps) {
          if (step.level != level) continue;
          for (auto const& exchange : step.exchanges) {
            auto const elements = static_cast<double>(exchange.elements.value());
            moved.elements += elements;
            auto const most = arrived[exchange.to] += elements;
            moved.critical = std::max(moved.critical, most * 8);
          }
        }
        auto const priced = halo_traffic(network, input, plan.splits[id], level, shape_of(array));
        EXPECT_DOUBLE_EQ(moved.elements, priced.elements) << network.at(id).name << ' ' << level;
        EXPECT_DOUBLE_EQ(moved.critical, priced.critical) << network.at(id).name << ' ' << level;
      }
    }
  }
}

TEST(Halo, OfAKernelOfThreeIsARowOnEachSide) {
  test::NetworkText text;
  text.input = "{name: x, channels: 2, rows: 8, columns: 6}";
  auto const network = test::network_of(
      text.with({"{name: a, kind: conv, input: x, filters: 5, kernel: 3, padding: 1}"}));
  auto const array = array_of("4");
  Plan plan;
  plan.accelerators = 4;
  plan.splits.push_back({Split{Dim::h}, Split{Dim::h}});
  Tiling const tiling{network, plan};
  auto const id = network.find("a");
  auto const& input = network.at(id).inputs.front();
  // Cut at the innermost level first: rows 0-1, 4-5, 2-3, 6-7.
  EXPECT_EQ(region_read(tiling, id, input, 0).axes[2].ranges(),
            (std::vector<std::pair<std::int64_t, std::int64_t>>{{0, 3}}));
  EXPECT_EQ(region_read(tiling, id, input, 2).axes[2].ranges(),
            (std::vector<std::pair<std::int64_t, std::int64_t>>{{1, 5}}));
  // A row of 4 samples, 2 channels and 6 columns over each of three borders, both ways.
  std::map<std::pair<std::size_t, std::size_t>, std::int64_t> exchanges;
  for (auto const& step : fetch_halo(tiling, id, input, everybody(tiling))) {
    for (auto const& exchange : step.exchanges) {
      exchanges[{exchange.from, exchange.to}] += exchange.elements.value();
    }
  }
  std::map<std::pair<std::size_t, std::size_t>, std::int64_t> const expected = {
      {{0, 2}, 48}, {{2, 0}, 48}, {{2, 1}, 48}, {{1, 2}, 48}, {{1, 3}, 48}, {{3, 1}, 48}};
  EXPECT_EQ(exchanges, expected);
}

TEST(Halo, OfWindowsThatTouchIsNothing) {
  test::NetworkText const text;
  auto const network =
      test::network_of(text.with({"{name: a, kind: pool, input: x, size: 2}",
                                  "{name: b, kind: conv, input: a, filters: 4, kernel: 1}"}));
  Plan plan;
  plan.accelerators = 2;
  plan.splits.push_back({Split{Dim::h}});
  plan.splits.push_back({Split{Dim::w}});
  Tiling const tiling{network, plan};
  for (auto const id : network.operators().ids()) {
    EXPECT_TRUE(fetch_halo(tiling, id, network.at(id).inputs.front(), {0, 1}).empty());
  }
}

}  // namespace
}  // namespace tessera::partition
