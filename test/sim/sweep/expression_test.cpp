// The language of conditions and derived values.
#include "sim/sweep/expression.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "test/support/error_message.hpp"

namespace tessera::sim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string computed(std::string const& text) {
  std::map<std::string, std::string> const keys = {{"planner", "mp"},
                                                   {"arch.accelerators", "16"},
                                                   {"arch.fabric.link.bandwidth", "2 Gb/s"},
                                                   {"arch.fabric.link.latency", "40 ns"}};
  Expression const expression{text, {"sweep.yaml", 7, 3}};
  return to_text(expression.evaluate([&](auto const& name) -> std::optional<SweepValue> {
    auto const found = keys.find(name);
    if (found == keys.end()) return std::nullopt;
    return sweep_value(found->second);
  }));
}

std::string computing_problem(std::string const& text) {
  return test::error_message([&] { return computed(text); });
}

TEST(SweepExpression, ComputesAsPythonDoes) {
  EXPECT_EQ(computed("16 * arch.accelerators"), "256");
  EXPECT_EQ(computed("1 + 2 * 3 - 4 / 8"), "6.5");
  EXPECT_EQ(computed("-2 ** 2"), "-4");
  EXPECT_EQ(computed("2 ** 3 ** 2"), "512");
  EXPECT_EQ(computed("2 ** -1"), "0.5");
  EXPECT_EQ(computed("-7 // 2"), "-4");
  EXPECT_EQ(computed("-7 % 3"), "2");
  EXPECT_EQ(computed("(1 + 2) * 3"), "9");
  EXPECT_EQ(computed("max(2, log2(arch.accelerators), 3)"), "4");
  EXPECT_EQ(computed("min(1e3, 2.5e2)"), "250");
}

TEST(SweepExpression, DecidesAsPythonDoes) {
  EXPECT_EQ(computed("planner == 'mp' and arch.accelerators > 16"), "false");
  EXPECT_EQ(computed("not planner == 'dp' or 1 < 0"), "true");
  EXPECT_EQ(computed("planner in ['dp', 'mp']"), "true");
  EXPECT_EQ(computed("true or 1 / 0 == 1"), "true");  // not asked
  EXPECT_EQ(computed("1 == 1 and not 2 != 2"), "true");
}

TEST(SweepExpression, ComparesAndScalesQuantitiesWithinTheirFamily) {
  EXPECT_EQ(computed("arch.fabric.link.bandwidth >= '250 MB/s'"), "true");
  EXPECT_EQ(computed("arch.fabric.link.bandwidth * 2 == '4 Gb/s'"), "true");
  EXPECT_EQ(computed("arch.fabric.link.latency + '10 ns'"), "50000 ps");
  EXPECT_EQ(computed("arch.fabric.link.latency / '10 ns'"), "4");
  EXPECT_THAT(computing_problem("arch.fabric.link.latency + 1"),
              HasSubstr("sweep.yaml:7:3: 'arch.fabric.link.latency + 1': '+' does not go with a "
                        "time (40000 ps) and the number 1"));
  EXPECT_THAT(computing_problem("arch.fabric.link.latency < arch.fabric.link.bandwidth"),
              HasSubstr("does not go with a time"));
}

TEST(SweepExpression, ConvertsNothingSilently) {
  EXPECT_THAT(computing_problem("planner + 1"), HasSubstr("'+' does not go with the text 'mp'"));
  EXPECT_THAT(computing_problem("planner == 1"), HasSubstr("'==' does not go with"));
  EXPECT_THAT(computing_problem("1 and true"),
              HasSubstr("'and' wants true or false, not the number 1"));
  EXPECT_THAT(computing_problem("1 / (arch.accelerators - 16)"), HasSubstr("'/' by zero"));
  EXPECT_THAT(computing_problem("10 ** 400"), HasSubstr("no finite result"));
  EXPECT_THAT(computing_problem("log2(0)"), HasSubstr("no finite result"));
  EXPECT_THAT(computing_problem("--planner"), HasSubstr("the text 'mp'"));
  EXPECT_THAT(computing_problem("not not 1"), HasSubstr("the number 1"));
}

TEST(SweepExpression, ThatIsNotInTheLanguageIsRefusedAtItsPlace) {
  for (auto const* const text :
       {"", "1 +", "(1", "1)", "'a", "a b", "__import__('os')", "1 if true else 2", "a = 1",
        "lambda", "[1]", "1..2", "log2(1, 2)", "1e", "a[0]", "in", "min()", "x;y", "1 in []"}) {
    EXPECT_THAT(computing_problem(text), HasSubstr("sweep.yaml:7:3: ")) << text;
  }
  EXPECT_THAT(computing_problem(std::string(1000, '(')), HasSubstr("nested too deeply"));
  EXPECT_THAT(computing_problem(std::string(10'000, '-') + "1"), HasSubstr("longer than 4096"));
  EXPECT_THAT(computing_problem("1 " + std::string(1000, '*') + " 1"),
              HasSubstr("sweep.yaml:7:3: "));
}

TEST(SweepExpression, SaysWhatItReads) {
  Expression const expression{"a.b * 2 + min(c, a.b) > 3", {}};
  EXPECT_THAT(expression.names(), ElementsAre("a.b", "c"));
}

TEST(SweepExpression, OfNoTruthIsNoCondition) {
  Expression const expression{"1 + 1", {"sweep.yaml", 7, 3}};
  EXPECT_THAT(test::error_message([&] { return expression.holds({}); }),
              HasSubstr("is the number 2 (a condition is true or false)"));
}

}  // namespace
}  // namespace tessera::sim
