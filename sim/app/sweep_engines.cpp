// Options of engines, and how they are started.
#include "sim/app/sweep_engines.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "sim/sweep/job_script.hpp"
#include "sim/sweep/study_price.hpp"
#include "sim/sweep/study_program.hpp"
#include "sim/terminal/output.hpp"
#include "traces/pending_file.hpp"

namespace tessera::sim {

namespace {

/// Slurm takes 1 to 2.5 s to schedule a task (measured), and GNU parallel's ssh half a second.
constexpr double seconds_per_task = 300;
/// Slurm's MaxArraySize is 1001, unless its administrator has changed it.
constexpr std::size_t most_tasks = 1000;
constexpr std::size_t priced_points = 16;

/// As many as make a task last some minutes.
std::size_t tasks_of(EngineOptions const& options, EngineTask const& task) {
  if (options.tasks) return *options.tasks;
  auto const price = price_study(task.folder, task.work, priced_points);
  auto const per_task = seconds_per_task * static_cast<double>(options.task_cores.value_or(1));
  auto const tasks = std::max(1.0, std::ceil(price.core_s / per_task));
  return static_cast<std::size_t>(
      std::min({tasks, static_cast<double>(most_tasks), static_cast<double>(price.left + 1)}));
}

SlurmLimits slurm_limits(EngineOptions const& options) {
  SlurmLimits limits;
  limits.throttle = options.throttle;
  limits.minutes = options.task_minutes.value_or(limits.minutes);
  limits.requeues = options.requeues.value_or(limits.requeues);
  limits.options = options.sbatch;
  if (!options.task_memory.empty()) {
    auto node = ConfigNode::scalar(options.task_memory);
    node.set_origin({"--task-memory"});
    limits.memory_per_core = node.as<Bytes>();
  }
  return limits;
}

}  // namespace

void add_engine_options(Parser& parser, EngineOptions& options) {
  auto* const engine =
      parser
          .add_option("--engine", options.engine,
                      "Who simulates: this process, a job array of Slurm, or GNU parallel")
          ->one_of({"local", "slurm", "parallel"})
          ->type_name("local|slurm|parallel");
  constexpr auto most = std::numeric_limits<std::int32_t>::max();
  parser
      .add_option("--tasks", options.tasks,
                  "Parts that the points are dealt into (as many as make one last five minutes, "
                  "which a few points tell that are simulated first)")
      ->within(1, most)
      ->needs(engine)
      ->type_name("N");
  parser.add_option("--task-cores", options.task_cores, "Of a task: simulations at a time (1)")
      ->within(1, 4096)
      ->needs(engine)
      ->type_name("N");
  parser.add_option("--throttle", options.throttle, "slurm: tasks at a time (all)")
      ->within(1, most)
      ->needs(engine)
      ->type_name("N");
  parser
      .add_option("--task-minutes", options.task_minutes,
                  "slurm: a task is stopped and requeued a minute before (60)")
      ->within(std::int64_t{2}, std::int64_t{most})
      ->needs(engine)
      ->type_name("N");
  parser.add_option("--task-memory", options.task_memory, "slurm: of each core of a task")
      ->needs(engine)
      ->type_name("SIZE");
  parser.add_option("--requeues", options.requeues, "slurm: of a task, at most (20)")
      ->within(0, most)
      ->needs(engine)
      ->type_name("N");
  parser
      .add_option("--sbatch", options.sbatch,
                  "slurm: an option of sbatch (--sbatch=--partition=long); may be repeated")
      ->one_value_each()
      ->needs(engine)
      ->type_name("OPTION");
  parser
      .add_option("--sshlogin", options.logins,
                  "parallel: hosts that see the folder under the same path, 4/HOST for four tasks "
                  "at a time (this machine)")
      ->one_value_each()
      ->delimiter(',')
      ->needs(engine)
      ->type_name("HOST,...");
  parser.add_option("--ssh", options.ssh, "parallel: in place of ssh ('ssh -F FILE')")
      ->needs(engine)
      ->type_name("COMMAND");
}

void check_engine_options(EngineOptions const& options) {
  auto const check = [&](char const* option, bool is_given, std::vector<std::string> const& of) {
    if (!is_given || std::find(of.begin(), of.end(), options.engine) != of.end()) return;
    auto text = "is for --engine " + of.front();
    for (std::size_t i = 1; i < of.size(); ++i) text.append(" and ").append(of[i]);
    throw ConfigError{{option}, {}, text + ", not for " + options.engine};
  };
  check("--tasks", options.tasks.has_value(), {"slurm", "parallel"});
  check("--task-cores", options.task_cores.has_value(), {"slurm", "parallel"});
  check("--throttle", options.throttle.has_value(), {"slurm"});
  check("--task-minutes", options.task_minutes.has_value(), {"slurm"});
  check("--task-memory", !options.task_memory.empty(), {"slurm"});
  check("--requeues", options.requeues.has_value(), {"slurm"});
  check("--sbatch", !options.sbatch.empty(), {"slurm"});
  check("--sshlogin", !options.logins.empty(), {"parallel"});
  check("--ssh", !options.ssh.empty(), {"parallel"});
}

std::optional<std::string> engine_script(EngineOptions const& options, EngineTask const& task) {
  auto work = task.work;
  work.slices = tasks_of(options, task);
  PartsOfStudy parts;
  parts.wanted =
      slices_left(read_study_points(task.folder), read_results(task.folder, work.programs), work);
  if (parts.wanted.empty()) return std::nullopt;
  parts.name = read_study_sweep(task.folder).name;
  parts.folder = std::filesystem::canonical(task.folder).string();
  parts.program = copy_program_to(parts.folder);
  parts.command = task.command;
  parts.options = task.worker_options;
  parts.parts = work.slices;
  parts.cores = options.task_cores.value_or(1);
  if (options.engine == "slurm") return slurm_script(parts, slurm_limits(options));
  return parallel_script(parts, {work.workers, options.logins, options.ssh, task.status_options});
}

void start_engine(EngineOptions const& options, std::string const& folder,
                  std::string const& script, std::string const& text) {
  auto const jobs = std::filesystem::canonical(folder) / "jobs";
  std::error_code error;
  std::filesystem::create_directories(jobs, error);
  auto const path = (jobs / (options.engine + ".sh")).string();
  {
    traces::PendingFile file{path};
    file.write_at(0, script.data(), script.size());
    file.publish();
  }
  write_stdout(text);
  if (options.engine == "slurm") {
    become({"sbatch", path},
           "tessera sweep script " + folder + " --engine slurm prints what it would be given");
  }
  become({"sh", path}, "there has to be a shell");
}

}  // namespace tessera::sim
