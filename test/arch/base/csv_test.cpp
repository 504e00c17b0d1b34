// Tables of comma-separated values, and where what is wrong with them is.
#include "arch/base/csv.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "test/support/error_message.hpp"

namespace tessera {
namespace {

using test::error_message;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> texts(CsvLine const& line) {
  std::vector<std::string> cells;
  for (auto const& cell : line) cells.push_back(cell.text());
  return cells;
}

std::string problem_of(std::string const& text) {
  return error_message([&] { return read_csv_table(text, "table.csv"); });
}

TEST(Csv, CellsStandBetweenCommasWithoutTheirBlanks) {
  auto const lines = read_csv_lines("a, b ,c\n\n# a comment, of two\n 1,\t2,\n", "table.csv");
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_THAT(texts(lines[0]), ElementsAre("a", "b", "c"));
  EXPECT_THAT(texts(lines[1]), ElementsAre("1", "2", ""));  // the last comma begins a cell
}

TEST(Csv, ACellKnowsItsPlace) {
  auto const lines = read_csv_lines("a,b\n# more\nfirst,  second\n", "table.csv");
  auto const& where = lines[1][1].where();
  EXPECT_EQ(where.file, "table.csv");
  EXPECT_EQ(where.line, 3);
  EXPECT_EQ(where.column, 9);
}

TEST(Csv, LinesMayEndAsWindowsEndsThemAndBeginWithItsMark) {
  auto const lines = read_csv_lines("\xef\xbb\xbfname,M\r\nfc1,3\r\nfc2,4", "table.csv");
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_THAT(texts(lines[0]), ElementsAre("name", "M"));
  EXPECT_THAT(texts(lines[1]), ElementsAre("fc1", "3"));
  EXPECT_THAT(texts(lines[2]), ElementsAre("fc2", "4"));
}

TEST(Csv, ATableIsAMapFromColumnToCellForEachLine) {
  auto const rows = read_csv_table("# source\nlayer,cycles\nconv1,12\nconv2,7\n", "table.csv");
  ASSERT_EQ(rows.size(), 2U);
  auto map = rows[1].as_map();
  EXPECT_EQ(map.required<std::string>("layer"), "conv2");
  EXPECT_EQ(map.required<std::int64_t>("cycles"), 7);
  EXPECT_NO_THROW(map.finish());
}

TEST(Csv, WhatIsWrongIsSaidWithItsPlaceAndColumn) {
  auto const rows = read_csv_table("layer,cycles\nconv1,many\n", "table.csv");
  EXPECT_EQ(error_message([&] { return rows[0].as_map().required<std::int64_t>("cycles"); }),
            "table.csv:2:7: cycles: 'many' is not a whole number");
  EXPECT_THAT(error_message([&] { return rows[0].as_map().required<std::int64_t>("cycle"); }),
              HasSubstr("table.csv:2:7: "));
}

TEST(Csv, LinesHaveAsManyCellsAsThereAreColumns) {
  EXPECT_EQ(problem_of("a,b\n1\n"), "table.csv:2:1: 1 cells (there are 2 columns)");
  EXPECT_EQ(problem_of("a,b\n1,2,3\n"), "table.csv:2:5: 3 cells (there are 2 columns)");
}

TEST(Csv, ColumnsHaveNamesOfTheirOwn) {
  EXPECT_EQ(problem_of("a,,c\n"), "table.csv:1:3: a column without a name");
  EXPECT_EQ(problem_of("a,b,a\n"), "table.csv:1:5: a second column 'a'");
}

TEST(Csv, WhatIsNoTableIsRefused) {
  EXPECT_THAT(problem_of(""), HasSubstr("table.csv: is empty"));
  EXPECT_THAT(problem_of("# nothing\n\n"), HasSubstr("is empty"));
  EXPECT_EQ(problem_of("a\n\"1\"\n"),
            "table.csv:2:1: a quote (a cell is what stands between two commas); remove it");
  EXPECT_THAT(problem_of(std::string{"a\n\0", 3}), HasSubstr("table.csv:2:1: has a control"));
  EXPECT_THAT(error_message([] { return read_csv_lines("nowhere.csv"); }),
              HasSubstr("nowhere.csv: no such file"));
}

TEST(Csv, ACellInQuotesMayHaveCommasWhereQuotesAreRead) {
  std::string const text = "a,b,c\n\"1, 2\",\"say \"\"x\"\"\" , 3\n";
  auto const lines = read_csv_lines(text, "table.csv", Quotes::read);
  EXPECT_THAT(texts(lines[1]), ElementsAre("1, 2", "say \"x\"", "3"));
  EXPECT_EQ(lines[1][1].where().column, 8);
  EXPECT_THAT(problem_of(text), HasSubstr("table.csv:2:1: a quote"));
  auto const problem = [](std::string const& bad) {
    return error_message([&] { return read_csv_table("a,b\n" + bad, "table.csv", Quotes::read); });
  };
  EXPECT_THAT(problem("\"1,2\n"), HasSubstr("table.csv:2:1: a quote that is not closed"));
  EXPECT_THAT(problem("\"1\"2,3\n"), HasSubstr("something behind its quotes"));
}

}  // namespace
}  // namespace tessera
