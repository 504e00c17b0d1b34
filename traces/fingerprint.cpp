// FNV-1a, byte by byte; the zero bytes at the end of a number all at once.
#include "traces/fingerprint.hpp"

#include <array>

namespace tessera::traces {

namespace {

constexpr std::uint64_t prime = 0x00000100000001b3;  // FNV's 64-bit prime, 2^40 + 2^8 + 0xb3
constexpr std::size_t bytes_of_number = 8;

/// A zero byte changes nothing before it multiplies.
constexpr std::array<std::uint64_t, bytes_of_number + 1> powers_of_prime() {
  std::array<std::uint64_t, bytes_of_number + 1> powers{1};
  for (std::size_t i = 0; i < bytes_of_number; ++i) powers[i + 1] = powers[i] * prime;
  return powers;
}
constexpr auto after_zero_bytes = powers_of_prime();

}  // namespace

void Fingerprint::add(std::int64_t number) {
  auto bits = static_cast<std::uint64_t>(number);
  auto left = bytes_of_number;
  for (; bits != 0; bits >>= 8U, --left) add_byte(static_cast<std::uint8_t>(bits & 0xffU));
  hash_ *= after_zero_bytes[left];
}

void Fingerprint::add(std::string_view text) {
  add(static_cast<std::int64_t>(text.size()));
  for (char const letter : text) add_byte(static_cast<std::uint8_t>(letter));
}

void Fingerprint::add_byte(std::uint8_t byte) { hash_ = (hash_ ^ byte) * prime; }

std::string to_hex(std::uint64_t value) {
  constexpr char const* digits = "0123456789abcdef";
  std::string text(16, '0');
  for (auto digit = text.rbegin(); digit != text.rend(); ++digit, value >>= 4U) {
    *digit = digits[value & 0xfU];
  }
  return text;
}

}  // namespace tessera::traces
