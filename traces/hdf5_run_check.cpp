#include "traces/hdf5_run_check.hpp"

#include <optional>

#include "arch/base/config_difference.hpp"
#include "traces/hdf5_input.hpp"
#include "traces/overwrite.hpp"

namespace tessera::traces {

namespace {

/// A run file that somebody has written; whatever is not as in ours is absent.
class WrittenRun final {
 public:
  explicit WrittenRun(std::string const& path) : file_{Hdf5Input::open(path)} {}

  [[nodiscard]] std::optional<std::string> attribute(char const* name) const {
    return file_ ? file_->text_attribute(name) : std::nullopt;
  }
  [[nodiscard]] std::optional<std::uint64_t> number(char const* name) const {
    auto const found = file_ ? file_->integer_attribute(name) : std::nullopt;
    if (!found) return std::nullopt;
    return static_cast<std::uint64_t>(*found);
  }
  [[nodiscard]] std::optional<std::string> text(char const* name) const {
    return file_ ? file_->text(name) : std::nullopt;
  }

 private:
  std::optional<Hdf5Input> file_;
};

/// How a configuration in the file differs from the text of ours.
[[nodiscard]] std::optional<std::string> config_differs(std::optional<std::string> const& there,
                                                        std::string const& here,
                                                        std::set<std::string> const& ignored = {}) {
  if (!there) return "absent there";
  if (*there == here) return std::nullopt;
  if (there->empty() || here.empty()) return there->empty() ? "empty there" : "empty here";
  return difference(read_config_text(*there, "there"), read_config_text(here, "here"), ignored);
}

[[nodiscard]] std::optional<std::string> word_differs(std::string const& what,
                                                      std::optional<std::string> const& there,
                                                      std::string const& here) {
  if (there.value_or("") == here) return std::nullopt;
  return what + " is " + in_quotes(there.value_or("")) + " there, " + in_quotes(here) + " here";
}

/// What the plan says; the prediction follows from it, and may change with the program.
[[nodiscard]] std::optional<std::string> plan_differs(WrittenRun const& there,
                                                      RunDescription const& run) {
  if (run.plan.empty()) return word_differs("planner", there.attribute("planner"), run.planner);
  return config_differs(there.text("config/plan"), run.plan, {"predicted"});
}

[[nodiscard]] std::optional<std::string> options_differ(WrittenRun const& there,
                                                        RunDescription const& run,
                                                        std::optional<TraceLevel> level) {
  auto const trace = there.attribute("trace");
  bool const holds_repeats = trace == name(TraceLevel::repeats);
  auto const some_tasks = holds_repeats ? TraceLevel::repeats : TraceLevel::tasks;
  if (auto found = word_differs("trace", trace, name(level.value_or(some_tasks)))) return found;
  if (auto found = word_differs("options", there.attribute("options"), run.options)) return found;
  auto const steps = there.number("steps").value_or(1);  // older files are all of one
  if (steps != static_cast<std::uint64_t>(run.steps)) {
    return "steps are " + std::to_string(steps) + " there, " + std::to_string(run.steps) + " here";
  }
  auto const seed = there.number("seed");
  if (seed == run.seed) return std::nullopt;
  return "seed is " + (seed ? std::to_string(*seed) : "absent") + " there, " +
         std::to_string(run.seed) + " here";
}

[[nodiscard]] std::optional<std::string> run_differs(WrittenRun const& there,
                                                     RunDescription const& run,
                                                     std::optional<TraceLevel> level) {
  if (auto found = config_differs(there.text("config/workload"), run.workload)) {
    return "network: " + *found;
  }
  auto array = there.text("config/array");
  if (array && run.array_today) array = run.array_today(*array);
  if (auto found = config_differs(array, run.array)) {
    return "array: " + *found;
  }
  if (auto found = plan_differs(there, run)) return "plan: " + *found;
  return options_differ(there, run, level);
}

}  // namespace

void check_same_run(std::string const& path, RunDescription const& run,
                    std::optional<TraceLevel> level) {
  if (holds_nothing(path)) return;
  WrittenRun const there{path};
  auto const schema = there.attribute("schema");
  if (schema != schema_of(TraceLevel::tasks) && schema != schema_of(TraceLevel::repeats)) {
    refuse_to_replace(path, "it is " + kind_of_file(path) + ", not a run");
  }
  if (auto const found = run_differs(there, run, level)) {
    refuse_to_replace(path, "it holds another run (" + *found + ")");
  }
}

}  // namespace tessera::traces
