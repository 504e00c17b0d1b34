// Tables and numbers for people.
#include "sim/terminal/table.hpp"

#include <gtest/gtest.h>

#include "arch/base/contract.hpp"

namespace tessera::sim {
namespace {

TEST(Table, ColumnsAreAsWideAsTheirWidestCell) {
  Table table{{{"name", Table::Align::left}, {"n"}}};
  table.add({"a", "1"}).add({"longer", "1000"});
  EXPECT_EQ(table.text(),
            "name       n\n"
            "a          1\n"
            "longer  1000\n");
}

TEST(Table, LinesDoNotEndInBlanks) {
  Table table{{{"a", Table::Align::left}, {"b", Table::Align::left}}};
  table.add({"x", ""});
  EXPECT_EQ(table.text(), "a  b\nx\n");
}

TEST(Table, ARowOfAnotherLengthIsABrokenContract) {
  Table table{{{"a"}, {"b"}}};
  EXPECT_THROW(table.add({"only one"}), ContractError);
}

TEST(Numbers, HaveFourSignificantDigitsAndAPrefix) {
  EXPECT_EQ(time_text(1.2344), "1.234 s");
  EXPECT_EQ(time_text(0.0123), "12.30 ms");
  EXPECT_EQ(time_text(86400), "86400 s");
  EXPECT_EQ(time_text(2e-12), "2.000 ps");
  EXPECT_EQ(bytes_text(17.24e9), "17.24 GB");
  EXPECT_EQ(energy_text(0.5), "500.0 mJ");
  EXPECT_EQ(percent_text(0.1234), "12.3 %");
  EXPECT_EQ(number_text(23.4812), "23.48");
}

TEST(Numbers, RoundUpIntoTheNextPrefix) {
  EXPECT_EQ(time_text(0.99999), "1.000 s");
  EXPECT_EQ(time_text(0.99994), "999.9 ms");
  EXPECT_EQ(number_text(9.9996), "10.00");
}

TEST(Numbers, AtTheEdges) {
  EXPECT_EQ(time_text(0), "0 s");
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(999), "999 B");
  EXPECT_EQ(bytes_text(1000), "1.000 kB");
  EXPECT_EQ(number_text(1e300).size(), 301U);  // digits, no exponent
  EXPECT_EQ(number_text(1.0 / 0.0), "inf");
  EXPECT_EQ(number_text(-0.5), "-0.5000");
  EXPECT_EQ(percent_text(-0.0001), "0.0 %");
  EXPECT_EQ(percent_text(-0.0001, 2), "-0.01 %");
}

}  // namespace
}  // namespace tessera::sim
