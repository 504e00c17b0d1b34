// A fingerprint of a run: one number that changes when anything that was added to it changes.
//
// 64-bit FNV-1a (Fowler, Noll, Vo; draft-eastlake-fnv, section 2) over a canonical byte sequence,
// so it is the same on every machine, compiler and build. It finds accidents, not forgeries.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tessera::traces {

class Fingerprint final {
 public:
  /// Eight bytes, least significant first.
  void add(std::int64_t number);
  /// The length as a number, then the bytes: ("ab", "c") differs from ("a", "bc").
  void add(std::string_view text);

  [[nodiscard]] std::uint64_t value() const { return hash_; }

 private:
  void add_byte(std::uint8_t byte);

  std::uint64_t hash_ = 0xcbf29ce484222325;  // FNV-1a's 64-bit offset basis
};

/// Sixteen lower-case hexadecimal digits.
[[nodiscard]] std::string to_hex(std::uint64_t value);

}  // namespace tessera::traces
