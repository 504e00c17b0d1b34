// `tessera sweep`'s work: who simulates which points, and how a study stands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/app/sweep_engines.hpp"
#include "sim/command/command.hpp"
#include "sim/command/options.hpp"
#include "sim/sweep/study_work.hpp"

namespace tessera::sim {

struct WorkOptions {
  std::size_t jobs = 1;
  std::string slice = "0/1";
  std::int64_t seconds = 0;  ///< 0: no limit
  std::string memory;
  std::string host = "engine";
  bool any_program = false;
  std::vector<std::string> reused;  ///< other studies
  EngineOptions engine;
  ReportOptions report;

  [[nodiscard]] Programs programs() const {
    return any_program ? Programs::any : Programs::this_one;
  }
};

/// What a worker takes on, and the limits of a point.
void add_work_options(Parser& parser, WorkOptions& options);
void add_program_option(Parser& parser, WorkOptions& options);

/// "1 point", "2 points".
[[nodiscard]] std::string plural(std::size_t count, std::string const& noun);

/// How a study stands; where points failed, that is how the program ends. `planned` comes before.
[[nodiscard]] Outcome standing(WorkOptions const& options, std::string const& folder,
                               Outcome const& planned = {});

/// Simulates what is left, or has another engine do it. Throws Interrupted.
[[nodiscard]] Outcome simulate_study(WorkOptions const& options, std::string const& folder,
                                     bool retry, Outcome const& planned = {});

/// What the points that are left will take here, a few of which it simulates.
[[nodiscard]] Outcome price_of(WorkOptions const& options, std::string const& folder,
                               Outcome const& planned);

/// The script that another engine would be given.
[[nodiscard]] Outcome job_script(WorkOptions const& options, std::string const& folder);

}  // namespace tessera::sim
