// What the numbers of a run file stand for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "traces/run_file.hpp"

namespace tessera::sim {

/// Of tasks. A number without a name is a ConfigError that names the file.
class TaskNames final {
 public:
  explicit TaskNames(traces::RunFile const& run);

  [[nodiscard]] std::string const& operator_of(std::size_t op) const;
  [[nodiscard]] std::string const& phase_of(std::size_t phase) const;
  [[nodiscard]] std::string const& kind_of(std::size_t kind) const;
  /// Of a task's wait. Requires has_causes(), which older files have not.
  [[nodiscard]] std::string const& cause_of(std::size_t cause) const;
  [[nodiscard]] bool has_causes() const { return !causes_.empty(); }
  [[nodiscard]] bool is_transfer(std::size_t kind) const { return kind == transfer_; }

  [[nodiscard]] std::vector<std::string> const& kinds() const { return kinds_; }

 private:
  [[nodiscard]] std::string const& name(std::vector<std::string> const& names, std::size_t number,
                                        char const* column) const;

  traces::RunFile const& run_;
  std::vector<std::string> operators_;
  std::vector<std::string> phases_;
  std::vector<std::string> kinds_;
  std::vector<std::string> causes_;
  std::size_t transfer_;
};

/// "accelerator-3.memory" is 3 and "memory"; what is of no accelerator is whole.
[[nodiscard]] std::pair<std::optional<std::size_t>, std::string> split_resource(
    std::string const& resource);

/// How many lanes every link has, by its name "from>to".
[[nodiscard]] std::map<std::string, std::int64_t> lanes_of_links(traces::RunFile const& run);

}  // namespace tessera::sim
