// Scalars as words, numbers and quantities with units.
#include <gtest/gtest.h>

#include <random>

#include "arch/base/config.hpp"
#include "test/support/error_message.hpp"

namespace tessera {
namespace {

using test::error_message;

template <typename T>
[[nodiscard]] T read(std::string const& text) {
  return ConfigNode::scalar(text).as<T>();
}

template <typename T>
[[nodiscard]] std::string complaint(std::string const& text) {
  return error_message([&] { return read<T>(text); });
}

TEST(ConfigValue, UnitsConvertWithoutRounding) {
  EXPECT_EQ(read<Time>("0.1 ns"), Time{100});
  EXPECT_EQ(read<Time>("40 ns"), Time{40'000});
  EXPECT_EQ(read<Time>("1.000000000001 s"), Time{1'000'000'000'001});
  EXPECT_EQ(read<Time>("9223372.036854775807 s"), Time{INT64_MAX});
  EXPECT_EQ(read<Frequency>("0.94 GHz"), Frequency{940'000'000});
  EXPECT_EQ(read<Bandwidth>("2 Gb/s"), Bandwidth{2'000'000'000});
  EXPECT_EQ(read<Bandwidth>("0.25 GB/s"), Bandwidth{2'000'000'000});
  EXPECT_EQ(read<Bytes>("8 GiB"), Bytes{8'589'934'592});
  EXPECT_EQ(read<Bytes>("8 GB"), Bytes{8'000'000'000});
  EXPECT_EQ(read<Bytes>("0.5 KiB"), Bytes{512});
  EXPECT_EQ(read<Energy>("3.7 pJ"), Energy{3.7e-12});
}

TEST(ConfigValue, ATextIsALineThatATerminalShows) {
  EXPECT_EQ(read<std::string>("tab\tand \u00e9"), "tab\tand \u00e9");
  for (auto const* const text : {"a\nb", "a\rb", "\x1b[31mred", "\x7f"}) {
    EXPECT_NE(complaint<std::string>(text).find("has a control character"), std::string::npos);
  }
}

TEST(ConfigValue, NumbersMayHaveExponentsAndSpareZeros) {
  EXPECT_EQ(read<Time>("1e3 ns"), Time{1'000'000});
  EXPECT_EQ(read<Time>("2.5E-3 us"), Time{2500});
  EXPECT_EQ(read<Time>("007.50000000000000000000000000000000000 ns"), Time{7500});
  EXPECT_EQ(read<Time>("0 ps"), Time{0});
  EXPECT_EQ(read<Time>("0e99999999999999 s"), Time{0});
  EXPECT_EQ(read<Time>("40ns"), Time{40'000});
}

TEST(ConfigValue, WhatTheTypeCannotHoldExactlyIsAnError) {
  EXPECT_EQ(complaint<Time>("0.3 ps"),
            "'0.3 ps' is not a whole number of ps (the finest step of a time); write it like "
            "'40 ns'");
  EXPECT_EQ(complaint<Time>("0.0001 ns").substr(0, 33), "'0.0001 ns' is not a whole number");
  EXPECT_EQ(complaint<Bytes>("0.3 KiB").substr(0, 31), "'0.3 KiB' is not a whole number");
  EXPECT_EQ(complaint<Time>("1e-99999999999 s").substr(0, 18), "'1e-99999999999 s'");
}

TEST(ConfigValue, WhatIsTooLargeIsAnError) {
  EXPECT_EQ(complaint<Time>("9223372.036854775808 s"),
            "'9223372.036854775808 s' is too large (a time has at most 9223372036854775807 ps); "
            "write it like '40 ns'");
  EXPECT_NE(complaint<Bytes>("9000000000000000000 TiB"), "no error");
  EXPECT_NE(complaint<Bytes>("1e30 B"), "no error");
  EXPECT_NE(complaint<Time>("1e99999999999 s"), "no error");
  EXPECT_NE(complaint<Energy>("1e400 J"), "no error");
  EXPECT_NE(complaint<Time>("123456789012345678901234567890 ps"), "no error");
}

TEST(ConfigValue, AMissingUnitIsAnErrorThatNamesTheFamily) {
  EXPECT_EQ(complaint<Time>("40"),
            "'40' has no unit (a time has one of ps, ns, us, ms, s); write it like '40 ns'");
  EXPECT_EQ(complaint<Energy>("3.7"),
            "'3.7' has no unit (an energy has one of fJ, pJ, nJ, uJ, mJ, J, kJ); write it like "
            "'3.7 pJ'");
}

TEST(ConfigValue, AUnitOfAnotherFamilyIsAnError) {
  EXPECT_EQ(complaint<Time>("2 GB/s"),
            "'2 GB/s' is not a time (a time has one of ps, ns, us, ms, s); write it like "
            "'40 ns'");
  EXPECT_NE(complaint<Bandwidth>("2 GB"), "no error");
  EXPECT_NE(complaint<Bytes>("2 GB/s"), "no error");
  EXPECT_NE(complaint<Frequency>("2 ns"), "no error");
  EXPECT_NE(complaint<Bandwidth>("2 gb/s"), "no error") << "b and B, m and M are different units";
}

TEST(ConfigValue, ANegativeQuantityIsAnError) {
  EXPECT_EQ(complaint<Bandwidth>("-2 GB/s"),
            "'-2 GB/s' is negative (a bandwidth is zero or more); write it like '2 GB/s'");
}

TEST(ConfigValue, WhatIsNoNumberIsNoQuantity) {
  EXPECT_EQ(complaint<Time>("fast"), "'fast' is not a time; write it like '40 ns'");
  for (auto const* const text :
       {"", " ", "ns", ".5 ns", "5. ns", "- 5 ns", "--5 ns", "+5 ns", "1,5 ns", "1_000 ns",
        "0x10 ns", "5 n s", "5 ns ns", "nan ns", "inf ns", "5e ns", "1 2 ns"}) {
    EXPECT_NE(complaint<Time>(text), "no error") << text;
  }
}

TEST(ConfigValue, WholeNumbersAreOnlyThat) {
  EXPECT_EQ(read<std::int64_t>("-12"), -12);
  EXPECT_EQ(read<std::int64_t>("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(complaint<std::int64_t>("9223372036854775808"),
            "'9223372036854775808' does not fit (expected a whole number)");
  for (auto const* const text : {"", "1_000", "1.0", "1e3", "0x10", "+1", " 1", "1 ", "16 B"}) {
    EXPECT_NE(complaint<std::int64_t>(text), "no error") << text;
  }
}

TEST(ConfigValue, NumbersAreFinite) {
  EXPECT_EQ(read<double>("0.5"), 0.5);
  EXPECT_EQ(read<double>("-1e-3"), -0.001);
  for (auto const* const text : {"nan", "inf", "-inf", "1e999", "0.5x", "", "1,5"}) {
    EXPECT_NE(complaint<double>(text), "no error") << text;
  }
}

TEST(ConfigValue, TruthIsTrueOrFalse) {
  EXPECT_TRUE(read<bool>("true"));
  EXPECT_FALSE(read<bool>("false"));
  for (auto const* const text : {"yes", "on", "1", "True", ""}) {
    EXPECT_NE(complaint<bool>(text), "no error") << text;
  }
}

TEST(ConfigValue, AMapIsNoScalar) {
  EXPECT_EQ(error_message([] { return ConfigNode::map().as<Time>(); }),
            "expected a time such as '40 ns', got a map");
  EXPECT_EQ(error_message([] { return ConfigNode::list().as<std::string>(); }),
            "expected a text, got a list");
}

TEST(ConfigValue, TextHasTheLargestUnitThatKeepsItExact) {
  EXPECT_EQ(to_text(Time{40'000}), "40 ns");
  EXPECT_EQ(to_text(Time{40'001}), "40001 ps");
  EXPECT_EQ(to_text(Time{0}), "0 ps");
  EXPECT_EQ(to_text(Frequency{250'000'000}), "250 MHz");
  EXPECT_EQ(to_text(Bandwidth{2'000'000'000}), "2 Gb/s");
  EXPECT_EQ(to_text(Bandwidth{2'560'000'000'000}), "320 GB/s");
  EXPECT_EQ(to_text(Bytes{8'589'934'592}), "8 GiB");
  EXPECT_EQ(to_text(Bytes{8'000'000'000}), "8 GB");
  EXPECT_EQ(to_text(Energy{3.7e-12}), "3.7 pJ");
  EXPECT_EQ(to_text(Energy{175.36e-12}), "175.36 pJ");
  EXPECT_EQ(to_text(0.0), "0");
  EXPECT_EQ(to_text(0.8), "0.8");
  EXPECT_EQ(to_text(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(to_text(Energy{640e-12}), "640 pJ");
  EXPECT_EQ(to_text(Energy{0}), "0 J");
}

template <typename Q>
void expect_round_trip(std::mt19937_64& random) {
  auto const bits = std::uniform_int_distribution<int>{0, 62}(random);
  auto const limit = std::int64_t{1} << bits;
  Q const quantity{std::uniform_int_distribution<std::int64_t>{0, limit}(random)};
  EXPECT_EQ(read<Q>(to_text(quantity)), quantity) << to_text(quantity);
}

TEST(ConfigValue, ReadingTheTextOfAQuantityGivesItBack) {
  constexpr unsigned seed = 20190216;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random{seed};
  for (int trial = 0; trial < 2000; ++trial) {
    expect_round_trip<Time>(random);
    expect_round_trip<Frequency>(random);
    expect_round_trip<Bandwidth>(random);
    expect_round_trip<Bytes>(random);
    auto const exponent = std::uniform_real_distribution<double>{-40, 40}(random);
    Energy const energy{std::pow(10.0, exponent)};
    EXPECT_EQ(read<Energy>(to_text(energy)), energy) << to_text(energy);
  }
  EXPECT_EQ(read<Time>(to_text(Time{INT64_MAX})), Time{INT64_MAX});
  for (auto const joules : {5e-324, 1.7976931348623157e308, 1.0 / 3.0}) {
    EXPECT_EQ(read<Energy>(to_text(Energy{joules})), Energy{joules});
  }
}

}  // namespace
}  // namespace tessera
