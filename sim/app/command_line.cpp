// The command line as a whole: which subcommands there are, and what is wrong with what was typed.
#include <string>
#include <vector>

#include "sim/command/command.hpp"
#include "sim/study/version.hpp"
#include "sim/terminal/output.hpp"

namespace tessera::sim {

namespace {

constexpr char const* description =
    "Tessera simulates arrays of accelerators that train deep neural networks, cycle by cycle: it "
    "plans how to split a network over the array, runs the plan and tells where time and energy "
    "went.";
constexpr char const* footer =
    "Exit codes:\n"
    "  0                           Done\n"
    "  2                           What was asked for cannot be: an option, a file\n"
    "  3                           A check failed (validate), or some of many points did\n"
    "  4                           The simulation cannot go on\n"
    "  5                           A mistake of Tessera's own\n"
    "  128 + N                     In a shell: signal N ended it (130: Ctrl-C). By then plan, with "
    "a "
    "planner that searches, has shown and written the best plan so far; a sweep goes on with sweep "
    "resume.\n"
    "\n"
    "Example:\n"
    "  tessera compare -w hypar/alexnet,hypar/vgg-a -a hypar-paper -p dp,mp,hypar";

std::vector<Command> add_commands(Parser& tessera, std::string const& command_line) {
  return {list_command(tessera),
          show_command(tessera),
          plan_command(tessera),
          simulate_command(tessera, command_line),
          compare_command(tessera, command_line),
          sweep_command(tessera),
          validate_command(tessera),
          bench_command(tessera),
          probe_command(tessera, command_line),
          import_command(tessera),
          report_command(tessera),
          export_command(tessera)};
}

/// The arguments as a shell would take them again.
std::string join(int argc, char const* const* argv) {
  std::string line;
  for (int index = 0; index < argc; ++index) {
    std::string const argument = argv[index];
    if (index > 0) line += ' ';
    auto const plain = argument.find_first_not_of(
                           "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                           "-_./,=:+@%") == std::string::npos;
    if (plain && !argument.empty()) {
      line += argument;
      continue;
    }
    line += '\'';
    for (auto const letter : argument) line += letter == '\'' ? "'\\''" : std::string{letter};
    line += '\'';
  }
  return line;
}

}  // namespace

Outcome run_chosen(Parser const& parser, std::vector<Command> const& subcommands) {
  for (auto const& command : subcommands) {
    if (command.parser->parsed()) return command.run();
  }
  parser.refuse("no subcommand; see " + parser.full_name() + " --help");
}

ExitCode run_command_line(int argc, char const* const* argv) {
  Parser tessera{"tessera", description,
                 std::string{"tessera "} + version() + " (" + commit() + ")"};
  auto const commands = add_commands(tessera, join(argc, argv));
  tessera.footer(footer);  // now: subcommands would take it over
  Outcome outcome;
  if (auto const asked = tessera.parse(argc, argv)) {
    outcome.text = *asked;
  } else {
    outcome = run_chosen(tessera, commands);
  }
  write_stdout(outcome.text);
  for (auto const& remark : outcome.remarks) write_stderr("remark: " + remark + "\n");
  return outcome.code;
}

}  // namespace tessera::sim
