// Options of workers, what they mean, and what is said at the end.
#include "sim/app/sweep_work.hpp"

#include <nlohmann/json.hpp>

#include "sim/sweep/study_price.hpp"
#include "sim/terminal/output.hpp"
#include "sim/terminal/table.hpp"

namespace tessera::sim {

namespace {

/// "2/8": every eighth point from the third on.
std::pair<std::size_t, std::size_t> slice_of(std::string const& text) {
  auto const slash = text.find('/');
  try {
    auto const node = ConfigNode::scalar(text.substr(0, slash)).as<std::int64_t>();
    auto const count = slash == std::string::npos
                           ? 0
                           : ConfigNode::scalar(text.substr(slash + 1)).as<std::int64_t>();
    if (node >= 0 && node < count) {
      return {static_cast<std::size_t>(node), static_cast<std::size_t>(count)};
    }
  } catch (ConfigError const&) {  // said below
  }
  throw ConfigError{
      {"--slice"}, {}, in_quotes(text) + " is no slice; write K/N with K from 0 to N - 1"};
}

StudyWork work_of(WorkOptions const& options, bool retry) {
  StudyWork work;
  work.workers = options.jobs;
  std::tie(work.slice, work.slices) = slice_of(options.slice);
  work.retry = retry;
  work.programs = options.programs();
  if (options.seconds > 0) work.most_seconds = options.seconds;
  if (!options.memory.empty()) {
    auto node = ConfigNode::scalar(options.memory);
    node.set_origin({"--point-memory"});
    work.most_memory = node.as<Bytes>();
  }
  if (options.host == "systemc") work.host = Host::systemc;
  work.progress = options.report.progress();
  return work;
}

Json as_json(StudyTally const& tally) {
  return {{"schema", "tessera.study/1"},    {"points", tally.points}, {"done", tally.done},
          {"infeasible", tally.infeasible}, {"failed", tally.failed}, {"left", tally.left()},
          {"torn_lines", tally.torn_lines}, {"stale", tally.stale}};
}

std::string as_text(StudyTally const& tally) {
  auto text = std::to_string(tally.done) + " done, " + std::to_string(tally.infeasible) +
              " infeasible, " + std::to_string(tally.failed) + " failed, " +
              std::to_string(tally.left()) + " left of " + plural(tally.points, "point") + "\n";
  if (tally.stale > 0) {
    text += plural(tally.stale, "point") +
            " only another version of tessera has results of; --any-program takes them\n";
  }
  if (tally.torn_lines > 0) {
    text += plural(tally.torn_lines, "line") + " of results end in the middle and do not count\n";
  }
  return text;
}

/// What another engine's workers are told.
std::string worker_options(WorkOptions const& options) {
  std::string text;
  if (options.seconds > 0) text += " --point-seconds " + std::to_string(options.seconds);
  if (!options.memory.empty()) text += " --point-memory '" + options.memory + "'";
  if (options.host != "engine") text += " --host " + options.host;
  if (options.any_program) text += " --any-program";
  return text;
}

EngineTask task_of(WorkOptions const& options, std::string const& folder, bool retry) {
  if (options.slice != "0/1") {
    throw ConfigError{{"--slice"}, {}, "is for one worker; --engine deals out slices itself"};
  }
  return {folder, retry ? "retry" : "work", worker_options(options),
          options.report.json ? " --json" : "", work_of(options, retry)};
}

/// Returns where nothing is left to do.
Outcome hand_over(WorkOptions const& options, std::string const& folder, bool retry,
                  Outcome const& planned) {
  auto const script = engine_script(options.engine, task_of(options, folder, retry));
  if (!script) return standing(options, folder, planned);
  start_engine(options.engine, folder, *script, options.report.json ? "" : planned.text);
}

}  // namespace

std::string plural(std::size_t count, std::string const& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

Outcome standing(WorkOptions const& options, std::string const& folder, Outcome const& planned) {
  auto const programs = options.programs();
  auto const tally = tally_of(read_study_points(folder), read_results(folder, programs));
  auto const text = options.report.json ? document(as_json(tally)) : planned.text + as_text(tally);
  return {text, tally.failed > 0 ? ExitCode::check_failed : ExitCode::done, planned.remarks};
}

Outcome simulate_study(WorkOptions const& options, std::string const& folder, bool retry,
                       Outcome const& planned) {
  if (!options.reused.empty()) {
    auto const taken = reuse_results(folder, options.reused, options.programs());
    if (!options.report.json) write_stdout(plural(taken, "result") + " of other studies taken\n");
  }
  if (!options.engine.is_local()) return hand_over(options, folder, retry, planned);
  try {
    work_on(folder, work_of(options, retry));
  } catch (Interrupted const&) {
    write_stderr("interrupted; go on with: tessera sweep resume " + folder + "\n");
    throw;
  }
  return standing(options, folder, planned);
}

Outcome price_of(WorkOptions const& options, std::string const& folder, Outcome const& planned) {
  constexpr std::size_t sample = 16;
  auto const price = price_study(folder, work_of(options, false), sample);
  auto outcome = planned;
  outcome.text += plural(price.left, "point") + " left";
  if (price.left > 0 && price.sampled > 0) {
    auto const seconds = price.core_s / static_cast<double>(options.jobs);
    outcome.text += ", about " + time_text(seconds) + " on " + plural(options.jobs, "core") +
                    " like these (" + plural(price.sampled, "point") + " simulated to tell)";
  }
  outcome.text += "\n";
  return outcome;
}

Outcome job_script(WorkOptions const& options, std::string const& folder) {
  if (options.engine.is_local()) {
    throw ConfigError{{}, {}, "a script is for --engine slurm or --engine parallel"};
  }
  auto const script = engine_script(options.engine, task_of(options, folder, false));
  if (!script) throw ConfigError{{folder}, {}, "has no points left"};
  return {*script};
}
void add_work_options(Parser& parser, WorkOptions& options) {
  add_jobs_option(parser, options.jobs);
  parser
      .add_option("--slice", options.slice,
                  "Every N-th point from the K-th on (from 0): for one of N workers of a folder")
      ->capture_default_str()
      ->type_name("K/N");
  parser
      .add_option("--reuse", options.reused,
                  "Another study: its results of points that both have are taken; may be repeated")
      ->one_value_each()
      ->type_name("DIR");
  parser
      .add_option("--point-seconds", options.seconds,
                  "A point that takes longer is stopped and timed out")
      ->within(std::int64_t{1}, std::int64_t{1} << 30U)
      ->type_name("N");
  parser
      .add_option("--point-memory", options.memory,
                  "A point that needs more is stopped and out of memory; each has a process of its "
                  "own then, which takes longer")
      ->type_name("SIZE");
  parser
      .add_option(
          "--host", options.host,
          "What wakes the modules: our own queue of events, many points in each process, or "
          "SystemC, a process for each point (must not change any result)")
      ->one_of({"systemc", "engine"})
      ->capture_default_str()
      ->type_name("systemc|engine");
}

void add_program_option(Parser& parser, WorkOptions& options) {
  parser.add_flag("--any-program", options.any_program,
                  "Results of other versions of tessera count, too");
}

}  // namespace tessera::sim
