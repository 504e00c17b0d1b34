// The command line as a whole: which subcommands there are, and what is wrong with what was typed.
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "arch/base/nearest_name.hpp"
#include "sim/app/command.hpp"
#include "sim/app/output.hpp"
#include "sim/app/version.hpp"

namespace tessera::sim {

namespace {

constexpr char const* description =
    "Tessera simulates arrays of accelerators that train deep neural networks, cycle by cycle: it "
    "plans how to split a network over the array, runs the plan and tells where time and energy "
    "went.";
constexpr char const* example =
    "Example:\n"
    "  tessera compare -w hypar/alexnet,hypar/vgg-a -a hypar-paper -p dp,mp,hypar";

std::vector<Command> add_commands(CLI::App& tessera, std::string const& command_line) {
  return {list_command(tessera),
          plan_command(tessera),
          simulate_command(tessera, command_line),
          compare_command(tessera, command_line),
          validate_command(tessera),
          bench_command(tessera),
          probe_command(tessera, command_line),
          import_command(tessera)};
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

std::vector<std::string> option_names(CLI::App const& parser) {
  std::vector<std::string> names;
  for (auto const* option : parser.get_options()) {
    for (auto const& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// The innermost subcommand that was typed, or the program itself.
CLI::App const& typed(CLI::App const& parser) {
  auto const subcommands = parser.get_subcommands();
  return subcommands.empty() ? parser : typed(*subcommands.front());
}

/// "tessera probe compute"
std::string full_name(CLI::App const& parser) {
  auto const* const parent = parser.get_parent();
  return parent == nullptr ? parser.get_name() : full_name(*parent) + ' ' + parser.get_name();
}

/// What is wrong with an argument that nobody knows.
std::string unknown_argument(CLI::App const& parser, std::string const& argument) {
  if (argument.size() > 1 && argument.front() == '-') {
    return unknown_name("option", argument.substr(0, argument.find('=')), option_names(parser));
  }
  std::vector<std::string> names;
  for (auto const* subcommand : parser.get_subcommands({})) {
    names.push_back(subcommand->get_name());
  }
  if (names.empty()) return "unexpected argument '" + argument + "'";
  return unknown_name("subcommand", argument, names);
}

[[noreturn]] void refuse(CLI::App const& parser, std::string const& problem) {
  throw FailureError{{ExitCode::users_fault, full_name(parser) + ": " + one_line(problem)}};
}

/// Parses; what is unknown is complained about before what is missing.
void parse(CLI::App& tessera, int argc, char const* const* argv) {
  try {
    tessera.parse(argc, argv);
  } catch (CLI::Success const&) {
    throw;
  } catch (CLI::ParseError const& error) {
    auto const unknown = tessera.remaining(true);
    auto const& parser = typed(tessera);
    refuse(parser, unknown.empty() ? error.what() : unknown_argument(parser, unknown.front()));
  }
}

}  // namespace

Outcome run_chosen(CLI::App const& parser, std::vector<Command> const& subcommands) {
  for (auto const& command : subcommands) {
    if (command.parser->parsed()) return command.run();
  }
  refuse(parser, "no subcommand; see " + full_name(parser) + " --help");
}

ExitCode run_command_line(int argc, char const* const* argv) {
  CLI::App tessera{description, "tessera"};
  tessera.require_subcommand(0, 1);
  tessera.set_version_flag("--version",
                           std::string{"tessera "} + version() + " (" + commit() + ")");
  auto const commands = add_commands(tessera, join(argc, argv));
  tessera.footer(example);  // now: subcommands would take it over
  Outcome outcome;
  try {
    parse(tessera, argc, argv);
    outcome = run_chosen(tessera, commands);
  } catch (CLI::CallForVersion const& request) {
    outcome.text = std::string{request.what()} + "\n";
  } catch (CLI::Success const&) {
    outcome.text = tessera.help();
  }
  write_stdout(outcome.text);
  return outcome.code;
}

}  // namespace tessera::sim
