// Points by their places on the axes.
#include "sim/sweep/study_sensitivity.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include <nlohmann/json.hpp>

#include "sim/study/comparison.hpp"
#include "sim/study/result.hpp"

namespace tessera::sim {

namespace {

using AxisPlaces = std::vector<std::size_t>;

std::string const* text_of_key(StudyPoint const& point, std::string const& key) {
  auto const found = std::find_if(point.keys.begin(), point.keys.end(),
                                  [&](auto const& known) { return known.first == key; });
  return found == point.keys.end() ? nullptr : &found->second;
}

/// Which of the axis' settings the point has.
std::optional<std::size_t> place_on(SweepAxis const& axis, StudyPoint const& point) {
  for (std::size_t i = 0; i < axis.settings.size(); ++i) {
    auto const& settings = axis.settings[i];
    bool const is_it = std::all_of(settings.begin(), settings.end(), [&](auto const& setting) {
      auto const* const text = text_of_key(point, setting.key);
      return text != nullptr && *text == text_of(setting);
    });
    if (is_it) return i;
  }
  return std::nullopt;
}

std::optional<AxisPlaces> places_of(SweepSpec const& spec, StudyPoint const& point) {
  AxisPlaces places;
  for (auto const& axis : spec.axes) {
    auto const place = place_on(axis, point);
    if (!place) return std::nullopt;
    places.push_back(*place);
  }
  return places;
}

std::string joined(std::vector<std::string> const& texts) {
  std::string all;
  for (auto const& text : texts) all += (all.empty() ? "" : "+") + text;
  return all;
}

std::string texts_of(std::vector<SweepSetting> const& settings) {
  std::vector<std::string> texts;
  texts.reserve(settings.size());
  for (auto const& setting : settings) texts.push_back(text_of(setting));
  return joined(texts);
}

/// The column's numbers of points that are done.
std::map<AxisPlaces, double> numbers_of(SweepSpec const& spec,
                                        std::vector<StudyPoint> const& points,
                                        StudyTable const& table, std::size_t column) {
  std::map<AxisPlaces, double> numbers;
  for (std::size_t i = 0; i < points.size(); ++i) {
    auto const json = Json::parse(table.rows[i][column], nullptr, false);
    auto const places = places_of(spec, points[i]);
    if (!places || !json.is_number() || json.get<double>() <= 0) continue;
    numbers.emplace(*places, json.get<double>());
  }
  return numbers;
}

/// By which `numbers` change from a place on an axis to the next.
std::vector<double> factors_of(std::map<AxisPlaces, double> const& numbers, std::size_t axis,
                               std::size_t place) {
  std::vector<double> factors;
  for (auto const& [places, number] : numbers) {
    if (places[axis] != place) continue;
    auto next = places;
    ++next[axis];
    auto const found = numbers.find(next);
    if (found != numbers.end()) factors.push_back(found->second / number);
  }
  return factors;
}

std::vector<std::string> factor_cells(std::vector<double> const& factors) {
  if (factors.empty()) return {"", "", ""};
  auto const [least, most] = std::minmax_element(factors.begin(), factors.end());
  return {Json(geometric_mean(factors)).dump(), Json(*least).dump(), Json(*most).dump()};
}

}  // namespace

StudyTable sensitivities(SweepSpec const& spec, std::vector<StudyPoint> const& points,
                         StudyTable const& table, std::string const& column) {
  auto const found = std::find(table.columns.begin(), table.columns.end(), column);
  auto const numbers = found == table.columns.end()
                           ? std::map<AxisPlaces, double>{}
                           : numbers_of(spec, points, table,
                                        static_cast<std::size_t>(found - table.columns.begin()));
  if (numbers.empty()) {
    throw ConfigError{{"--column"}, {}, "no point that is done has a number " + in_quotes(column)};
  }
  StudyTable result{{"axis", "from", "to", "pairs", "mean_factor", "least_factor", "most_factor"},
                    {}};
  for (std::size_t axis = 0; axis < spec.axes.size(); ++axis) {
    auto const& settings = spec.axes[axis].settings;
    for (std::size_t place = 0; place + 1 < settings.size(); ++place) {
      auto const factors = factors_of(numbers, axis, place);
      auto& row = result.rows.emplace_back(
          std::vector<std::string>{joined(spec.axes[axis].keys), texts_of(settings[place]),
                                   texts_of(settings[place + 1]), std::to_string(factors.size())});
      for (auto const& cell : factor_cells(factors)) row.push_back(cell);
    }
  }
  return result;
}

}  // namespace tessera::sim
