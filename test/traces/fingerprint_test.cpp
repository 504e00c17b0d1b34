// The fingerprint: known vectors of FNV-1a, and that order, sign and boundaries matter.
#include "traces/fingerprint.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace tessera::traces {
namespace {

TEST(Fingerprint, OfNothingIsTheOffsetBasis) {
  EXPECT_EQ(to_hex(Fingerprint{}.value()), "cbf29ce484222325");
}

TEST(Fingerprint, IsFnv1aOverTheLengthAndTheBytes) {
  // The reference code of the draft over the nine bytes 01 00 00 00 00 00 00 00 61 ("a" with its
  // length), computed with arbitrary-precision integers.
  Fingerprint print;
  print.add("a");
  EXPECT_EQ(to_hex(print.value()), "529a4ddc8ff56bbf");
}

TEST(Fingerprint, OfTextEqualsThatOfItsLengthFollowedByItsBytesAsANumber) {
  Fingerprint text;
  text.add("tessera!");
  Fingerprint numbers;
  numbers.add(std::int64_t{8});
  numbers.add(std::int64_t{0x2161726573736574});  // "tessera!", least significant byte first
  EXPECT_EQ(text.value(), numbers.value());
}

TEST(Fingerprint, OfANumberIsThatOfItsBytesAlsoWhereTheyAreZero) {
  for (std::uint64_t const number :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{0x100}, std::uint64_t{0x12003400},
        std::uint64_t{0x00ff000000000000}, std::uint64_t{0xff00000000000000}, ~std::uint64_t{0}}) {
    std::string bytes;
    for (unsigned i = 0; i < 8; ++i) bytes += static_cast<char>((number >> (8 * i)) & 0xffU);
    Fingerprint text;
    text.add(bytes);
    Fingerprint numbers;
    numbers.add(std::int64_t{8});
    numbers.add(static_cast<std::int64_t>(number));
    EXPECT_EQ(text.value(), numbers.value()) << std::hex << number;
  }
}

TEST(Fingerprint, DependsOnTheOrder) {
  Fingerprint forward;
  forward.add(std::int64_t{1});
  forward.add(std::int64_t{2});
  Fingerprint backward;
  backward.add(std::int64_t{2});
  backward.add(std::int64_t{1});
  EXPECT_NE(forward.value(), backward.value());
}

TEST(Fingerprint, TellsWhereOneTextEndsAndTheNextBegins) {
  Fingerprint early;
  early.add("a");
  early.add("bc");
  Fingerprint late;
  late.add("ab");
  late.add("c");
  EXPECT_NE(early.value(), late.value());
}

TEST(Fingerprint, TellsANumberFromItsNegative) {
  Fingerprint positive;
  positive.add(std::int64_t{1});
  Fingerprint negative;
  negative.add(std::int64_t{-1});
  EXPECT_NE(positive.value(), negative.value());
}

TEST(ToHex, WritesSixteenDigits) {
  EXPECT_EQ(to_hex(0), "0000000000000000");
  EXPECT_EQ(to_hex(0xfedcba9876543210), "fedcba9876543210");
  EXPECT_EQ(to_hex(UINT64_MAX), "ffffffffffffffff");
}

}  // namespace
}  // namespace tessera::traces
