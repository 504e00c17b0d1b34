// The wire format of protocol buffers, as much as a writer needs: a message is appended field by field (Protocol Buffers documentation,
// "Encoding"). Leaves out reading, groups, packed and 32-bit fields, and any schema: the caller knows the numbers of its fields.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tessera::traces {

class ProtobufMessage final {
 public:
  /// int64, uint64, bool or enum; a negative number takes ten bytes.
  ProtobufMessage& integer(unsigned field, std::int64_t value);
  ProtobufMessage& fixed64(unsigned field, std::uint64_t value);
  ProtobufMessage& real(unsigned field, double value);
  ProtobufMessage& text(unsigned field, std::string_view value);
  ProtobufMessage& message(unsigned field, ProtobufMessage const& value);

  /// The fields of another message, as fields of this one.
  ProtobufMessage& append(ProtobufMessage const& fields);

  [[nodiscard]] std::string const& bytes() const { return bytes_; }
  /// Begins anew with the memory that it has.
  ProtobufMessage& clear();

 private:
  void append_varint(std::uint64_t value);
  void append_key(unsigned field, unsigned wire_type);

  std::string bytes_;
};

}  // namespace tessera::traces
