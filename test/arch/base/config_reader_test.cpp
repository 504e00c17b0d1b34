// The strict reader: what it takes, and every way in which it refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "arch/base/config.hpp"
#include "test/support/error_message.hpp"

namespace tessera {
namespace {

using test::error_message;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

[[nodiscard]] ConfigNode parsed(std::string_view text) { return read_config_text(text, "a.yaml"); }

[[nodiscard]] std::string reader_complaint(std::string_view text) {
  return error_message([&] { return parsed(text); });
}

TEST(ConfigReader, EveryValueKnowsItsPlaceAndPath) {
  auto const root = parsed("fabric:\n  link: {bandwidth: 2 Gb/s,\n         lanes: [1, 2]}\n");
  auto fabric = root.as_map().node("fabric").as_map();
  auto link = fabric.node("link").as_map();
  auto const& bandwidth = link.node("bandwidth");
  EXPECT_EQ(bandwidth.path(), "fabric.link.bandwidth");
  EXPECT_EQ(bandwidth.where().line, 2);
  EXPECT_EQ(bandwidth.where().column, 21);
  auto const& second = link.node("lanes").as_list().at(1);
  EXPECT_EQ(second.path(), "fabric.link.lanes.1");
  EXPECT_EQ(second.where().line, 3);
  EXPECT_EQ(second.where().column, 21);
}

TEST(ConfigReader, ReadsBlockAndFlowTheSame) {
  auto const block = parsed("a: 1\nb:\n  - x\n  - {c: d}\n");
  auto const flow = parsed("{a: 1, b: [x, {c: d}]}");
  EXPECT_EQ(write_config(block), write_config(flow));
}

TEST(ConfigReader, QuotedTextMayBeAnything) {
  auto const root = parsed("a: \"\"\nb: 'null'\nc: \"# no comment: at all\"\nd: '~'\n");
  auto map = root.as_map();
  EXPECT_EQ(map.required<std::string>("a"), "");
  EXPECT_EQ(map.required<std::string>("b"), "null");
  EXPECT_EQ(map.required<std::string>("c"), "# no comment: at all");
  EXPECT_EQ(map.required<std::string>("d"), "~");
}

TEST(ConfigReader, WindowsLineEndsAndAByteOrderMarkChangeNothing) {
  auto const unix_text = parsed("a: 1 B\nb:\n  c: two words\n");
  auto const windows_text = parsed(
      "\xef\xbb\xbf"
      "a: 1 B\r\nb:\r\n  c: two words\r\n");
  EXPECT_EQ(write_config(windows_text), write_config(unix_text));
  EXPECT_EQ(windows_text.as_map().node("b").as_map().node("c").where().line, 3);
}

TEST(ConfigReader, AnEmptyTextIsAnError) {
  for (auto const* const text :
       {"", "\n\n", "# only a comment\n", "   ", "---\n", "~", "\xef\xbb\xbf"}) {
    EXPECT_EQ(reader_complaint(text), "a.yaml:1:1: is empty (there is no value in it)") << text;
  }
}

TEST(ConfigReader, AKeyWithoutAValueIsAnError) {
  EXPECT_EQ(reader_complaint("a: 1\nb:\nc: 2\n"),
            "a.yaml:2:1: b: no value here; write \"\" for an empty text, [] for an empty list");
  EXPECT_THAT(reader_complaint("a: ~"), HasSubstr("a: no value here"));
  EXPECT_THAT(reader_complaint("{a, b}"), HasSubstr("a: no value here"));
}

TEST(ConfigReader, ADuplicateKeyIsAnErrorAtTheSecond) {
  EXPECT_EQ(reader_complaint("fabric:\n  clock: 1 GHz\n  link: 1\n  clock: 2 GHz\n"),
            "a.yaml:4:3: fabric.clock: duplicate key (it stands on line 2 already); remove one of "
            "them");
  EXPECT_THAT(reader_complaint("{a: 1, \"a\": 2}"), HasSubstr("duplicate key"));
}

TEST(ConfigReader, TheSameKeyInDifferentMapsIsNone) {
  EXPECT_NO_THROW(static_cast<void>(parsed("{a: {x: 1}, b: {x: 1}}")));
}

TEST(ConfigReader, AnchorsAliasesAndTagsAreErrors) {
  EXPECT_THAT(reader_complaint("a: &x 1\nb: *x\n"),
              AllOf(StartsWith("a.yaml:1:4: a: anchors are not"), HasSubstr("remove '&x'")));
  EXPECT_THAT(reader_complaint("a: &x [1]\n"), HasSubstr("anchors are not"));
  EXPECT_THAT(reader_complaint("&x a: 1\n"), HasSubstr("anchors are not"));
  EXPECT_NE(reader_complaint("a: *x\n"), "no error");
  EXPECT_THAT(reader_complaint("a: !!str 1\n"), HasSubstr("a: tags are not"));
  EXPECT_THAT(reader_complaint("a: !mine {b: 1}\n"), HasSubstr("a: tags are not"));
  EXPECT_THAT(reader_complaint("a: !<x> [1]\n"), HasSubstr("a: tags are not"));
}

TEST(ConfigReader, AnAliasBombIsRefusedAtItsFirstAnchor) {
  std::string bomb = "a0: &a0 [lol, lol]\n";
  for (int level = 1; level < 40; ++level) {
    auto const before = std::to_string(level - 1);
    auto const name = std::to_string(level);
    bomb += "a" + name + ": &a" + name + " [*a" + before + ", *a" + before + "]\n";
  }
  EXPECT_THAT(reader_complaint(bomb), StartsWith("a.yaml:1:5: a0: anchors are not allowed"));
}

TEST(ConfigReader, AMergeKeyIsJustAnUnknownKey) {
  auto const root = parsed("<<: {a: 1}\n");
  EXPECT_THAT(error_message([&] {
                root.as_map().finish();
                return 0;
              }),
              HasSubstr("<<: unknown key"));
}

TEST(ConfigReader, ASecondDocumentIsAnError) {
  EXPECT_THAT(reader_complaint("a: 1\n---\nb: 2\n"),
              AllOf(StartsWith("a.yaml:2:"), HasSubstr("a second document")));
  EXPECT_NO_THROW(static_cast<void>(parsed("---\na: 1\n...\n")));
}

TEST(ConfigReader, AKeyMustBeText) {
  EXPECT_THAT(reader_complaint("{[a]: 1}"), HasSubstr("a key must be a plain text"));
  EXPECT_THAT(reader_complaint("? {a: 1}\n: 2\n"), HasSubstr("a key must be a plain text"));
  EXPECT_THAT(reader_complaint("\"\": 1"), HasSubstr("empty key"));
}

TEST(ConfigReader, BrokenYamlIsReportedWhereItBreaks) {
  EXPECT_THAT(reader_complaint("a: 1\nb: [1, 2\nc: 3\n"),
              AllOf(StartsWith("a.yaml:"), HasSubstr("not YAML (")));
  EXPECT_THAT(reader_complaint("a: b: c\n"), StartsWith("a.yaml:1:5: not YAML ("));
  EXPECT_THAT(reader_complaint("a: \"open\n"), HasSubstr("not YAML ("));
  EXPECT_THAT(reader_complaint("a: \"open"), HasSubstr("not YAML ("));
  EXPECT_THAT(reader_complaint("a: 'open\n..."), HasSubstr("not YAML ("));
  EXPECT_THAT(reader_complaint("[1"), HasSubstr("close every bracket"));
  EXPECT_THAT(reader_complaint("a: 1\n]\n"), StartsWith("a.yaml:2:"));
  EXPECT_THAT(reader_complaint("\ta: 1\n"), HasSubstr("not YAML ("));
}

TEST(ConfigReader, ADocumentMayEndWithItsMarkOrWithoutALineEnd) {
  for (auto const* const text : {"a: b", "a: b\n", "a: b\n...\n", "a: b\n...", "a: b # comment"}) {
    EXPECT_EQ(write_config(parsed(text)), "a: b\n") << text;
  }
}

TEST(ConfigReader, DepthSixtyFourIsTheDeepest) {
  auto const nested = [](std::size_t depth) {
    return std::string(depth, '[') + "x" + std::string(depth, ']');
  };
  EXPECT_NO_THROW(static_cast<void>(parsed(nested(64))));
  EXPECT_THAT(reader_complaint(nested(65)), HasSubstr("nested deeper than 64 levels"));
  EXPECT_THAT(reader_complaint(std::string(1000, '[')), HasSubstr("close every bracket"));
  EXPECT_THAT(reader_complaint(std::string(1000, '{')), HasSubstr("a key must be a plain text"));
}

TEST(ConfigReader, AMillionValuesAreTheMost) {
  std::string text = "a: [";
  for (int item = 0; item < 1'000'001; ++item) text += "x,";
  EXPECT_THAT(reader_complaint(text + ']'), HasSubstr("more than 1000000 values"));
}

TEST(ConfigReader, AFloodOfBracketsIsRefusedBeforeItIsParsed) {
  for (char const letter : {'[', '{', ',', '\n'}) {
    EXPECT_THAT(reader_complaint(std::string(2'000'001, letter)),
                HasSubstr("more than 2000000 lines"));
  }
}

TEST(ConfigReader, BinaryIsReportedAtItsFirstByte) {
  EXPECT_EQ(reader_complaint(std::string_view{"a: 1\nb: \0x\n", 11}),
            "a.yaml:2:4: has a control character here (a binary file?)");
  // YAML parsers have taken this one for the end of the file.
  EXPECT_THAT(reader_complaint("a: 1\n\x04\nb: 2\n"),
              StartsWith("a.yaml:2:1: has a control character"));
  EXPECT_THAT(reader_complaint("a: \x1b[31mred\n"), HasSubstr("control character"));
  EXPECT_THAT(reader_complaint("a: 'lone\rcarriage return'\n"),
              HasSubstr("a.yaml:1:9: has a control character"));
  EXPECT_THAT(reader_complaint("a: \xc2\x9b[31mred\n"),
              HasSubstr("control character"));  // C1's CSI
}

TEST(ConfigReader, OnlyValidUtf8IsText) {
  EXPECT_NO_THROW(static_cast<void>(parsed("a: \"\u00e9\u20ac\U0001f600\"\n")));
  for (std::string const bytes : {
           "\xff\xfe",
           "\x80",
           "\xc3",
           "\xc0\xaf",
           "\xc3(",  // alone, cut off, overlong
           "\xe0\x80\xaf",
           "\xed\xa0\x80",
           "\xe2\x82",  // overlong, surrogate, cut off
           "\xf0\x80\x80\xaf",
           "\xf4\x90\x80\x80",
           "\xf5\x80\x80\x80",
           "\xf0\x9f\x98",
       }) {
    EXPECT_EQ(reader_complaint("a: 1\nb: " + bytes),
              "a.yaml:2:4: is not UTF-8 text (a binary file?)");
  }
}

TEST(ConfigReader, SixteenMebibytesAreTheMost) {
  std::string text = "a: \"";
  text.append((std::size_t{16} << 20U) - text.size() - 1, 'x');
  text += '"';
  EXPECT_EQ(reader_complaint(text), "no error");
  EXPECT_EQ(reader_complaint(text + "\n"),
            "a.yaml: is larger than 16 MiB (no configuration needs that much)");
}

TEST(ConfigReader, AnErrorQuotesNoMoreThanAReaderCaresFor) {
  auto const root = parsed("a: " + std::string(100'000, 'x'));
  auto const message = error_message([&] { return root.as_map().required<Time>("a"); });
  EXPECT_LT(message.size(), 200U);
}

}  // namespace
}  // namespace tessera
