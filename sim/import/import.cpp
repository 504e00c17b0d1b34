// `tessera import`: what other tools' files say, as ours.
#include "sim/import/imports.hpp"

namespace tessera::sim {

Command import_command(Parser& tessera) {
  auto* const parser = tessera.add_subcommand("import", "Bring in what other tools have written");
  std::vector<Command> const formats = {scalesim_import(*parser), dramsim3_import(*parser),
                                        pipedream_import(*parser)};
  // Now: formats would take it over.
  parser->footer("Example:\n  tessera import scalesim resnet50.csv -o resnet50.yaml");
  return {parser, [parser, formats] { return run_chosen(*parser, formats); }};
}

}  // namespace tessera::sim
