// Scripts as text.
#include "sim/sweep/job_script.hpp"

#include <algorithm>

#include "arch/base/config_error.hpp"
#include "arch/base/contract.hpp"

namespace tessera::sim {

namespace {

/// One word of a shell, whatever is in it.
std::string shell_word(std::string const& text) {
  std::string word = "'";
  for (auto const letter : text) word += letter == '\'' ? "'\\''" : std::string{letter};
  return word + "'";
}

/// A value of an #SBATCH line.
std::string sbatch_value(std::string const& text) {
  std::string value = "\"";
  for (auto const letter : text) {
    if (letter == '"' || letter == '\\') value += '\\';
    value += letter;
  }
  return value + '"';
}

/// Of a path that Slurm puts numbers into.
std::string without_patterns(std::string const& path) {
  std::string text;
  for (auto const letter : path) text += letter == '%' ? "%%" : std::string{letter};
  return text;
}

std::string sbatch_line(std::string const& option) {
  if (option.find('\n') == std::string::npos && option.compare(0, 1, "-") == 0) {
    return "#SBATCH " + option + "\n";
  }
  throw ConfigError{{"--sbatch"},
                    {},
                    in_quotes(option) + " is no option of sbatch; write --sbatch=--partition=long"};
}

/// sbatch counts in MiB.
std::string mebibytes(Bytes memory) {
  constexpr double bytes_per_mebibyte = 1024.0 * 1024.0;
  auto const count = static_cast<double>(memory.value()) / bytes_per_mebibyte;
  return std::to_string(std::max<std::int64_t>(1, static_cast<std::int64_t>(count))) + "M";
}

/// tessera sweep work DIR --slice K/N; `part` stands for K.
std::string work_command(PartsOfStudy const& parts, std::string const& part) {
  return shell_word(parts.program) + " sweep " + parts.command + " " + shell_word(parts.folder) +
         " --slice " + part + "/" + std::to_string(parts.parts) + " --jobs " +
         std::to_string(parts.cores) + " --quiet" + parts.options;
}

std::string slurm_options(PartsOfStudy const& parts, SlurmLimits const& limits) {
  auto const throttle = limits.throttle ? "%" + std::to_string(*limits.throttle) : "";
  auto text = sbatch_line("--job-name=" + sbatch_value(parts.name)) +
              sbatch_line("--array=" + ranges_text(parts.wanted) + throttle) +
              sbatch_line("--ntasks=1") +
              sbatch_line("--cpus-per-task=" + std::to_string(parts.cores)) +
              sbatch_line("--time=" + std::to_string(limits.minutes));
  if (limits.memory_per_core) {
    text += sbatch_line("--mem-per-cpu=" + mebibytes(*limits.memory_per_core));
  }
  text +=
      sbatch_line("--signal=B:USR1@60") + sbatch_line("--requeue") +
      sbatch_line("--open-mode=append") +
      sbatch_line("--output=" + sbatch_value(without_patterns(parts.folder) + "/jobs/%A_%a.txt")) +
      sbatch_line("--export=NONE");
  for (auto const& option : limits.options) text += sbatch_line(option);
  return text;
}

}  // namespace

std::string ranges_text(std::vector<std::size_t> const& numbers) {
  std::string text;
  for (std::size_t first = 0; first < numbers.size();) {
    auto last = first;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    text += (text.empty() ? "" : ",") + std::to_string(numbers[first]);
    if (last > first) text += "-" + std::to_string(numbers[last]);
    first = last + 1;
  }
  return text;
}

std::string slurm_script(PartsOfStudy const& parts, SlurmLimits const& limits) {
  EXPECTS(!parts.wanted.empty());
  return "#!/bin/bash\n" + slurm_options(parts, limits) +
         "# A task skips points that are done, so it may be lost and may run again; `tessera sweep "
         "status` reads the folder.\n" +
         work_command(parts, "\"$SLURM_ARRAY_TASK_ID\"") +
         " &\n"
         "worker=$!\n"
         "# A minute before its time is over the task stops working. bash hears of it only while "
         "it waits, which the signal ends.\n"
         "trap 'kill -TERM $worker' USR1\n"
         "wait $worker; code=$?\n"
         "while kill -0 $worker 2>/dev/null; do wait $worker; code=$?; done\n"
         "# Stopped or killed, and not by scancel, which ends this script, too: the rest later, "
         "but not for ever.\n"
         "if [ $code -gt 128 ] && [ \"${SLURM_RESTART_COUNT:-0}\" -lt " +
         std::to_string(limits.requeues) +
         " ]; then\n"
         "  scontrol requeue \"$SLURM_JOB_ID\"\n"
         "fi\n"
         "exit $code\n";
}

std::string parallel_script(PartsOfStudy const& parts, ParallelHosts const& hosts) {
  EXPECTS(!parts.wanted.empty());
  auto text =
      "#!/bin/sh\n"
      "command -v parallel >/dev/null || { echo 'parallel: not found; install GNU parallel' >&2; "
      "exit 2; }\n"
      "# A part skips points that are done, so it may be lost and may run again. 3: points failed, "
      "which no other try helps.\n"
      "parallel --will-cite --retries 3 --jobs " +
      std::to_string(hosts.jobs);
  if (!hosts.ssh.empty()) text += " --ssh " + shell_word(hosts.ssh);
  for (auto const& login : hosts.logins) text += " --sshlogin " + shell_word(login);
  text += " " + shell_word(work_command(parts, "{}") + " >/dev/null || test $? -eq 3") + " :::";
  for (auto const part : parts.wanted) text += " " + std::to_string(part);
  auto const folder = shell_word(parts.folder);
  return text + "\nfailed=$?\n" + shell_word(parts.program) + " sweep status " + folder +
         hosts.status_options +
         " || exit $?\n"
         "[ $failed -eq 0 ] && exit 0\n"
         "echo \"parts that did not end: $failed; go on with: tessera sweep resume \"" +
         folder +
         "\" --engine parallel\" >&2\n"
         "exit 3\n";
}

}  // namespace tessera::sim
