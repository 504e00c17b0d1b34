// `tessera probe memory`: requests to a memory, from a pattern or a file.
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>

#include "arch/base/config_source.hpp"
#include "arch/memory/dram_spec.hpp"
#include "arch/memory/dram_writer.hpp"
#include "sim/command/options.hpp"
#include "sim/model/memory/closed_loop.hpp"
#include "sim/model/memory/hmc/hmc_host.hpp"
#include "sim/probe/memory_report.hpp"
#include "sim/probe/probes.hpp"
#include "sim/probe/request_file.hpp"
#include "sim/study/version.hpp"
#include "traces/fingerprint.hpp"
#include "traces/hdf5_sink.hpp"

namespace tessera::sim {

namespace {

struct MemoryProbe {
  std::string memory;
  std::vector<std::string> settings;
  std::vector<std::string> traces;  ///< files of requests, or "commands"
  std::optional<std::string> requests_from;
  std::optional<std::string> pattern;
  std::size_t requests = 10'000;
  double read_fraction = 1;
  std::optional<std::int64_t> bytes;
  std::optional<std::size_t> outstanding;
  std::optional<std::int64_t> interval;
  std::uint64_t seed = 1;
  std::string through = "local";
  std::optional<std::string> output;
  OverwriteOptions overwrite;
  ReportOptions report;
};

/// The memory that the probe is about: by preset name or path.
arch::DramSpec probed_memory(MemoryProbe const& options) {
  constexpr std::string_view prefix = "memory.";
  std::vector<std::string> overrides;
  for (auto const& setting : options.settings) {
    if (setting.compare(0, prefix.size(), prefix) != 0) {
      throw ConfigError({"--set " + setting}, {},
                        "begins with no 'memory.' (it is what is probed)");
    }
    overrides.push_back(setting.substr(prefix.size()));
  }
  return arch::load_dram(options.memory, overrides);
}

/// Of a request: the memory's block, or less.
Bytes request_size(MemoryProbe const& options, arch::DramSpec const& spec) {
  auto const block = spec.block();
  if (!options.bytes) return block;
  auto const burst = spec.organization.burst().value();
  auto const bytes = *options.bytes;
  bool const fits = bytes >= burst && bytes <= block.value() && block.value() % bytes == 0;
  if (fits && bytes % burst == 0) return Bytes{bytes};
  throw ConfigError({"--bytes"}, {},
                    std::to_string(bytes) + " is no power of two from " + to_text(Bytes{burst}) +
                        " (a burst) to " + to_text(block) +
                        " (what the address map keeps together)");
}

MemoryTraffic traffic_of(MemoryProbe const& options, arch::DramSpec const& spec) {
  auto const& pattern = *options.pattern;
  MemoryTraffic traffic;
  traffic.requests = options.requests;
  traffic.bytes = traffic.stride = static_cast<std::uint64_t>(request_size(options, spec).value());
  traffic.span = static_cast<std::uint64_t>(spec.organization.capacity().value());
  traffic.read_fraction = options.read_fraction;
  traffic.seed = options.seed;
  if (pattern == "sequential") return traffic;
  if (pattern == "random") {
    traffic.pattern = MemoryTraffic::Pattern::random;
    return traffic;
  }
  constexpr std::string_view prefix = "stride:";
  if (pattern.compare(0, prefix.size(), prefix) != 0) {
    throw ConfigError({"--pattern"}, {},
                      unknown_name("pattern", pattern, {"sequential", "random", "stride:BYTES"}));
  }
  auto stride = ConfigNode::scalar(pattern.substr(prefix.size()));
  stride.set_origin({"--pattern"});
  auto const bytes = stride.as<std::int64_t>();
  if (bytes < 1 || static_cast<std::uint64_t>(bytes) % traffic.bytes != 0) {
    throw stride.error("is no multiple of the " + std::to_string(traffic.bytes) +
                       " B of a request");
  }
  traffic.stride = static_cast<std::uint64_t>(bytes);
  return traffic;
}

std::vector<TimedRequest> requests_of(MemoryProbe const& options, arch::DramSpec const& spec) {
  if (options.requests_from) {
    auto const& path = *options.requests_from;
    return read_requests(tessera::detail::read_text_file(path), path, spec,
                         request_size(options, spec));
  }
  auto requests = make_requests(traffic_of(options, spec), spec);
  if (!options.interval) return requests;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    requests[i].cycle = static_cast<std::int64_t>(i) * *options.interval;
  }
  return requests;
}

/// What is sent, and how; the same words for the same requests.
std::string requested(MemoryProbe const& options) {
  auto text = "through " + options.through;
  if (options.outstanding) text += ", outstanding " + std::to_string(*options.outstanding);
  if (options.bytes) text += ", bytes " + std::to_string(*options.bytes);
  if (options.requests_from) {
    traces::Fingerprint content;
    content.add(tessera::detail::read_text_file(*options.requests_from));
    return text + ", requests with fingerprint " + traces::to_hex(content.value());
  }
  if (options.interval) text += ", interval " + std::to_string(*options.interval);
  return text + ", pattern " + *options.pattern + ", requests " + std::to_string(options.requests) +
         ", read fraction " + tessera::to_text(options.read_fraction);
}

traces::RunDescription description_of(arch::DramSpec const& spec, MemoryProbe const& options,
                                      std::string const& command_line) {
  traces::RunDescription run;
  run.tessera_version = version();
  run.commit = commit();
  run.command_line = command_line;
  run.seed = options.seed;
  run.options = requested(options);
  run.array = write_config(arch::to_config(spec));
  run.array_name = spec.name;
  for (std::int64_t i = 0; i < spec.organization.channels; ++i) {
    run.names.channels.push_back("channel-" + std::to_string(i));
  }
  run.names.command_kinds = command_names();
  return run;
}

MemoryRun drive(MemoryProbe const& options, arch::DramSpec const& spec,
                DramStack::Observer const& observer) {
  auto const requests = requests_of(options, spec);
  if (options.through == "local") {
    // As many offers per clock as the channels could take.
    auto const width = static_cast<int>(spec.organization.channels);
    return closed_loop(spec, requests, {width, options.outstanding.value_or(SIZE_MAX), {}},
                       observer);
  }
  if (!spec.hmc) {
    throw ConfigError({"--through"}, {}, spec.name + " has no links (it is no HMC); use local");
  }
  if (spec.policy.queues == arch::DramPolicy::Queues::separate) {
    throw ConfigError({"--through"}, {},
                      spec.name +
                          " has separate queues (a cube's vaults have one); set "
                          "memory.policy.queues=shared");
  }
  return run_host(spec, requests, {HmcCube::Side::upstream, options.outstanding.value_or(512), 1},
                  observer);
}

MemoryRun drive_into_file(MemoryProbe const& options, arch::DramSpec const& spec,
                          std::string const& command_line) {
  traces::Hdf5Sink sink{*options.output, traces::TraceLevel::commands,
                        options.overwrite.overwrite()};
  sink.begin(description_of(spec, options, command_line));
  auto run = drive(options, spec, [&](std::size_t channel, DramCommand const& command) {
    sink.record_command({spec.clock_period * command.cycle, static_cast<std::uint32_t>(channel),
                         command.row, command.bank, static_cast<std::uint8_t>(command.kind)});
  });
  traces::RunSummary summary;
  summary.complete = true;
  summary.time = run.finished;
  sink.end(summary);
  return run;
}

Outcome run(MemoryProbe options, std::string const& command_line) {
  bool traces_commands = false;
  for (auto const& trace : options.traces) {
    if (trace == "commands") {
      traces_commands = true;
    } else if (options.requests_from) {
      throw ConfigError({"--trace"}, {}, "a second file of requests, " + in_quotes(trace));
    } else {
      options.requests_from = trace;
    }
  }
  if (options.requests_from.has_value() == options.pattern.has_value()) {
    throw ConfigError({}, {}, "probe memory needs one of --trace FILE and --pattern");
  }
  if (traces_commands != options.output.has_value()) {
    throw ConfigError({}, {}, "--trace commands and -o go together");
  }
  auto const spec = probed_memory(options);
  auto const result =
      options.output ? drive_into_file(options, spec, command_line) : drive(options, spec, {});
  return {options.report.json ? memory_json(spec, result) : memory_text(spec, result)};
}

void add_traffic_options(Parser& parser, MemoryProbe& options) {
  parser.add_option("--pattern", options.pattern, "Addresses")
      ->type_name("sequential|random|stride:BYTES");
  parser.add_option("--requests", options.requests, "How many")
      ->within(1, 100'000'000)
      ->capture_default_str()
      ->type_name("N");
  parser.add_option("--read-fraction", options.read_fraction, "How many of them read")
      ->within(0.0, 1.0)
      ->capture_default_str()
      ->type_name("F");
  parser
      .add_option("--bytes", options.bytes,
                  "Of a request; else what the address map keeps together")
      ->type_name("N");
  parser
      .add_option("--outstanding", options.outstanding,
                  "At most so many unanswered; else what the queues take (links: 512)")
      ->within(std::int64_t{1}, std::numeric_limits<std::int64_t>::max())
      ->type_name("W");
  parser.add_option("--interval", options.interval, "Clocks between requests; else back to back")
      ->within(std::int64_t{1}, std::numeric_limits<std::int64_t>::max())
      ->type_name("CYCLES");
  parser.add_option("--seed", options.seed, "Of random patterns")->capture_default_str();
}

}  // namespace

