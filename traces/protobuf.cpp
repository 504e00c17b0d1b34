#include "traces/protobuf.hpp"

#include <cstring>

namespace tessera::traces {

namespace {

// Wire types.
constexpr unsigned varint = 0;
constexpr unsigned eight_bytes = 1;
constexpr unsigned length_delimited = 2;

}  // namespace

/// Seven bits a byte, the lowest first; the eighth says that more follow.
void ProtobufMessage::append_varint(std::uint64_t value) {
  for (; value >= 0x80U; value >>= 7U) bytes_ += static_cast<char>(value | 0x80U);
  bytes_ += static_cast<char>(value);
}

void ProtobufMessage::append_key(unsigned field, unsigned wire_type) {
  append_varint((field << 3U) | wire_type);
}

ProtobufMessage& ProtobufMessage::integer(unsigned field, std::int64_t value) {
  append_key(field, varint);
  append_varint(static_cast<std::uint64_t>(value));
  return *this;
}

ProtobufMessage& ProtobufMessage::fixed64(unsigned field, std::uint64_t value) {
  append_key(field, eight_bytes);
  for (unsigned shift = 0; shift < 64; shift += 8) bytes_ += static_cast<char>(value >> shift);
  return *this;
}

ProtobufMessage& ProtobufMessage::real(unsigned field, double value) {
  std::uint64_t bits = 0;
  static_assert(sizeof bits == sizeof value);
  std::memcpy(&bits, &value, sizeof bits);
  return fixed64(field, bits);
}

ProtobufMessage& ProtobufMessage::text(unsigned field, std::string_view value) {
  append_key(field, length_delimited);
  append_varint(value.size());
  bytes_ += value;
  return *this;
}

ProtobufMessage& ProtobufMessage::message(unsigned field, ProtobufMessage const& value) {
  return text(field, value.bytes_);
}

ProtobufMessage& ProtobufMessage::append(ProtobufMessage const& fields) {
  bytes_ += fields.bytes_;
  return *this;
}

ProtobufMessage& ProtobufMessage::clear() {
  bytes_.clear();
  return *this;
}

}  // namespace tessera::traces
