// A run file being read: that it is one is checked when it is opened, and everything that is wrong with it is a ConfigError of one
// line. schema.md says what it holds.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "traces/event.hpp"
#include "traces/hdf5_input.hpp"

namespace tessera::traces {

class RunFile final {
 public:
  /// Throws ConfigError unless `path` is a run file of these schemas.
  explicit RunFile(std::string path);

  [[nodiscard]] std::string const& path() const { return path_; }
  [[nodiscard]] Hdf5Input const& content() const { return file_; }

  // Attributes that every run file has; ConfigError where this one does not.
  [[nodiscard]] std::string text(char const* attribute) const;
  [[nodiscard]] std::int64_t integer(char const* attribute) const;

  [[nodiscard]] TableInput table(char const* name) const;
  [[nodiscard]] TableRows rows(char const* name) const;  ///< all of them
  [[nodiscard]] std::vector<std::string> texts(char const* name) const;

  [[nodiscard]] std::uint64_t tasks() const;
  /// Throws ConfigError where no tasks were traced.
  void expect_tasks() const;
  /// Accelerators without tasks of their own, and of each the one whose tasks it mirrors.
  [[nodiscard]] std::map<std::int64_t, std::int64_t> mirrors() const;
  /// Every task in the order of the file, of which a piece at a time is in memory.
  void for_each_task(std::function<void(TaskEvent const&)> const& visit) const;

  /// "run.h5: PROBLEM"
  [[noreturn]] void refuse(std::string const& problem) const;

 private:
  std::string path_;
  Hdf5Input file_;
};

}  // namespace tessera::traces
