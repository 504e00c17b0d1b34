#include "sim/export/column_pack.hpp"

#include <cstring>

#include <zlib.h>

#include "arch/base/contract.hpp"

namespace tessera::sim {

namespace {

[[nodiscard]] std::string deflated(std::string const& bytes) {
  constexpr int level = 6;  // zlib's own; 9 takes three times as long for a few per cent
  auto size = compressBound(bytes.size());
  std::string compressed(size, '\0');
  void* const to = compressed.data();
  void const* const from = bytes.data();
  auto const status = compress2(static_cast<Bytef*>(to), &size, static_cast<Bytef const*>(from),
                                bytes.size(), level);
  ENSURES(status == Z_OK, status);
  compressed.resize(size);
  return compressed;
}

/// Three bytes as four letters.
[[nodiscard]] std::string base64_of(std::string const& bytes) {
  constexpr char const* letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  auto const byte = [&](std::size_t i) -> std::uint32_t {
    return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0;
  };
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    auto const three = (byte(i) << 16U) | (byte(i + 1) << 8U) | byte(i + 2);
    for (unsigned shift = 24; shift > 0; shift -= 6) text += letters[(three >> (shift - 6)) & 63U];
  }
  for (auto i = (3 - bytes.size() % 3) % 3; i > 0; --i) text[text.size() - i] = '=';
  return text;
}

}  // namespace

char const* name(PackedColumn::Form form) {
  switch (form) {
    case PackedColumn::Form::integers:
      return "integers";
    case PackedColumn::Form::differences:
      return "differences";
    case PackedColumn::Form::reals:
      break;
  }
  return "reals";
}

void ColumnPack::append(std::int64_t value) {
  auto bits = (static_cast<std::uint64_t>(value) << 1U) ^ (value < 0 ? ~std::uint64_t{0} : 0);
  for (; bits >= 0x80U; bits >>= 7U) bytes_ += static_cast<char>(bits | 0x80U);
  bytes_ += static_cast<char>(bits);
}

PackedColumn ColumnPack::add(std::vector<std::int64_t> const& values) {
  PackedColumn const place{PackedColumn::Form::integers, bytes_.size(), values.size()};
  for (auto const value : values) append(value);
  return place;
}

PackedColumn ColumnPack::add_differences(std::vector<std::int64_t> const& values) {
  PackedColumn const place{PackedColumn::Form::differences, bytes_.size(), values.size()};
  std::int64_t before = 0;
  for (auto const value : values) {
    append(value - before);
    before = value;
  }
  return place;
}

PackedColumn ColumnPack::add(std::vector<double> const& values) {
  PackedColumn const place{PackedColumn::Form::reals, bytes_.size(), values.size()};
  for (auto const value : values) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    for (unsigned shift = 0; shift < 64; shift += 8) bytes_ += static_cast<char>(bits >> shift);
  }
  return place;
}

std::string ColumnPack::base64() const { return base64_of(deflated(bytes_)); }

}  // namespace tessera::sim
