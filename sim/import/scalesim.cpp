// `tessera import scalesim`: a network from SCALE-Sim's table of layers.
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "sim/command/options.hpp"
#include "sim/import/imports.hpp"
#include "sim/import/topology_network.hpp"
#include "sim/study/result.hpp"
#include "workloads/load.hpp"

namespace tessera::sim {

namespace {

struct ScaleSimOptions {
  std::string file;
  std::string output;
  OverwriteOptions overwrite;
  ReportOptions report;
};

/// What a table of layers does not say, and what was made of it.
std::string header(std::string const& file) {
  return "# From SCALE-Sim's table " + std::filesystem::path{file}.filename().string() +
         ", which names neither batch nor edges: the batch is 1 (--set workload.batch=256\n"
         "# simulates another), and every layer reads the one before it, through a recast where "
         "their "
         "shapes differ. So shortcuts\n# and branches (ResNet, Inception) became a chain: MACs and "
         "weights are the table's, what plans exchange is the chain's.\n";
}

/// What a user has to know who sees neither the table nor the file.
std::vector<std::string> remarks_on_table(std::size_t layers) {
  if (layers < 2) return {};
  return {
      "the table has no edges: every layer reads the one before it, and shortcuts and branches "
      "(ResNet, Inception) became a chain"};
}

/// What is written is what a network file may say: it is read before it is written.
Outcome import_scalesim(ScaleSimOptions const& options) {
  auto const layers = read_topology(options.file);
  auto const name = std::filesystem::path{options.file}.stem().string();
  auto const node = network_from_topology(layers, name, options.file);
  auto const text = header(options.file) + write_config(node);
  auto const network = workloads::network_from(read_config_text(text, options.output));
  traces::write_text_file(options.output, text, options.overwrite.overwrite());
  auto const remarks = remarks_on_table(layers.size());
  auto const macs = network.macs(workloads::Phase::forward).value();
  if (options.report.json) {
    return {document({{"schema", "tessera.import/1"},
                      {"network", network.name()},
                      {"layers", layers.size()},
                      {"operators", network.operators().size()},
                      {"weights", network.weights().value()},
                      {"forward_macs", macs},
                      {"remarks", remarks}}),
            ExitCode::done, remarks};
  }
  return {network.name() + ": " + std::to_string(layers.size()) + " layers, " +
              std::to_string(network.weights().value()) + " weights, " + std::to_string(macs) +
              " MACs forward\nbatch 1 (--set workload.batch=256 simulates another)\n",
          ExitCode::done, remarks};
}

}  // namespace

Command scalesim_import(Parser& import) {
  auto const options = std::make_shared<ScaleSimOptions>();
  auto* const parser = import.add_subcommand("scalesim", "SCALE-Sim's topology file (CSV)");
  parser->footer("Example:\n  tessera import scalesim resnet50.csv -o resnet50.yaml");
  parser->add_option("file", options->file, "Layers, convolutions or products")
      ->required()
      ->type_name("FILE.csv");
  parser->add_option("-o,--output", options->output, "Write the network as YAML")
      ->required()
      ->type_name("FILE");
  add_overwrite_options(*parser, options->overwrite);
  add_report_options(*parser, options->report);
  return {parser, [options] { return import_scalesim(*options); }};
}

}  // namespace tessera::sim
