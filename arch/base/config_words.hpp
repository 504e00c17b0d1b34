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

/// Of a link: "2 GB/s", or "unlimited".
[[nodiscard]] inline Bandwidth read_link_bandwidth(ConfigMap& map) {
  auto const& node = map.node("bandwidth");
  bool const is_scalar = node.kind() == ConfigNode::Kind::scalar;
  if (is_scalar && node.text() == "unlimited") return unlimited_bandwidth;
  return positive<Bandwidth>(map, "bandwidth");
}

[[nodiscard]] inline std::string link_bandwidth_text(Bandwidth bandwidth) {
  return bandwidth == unlimited_bandwidth ? "unlimited" : to_text(bandwidth);
}

/// How many cycles what lies between two units takes: `key: {latency: 1}`, from 0 on; 1 unless the
/// file says so.
[[nodiscard]] inline Cycles read_latency_cycles(ConfigMap& map, std::string const& key) {
  auto const* const node = map.find(key);
  if (node == nullptr) return Cycles{1};
  auto latency = node->as_map();
  auto const cycles = latency.required<std::int64_t>("latency");
  if (cycles < 0 || cycles > 1000) {
    throw latency.node("latency").error("must be from 0 to 1000 cycles");
  }
  latency.finish();
  return Cycles{cycles};
}

/// As it was read; nothing where it is as without the key.
inline void write_latency_cycles(ConfigNode& node, std::string const& key, Cycles latency) {
  if (latency == Cycles{1}) return;
  auto map = ConfigNode::map();
  node.add(key, map.add("latency", std::to_string(latency.value())));
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
