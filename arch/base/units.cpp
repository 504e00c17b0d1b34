// Decimal prefixes everywhere, binary ones for sizes only; b is a bit, B a byte.
#include "arch/base/units.hpp"

namespace tessera::detail {

namespace {

constexpr std::int64_t bits_per_byte = 8;
constexpr std::int64_t kibi = 1024;

}  // namespace

std::string UnitFamily::names() const {
  std::string text;
  for (auto const& unit : units) text += (text.empty() ? "" : ", ") + std::string{unit.name};
  return text;
}

template <>
UnitFamily units_of<Time>() {
  return {
      "a time", "ps", "40 ns", {{"ps"}, {"ns", 1, 3}, {"us", 1, 6}, {"ms", 1, 9}, {"s", 1, 12}}};
}

template <>
UnitFamily units_of<Frequency>() {
  return {"a frequency",
          "Hz",
          "250 MHz",
          {{"Hz"}, {"kHz", 1, 3}, {"MHz", 1, 6}, {"GHz", 1, 9}, {"THz", 1, 12}}};
}

template <>
UnitFamily units_of<Bandwidth>() {
  return {"a bandwidth",
          "b/s",
          "2 GB/s",
          {{"b/s"},
           {"B/s", bits_per_byte},
           {"kb/s", 1, 3},
           {"kB/s", bits_per_byte, 3},
           {"Mb/s", 1, 6},
           {"MB/s", bits_per_byte, 6},
           {"Gb/s", 1, 9},
           {"GB/s", bits_per_byte, 9},
           {"Tb/s", 1, 12},
           {"TB/s", bits_per_byte, 12}}};
}

template <>
UnitFamily units_of<Bytes>() {
  return {"a size",
          "B",
          "8 GiB",
          {{"B"},
           {"kB", 1, 3},
           {"KiB", kibi},
           {"MB", 1, 6},
           {"MiB", kibi * kibi},
           {"GB", 1, 9},
           {"GiB", kibi * kibi * kibi},
           {"TB", 1, 12},
           {"TiB", kibi * kibi * kibi * kibi}}};
}

template <>
UnitFamily units_of<Energy>() {
  return {"an energy",
          "J",
          "3.7 pJ",
          {{"fJ", 1, -15},
           {"pJ", 1, -12},
           {"nJ", 1, -9},
           {"uJ", 1, -6},
           {"mJ", 1, -3},
           {"J"},
           {"kJ", 1, 3}}};
}

}  // namespace tessera::detail
