// FNV-1a, byte by byte.
#include "traces/fingerprint.hpp"

namespace tessera::traces {

void Fingerprint::add(std::int64_t number) {
  auto const bits = static_cast<std::uint64_t>(number);
  for (unsigned shift = 0; shift < 64; shift += 8) {
    add_byte(static_cast<std::uint8_t>((bits >> shift) & 0xffU));
  }
}

void Fingerprint::add(std::string_view text) {
  add(static_cast<std::int64_t>(text.size()));
  for (char const letter : text) add_byte(static_cast<std::uint8_t>(letter));
}

void Fingerprint::add_byte(std::uint8_t byte) {
  constexpr std::uint64_t prime = 0x00000100000001b3;  // FNV's 64-bit prime, 2^40 + 2^8 + 0xb3
  hash_ = (hash_ ^ byte) * prime;
}

std::string to_hex(std::uint64_t value) {
  constexpr char const* digits = "0123456789abcdef";
  std::string text(16, '0');
  for (auto digit = text.rbegin(); digit != text.rend(); ++digit, value >>= 4U) {
    *digit = digits[value & 0xfU];
  }
  return text;
}

}  // namespace tessera::traces
