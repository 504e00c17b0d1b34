// How rows are judged and shown.
#include "sim/validation/row.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "arch/base/contract.hpp"

namespace tessera::sim {
namespace {

using testing::HasSubstr;
using Kind = Tolerance::Kind;

Row row_of(Figure const& reference, Figure const& value, Tolerance const& tolerance) {
  Row row;
  row.suite = "test";
  row.title = "a case";
  row.metric = "cycles";
  row.reference = reference;
  row.value = value;
  row.tolerance = tolerance;
  return row;
}

bool passes(double reference, double value, Tolerance const& tolerance) {
  return judged(row_of(Figure::of(reference), Figure::of(value), tolerance)).pass;
}

TEST(Row, BothSidesOfEachTolerance) {
  EXPECT_TRUE(passes(7, 7, {Kind::exact, 0}));
  EXPECT_FALSE(passes(7, 8, {Kind::exact, 0}));
  EXPECT_TRUE(passes(100, 109, {Kind::relative, 0.10}));
  EXPECT_FALSE(passes(100, 89, {Kind::relative, 0.10}));
  EXPECT_TRUE(passes(100, 95, {Kind::absolute, 5}));
  EXPECT_FALSE(passes(100, 106, {Kind::absolute, 5}));
  EXPECT_TRUE(passes(20, 20, {Kind::at_most, 0}));
  EXPECT_FALSE(passes(20, 21, {Kind::at_most, 0}));
  EXPECT_TRUE(passes(20, 20, {Kind::at_least, 0}));
  EXPECT_FALSE(passes(20, 19, {Kind::at_least, 0}));
}

TEST(Row, ErrorsAreDifferencesOrShares) {
  auto const error = [](Kind kind) {
    return judged(row_of(Figure::of(50), Figure::of(60), {kind, 1})).error;
  };
  EXPECT_EQ(error(Kind::exact), 10);
  EXPECT_EQ(error(Kind::absolute), 10);
  EXPECT_NEAR(error(Kind::relative), 0.2, 1e-12);
  EXPECT_NEAR(error(Kind::at_most), 0.2, 1e-12);
}

TEST(Row, ANumberAgainstATextIsABrokenContract) {
  EXPECT_THROW(
      static_cast<void>(judged(row_of(Figure::of(1), Figure::of_text("01"), {Kind::exact, 0}))),
      ContractError);
}

TEST(Row, CountsKeepAllTheirDigitsAndNumbersFive) {
  EXPECT_EQ(Figure::of_count(1'234'567).text, "1234567");
  EXPECT_EQ(Figure::of(1.234567).text, "1.2346");
  EXPECT_EQ(Figure::written("13.0").text, "13.0");
}

TEST(RowReport, HasUnitsVerdictsAndASummaryPerSuite) {
  auto first = row_of(Figure::of_count(7), Figure::of_count(7), {Kind::exact, 0});
  first.unit = "cycles";
  auto second = row_of(Figure::of(100), Figure::of(89), {Kind::relative, 0.10});
  second.suite = "other";
  second.deviation = "D9";
  auto const text = as_text({judged(first), judged(second)});
  EXPECT_THAT(text, HasSubstr("7 cycles"));
  EXPECT_THAT(text, HasSubstr("known deviation D9"));
  EXPECT_THAT(text, HasSubstr("\ntest: 1 rows: 1 within tolerance, 0 known deviations"));
  EXPECT_THAT(text, HasSubstr("\nother: 1 rows: 0 within tolerance, 1 known deviations"));
  EXPECT_THAT(text, HasSubstr("\n2 rows: 1 within tolerance, 1 known deviations"));
}

TEST(RowReport, TextsAreCountedInTheTableAndWholeInJson) {
  auto const row = judged(row_of(Figure::of_text("01 10"), Figure::of_text("00 10"), {}));
  EXPECT_THAT(as_text({row}), HasSubstr("4 cells"));
  EXPECT_THAT(as_text({row}), HasSubstr("3 equal"));
  auto const json = nlohmann::json::parse(as_json({row}))["rows"][0];
  EXPECT_EQ(json["reference"], "01 10");
  EXPECT_EQ(json["measure"], "cells");
  EXPECT_EQ(json["error"], 1);
  EXPECT_EQ(json["deviation"], nullptr);
}

}  // namespace
}  // namespace tessera::sim
