// `tessera probe`: the table of contents of the probes.
#include "sim/probe/probes.hpp"

namespace tessera::sim {

namespace {

std::vector<Command> add_probes(Parser& probe, std::string const& command_line) {
  return {compute_probe(probe), memory_probe(probe, command_line), fabric_probe(probe),
          collective_probe(probe)};
}

}  // namespace

Command probe_command(Parser& tessera, std::string const& command_line) {
  auto* const parser =
      tessera.add_subcommand("probe", "One component alone, for calibration (see probe --help)");
  auto const probes = add_probes(*parser, command_line);
  // Now: probes would take it over.
  parser->footer(
      "Example:\n  tessera probe compute --array 128x128 --dataflow ws --gemm 512,512,512");
  return {parser, [parser, probes] { return run_chosen(*parser, probes); }};
}

}  // namespace tessera::sim
