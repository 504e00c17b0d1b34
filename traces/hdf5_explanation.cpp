#include "traces/hdf5_explanation.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <type_traits>

namespace tessera::traces {

namespace {

using Type = Column::Type;

// The quantities in the structs are their bare numbers in memory.
static_assert(std::is_standard_layout_v<PathEntry> && std::is_standard_layout_v<PlanEntry> &&
              std::is_standard_layout_v<AcceleratorEntry>);

}  // namespace

void write_places(Hdf5File& file, std::vector<PlaceEntry> const& places) {
  struct Row {
    char const* name;
    double x;
    double y;
  };
  std::vector<Row> rows;
  rows.reserve(places.size());
  for (auto const& place : places) rows.push_back({place.name.c_str(), place.x, place.y});
  file.add_table("places",
                 {{"name", Type::text, offsetof(Row, name), "1"},
                  {"x", Type::float64, offsetof(Row, x), "1"},
                  {"y", Type::float64, offsetof(Row, y), "1"}},
                 rows);
}

void write_plan(Hdf5File& file, std::vector<PlanEntry> const& costs) {
  file.add_table("plan",
                 {{"operator", Type::uint32, offsetof(PlanEntry, op), "1"},
                  {"phase", Type::uint8, offsetof(PlanEntry, phase), "1"},
                  {"predicted_time_s", Type::float64, offsetof(PlanEntry, time_s), "s"},
                  {"predicted_communication_bytes", Type::int64,
                   offsetof(PlanEntry, communication_bytes), "B"}},
                 costs);
}

void write_path(Hdf5File& file, std::vector<PathEntry> const& path) {
  file.add_table("critical_path",
                 {{"begin_ps", Type::int64, offsetof(PathEntry, begin), "ps"},
                  {"end_ps", Type::int64, offsetof(PathEntry, end), "ps"},
                  {"task", Type::int64, offsetof(PathEntry, task), "1"},
                  {"cause", Type::uint8, offsetof(PathEntry, cause), "1"},
                  {"link", Type::int64, offsetof(PathEntry, link), "1"},
                  {"operator", Type::uint32, offsetof(PathEntry, op), "1"},
                  {"phase", Type::uint8, offsetof(PathEntry, phase), "1"}},
                 path);
}

void write_accelerators(Hdf5File& file, std::vector<AcceleratorEntry> const& accelerators) {
  file.add_table(
      "accelerators",
      {{"accelerator", Type::uint32, offsetof(AcceleratorEntry, accelerator), "1"},
       {"peak_macs_per_s", Type::float64, offsetof(AcceleratorEntry, peak_macs_per_s), "MAC/s"},
       {"peak_memory_bandwidth", Type::int64, offsetof(AcceleratorEntry, peak_memory), "bit/s"},
       {"macs", Type::int64, offsetof(AcceleratorEntry, macs), "MAC"},
       {"memory_bytes", Type::int64, offsetof(AcceleratorEntry, memory_bytes), "B"},
       {"busy_ps", Type::int64, offsetof(AcceleratorEntry, busy), "ps"}},
      accelerators);
}

void write_mirrors(Hdf5File& file, std::vector<AcceleratorEntry> const& accelerators) {
  std::vector<AcceleratorEntry> mirrored;
  std::copy_if(accelerators.begin(), accelerators.end(), std::back_inserter(mirrored),
               [](auto const& entry) { return entry.mirrors != entry.accelerator; });
  file.add_table("mirrors",
                 {{"accelerator", Type::uint32, offsetof(AcceleratorEntry, accelerator), "1"},
                  {"mirrors", Type::uint32, offsetof(AcceleratorEntry, mirrors), "1"}},
                 mirrored);
}

void write_what_if(Hdf5File& file, std::vector<WhatIfEntry> const& entries) {
  struct Row {
    char const* resource;
    std::int64_t bound;
    std::int64_t twice;
    std::int64_t infinite;
  };
  std::vector<Row> rows;
  rows.reserve(entries.size());
  for (auto const& entry : entries) {
    rows.push_back({entry.resource.c_str(), entry.bound.value(), entry.estimate_2x.value(),
                    entry.estimate_infinite.value()});
  }
  file.add_table("what_if",
                 {{"resource", Type::text, offsetof(Row, resource), "1"},
                  {"bound_ps", Type::int64, offsetof(Row, bound), "ps"},
                  {"estimate_2x_ps", Type::int64, offsetof(Row, twice), "ps"},
                  {"estimate_infinite_ps", Type::int64, offsetof(Row, infinite), "ps"}},
                 rows);
}

}  // namespace tessera::traces
