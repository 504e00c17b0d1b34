// Ranges of numbers, with or without a unit.
#include <cmath>

#include "sim/sweep/sweep_spec.hpp"

namespace tessera::sim {

namespace {

constexpr std::size_t most_values = 1'000'000;

/// "2 Gb/s" in two.
struct Bound {
  double number = 0;
  std::string unit;  ///< with the blank in front of it
};

Bound bound_of(ConfigNode const& node) {
  auto const text = node.as<std::string>();
  auto const end = std::min(text.find(' '), text.size());
  return {node.with_text(text.substr(0, end)).as<double>(), text.substr(end)};
}

/// How a range goes on, and how many values it has.
struct Progression {
  enum class Kind : std::uint8_t { step, factor } kind = Kind::step;
  double by = 1;
  std::size_t count = 0;
};

/// A value beyond `to` by no more than this is `to`.
constexpr double slack = 1e-9;

std::size_t count_of(ConfigNode const& node, double values) {
  if (values > static_cast<double>(most_values)) {
    throw node.error("has more than " + std::to_string(most_values) + " values");
  }
  return static_cast<std::size_t>(values);
}

Progression counted(ConfigMap& map, double from, double to) {
  auto const& node = map.node("count");
  auto const count = node.as<std::int64_t>();
  if (count < 2) throw node.error("a range has at least 2 values");
  auto const gaps = static_cast<double>(count_of(node, static_cast<double>(count)) - 1);
  auto const is_log = map.choice<bool>("scale", {{"linear", false}, {"log", true}}, false);
  if (is_log && from <= 0) throw map.error("a range on a log scale begins above 0");
  auto const by = is_log ? std::pow(to / from, 1 / gaps) : (to - from) / gaps;
  return {is_log ? Progression::Kind::factor : Progression::Kind::step, by,
          static_cast<std::size_t>(count)};
}

Progression progression_of(ConfigMap& map, double from, double to, std::string const& unit) {
  if (map.find("count") != nullptr) return counted(map, from, to);
  if (auto const* const step = map.find("step")) {
    auto const [by, unit_of_step] = bound_of(*step);
    if (!unit_of_step.empty() && unit_of_step != unit) {
      throw step->error("has another unit than from; write both alike, or none here");
    }
    if (by <= 0) throw step->error("a step is above 0");
    return {Progression::Kind::step, by, count_of(*step, std::floor((to - from) / by + slack) + 1)};
  }
  auto const& factor = map.node("factor");
  auto const by = factor.as<double>();
  if (by <= 1 || from <= 0) throw factor.error("a factor is above 1, of a range above 0");
  return {Progression::Kind::factor, by,
          count_of(factor, std::floor(std::log(to / from) / std::log(by) + slack) + 1)};
}

}  // namespace

std::vector<ConfigNode> range_values(ConfigNode const& node) {
  auto map = node.as_map();
  map.require({"from", "to"}, {"step", "factor", "count", "scale"});
  auto const [from, unit] = bound_of(map.node("from"));
  auto const [to, unit_of_to] = bound_of(map.node("to"));
  if (unit != unit_of_to)
    throw map.node("to").error("has another unit than from; write both alike");
  if (to < from) throw map.node("to").error("is below from");
  auto const progression = progression_of(map, from, to, unit);
  map.finish();
  std::vector<ConfigNode> values;
  for (std::size_t i = 0; i < progression.count; ++i) {
    auto const times = static_cast<double>(i);
    auto const value = progression.kind == Progression::Kind::step
                           ? from + times * progression.by
                           : from * std::pow(progression.by, times);
    values.push_back(map.node("from").with_text(to_text(SweepValue{value}) + unit));
  }
  return values;
}

}  // namespace tessera::sim
