// `tessera import pipedream`: a network and its measured times from a profile of PipeDream or DAPPLE.
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "arch/accelerator/profile_spec.hpp"
#include "arch/base/config_source.hpp"
#include "arch/base/csv.hpp"
#include "sim/command/options.hpp"
#include "sim/import/imports.hpp"
#include "sim/import/pipedream_profile.hpp"
#include "sim/study/result.hpp"
#include "workloads/load.hpp"

namespace tessera::sim {

namespace {

namespace fs = std::filesystem;

struct ProfileImportOptions {
  std::vector<std::string> files;
  std::int64_t batch = 0;
  std::string output;
  std::string times;
  OverwriteOptions overwrite;
  ReportOptions report;
};

bool is_table(std::string const& file) { return fs::path{file}.extension() == ".csv"; }

PipeDreamProfile read_files(std::vector<std::string> const& files) {
  if (files.size() == 1 && !is_table(files.front())) {
    return read_pipedream_graph(tessera::detail::read_text_file(files.front()), files.front());
  }
  if (files.size() != 2 || !is_table(files[0]) || !is_table(files[1])) {
    throw ConfigError{
        {},
        "FILE",
        "a profile is one text file, or two tables (NODES.csv EDGES.csv), not " + joined(files)};
  }
  auto const read = [](std::string const& file) {
    return read_csv_table(tessera::detail::read_text_file(file), file, Quotes::read);
  };
  auto const first = read(files[0]);
  auto const second = read(files[1]);
  bool const is_swapped = !first.empty() && first.front().as_map().find("src") != nullptr;
  return is_swapped ? read_pipedream_tables(second, first) : read_pipedream_tables(first, second);
}

/// "vgg16" of profiles/vgg16.nodes.csv
std::string name_of(std::string const& file) {
  auto const stem = fs::path{file}.filename().string();
  return stem.substr(0, stem.find('.'));
}

/// network.yaml: network.times.yaml
std::string times_file(ProfileImportOptions const& options) {
  if (!options.times.empty()) return options.times;
  return fs::path{options.output}.replace_extension(".times.yaml").string();
}

/// What is written is what such files may say: both are read before one is written.
Outcome import_profile(ProfileImportOptions const& options) {
  if (options.batch < 1) throw ConfigError{{}, "--batch", "must be at least 1"};
  auto const profile = read_files(options.files);
  auto const imported = import_pipedream(profile, name_of(options.files.front()), options.batch);
  auto const times_path = times_file(options);
  auto const text = write_config(imported.network);
  auto const times_text = write_config(imported.times);
  auto const network = workloads::network_from(read_config_text(text, options.output));
  auto const times = arch::profile_from(read_config_text(times_text, times_path));
  traces::write_text_file(options.output, text, options.overwrite.overwrite());
  traces::write_text_file(times_path, times_text, options.overwrite.overwrite());
  Time sum{0};
  for (auto const& node : profile.nodes) sum += node.forward + node.backward;
  if (options.report.json) {
    return {document({{"schema", "tessera.import/1"},
                      {"network", network.name()},
                      {"operators", times.operators.size()},
                      {"weights", network.weights().value()},
                      {"minibatch_s", seconds(sum)},
                      {"times", times_path},
                      {"remarks", imported.remarks}}),
            ExitCode::done, imported.remarks};
  }
  auto const report = network.name() + ": " + std::to_string(times.operators.size()) +
                      " operators, " + std::to_string(network.weights().value()) + " weights, " +
                      to_text(sum) + " forward and backward for " + std::to_string(options.batch) +
                      " samples; times in " + times_path + "\n";
  return {report, ExitCode::done, imported.remarks};
}

}  // namespace

Command pipedream_import(Parser& import) {
  auto const options = std::make_shared<ProfileImportOptions>();
  auto* const parser =
      import.add_subcommand("pipedream",
                            "A profile of PipeDream's or DAPPLE's: a network of what "
                            "was measured, and its times");
  parser->footer(
      "Example:\n  tessera import pipedream vgg16.nodes.csv vgg16.edges.csv --batch 128 -o "
      "vgg16.yaml");
  parser->add_option("files", options->files, "graph.txt, or NODES.csv and EDGES.csv")
      ->required()
      ->type_name("FILE");
  parser->add_option("--batch", options->batch, "Samples that were measured together")
      ->required()
      ->type_name("N");
  parser->add_option("-o,--output", options->output, "Write the network as YAML")
      ->required()
      ->type_name("FILE");
  parser
      ->add_option("--times", options->times, "Write the times here (default: beside the network)")
      ->type_name("FILE");
  add_overwrite_options(*parser, options->overwrite);
  add_report_options(*parser, options->report);
  return {parser, [options] { return import_profile(*options); }};
}

}  // namespace tessera::sim
