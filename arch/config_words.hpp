// What the readers of arch share: words of the file and their meanings, and quantities with bounds.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "arch/base/config.hpp"

namespace tessera::arch {

/// The words of a file, in both directions.
template <typename Enum>
using Names = std::vector<std::pair<std::string, Enum>>;

template <typename Enum>
[[nodiscard]] std::string name_of(Names<Enum> const& names, Enum value) {
  for (auto const& [name, entry] : names) {
    if (entry == value) return name;
  }
  EXPECTS(false, static_cast<int>(value));
  return {};
}

/// Of a map, for ConfigMap::require().
using Keys = std::vector<std::string>;

/// A quantity that a model divides by.
template <typename Q>
[[nodiscard]] Q positive(ConfigMap& map, std::string const& key) {
  auto const value = map.required<Q>(key);
  if (!(value > Q{0})) throw map.node(key).error("is zero; it must be more");
  return value;
}

[[nodiscard]] inline Frequency read_clock(ConfigMap& map) {
  auto const frequency = positive<Frequency>(map, "clock");
  if (frequency > Frequency{picoseconds_per_second}) {
    throw map.node("clock").error("is over 1 THz (time is counted in picoseconds)");
  }
  return frequency;
}

[[nodiscard]] inline Time read_latency(ConfigMap& map) {
  auto const latency = map.required<Time>("latency");
  if (latency > Time{picoseconds_per_second}) {
    throw map.node("latency").error("is over 1 s (no link or memory is that slow)");
  }
  return latency;
}

}  // namespace tessera::arch
