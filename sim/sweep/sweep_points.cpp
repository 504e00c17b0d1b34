// Counts through the axes like a mileage counter.
#include "sim/sweep/sweep_points.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <random>

namespace tessera::sim {

namespace {

constexpr std::size_t most_combinations = 20'000'000;  ///< that are looked at
constexpr std::size_t most_points = 1'000'000;         ///< that are kept

[[noreturn]] void too_many(SweepSpec const& spec, std::string const& what, std::size_t most) {
  throw ConfigError{spec.place,
                    {},
                    "more than " + std::to_string(most) + " " + what +
                        "; use fewer values, ranges in larger steps, or several sweeps"};
}

/// YAML on one line, however long.
std::string flow_text(ConfigNode const& node) {
  if (node.kind() == ConfigNode::Kind::scalar) {
    auto const line = write_config(node);
    return line.substr(0, line.size() - 1);
  }
  std::string text;
  auto const append = [&](std::string const& key, ConfigNode const& value) {
    text += (text.empty() ? "" : ", ") + key + flow_text(value);
  };
  if (node.kind() == ConfigNode::Kind::list) {
    for (auto const& item : node.as_list()) append("", item);
    return "[" + text + "]";
  }
  for (auto const& [key, value] : node.entries()) {
    append(flow_text(ConfigNode::scalar(key)) + ": ", value);
  }
  return "{" + text + "}";
}

std::size_t combinations_of(SweepSpec const& spec) {
  std::size_t count = 1;
  for (auto const& axis : spec.axes) {
    if (count > most_combinations / axis.settings.size()) {
      too_many(spec, "combinations of its axes", most_combinations);
    }
    count *= axis.settings.size();
  }
  return count;
}

/// Which value of each axis; of a number below the product of their sizes.
std::vector<std::size_t> digits_of(SweepSpec const& spec, std::size_t number) {
  std::vector<std::size_t> digits(spec.axes.size());
  for (auto axis = spec.axes.size(); axis-- > 0;) {
    auto const size = spec.axes[axis].settings.size();
    digits[axis] = number % size;
    number /= size;
  }
  return digits;
}

Expression::Lookup lookup_in(SweepPoint const& point) {
  return [&point](std::string const& name) -> std::optional<SweepValue> {
    auto const found = std::find_if(point.begin(), point.end(),
                                    [&](auto const& setting) { return setting.key == name; });
    if (found == point.end()) return std::nullopt;
    return value_of(*found);
  };
}

SweepPoint point_at(SweepSpec const& spec, std::vector<std::size_t> const& digits) {
  auto point = spec.options;
  for (std::size_t axis = 0; axis < spec.axes.size(); ++axis) {
    auto const& settings = spec.axes[axis].settings[digits[axis]];
    point.insert(point.end(), settings.begin(), settings.end());
  }
  for (auto const& [key, expression] : spec.derive) {
    auto node = ConfigNode::scalar(to_text(expression.evaluate(lookup_in(point))));
    node.set_origin(expression.where());
    point.push_back({key, std::move(node)});
  }
  return point;
}

/// Has the point each of these values?
bool matches(SweepPoint const& point, std::vector<SweepSetting> const& pattern) {
  return std::all_of(pattern.begin(), pattern.end(), [&](SweepSetting const& wanted) {
    return std::any_of(point.begin(), point.end(), [&](SweepSetting const& setting) {
      return setting.key == wanted.key && text_of(setting) == text_of(wanted);
    });
  });
}

bool is_wanted(SweepSpec const& spec, SweepPoint const& point) {
  auto const lookup = lookup_in(point);
  return std::all_of(spec.where.begin(), spec.where.end(),
                     [&](auto const& condition) { return condition.holds(lookup); }) &&
         std::none_of(spec.exclude.begin(), spec.exclude.end(),
                      [&](auto const& pattern) { return matches(point, pattern); });
}

std::vector<SweepPoint> all_points(SweepSpec const& spec) {
  std::vector<SweepPoint> points;
  auto const combinations = combinations_of(spec);
  for (std::size_t number = 0; number < combinations; ++number) {
    auto point = point_at(spec, digits_of(spec, number));
    if (!is_wanted(spec, point)) continue;
    if (points.size() == most_points) too_many(spec, "points", most_points);
    points.push_back(std::move(point));
  }
  return points;
}

/// Below `bound`, the same on every machine (std::uniform_int_distribution is not).
std::size_t below(std::size_t bound, std::mt19937_64& random) {
  auto const limit = random.max() - random.max() % bound;
  auto number = random();
  while (number >= limit) number = random();
  return static_cast<std::size_t>(number % bound);
}

std::vector<std::size_t> shuffled(std::size_t count, std::mt19937_64& random) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  for (auto i = count; i > 1; --i) std::swap(numbers[i - 1], numbers[below(i, random)]);
  return numbers;
}

/// So many of all points, in the order of the file.
std::vector<SweepPoint> random_sample(SweepSpec const& spec) {
  auto const all = all_points(spec);
  auto const count = static_cast<std::size_t>(spec.sample->points);
  if (count > all.size()) {
    throw ConfigError{
        spec.sample->place, "sample.points",
        "asks for " + std::to_string(count) + " of " + std::to_string(all.size()) + " points"};
  }
  std::mt19937_64 random{spec.sample->seed};
  auto chosen = shuffled(all.size(), random);
  chosen.resize(count);
  std::sort(chosen.begin(), chosen.end());
  std::vector<SweepPoint> points;
  points.reserve(chosen.size());
  for (auto const index : chosen) points.push_back(all[index]);
  return points;
}

/// Of n points, each value of an axis of k is taken floor or ceil(n / k) times (McKay, Beckman and
/// Conover, 1979, on discrete axes). Points that a condition rejects are left out.
std::vector<SweepPoint> latin_hypercube(SweepSpec const& spec) {
  auto const count = static_cast<std::size_t>(spec.sample->points);
  if (count > most_points) too_many(spec, "points", most_points);
  std::mt19937_64 random{spec.sample->seed};
  std::vector<std::vector<std::size_t>> digits(count, std::vector<std::size_t>(spec.axes.size()));
  for (std::size_t axis = 0; axis < spec.axes.size(); ++axis) {
    auto const strata = shuffled(count, random);
    auto const size = spec.axes[axis].settings.size();
    for (std::size_t i = 0; i < count; ++i) digits[i][axis] = strata[i] * size / count;
  }
  std::sort(digits.begin(), digits.end());
  digits.erase(std::unique(digits.begin(), digits.end()), digits.end());
  std::vector<SweepPoint> points;
  for (auto const& of_point : digits) {
    auto point = point_at(spec, of_point);
    if (is_wanted(spec, point)) points.push_back(std::move(point));
  }
  return points;
}

std::vector<SweepPoint> chosen_points(SweepSpec const& spec) {
  if (!spec.sample) return all_points(spec);
  return spec.sample->method == SweepSample::Method::random ? random_sample(spec)
                                                            : latin_hypercube(spec);
}

/// Would a point have the option twice, or in part?
bool replaces(SweepSetting const& own, SweepSetting const& option) {
  bool const is_name = own.key.find('.') == std::string::npos;  // arch hides no arch.accelerators
  bool const is_outside = !is_name && option.key.compare(0, own.key.size() + 1, own.key + ".") == 0;
  bool const is_choice = (own.key == "plan" && option.key == "planner") ||
                         (own.key == "planner" && option.key == "plan");
  return own.key == option.key || is_outside || is_choice;
}

/// A point besides: its own settings, and the options that it does not set itself.
SweepPoint included_point(SweepSpec const& spec, std::vector<SweepSetting> const& own) {
  SweepPoint point;
  std::copy_if(spec.options.begin(), spec.options.end(), std::back_inserter(point),
               [&](SweepSetting const& option) {
                 return std::none_of(own.begin(), own.end(), [&](SweepSetting const& setting) {
                   return replaces(setting, option);
                 });
               });
  point.insert(point.end(), own.begin(), own.end());
  return point;
}

}  // namespace

std::vector<SweepPoint> points_of(SweepSpec const& spec) {
  std::vector<SweepPoint> points;
  if (!spec.axes.empty()) points = chosen_points(spec);
  for (auto const& own : spec.include) points.push_back(included_point(spec, own));
  if (points.empty()) {
    throw ConfigError{
        spec.place, {}, "sweep " + spec.name + " has no point; give it axes, or look at where"};
  }
  return points;
}

SweepValue value_of(SweepSetting const& setting) {
  if (setting.value.kind() != ConfigNode::Kind::scalar) return text_of(setting);
  return sweep_value(setting.value.text());
}

std::string text_of(SweepSetting const& setting) {
  if (setting.value.kind() == ConfigNode::Kind::scalar) return setting.value.text();
  return flow_text(setting.value);
}

}  // namespace tessera::sim
