// Against the examples of the Protocol Buffers documentation, "Encoding".
#include "traces/protobuf.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tessera::traces {
namespace {

using namespace std::string_literals;

TEST(Protobuf, AnIntegerTakesSevenBitsAByte) {
  EXPECT_EQ(ProtobufMessage{}.integer(1, 150).bytes(), "\x08\x96\x01"s);
  EXPECT_EQ(ProtobufMessage{}.integer(1, 127).bytes(), "\x08\x7f"s);
  EXPECT_EQ(ProtobufMessage{}.integer(1, 128).bytes(), "\x08\x80\x01"s);
  EXPECT_EQ(ProtobufMessage{}.integer(1, 0).bytes(), "\x08\x00"s);
}

TEST(Protobuf, ANegativeIntegerTakesTenBytes) {
  EXPECT_EQ(ProtobufMessage{}.integer(1, -2).bytes(),
            "\x08\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01"s);
}

TEST(Protobuf, ATextHasItsLengthBeforeIt) {
  EXPECT_EQ(ProtobufMessage{}.text(2, "testing").bytes(), "\x12\x07testing"s);
}

TEST(Protobuf, AMessageIsATextOfFields) {
  auto const inner = ProtobufMessage{}.integer(1, 150);
  EXPECT_EQ(ProtobufMessage{}.message(3, inner).bytes(), "\x1a\x03\x08\x96\x01"s);
}

TEST(Protobuf, EightBytesBeginWithTheLowest) {
  EXPECT_EQ(ProtobufMessage{}.fixed64(1, 0x0102030405060708U).bytes(),
            "\x09\x08\x07\x06\x05\x04\x03\x02\x01"s);
  EXPECT_EQ(ProtobufMessage{}.real(1, 1.0).bytes(), "\x09\x00\x00\x00\x00\x00\x00\xf0\x3f"s);
}

TEST(Protobuf, AFieldFromSixteenOnTakesAnotherByte) {
  EXPECT_EQ(ProtobufMessage{}.integer(16, 1).bytes(), "\x80\x01\x01"s);
}

}  // namespace
}  // namespace tessera::traces