Command memory_probe(Parser& probe, std::string const& command_line) {
  auto const options = std::make_shared<MemoryProbe>();
  auto* const parser = probe.add_subcommand("memory", "Requests to an HMC cube or HBM stacks");
  parser->footer(
      "Examples:\n"
      "  tessera probe memory -a hmc-2.1 --pattern random --requests 10000 --read-fraction 0.7\n"
      "  tessera probe memory -a hbm2 --trace requests.txt --json");
  parser
      ->add_option("-a,--arch", options->memory, "Memory: a preset (hmc-2.1, hbm2, ...) or a path")
      ->required()
      ->type_name("MEMORY");
  parser->add_option("--set", options->settings, "Override a key: memory.policy.page=open")
      ->one_value_each()
      ->type_name("KEY=VALUE");
  add_traffic_options(*parser, *options);
  parser
      ->add_option("--trace", options->traces,
                   "A file of requests (0xADDRESS READ|WRITE CYCLE); or 'commands': write every "
                   "DRAM command to -o; may be repeated")
      ->one_value_each()
      ->type_name("FILE|commands");
  parser->add_option("-o,--output", options->output, "Write the commands as HDF5")
      ->type_name("FILE");
  add_overwrite_options(*parser, options->overwrite);
  parser->add_option("--through", options->through, "How requests come to an HMC")
      ->one_of({"links", "local"})
      ->capture_default_str()
      ->type_name("links|local");
  add_report_options(*parser, options->report);
  return {parser, [options, command_line] { return run(*options, command_line); }};
}

}  // namespace tessera::sim
