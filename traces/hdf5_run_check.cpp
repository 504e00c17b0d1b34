#include "traces/hdf5_run_check.hpp"

#include <array>
#include <memory>
#include <optional>

#include <hdf5.h>

#include "arch/base/config_difference.hpp"
#include "traces/hdf5_handle.hpp"
#include "traces/overwrite.hpp"

namespace tessera::traces {

namespace {

/// What HDF5 allocated for a text of variable length.
struct FreeText {
  void operator()(char* text) const { H5free_memory(text); }
};

/// A run file that somebody has written; whatever is not as in ours is absent.
class WrittenRun final {
 public:
  explicit WrittenRun(std::string const& path) {
    reserve_memory();
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // it may be no HDF5, which we say ourselves
    auto const id = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    if (id >= 0) {
      file_.emplace(id, H5Fclose, "H5Fopen");
    } else {
      expect_memory();
    }
  }

  [[nodiscard]] std::optional<std::string> attribute(char const* name) const {
    if (!file_ || H5Aexists(file_->id(), name) <= 0) return std::nullopt;
    Hdf5Handle const opened{H5Aopen(file_->id(), name, H5P_DEFAULT), H5Aclose, "H5Aopen"};
    Hdf5Handle const type{H5Aget_type(opened.id()), H5Tclose, "H5Aget_type"};
    if (H5Tis_variable_str(type.id()) <= 0) return std::nullopt;
    char* text = nullptr;
    if (H5Aread(opened.id(), type.id(), &text) < 0) return nothing();
    return taken(text);
  }

  [[nodiscard]] std::optional<std::uint64_t> number(char const* name) const {
    if (!file_ || H5Aexists(file_->id(), name) <= 0) return std::nullopt;
    Hdf5Handle const opened{H5Aopen(file_->id(), name, H5P_DEFAULT), H5Aclose, "H5Aopen"};
    std::uint64_t value = 0;
    if (H5Aread(opened.id(), H5T_NATIVE_UINT64, &value) < 0) return std::nullopt;
    return value;
  }

  [[nodiscard]] std::optional<std::string> text(char const* name) const {
    if (!file_) return std::nullopt;
    auto const id = H5Dopen2(file_->id(), name, H5P_DEFAULT);
    if (id < 0) return nothing();
    Hdf5Handle const opened{id, H5Dclose, "H5Dopen2"};
    Hdf5Handle const type{H5Dget_type(opened.id()), H5Tclose, "H5Dget_type"};
    if (H5Tis_variable_str(type.id()) <= 0) return std::nullopt;
    char* text = nullptr;
    if (H5Dread(opened.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, &text) < 0) {
      return nothing();
    }
    return taken(text);
  }

 private:
  /// What could not be read is not there, unless there was no memory to read it.
  [[nodiscard]] static std::nullopt_t nothing() {
    expect_memory();
    return std::nullopt;
  }
  [[nodiscard]] static std::string taken(char* text) {
    std::unique_ptr<char, FreeText> const owned{text};
    return owned ? owned.get() : "";
  }

  std::optional<Hdf5Handle> file_;
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
                                                        TraceLevel level) {
  if (auto found = word_differs("trace", there.attribute("trace"), name(level))) return found;
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
                                                     RunDescription const& run, TraceLevel level) {
  if (auto found = config_differs(there.text("config/workload"), run.workload)) {
    return "network: " + *found;
  }
  if (auto found = config_differs(there.text("config/array"), run.array)) {
    return "array: " + *found;
  }
  if (auto found = plan_differs(there, run)) return "plan: " + *found;
  return options_differ(there, run, level);
}

}  // namespace

void check_same_run(std::string const& path, RunDescription const& run, TraceLevel level) {
  if (holds_nothing(path)) return;
  WrittenRun const there{path};
  if (there.attribute("schema") != "tessera.run/1") {
    refuse_to_replace(path, "it is " + kind_of_file(path) + ", not a run");
  }
  if (auto const found = run_differs(there, run, level)) {
    refuse_to_replace(path, "it holds another run (" + *found + ")");
  }
}

}  // namespace tessera::traces
