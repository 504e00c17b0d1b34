// Records as JSON lines.
#include "sim/sweep/study_record.hpp"

#include <algorithm>
#include <array>
#include <csignal>

#include <nlohmann/json.hpp>

#include "arch/base/config.hpp"
#include "sim/study/version.hpp"

namespace tessera::sim {

namespace {

constexpr std::array<std::pair<PointState, char const*>, 5> state_names = {
    {{PointState::done, "done"},
     {PointState::infeasible, "infeasible"},
     {PointState::failed, "failed"},
     {PointState::timed_out, "timed out"},
     {PointState::out_of_memory, "out of memory"}}};

std::optional<PointState> state_from(std::string const& name) {
  for (auto const& [state, known] : state_names) {
    if (name == known) return state;
  }
  return std::nullopt;
}

/// A column's name and what it holds, as they stand in a table.
template <typename Number>
std::string column_text(Number number) {
  return Json(number).dump();
}

Json as_object(std::vector<std::pair<std::string, std::string>> const& columns) {
  auto object = Json::object();
  for (auto const& [name, text] : columns) object[name] = text;
  return object;
}

std::vector<std::pair<std::string, std::string>> as_columns(Json const& object) {
  std::vector<std::pair<std::string, std::string>> columns;
  for (auto const& [name, text] : object.items()) {
    columns.emplace_back(name, text.get<std::string>());
  }
  return columns;
}

constexpr auto host_time_name = "point_wall_s";

/// "energy_processing_unit_j"
std::string energy_column(std::string const& component) {
  auto name = "energy_" + component + "_j";
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace

std::string name_of(PointState state) {
  return state_names.at(static_cast<std::size_t>(state)).second;
}

bool may_be_retried(PointState state) {
  return state != PointState::done && state != PointState::infeasible;
}

std::string const* StudyRecord::column(std::string const& name) const {
  for (auto const& [known, text] : columns) {
    if (known == name) return &text;
  }
  return nullptr;
}

std::string this_program() { return std::string{version()} + " (" + commit() + ")"; }

void add_columns(Point const& point, StudyRecord& record) {
  auto const& [result, details] = point;
  auto const add = [&](char const* name, auto number) {
    record.columns.emplace_back(name, column_text(number));
  };
  add("time_s", result.simulated.time_s);
  add("cycles", result.simulated.cycles);
  add("communication_bytes", result.simulated.communication_bytes);
  add("energy_j", result.simulated.energy_j);
  for (auto const& [component, energy_j] : details.energy) {
    add(energy_column(component).c_str(), energy_j);
  }
  record.columns.emplace_back("fingerprint", result.simulated.fingerprint);
  add("predicted_time_s", result.predicted.time_s);
  add("predicted_communication_bytes", result.predicted.communication_bytes);
  add("predicted_energy_j", result.predicted.energy_j);
  if (result.steps && result.steps->steady) {
    add("step_time_s", result.steps->steady->step_time_s);
    add("samples_per_s", result.steps->steady->samples_per_s);
  }
  auto const& shares = details.breakdown.total;
  add("compute_s", shares.compute);
  add("exposed_communication_s", shares.communication);
  add("memory_stall_s", shares.memory);
  add("idle_s", shares.idle);
  add("memory_needed_bytes", details.memory.needed_bytes);
  add("memory_capacity_bytes", details.memory.capacity_bytes);
  if (result.plan_wall_s) {
    record.host.emplace_back("plan_wall_s", column_text(*result.plan_wall_s));
  }
  record.host.emplace_back("simulate_wall_s", column_text(result.simulate_wall_s));
  record.host.emplace_back("peak_rss_bytes", column_text(result.peak_rss_bytes));
}

std::vector<std::string> table_columns() {
  Point point;
  point.details.energy = {{"processing-unit", 0}, {"buffer", 0}, {"memory", 0}, {"fabric", 0}};
  point.result.plan_wall_s = 0;
  point.result.steps = Steps{2, 0, Steady{}};
  StudyRecord record;
  add_columns(point, record);
  add_host_time(0, 0, record);
  std::vector<std::string> names = {"id", "state", "reason", "program"};
  for (auto const* const columns : {&record.columns, &record.host}) {
    for (auto const& [name, text] : *columns) names.push_back(name);
  }
  return names;
}

void add_host_time(double wall_s, double cpu_s, StudyRecord& record) {
  record.host.emplace_back(host_time_name, column_text(wall_s));
  record.host.emplace_back("point_cpu_s", column_text(cpu_s));
}

std::optional<double> host_time_of(StudyRecord const& record) {
  for (auto const& [name, text] : record.host) {
    if (name == host_time_name) return Json::parse(text).get<double>();
  }
  return std::nullopt;
}

StudyRecord failed_record(std::string const& id, Ended const& ended) {
  StudyRecord record;
  record.id = id;
  record.program = this_program();
  record.state = PointState::failed;
  record.reason = one_line(ended.failure.text);
  if (ended.signal == SIGALRM) {
    record.state = PointState::timed_out;
    record.reason = "took longer than a point may";
  }
  if (ended.failure.text == out_of_memory_text) record.state = PointState::out_of_memory;
  return record;
}

std::string to_text(StudyRecord const& record) {
  Json json = {{"id", record.id}, {"state", name_of(record.state)}, {"program", record.program}};
  if (!record.reason.empty()) json["reason"] = record.reason;
  if (!record.columns.empty()) json["columns"] = as_object(record.columns);
  if (!record.host.empty()) json["host"] = as_object(record.host);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<StudyRecord> record_from(std::string const& line) {
  auto const json = Json::parse(line, nullptr, false);
  if (!json.is_object() || !json.contains("id") || !json.contains("state")) return std::nullopt;
  try {
    StudyRecord record;
    record.id = json.at("id").get<std::string>();
    auto const state = state_from(json.at("state").get<std::string>());
    if (!state) return std::nullopt;
    record.state = *state;
    record.program = json.at("program").get<std::string>();
    if (json.contains("reason")) record.reason = json.at("reason").get<std::string>();
    if (json.contains("columns")) record.columns = as_columns(json.at("columns"));
    if (json.contains("host")) record.host = as_columns(json.at("host"));
    return record;
  } catch (Json::exception const&) {
    return std::nullopt;
  }
}

}  // namespace tessera::sim
