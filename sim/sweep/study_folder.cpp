// What is wanted, as files.
#include "sim/sweep/study_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <nlohmann/json.hpp>

#include "traces/pending_file.hpp"

namespace tessera::sim {

namespace {

namespace fs = std::filesystem;

void write_file(fs::path const& path, std::string const& text) {
  traces::PendingFile file{path.string(), traces::OtherWriters::allowed};
  file.write_at(0, text.data(), text.size());
  file.publish();
}

void make_folder(fs::path const& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw ConfigError{{}, {}, "cannot create " + path.string() + ": " + error.message()};
}

std::string read_file(fs::path const& path) {
  std::ifstream file{path, std::ios::binary};
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw ConfigError{{path.string()}, {}, "cannot be read; is this a study's folder?"};
  return text.str();
}

Json as_json(StudyPoint const& point) {
  auto keys = Json::object();
  for (auto const& [key, text] : point.keys) keys[key] = text;
  Json json = {{"id", point.id}, {"network", point.network}, {"array", point.array}};
  if (!point.planner.empty()) json["planner"] = point.planner;
  if (!point.plan.empty()) json["plan"] = point.plan;
  json["planner_options"] = point.planner_options;
  json["steps"] = point.steps;
  json["keys"] = keys;
  return json;
}

StudyPoint point_from_line(std::string const& line) {
  auto const json = Json::parse(line);
  StudyPoint point;
  point.id = json.at("id").get<std::string>();
  point.network = json.at("network").get<std::string>();
  point.array = json.at("array").get<std::string>();
  point.planner = json.value("planner", "");
  point.plan = json.value("plan", "");
  point.planner_options = json.at("planner_options").get<std::string>();
  point.steps = json.at("steps").get<std::int64_t>();
  for (auto const& [key, text] : json.at("keys").items()) {
    point.keys.emplace_back(key, text.get<std::string>());
  }
  return point;
}

std::set<std::string> ids_of(std::vector<StudyPoint> const& points) {
  std::set<std::string> ids;
  for (auto const& point : points) ids.insert(point.id);
  return ids;
}

std::size_t missing_from(std::set<std::string> const& ids, std::set<std::string> const& others) {
  return static_cast<std::size_t>(
      std::count_if(ids.begin(), ids.end(), [&](auto const& id) { return others.count(id) == 0; }));
}

/// A folder that is not empty has to be a study's.
void check_folder(fs::path const& folder) {
  std::error_code ignored;
  if (!fs::exists(folder, ignored) || fs::exists(folder / "points.jsonl", ignored)) return;
  if (!fs::is_directory(folder, ignored)) {
    throw ConfigError{{folder.string()}, {}, "is no folder; give another one"};
  }
  // In this order: another one may begin the same study meanwhile.
  if (fs::is_empty(folder, ignored) || fs::exists(folder / "inputs", ignored)) return;
  throw ConfigError{{folder.string()}, {}, "has files that are of no study; give another folder"};
}

/// A folder keeps to one sweep, whatever becomes of its file.
void check_name(fs::path const& folder, SweepSpec const& spec) {
  if (!fs::exists(folder / "sweep.yaml")) return;
  auto const before = read_study_sweep(folder.string()).name;
  if (before == spec.name) return;
  throw ConfigError{
      {folder.string()},
      {},
      "is the study of sweep " + before + ", not of " + spec.name + "; give another folder"};
}

}  // namespace

void remove_unfinished(std::string const& folder) {
  fs::path const root{folder};
  for (auto const* const name : {"sweep.yaml", "points.jsonl"}) {
    traces::remove_abandoned((root / name).string());
  }
  for (auto const* const name : {"inputs", "jobs"}) {
    traces::remove_abandoned_in((root / name).string());
  }
}

StudyChange write_study(std::string const& folder, SweepSpec const& spec,
                        StudyPoints const& study) {
  fs::path const root{folder};
  check_folder(root);
  check_name(root, spec);
  std::set<std::string> before;
  if (fs::exists(root / "points.jsonl")) before = ids_of(read_study_points(folder));
  make_folder(root / "inputs");
  make_folder(root / "results");
  remove_unfinished(folder);
  for (auto const& [hash, text] : study.inputs) {
    auto const path = root / "inputs" / (hash + ".yaml");
    if (!fs::exists(path)) write_file(path, text);
  }
  std::string lines;
  for (auto const& point : study.points) lines += as_json(point).dump() + "\n";
  write_file(root / "sweep.yaml", spec.text);
  write_file(root / "points.jsonl", lines);
  auto const now = ids_of(study.points);
  return {missing_from(now, before), missing_from(before, now)};
}

std::vector<StudyPoint> read_study_points(std::string const& folder) {
  auto const path = fs::path{folder} / "points.jsonl";
  std::istringstream lines{read_file(path)};
  std::vector<StudyPoint> points;
  std::string line;
  while (std::getline(lines, line)) {
    try {
      points.push_back(point_from_line(line));
    } catch (Json::exception const&) {
      auto const number = static_cast<int>(points.size()) + 1;
      throw ConfigError{
          {path.string(), number, 1}, {}, "is no point; run tessera sweep plan again"};
    }
  }
  return points;
}

StudyInputs read_study_inputs(std::string const& folder, std::vector<StudyPoint> const& points) {
  StudyInputs inputs;
  for (auto const& point : points) {
    for (auto const* const hash : {&point.network, &point.array, &point.plan}) {
      if (hash->empty() || inputs.count(*hash) > 0) continue;
      inputs[*hash] = read_file(fs::path{folder} / "inputs" / (*hash + ".yaml"));
    }
  }
  return inputs;
}

SweepSpec read_study_sweep(std::string const& folder) {
  return load_sweep((fs::path{folder} / "sweep.yaml").string());
}

}  // namespace tessera::sim
