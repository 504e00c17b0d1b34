#include "sim/app/report_data.hpp"

#include <cmath>
#include <map>
#include <utility>

#include <nlohmann/json.hpp>

#include "sim/app/report_setup.hpp"
#include "sim/export/column_pack.hpp"
#include "sim/export/names.hpp"
#include "sim/export/task_lanes.hpp"

namespace tessera::sim {

namespace {

using Integers = std::vector<std::int64_t>;

[[nodiscard]] Json place(PackedColumn const& column) {
  return {{"form", name(column.form)}, {"offset", column.offset}, {"count", column.count}};
}

[[nodiscard]] Json attributes_of(traces::RunFile const& run) {
  auto const& content = run.content();
  Json attributes = Json::object();
  for (auto const& name : content.attributes()) {
    if (auto const text = content.text_attribute(name.c_str())) {
      attributes[name] = *text;
    } else if (auto const integer = content.integer_attribute(name.c_str())) {
      attributes[name] = *integer;
    } else if (auto const real = content.real_attribute(name.c_str())) {
      attributes[name] = *real;
    }
  }
  return attributes;
}

[[nodiscard]] Json name_lists_of(traces::RunFile const& run) {
  Json names = Json::object();
  for (auto const* const key : {"operators", "phases", "task_kinds", "causes", "path_causes"}) {
    if (auto const texts = run.content().texts((std::string{"names/"} + key).c_str())) {
      names[key] = *texts;
    }
  }
  return names;
}

[[nodiscard]] Json column_of(traces::TableRows const& rows, std::size_t column, ColumnPack& pack) {
  switch (rows.columns[column].type) {
    case traces::Column::Type::text: {
      Json texts = Json::array();
      for (std::size_t row = 0; row < rows.count; ++row) {
        texts.push_back(std::string{rows.text(row, column)});
      }
      return texts;
    }
    case traces::Column::Type::float64: {
      std::vector<double> values(rows.count);
      for (std::size_t row = 0; row < rows.count; ++row) values[row] = rows.real(row, column);
      return place(pack.add(values));
    }
    default: {
      Integers values(rows.count);
      for (std::size_t row = 0; row < rows.count; ++row) values[row] = rows.integer(row, column);
      return place(pack.add(values));
    }
  }
}

/// What the timeline and the lists of commands are made of has forms of its own.
[[nodiscard]] Json tables_of(traces::RunFile const& run, ColumnPack& pack) {
  Json tables = Json::object();
  for (auto const& name : run.content().tables()) {
    if (name == "tasks" || name == "commands" || name == "counters") continue;
    auto const rows = run.rows(name.c_str());
    Json columns = Json::object();
    for (std::size_t i = 0; i < rows.columns.size(); ++i) {
      columns[rows.columns[i].name] = column_of(rows, i, pack);
    }
    tables[name] = {{"rows", rows.count}, {"columns", std::move(columns)}};
  }
  return tables;
}

template <typename Value>
[[nodiscard]] Json packed(LanedTasks const& laned, ColumnPack& pack, Value value) {
  Integers values;
  values.reserve(laned.tasks.size());
  for (auto const& task : laned.tasks) values.push_back(value(task));
  return place(pack.add(values));
}

/// Of each task the time since the last one of its lane ended: small, and mostly equal.
[[nodiscard]] Json gaps_of(LanedTasks const& laned, ColumnPack& pack) {
  Integers gaps;
  gaps.reserve(laned.tasks.size());
  std::size_t next = 0;
  for (auto const& lane : laned.lanes) {
    Time before{0};
    for (std::int64_t i = 0; i < lane.tasks; ++i, ++next) {
      auto const& event = laned.tasks[next].event;
      gaps.push_back((laned.tasks[next].begin - before).value());
      before = event.end;
    }
  }
  return place(pack.add(gaps));
}

[[nodiscard]] Json numbers_of(LanedTasks const& laned, ColumnPack& pack) {
  Integers numbers;
  for (auto const& task : laned.tasks) numbers.push_back(task.event.task);
  return place(pack.add_differences(numbers));
}

/// In a stream of its own: a page shows its tables before it unpacks millions of tasks.
[[nodiscard]] Json timeline_of(traces::RunFile const& run, TasksDone const& done) {
  ColumnPack pack;
  auto const laned = laned_tasks(run, done);
  Json lanes = Json::array();
  for (auto const& lane : laned.lanes) lanes.push_back({lane.accelerator, lane.unit, lane.tasks});
  Json columns = {
      {"task", numbers_of(laned, pack)},
      {"gap", gaps_of(laned, pack)},
      {"length",
       packed(laned, pack, [](auto const& t) { return (t.event.end - t.begin).value(); })},
      {"queued",
       packed(laned, pack, [](auto const& t) { return (t.begin - t.event.start).value(); })},
      {"kind", packed(laned, pack, [](auto const& t) { return std::int64_t{t.event.kind}; })},
      {"phase", packed(laned, pack, [](auto const& t) { return std::int64_t{t.event.phase}; })},
      {"operator", packed(laned, pack, [](auto const& t) { return std::int64_t{t.event.op}; })},
      {"destination",
       packed(laned, pack, [](auto const& t) { return std::int64_t{t.event.destination}; })},
      {"bytes", packed(laned, pack, [](auto const& t) { return t.event.bytes.value(); })},
      {"rounds", packed(laned, pack, [](auto const& t) { return std::int64_t{t.event.rounds}; })},
      {"micro_batch",
       packed(laned, pack, [](auto const& t) { return std::int64_t{t.event.micro_batch}; })},
      {"stage", packed(laned, pack, [](auto const& t) { return std::int64_t{t.event.stage}; })}};
  if (laned.has_causes) {
    columns["cause"] =
        packed(laned, pack, [](auto const& t) { return std::int64_t{t.event.cause}; });
    columns["slack"] = packed(laned, pack, [](auto const& t) { return t.event.slack.value(); });
  }
  return {{"rows", laned.tasks.size()},
          {"instants", laned.instants},
          {"lanes", std::move(lanes)},
          {"columns", std::move(columns)},
          {"bytes", pack.base64()}};
}

/// Busy time in thousandths of a bin, and of a link's lanes.
[[nodiscard]] Json utilisation_of(traces::RunFile const& run, ColumnPack& pack) {
  auto const busy = run.content().matrix("utilisation/busy_ps");
  auto const width = run.content().integer_on("utilisation/busy_ps", "bin_ps");
  auto const resources = run.content().texts("utilisation/resource");
  if (!busy || !width || *width <= 0 || !resources || resources->size() != busy->rows) return {};
  auto const lanes = lanes_of_links(run);
  constexpr double whole = 1000;
  Integers values;
  values.reserve(busy->values.size());
  for (std::size_t row = 0; row < busy->rows; ++row) {
    auto const found = lanes.find((*resources)[row]);
    auto const scale = whole / static_cast<double>(found == lanes.end() ? 1 : found->second);
    for (std::size_t bin = 0; bin < busy->columns; ++bin) {
      auto const share = static_cast<double>(busy->values[row * busy->columns + bin]) /
                         static_cast<double>(*width);
      values.push_back(std::llround(share * scale));
    }
  }
  return {{"bin_ps", *width},
          {"resources", *resources},
          {"bins", busy->columns},
          {"busy", place(pack.add(values))}};
}

/// [part, name, unit, sum over accelerators], of links and switches over all of them.
[[nodiscard]] Json counters_of(traces::RunFile const& run) {
  auto const rows = run.rows("counters");
  auto const resource = rows.find("resource"), name = rows.find("name"), unit = rows.find("unit"),
             value = rows.find("value");
  if (!resource || !name || !unit || !value) return {};
  std::map<std::array<std::string, 3>, std::int64_t> sums;
  for (std::size_t row = 0; row < rows.count; ++row) {
    auto const [accelerator, part] = split_resource(std::string{rows.text(row, *resource)});
    auto const owner = accelerator                           ? part
                       : part.find('>') != std::string::npos ? "link"
                                                             : part.substr(0, part.find('-'));
    sums[{owner, std::string{rows.text(row, *name)}, std::string{rows.text(row, *unit)}}] +=
        rows.integer(row, *value);
  }
  Json counters = Json::array();
  for (auto const& [key, sum] : sums) counters.push_back({key[0], key[1], key[2], sum});
  return counters;
}

}  // namespace

Json report_data(traces::RunFile const& run, TasksDone const& done) {
  ColumnPack pack;
  Json data{
      {"file", run.path()}, {"attributes", attributes_of(run)}, {"names", name_lists_of(run)}};
  add_setup(data, run);
  data["tables"] = tables_of(run, pack);
  data["tasks"] = timeline_of(run, done);
  if (auto utilisation = utilisation_of(run, pack); !utilisation.is_null()) {
    data["utilisation"] = std::move(utilisation);
  }
  data["counters"] = counters_of(run);
  data["bytes"] = pack.base64();
  return data;
}

}  // namespace tessera::sim
