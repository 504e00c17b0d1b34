#include "traces/run_file.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>
#include <utility>

#include "arch/base/config_error.hpp"
#include "traces/hdf5_sink.hpp"
#include "traces/overwrite.hpp"
#include "traces/trace_level.hpp"

namespace tessera::traces {

namespace {

constexpr char const* advice = "; tessera simulate -o FILE.h5 writes one";
constexpr std::uint64_t piece = 16384;  // rows, as Hdf5Sink's chunks: each is unpacked once

[[noreturn]] void refuse_file(std::string const& path, std::string const& problem) {
  throw ConfigError({path, 0, 0}, {}, problem);
}

[[nodiscard]] Hdf5Input opened(std::string const& path) {
  if (std::ifstream const file{path}; !file) {
    refuse_file(path, "cannot be read: " + std::generic_category().message(errno));
  }
  if (holds_nothing(path))
    refuse_file(path, std::string{"is no run file (it is empty, or a directory)"} + advice);
  if (auto file = Hdf5Input::open(path)) return std::move(*file);
  auto const kind = kind_of_file(path);
  if (kind == "an HDF5 file") {
    refuse_file(path, "cannot be read: it is cut off or damaged; simulate again");
  }
  refuse_file(path, "is no run file, but " + kind + advice);
}

}  // namespace

RunFile::RunFile(std::string path) : path_{std::move(path)}, file_{opened(path_)} {
  auto const found = file_.text_attribute("schema");
  if (!found)
    refuse("is no run file, but another HDF5 file (it has no attribute schema)" +
           std::string{advice});
  auto const whole = schema_of(TraceLevel::tasks), repeats = schema_of(TraceLevel::repeats);
  if (*found != whole && *found != repeats) {
    refuse("has the schema " + in_quotes(*found) + ", and this program reads " + whole + " and " +
           repeats + advice);
  }
}

void RunFile::refuse(std::string const& problem) const { refuse_file(path_, problem); }

std::string RunFile::text(char const* attribute) const {
  auto found = file_.text_attribute(attribute);
  if (!found) refuse(std::string{"has no attribute "} + attribute + advice);
  return std::move(*found);
}

std::int64_t RunFile::integer(char const* attribute) const {
  auto const found = file_.integer_attribute(attribute);
  if (!found) refuse(std::string{"has no attribute "} + attribute + advice);
  return *found;
}

TableInput RunFile::table(char const* name) const {
  auto found = file_.table(name);
  if (!found) refuse(std::string{"has no table /"} + name + advice);
  return std::move(*found);
}

TableRows RunFile::rows(char const* name) const {
  auto const found = table(name);
  return found.read(0, found.rows());
}

std::vector<std::string> RunFile::texts(char const* name) const {
  auto found = file_.texts(name);
  if (!found) refuse(std::string{"has no texts /"} + name + advice);
  return std::move(*found);
}

std::uint64_t RunFile::tasks() const { return table("tasks").rows(); }

void RunFile::expect_tasks() const {
  if (tasks() > 0) return;
  bool const is_none = file_.text_attribute("trace") == "none";
  refuse(std::string{"has no tasks"} + (is_none ? " (it was written with --trace none)" : "") +
         "; tessera simulate -o FILE.h5 --trace tasks writes them");
}

std::map<std::int64_t, std::int64_t> RunFile::mirrors() const {
  std::map<std::int64_t, std::int64_t> mirrors;
  if (text("schema") != schema_of(TraceLevel::repeats)) return mirrors;
  auto const table = rows("mirrors");
  auto const accelerator = table.find("accelerator"), simulated = table.find("mirrors");
  if (!accelerator || !simulated) refuse(std::string{"/mirrors lacks a column"} + advice);
  for (std::size_t row = 0; row < table.count; ++row) {
    mirrors.emplace(table.integer(row, *accelerator), table.integer(row, *simulated));
  }
  return mirrors;
}

void RunFile::for_each_task(std::function<void(TaskEvent const&)> const& visit) const {
  auto const input = table("tasks");
  auto const columns = task_columns();
  std::vector<TaskEvent> events;
  for (std::uint64_t first = 0; first < input.rows(); first += piece) {
    events.assign(std::min(piece, input.rows() - first), TaskEvent{});
    input.read_into(events.data(), columns, sizeof(TaskEvent), first, events.size());
    for (auto const& event : events) visit(event);
  }
}

}  // namespace tessera::traces
