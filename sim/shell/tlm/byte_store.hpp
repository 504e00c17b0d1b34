// What a memory holds: pages that were written; all else reads as zeros.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>

namespace tessera::sim::shell {

class ByteStore final {
 public:
  void write(std::uint64_t address, unsigned char const* data, std::uint64_t size) {
    for_pieces(address, size, [&](std::uint64_t page, std::uint64_t from, std::uint64_t count) {
      std::copy_n(data, count, pages_[page].begin() + static_cast<std::ptrdiff_t>(from));
      data += count;
    });
  }

  void read(std::uint64_t address, unsigned char* data, std::uint64_t size) const {
    for_pieces(address, size, [&](std::uint64_t page, std::uint64_t from, std::uint64_t count) {
      auto const found = pages_.find(page);
      if (found == pages_.end()) {
        std::fill_n(data, count, static_cast<unsigned char>(0));
      } else {
        std::copy_n(found->second.begin() + static_cast<std::ptrdiff_t>(from), count, data);
      }
      data += count;
    });
  }

 private:
  static constexpr std::uint64_t page_size = 4096;

  /// Calls take(page, first byte in it, count) for what lies in each page.
  template <typename Take>
  static void for_pieces(std::uint64_t address, std::uint64_t size, Take take) {
    for (auto const end = address + size; address < end;) {
      auto const from = address % page_size;
      auto const count = std::min(page_size - from, end - address);
      take(address / page_size, from, count);
      address += count;
    }
  }

  std::unordered_map<std::uint64_t, std::array<unsigned char, page_size>> pages_;
};

}  // namespace tessera::sim::shell
