// `tessera import dramsim3`: a memory from a configuration of DRAMsim3.
#include <filesystem>
#include <memory>
#include <optional>

#include "arch/base/config_name.hpp"
#include "arch/base/ini.hpp"
#include "arch/memory/import_dramsim3.hpp"
#include "sim/command/options.hpp"
#include "sim/import/imports.hpp"

namespace tessera::sim {

namespace {

struct DramSim3Options {
  std::string file;
  std::optional<std::string> output;
  OverwriteOptions overwrite;
};

Outcome import_memory(DramSim3Options const& options) {
  auto const name = as_name(std::filesystem::path{options.file}.stem().string());
  auto const text = arch::import_dramsim3(read_ini_file(options.file), name).text();
  if (!options.output) return {text};
  traces::write_text_file(*options.output, text, options.overwrite.overwrite());
  return {};
}

}  // namespace

Command dramsim3_import(Parser& import) {
  auto const options = std::make_shared<DramSim3Options>();
  auto* const parser =
      import.add_subcommand("dramsim3", "A memory from a configuration of DRAMsim3 (.ini)");
  parser->footer("Example:\n  tessera import dramsim3 HMC_4GB_4Lx16.ini -o memory.yaml");
  parser->add_option("file", options->file, "The configuration")->required()->type_name("FILE.ini");
  parser->add_option("-o,--output", options->output, "Write the memory here, not to stdout")
      ->type_name("FILE.yaml");
  add_overwrite_options(*parser, options->overwrite);
  return {parser, [options] { return import_memory(*options); }};
}

}  // namespace tessera::sim
