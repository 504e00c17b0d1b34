#include "partition/price/traffic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace tessera::partition {
namespace {

Holding const whole = Holding::replicated();
Holding const summands = Holding::partial();

Holding samples(double first) { return Holding::split(0, first); }
Holding channels(double first) { return Holding::split(1, first); }

/// Of |T|, what each half receives.
struct Conversion {
  Holding from, to;
  double first, second;
};

class UnequalHalves : public testing::TestWithParam<Conversion> {};

TEST_P(UnequalHalves, ReceiveWhatTheyLack) {
  auto const& [from, to, first, second] = GetParam();
  auto const traffic = moved({from}, {to}, 0, 1000);
  EXPECT_NEAR(traffic.elements, 1000 * (first + second), 1e-9);
  EXPECT_NEAR(traffic.critical, 1000 * 2 * std::max(first, second), 1e-9);
}

// AccPar's inter-layer costs with alpha = 0.3, beta = 0.7: alpha beta between I and II, beta (alpha) to get all of it.
INSTANTIATE_TEST_SUITE_P(Conversions, UnequalHalves,
                         testing::Values(Conversion{samples(0.3), channels(0.3), 0.21, 0.21},
                                         Conversion{samples(0.3), whole, 0.7, 0.3},
                                         Conversion{samples(0.3), samples(0.3), 0, 0},
                                         Conversion{samples(0.3), samples(0.5), 0.2, 0},
                                         Conversion{samples(0.5), samples(0.3), 0, 0.2},
                                         Conversion{samples(0.3), channels(0.5), 0.35, 0.15},
                                         Conversion{summands, samples(0.3), 0.3, 0.7},
                                         Conversion{summands, whole, 1, 1},
                                         Conversion{whole, samples(0.3), 0, 0}));

TEST(Moved, IsCriticalInTheLargerGroup) {
  auto const traffic = moved({samples(0.3), summands}, {samples(0.3), channels(0.5)}, 1, 1000);
  EXPECT_NEAR(traffic.elements, 1000, 1e-9);
  EXPECT_NEAR(traffic.critical, 2 * 0.7 * 1000, 1e-9);
}

TEST(Moved, IsEqualForAllWhereHalvesAreEqual) {
  std::mt19937_64 random{5};
  std::vector<Holding> const holdings{samples(0.5), channels(0.5), whole, summands};
  auto const any = [&](std::size_t kinds) { return holdings[random() % kinds]; };
  for (int round = 0; round < 500; ++round) {
    Layout const from{any(4), any(4), any(4)};
    Layout const to{any(3), any(3), any(3)};  // nobody reads summands
    for (std::size_t level = 0; level < 3; ++level) {
      auto const traffic = moved(from, to, level, 1 << 20);
      EXPECT_EQ(traffic.elements, traffic.critical) << "round " << round;
    }
  }
}

/// What each accelerator receives of a stage in which all levels but one stay as they are: the
/// product of its halves' shares.
double received(Layout const& layout, std::size_t level, double first, double second,
                std::size_t accelerator) {
  double elements = 1;
  for (std::size_t other = 0; other < layout.size(); ++other) {
    bool const is_second = ((accelerator >> (layout.size() - 1 - other)) & 1U) != 0;
    if (other == level) elements *= is_second ? second : first;
    if (other == level || layout[other].kind != Holding::Kind::split) continue;
    elements *= is_second ? 1 - layout[other].first : layout[other].first;
  }
  return elements;
}

TEST(Moved, CountsWhatEveryAcceleratorReceives) {
  std::mt19937_64 random{6};
  auto const share = [&] { return 0.1 + 0.1 * static_cast<double>(random() % 9); };
  for (int round = 0; round < 200; ++round) {
    Layout from;
    for (int level = 0; level < 4; ++level) {
      from.push_back(random() % 3 == 0 ? whole : Holding::split(random() % 2, share()));
    }
    auto const level = random() % 4;
    auto const a = share();
    auto const b = share();
    from[level] = samples(a);
    auto to = from;
    to[level] = channels(b);
    double sum = 0;
    double most = 0;
    for (std::size_t accelerator = 0; accelerator < 16; ++accelerator) {
      auto const one = received(from, level, b * (1 - a), (1 - b) * a, accelerator);
      // Halves that inner levels share: each accelerator receives its part of what the half does.
      sum += one;
      most = std::max(most, one);
    }
    auto const traffic = moved(from, to, level, 1000);
    EXPECT_NEAR(traffic.elements, 1000 * sum, 1e-6) << "round " << round;
    EXPECT_NEAR(traffic.critical, 1000 * 16 * most, 1e-6) << "round " << round;
  }
}

// The elements that each of w parts lacks, w times: of a tensor of 900, w = 3.
TEST(Moved, AmongThreePartsIsWhatEachLacks) {
  ArrayShape const three{{}, {3}};
  auto const elements = [&](Holding from, Holding to) {
    auto const traffic = moved({from}, {to}, 0, 900, three);
    EXPECT_EQ(traffic.elements, traffic.critical);
    return traffic.elements;
  };
  EXPECT_DOUBLE_EQ(elements(summands, samples(0.5)), 3 * 600);  // 300 from each of two others
  EXPECT_DOUBLE_EQ(elements(summands, whole), 2 * 3 * 600);     // and 300 to each
  EXPECT_DOUBLE_EQ(elements(samples(0.5), whole), 3 * 600);
  EXPECT_DOUBLE_EQ(elements(samples(0.5), channels(0.5)), 3 * 200);  // has 100 of its 300
  EXPECT_EQ(elements(whole, samples(0.5)), 0);
}

TEST(Moved, CountsLessWhereTheLinksAreFaster) {
  std::mt19937_64 random{7};
  auto const share = [&] { return 0.1 + 0.1 * static_cast<double>(random() % 9); };
  for (int round = 0; round < 200; ++round) {
    Pace const pace = round % 2 == 0 ? Pace{1, 0.5} : Pace{0.25, 1};
    Layout from;
    for (int level = 0; level < 4; ++level) {
      from.push_back(random() % 3 == 0 ? whole : Holding::split(random() % 2, share()));
    }
    auto const level = 1 + random() % 3;  // within the halves
    auto const a = share();
    from[level] = samples(a);
    auto to = from;
    to[level] = channels(0.5);
    double longest = 0;
    for (std::size_t accelerator = 0; accelerator < 16; ++accelerator) {
      auto const one = received(from, level, 0.5 * (1 - a), 0.5 * a, accelerator);
      longest = std::max(longest, one * (accelerator < 8 ? pace.first : pace.second));
    }
    auto const traffic = moved(from, to, level, 1000, {pace, {}});
    EXPECT_NEAR(traffic.critical, 1000 * 16 * longest, 1e-6) << "round " << round;
    EXPECT_EQ(traffic.elements, moved(from, to, level, 1000).elements);
  }
  // Between the halves the slower links decide.
  EXPECT_EQ(moved({samples(0.3)}, {whole}, 0, 1000, {{1, 0.5}, {}}).critical,
            moved({samples(0.3)}, {whole}, 0, 1000).critical);
}

}  // namespace
}  // namespace tessera::partition
