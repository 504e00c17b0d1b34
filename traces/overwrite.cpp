#include "traces/overwrite.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>

#include "arch/base/config_difference.hpp"
#include "traces/pending_file.hpp"

namespace tessera::traces {

namespace {

constexpr std::string_view hdf5_signature = "\x89HDF\r\n\x1a\n";  // format specification, II.A
constexpr std::string_view schema_key = "schema: ";

/// The first bytes of a file; fewer when it is shorter.
[[nodiscard]] std::string beginning(std::string const& path, std::size_t size) {
  std::ifstream file{path, std::ios::binary};
  if (!file) {
    auto const why = std::generic_category().message(errno);
    throw ConfigError({}, {}, "cannot read " + path + ", which is to be replaced: " + why);
  }
  std::string text(size, '\0');
  file.read(text.data(), static_cast<std::streamsize>(size));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

[[nodiscard]] bool starts_with(std::string const& text, std::string_view prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

/// "tessera.plan/1", where the first line that is no comment is a schema.
[[nodiscard]] std::string schema_of(std::string const& text) {
  std::istringstream lines{text};
  std::string line;
  while (std::getline(lines, line) && starts_with(line, "#")) {
  }
  if (!starts_with(line, schema_key)) return {};
  auto const schema = line.substr(schema_key.size());
  return starts_with(schema, "tessera.") ? schema : "";
}

[[nodiscard]] std::string first_other_line(std::string const& there, std::string const& here) {
  auto const length = std::min(there.size(), here.size());
  auto const end = there.begin() + static_cast<std::ptrdiff_t>(length);
  auto const where = std::mismatch(there.begin(), end, here.begin()).first;
  return "line " + std::to_string(1 + std::count(there.begin(), where, '\n')) + " differs";
}

/// How two texts of one schema differ, or two of none.
[[nodiscard]] std::string text_difference(std::string const& path, std::string const& there,
                                          std::string const& here) {
  if (!schema_of(here).empty()) {
    try {
      auto const found = difference(read_config_text(there, path), read_config_text(here, path));
      if (found) return *found;
    } catch (ConfigError const&) {  // edited until it was YAML no more
    }
  }
  return first_other_line(there, here);
}

void check_same(std::string const& path, std::string const& text) {
  if (holds_nothing(path)) return;
  auto const there = beginning(path, text.size() + 1);  // one more tells a longer file
  if (there == text) return;
  auto const heading = [](std::string const& all) {
    auto schema = schema_of(all);
    return schema.empty() ? all.substr(0, all.find('\n')) : schema;
  };
  if (heading(there) != heading(text)) refuse_to_replace(path, "it is " + kind_of_file(path));
  std::ifstream file{path, std::ios::binary};
  std::string const whole{std::istreambuf_iterator<char>{file}, {}};
  refuse_to_replace(path, "it holds something else: " + text_difference(path, whole, text));
}

}  // namespace

bool holds_nothing(std::string const& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return true;  // PendingFile judges the rest
  return std::filesystem::file_size(path, error) == 0;
}

std::string kind_of_file(std::string const& path) {
  constexpr std::size_t enough = 4096;  // comments may come first
  auto const text = beginning(path, enough);
  if (starts_with(text, hdf5_signature)) return "an HDF5 file";
  auto const schema = schema_of(text);
  return schema.empty() ? "a file of another kind" : "a " + schema;
}

void refuse_to_replace(std::string const& path, std::string const& why) {
  throw ConfigError(
      {}, {},
      "cannot write " + path + ": " + why + "; name another file, or replace it with --force");
}

void check_heading(std::string const& path, std::string const& schema, ConfigNode const& heading,
                   Overwrite overwrite) {
  if (overwrite != Overwrite::same || holds_nothing(path)) return;
  auto const kind = kind_of_file(path);
  if (!starts_with(kind, "a " + schema + "/")) refuse_to_replace(path, "it is " + kind);
  std::optional<std::string> found;
  try {
    auto const file = read_config_file(path);
    auto there = ConfigNode::map();
    for (auto const& [key, value] : heading.entries()) {
      if (auto const* const node = file.as_map().find(key)) there.add(key, *node);
    }
    found = difference(there, heading);
  } catch (ConfigError const&) {  // edited until it was YAML no more
  }
  if (found) refuse_to_replace(path, "it holds something else: " + *found);
}

void write_text_file(std::string const& path, std::string const& text, Overwrite overwrite) {
  if (overwrite == Overwrite::same) check_same(path, text);
  PendingFile file{path};
  file.write_at(0, text.data(), text.size());
  file.publish();
}

}  // namespace tessera::traces
