// The subcommands. Each adds itself to the command line and returns what to run when it was chosen.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/command/parser.hpp"
#include "sim/terminal/failure.hpp"

namespace tessera::sim {

/// What a command says on stdout and besides it, and how the program ends.
struct Outcome {
  std::string text;
  ExitCode code = ExitCode::done;
  std::vector<std::string> remarks = {};  ///< on stderr, a line each
};

struct Command {
  Parser* parser;
  std::function<Outcome()> run;  ///< after parsing; throws what current_failure() understands
};

[[nodiscard]] Command list_command(Parser& tessera);
[[nodiscard]] Command show_command(Parser& tessera);
[[nodiscard]] Command plan_command(Parser& tessera);
[[nodiscard]] Command simulate_command(Parser& tessera, std::string const& command_line);
[[nodiscard]] Command compare_command(Parser& tessera, std::string const& command_line);
[[nodiscard]] Command sweep_command(Parser& tessera);
[[nodiscard]] Command validate_command(Parser& tessera);
[[nodiscard]] Command bench_command(Parser& tessera);
[[nodiscard]] Command probe_command(Parser& tessera, std::string const& command_line);
[[nodiscard]] Command import_command(Parser& tessera);
[[nodiscard]] Command report_command(Parser& tessera);
[[nodiscard]] Command export_command(Parser& tessera);

/// Runs the one of `parser`'s subcommands that was typed; complains when none was.
[[nodiscard]] Outcome run_chosen(Parser const& parser, std::vector<Command> const& subcommands);

/// Parses and runs a whole command line and writes to stdout and stderr. Throws what
/// current_failure() understands, or Interrupted.
[[nodiscard]] ExitCode run_command_line(int argc, char const* const* argv);

}  // namespace tessera::sim
