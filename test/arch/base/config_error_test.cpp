// The one line that a user reads.
#include "arch/base/config_error.hpp"

#include <gtest/gtest.h>

namespace tessera {
namespace {

TEST(ConfigError, LeavesOutWhatIsNotKnown) {
  EXPECT_STREQ(ConfigError({"a.yaml", 7, 5}, "fabric.link", "problem").what(),
               "a.yaml:7:5: fabric.link: problem");
  EXPECT_STREQ(ConfigError({"a.yaml", 7}, "", "problem").what(), "a.yaml:7: problem");
  EXPECT_STREQ(ConfigError({"--set arch.x=1"}, "x", "problem").what(),
               "--set arch.x=1: x: problem");
  EXPECT_STREQ(ConfigError({}, {}, "problem").what(), "problem");
}

TEST(ConfigError, StaysOneLine) {
  EXPECT_STREQ(ConfigError({}, "a\nb", std::string{"c\td\0e\x7f", 6}).what(),
               "a\\nb: c\\td\\x00e\\x7f");
}

TEST(InQuotes, ShortensWhatNobodyReadsToTheEnd) {
  EXPECT_EQ(in_quotes("abc"), "'abc'");
  EXPECT_EQ(in_quotes(std::string(80, 'x')), '\'' + std::string(80, 'x') + '\'');
  EXPECT_EQ(in_quotes(std::string(81, 'x')), '\'' + std::string(80, 'x') + "...'");
}

TEST(InQuotes, CutsBetweenCharacters) {
  // 79 letters and a two-byte one: its second byte would be number 81.
  EXPECT_EQ(in_quotes(std::string(79, 'x') + "\u00e9z"), '\'' + std::string(79, 'x') + "...'");
}

}  // namespace
}  // namespace tessera
