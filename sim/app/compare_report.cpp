// The tables of `compare`.
#include "sim/app/compare_report.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "sim/app/simulate_report.hpp"
#include "sim/study/measurement.hpp"
#include "sim/terminal/table.hpp"

namespace tessera::sim {

namespace {

using Part = CompareReport::Part;

/// What was asked for, and why there is no more.
Json failed_json(Entry const& entry) {
  auto const& [result, failure] = entry;
  return {{"workload", result.workload},
          {"arch", result.arch},
          {"batch", result.batch},
          {"planner", result.planner},
          {"failure",
           {{"exit_code", static_cast<int>(failure->code)}, {"text", one_line(failure->text)}}}};
}

/// With the settings that tell it from others.
Json on_its_part(Json json, Part const& part) {
  for (auto const& [key, value] : part.on.varied) json["settings"][key] = value;
  return json;
}

/// "-" where there is nothing to compare with.
std::string ratio_text(std::optional<double> const& ratio) {
  return ratio ? number_text(*ratio) : "-";
}

/// Samples per second in the steady state.
std::string throughput_text(Result const& result) {
  if (!result.steps || !result.steps->steady) return "not steady";
  return number_text(result.steps->steady->samples_per_s);
}

std::vector<std::string> cells_of(Entry const& entry) {
  auto const& result = entry.result;
  if (entry.failure) {
    return {result.workload, result.planner, "failed", "", "", "", "", "", "", "", ""};
  }
  return {result.workload,
          result.planner,
          time_text(result.simulated.time_s),
          time_text(result.predicted.time_s),
          result.timeline ? time_text(result.timeline->time_s) : "-",
          throughput_text(result),
          ratio_text(result.speedup),
          bytes_text(static_cast<double>(result.simulated.communication_bytes)),
          bytes_text(static_cast<double>(result.predicted.communication_bytes)),
          energy_text(result.simulated.energy_j),
          ratio_text(result.energy_efficiency)};
}

/// All but the throughput are of one step, too.
template <typename Cell>
std::vector<Cell> shown(std::vector<Cell> cells, std::int64_t steps) {
  if (steps == 1) cells.erase(cells.begin() + 5);
  return cells;
}

bool has_several_arrays(CompareReport const& report) {
  return std::any_of(report.parts.begin(), report.parts.end(), [&](auto const& part) {
    return part.on.array.name != report.parts.front().on.array.name;
  });
}

/// What tells a part from others comes first.
std::vector<std::string> placed(CompareReport const& report, Part const& part,
                                std::vector<std::string> cells) {
  std::vector<std::string> row;
  if (has_several_arrays(report)) row.push_back(part.on.array.name);
  for (auto const& setting : part.on.varied) row.push_back(setting.second);
  auto const own = shown(std::move(cells), report.steps);
  row.insert(row.end(), own.begin(), own.end());
  return row;
}

std::vector<Table::Column> columns_of(CompareReport const& report) {
  std::vector<Table::Column> columns;
  if (has_several_arrays(report)) columns.push_back({"array", Table::Align::left});
  for (auto const& setting : report.parts.front().on.varied) columns.push_back({setting.first});
  std::vector<Table::Column> const own = {{"workload", Table::Align::left},
                                          {"planner", Table::Align::left},
                                          {"time"},
                                          {"predicted"},
                                          {"timeline"},
                                          {"samples/s"},
                                          {"speedup"},
                                          {"communication"},
                                          {"predicted"},
                                          {"energy"},
                                          {"efficiency"}};
  for (auto const& column : shown(own, report.steps)) columns.push_back(column);
  return columns;
}

std::size_t failures(Comparison const& comparison) {
  auto const& entries = comparison.entries;
  return static_cast<std::size_t>(std::count_if(
      entries.begin(), entries.end(), [](auto const& entry) { return entry.failure.has_value(); }));
}

/// " on hypar-paper, workload.batch=64": where there are others.
std::string place_text(CompareReport const& report, Part const& part) {
  if (report.parts.size() == 1) return {};
  auto text = " on " + part.on.array.name;
  for (auto const& [key, value] : part.on.varied)
    text.append(", ").append(key).append("=").append(value);
  return text;
}

/// Why rows failed, and what the means are of then.
std::string failures_text(CompareReport const& report, Part const& part) {
  auto const& comparison = part.comparison;
  if (failures(comparison) == 0) return {};
  auto const place = place_text(report, part);
  std::string text;
  for (auto const& [result, failure] : comparison.entries) {
    if (!failure) continue;
    text += result.workload + " with " + result.planner + place +
            " failed: " + one_line(failure->text) + "\n";
  }
  return text + "geomean" + place + ": over the " + std::to_string(comparison.workloads) + " of " +
         std::to_string(comparison.entries.size() / report.planners) + " workloads that " +
         comparison.entries.front().result.planner +
         " completed; none for a planner that failed on one of them\n";
}

std::string steps_text(std::int64_t steps) {
  if (steps == 1) return {};
  return std::to_string(steps) +
         " steps each; samples per second in the steady state, and speedup of these where both "
         "have one, else of all steps\n";
}

/// How well prices choose among planners.
std::string quality_text(std::string const& prices, std::optional<PredictionQuality> const& quality,
                         std::string const& best) {
  if (!quality) return {};
  auto const correlation =
      quality->rank_correlation ? number_text(*quality->rank_correlation) : "none";
  return prices + " rank the planners with a correlation (Spearman) of " + correlation + "; the " +
         best + " best takes " + percent_text(quality->mean_regret) + " longer than the best" +
         (quality->problems == 1 ? ""
                                 : ", " + percent_text(quality->most_regret) + " at most, over " +
                                       std::to_string(quality->problems) + " problems") +
         "\n";
}

Json quality_json(PredictionQuality const& quality) {
  auto json = Json::object();
  PredictionQuality::each_field(quality, [&](char const* key, auto const& field) {
    if constexpr (std::is_same_v<std::decay_t<decltype(field)>, std::optional<double>>) {
      if (field) json[key] = *field;
    } else {
      json[key] = field;
    }
  });
  return json;
}

std::string baseline_text(CompareReport const& report) {
  auto const& first = report.parts.front().comparison.entries.front().result;
  auto const text = "speedup and energy efficiency against " + first.planner;
  if (report.parts.size() == 1) {
    return "on " + first.arch + "; " + text + "\n" +
           links_line(link_bandwidth_of(report.parts.front().on.array));
  }
  return text + " on the same array with the same settings\n";
}

}  // namespace

bool has_failures(CompareReport const& report) {
  return std::any_of(report.parts.begin(), report.parts.end(),
                     [](auto const& part) { return failures(part.comparison) > 0; });
}

std::string as_json(CompareReport const& report) {
  auto results = Json::array();
  auto geomean = Json::array();
  for (auto const& part : report.parts) {
    for (auto const& entry : part.comparison.entries) {
      results.push_back(
          on_its_part(entry.failure ? failed_json(entry) : to_json(entry.result), part));
    }
    for (auto const& mean : part.comparison.geomean) {
      geomean.push_back(on_its_part({{"arch", mean.arch},
                                     {"planner", mean.planner},
                                     {"workloads", part.comparison.workloads},
                                     {"speedup", mean.speedup},
                                     {"energy_efficiency", mean.energy_efficiency}},
                                    part));
    }
  }
  Json json{{"schema", "tessera.compare/1"}, {"results", results}, {"geomean", geomean}};
  if (report.quality) json["prediction"] = quality_json(*report.quality);
  if (report.timeline_quality) {
    json["timeline_prediction"] = quality_json(*report.timeline_quality);
  }
  auto const bandwidth = link_bandwidth_of(report.parts.front().on.array);
  if (report.parts.size() == 1 && bandwidth) json["link_bandwidth"] = to_json(*bandwidth);
  return document(json);
}

std::string as_table(CompareReport const& report) {
  Table table{columns_of(report)};
  for (auto const& part : report.parts) {
    for (auto const& entry : part.comparison.entries) {
      table.add(placed(report, part, cells_of(entry)));
    }
    for (auto const& mean : part.comparison.geomean) {
      table.add(placed(report, part,
                       {"geomean", mean.planner, "", "", "", "", number_text(mean.speedup), "", "",
                        "", number_text(mean.energy_efficiency)}));
    }
  }
  auto text = table.text() + "\n" + baseline_text(report) + steps_text(report.steps);
  for (auto const& part : report.parts) text += failures_text(report, part);
  return text + quality_text("predicted times", report.quality, "predicted") +
         quality_text("timelines", report.timeline_quality, "timelines'");
}

}  // namespace tessera::sim
