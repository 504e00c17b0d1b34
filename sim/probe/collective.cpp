// `tessera probe collective`: a collective alone on an interconnect.
#include <algorithm>
#include <limits>
#include <memory>
#include <optional>

#include <nlohmann/json.hpp>

#include "arch/collective/builtin_collectives.hpp"
#include "sim/command/options.hpp"
#include "sim/model/fabric/collective/collective_run.hpp"
#include "sim/model/fabric/collective/in_switch.hpp"
#include "sim/model/fabric/collective/least_time.hpp"
#include "sim/model/fabric/packet/make_network.hpp"
#include "sim/probe/chosen.hpp"
#include "sim/probe/fabric_file.hpp"
#include "sim/probe/fabric_report.hpp"
#include "sim/probe/probes.hpp"
#include "sim/study/collective_transfers.hpp"
#include "sim/study/result.hpp"
#include "sim/terminal/progress.hpp"
#include "sim/terminal/table.hpp"

namespace tessera::sim {

namespace {

struct CollectiveProbe {
  std::string kind = "allreduce";
  std::string algorithm = "auto";
  FabricOptions fabric;
  FabricFiles files;
  std::string bandwidth;
  std::string latency;
  std::string router_latency = "0 ns";
  std::string endpoint_delay = "0 ns";
  std::string reduce_bandwidth;
  std::string bytes;
  std::string packet;
  std::int64_t chunks = 16;
  std::int64_t from = 0;
  std::int64_t to = 0;
  ReportOptions report;
};

/// A quantity as files write it: "82 GB/s".
template <typename Q>
[[nodiscard]] Q quantity(std::string const& option, std::string const& text) {
  return read_config_text(option + ": " + text, "--" + option).as_map().required<Q>(option);
}

/// "64 MiB", or a bare number of bytes.
[[nodiscard]] std::int64_t byte_count(std::string const& option, std::string const& text) {
  auto const is_bare = text.find_first_not_of("0123456789") == std::string::npos && !text.empty();
  return quantity<Bytes>(option, is_bare ? text + " B" : text).value();
}

using Algorithm = std::shared_ptr<arch::CollectiveAlgorithm const>;

/// Everything that does not depend on the algorithm.
struct Problem {
  arch::TopologySpec topology;
  arch::Interconnect interconnect;
  CutThroughSpec network;
  EndpointSpec endpoints;
  std::optional<arch::InterconnectSpec> file;
};

[[nodiscard]] std::uint32_t packet_of(std::int64_t bytes) {
  if (bytes < 1 || bytes > std::numeric_limits<std::uint32_t>::max()) {
    throw refused("a packet must be from 1 B to 4 GiB");
  }
  return static_cast<std::uint32_t>(bytes);
}

[[nodiscard]] std::optional<std::uint32_t> packet_option(CollectiveProbe const& options) {
  if (options.packet.empty()) return std::nullopt;
  return packet_of(byte_count("packet", options.packet));
}

[[nodiscard]] Problem short_problem_of(CollectiveProbe const& options) {
  if (options.bandwidth.empty() || options.latency.empty()) {
    throw refused("--topology needs --bandwidth and --latency of its links");
  }
  arch::WireSpec const wire{quantity<Bandwidth>("bandwidth", options.bandwidth),
                            quantity<Time>("latency", options.latency), duplex_of(options.fabric)};
  if (!(wire.bandwidth > Bandwidth{0})) throw refused("--bandwidth is zero");
  auto topology = arch::topology_from(options.fabric.topology, wire);
  topology.port.reset();  // an endpoint is its router, where it has one of its own
  arch::Interconnect interconnect{topology};
  Problem problem{std::move(topology), std::move(interconnect), {}, {}, {}};
  problem.endpoints.packet_bytes = packet_option(options);
  problem.network = roomy_network(problem.interconnect,
                                  quantity<Time>("router-latency", options.router_latency).value(),
                                  problem.endpoints.packet_bytes);
  if (problem.network.pipeline == 0 && wire.latency == Time{0}) {
    throw refused("--latency and --router-latency are both zero (a hop must take time)");
  }
  return problem;
}

[[nodiscard]] Problem problem_of(arch::InterconnectSpec const& fabric,
                                 arch::Interconnect interconnect) {
  if (fabric.packets.switching == Switching::wormhole) {
    throw refused("-a " + fabric.name +
                  " says switching: wormhole, which collectives by themselves "
                  "do not run on; use --set fabric.switching=cut-through");
  }
  Problem problem{fabric.topology, std::move(interconnect), {}, {}, fabric};
  problem.network = wired_network(fabric.packets, problem.interconnect);
  return problem;
}

[[nodiscard]] Problem problem_of(CollectiveProbe const& options) {
  auto file = fabric_file(options.fabric);
  auto problem =
      file ? problem_of(file->spec, std::move(file->interconnect)) : short_problem_of(options);
  if (file) {
    auto const& packets = file->spec.packets;
    auto const data = packet_option(options).value_or(packet_of(packets.packet.value()));
    auto const whole = packet_of(data + packets.header.value());
    problem.endpoints.packet_bytes = data;
    problem.endpoints.packet_header = whole - data;
  }
  problem.endpoints.endpoint_delay =
      quantity<Time>("endpoint-delay", options.endpoint_delay).value();
  if (!options.reduce_bandwidth.empty()) {
    problem.endpoints.reduce_bandwidth =
        quantity<Bandwidth>("reduce-bandwidth", options.reduce_bandwidth);
  }
  return problem;
}

[[nodiscard]] Algorithm algorithm_called(std::string const& name) {
  return chosen("--algorithm", name, arch::all_of(arch::builtin_collectives()));
}

struct Found {
  std::string algorithm;
  TransferResult result;
  std::optional<FabricEnergy> energy = {};
};

[[nodiscard]] arch::CollectiveSpec spec_of(CollectiveProbe const& options, Problem const& problem,
                                           Algorithm algorithm) {
  arch::CollectiveSpec spec;
  spec.kind = chosen("--kind", options.kind, arch::collective_kinds());
  spec.algorithm = std::move(algorithm);
  spec.size = byte_count("bytes", options.bytes);
  spec.chunks = options.chunks;
  spec.from = options.from;
  spec.to = options.to;
  auto const kind = problem.topology.kind;
  if (kind == arch::TopologySpec::Kind::mesh || kind == arch::TopologySpec::Kind::torus) {
    spec.shape = problem.topology.shape;
  }
  return spec;
}

[[nodiscard]] std::uint32_t ranks_of(Problem const& problem) {
  return static_cast<std::uint32_t>(problem.interconnect.endpoints());
}

/// Why there is no such collective here; empty if there is.
[[nodiscard]] std::string problem_with(arch::CollectiveSpec const& spec, Problem const& problem) {
  auto why = arch::collective_problem(spec, ranks_of(problem));
  if (!why.empty()) return why;
  if (spec.size < 1 || spec.size > std::numeric_limits<std::uint32_t>::max()) {
    return "bytes must be from 1 to 4 GiB";
  }
  if (spec.algorithm->adds_in_switches() && !has_tree_of_switches(problem.topology)) {
    return "it needs switches that add (a star, tree or fat tree: no endpoints that are routers)";
  }
  return {};
}

[[nodiscard]] Found run_one(Problem const& problem, arch::CollectiveSpec const& spec,
                            std::string const& name, Progress::Wanted wanted) {
  auto const why = problem_with(spec, problem);
  if (!why.empty()) throw refused("--algorithm " + name + ": " + why);
  if (spec.algorithm->adds_in_switches()) {
    if (problem.interconnect.has_half_duplex()) {
      throw refused("--algorithm " + name +
                    ": it needs full-duplex links (sums come down while operands go up)");
    }
    auto const chunks = pieces_of(spec, ranks_of(problem));
    return {name, run_in_switch(problem.interconnect, problem.network, problem.endpoints, chunks)};
  }
  auto const graph = transfers_of(spec, ranks_of(problem));
  Progress progress{graph.transfers().size(), "messages", wanted};
  auto result = run_transfers(problem.interconnect, problem.network, problem.endpoints, graph,
                              [&](std::size_t done) { progress.update(done, name); });
  return {name, std::move(result)};
}

/// An algorithm that has a meaning here and needs nothing of switches, and the time that it takes
/// at least.
struct Candidate {
  std::string name;
  arch::CollectiveSpec spec;
  Tick least = 0;
};

[[nodiscard]] std::vector<Candidate> candidates_of(CollectiveProbe const& options,
                                                   Problem const& problem) {
  std::vector<Candidate> candidates;
  for (auto const& [name, algorithm] : arch::all_of(arch::builtin_collectives())) {
    if (algorithm->adds_in_switches()) continue;
    auto const spec = spec_of(options, problem, algorithm);
    if (!problem_with(spec, problem).empty()) continue;
    auto const graph = transfers_of(spec, ranks_of(problem));
    candidates.push_back(
        {name, spec, least_time(problem.interconnect, problem.network, problem.endpoints, graph)});
  }
  return candidates;
}

/// The fastest of all by simulation. Those that cannot be faster than the best so far are not
/// simulated: of equals it is the one of which the least was to be expected, and then the first.
[[nodiscard]] Found run_fastest(CollectiveProbe const& options, Problem const& problem) {
  auto candidates = candidates_of(options, problem);
  if (candidates.empty()) {
    auto const spec = spec_of(options, problem, arch::builtin_collective("direct"));
    throw refused("no algorithm makes this collective here: " + problem_with(spec, problem));
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](auto const& a, auto const& b) { return a.least < b.least; });
  auto best =
      run_one(problem, candidates.front().spec, candidates.front().name, options.report.progress());
  for (auto it = candidates.begin() + 1; it != candidates.end(); ++it) {
    if (it->least >= best.result.time) break;
    auto found = run_one(problem, it->spec, it->name, options.report.progress());
    if (found.result.time < best.result.time) best = std::move(found);
  }
  return best;
}

[[nodiscard]] Found find(CollectiveProbe const& options, Problem const& problem) {
  if (options.algorithm == "auto") return run_fastest(options, problem);
  return run_one(problem, spec_of(options, problem, algorithm_called(options.algorithm)),
                 options.algorithm, options.report.progress());
}

void write_files(CollectiveProbe const& options, Problem const& problem, Found const& found) {
  auto const& files = options.files;
  if (!files.links.empty()) {
    write_links(files, problem.interconnect, found.result.use, "bytes");
  }
  if (files.matrix.empty()) return;
  auto const ranks = problem.interconnect.endpoints();
  auto const spec = spec_of(options, problem, algorithm_called(found.algorithm));
  auto const graph = transfers_of(spec, ranks_of(problem));
  std::vector<std::int64_t> matrix(ranks * ranks);
  for (auto const& transfer : graph.transfers()) {
    if (transfer.source == transfer.destination) continue;
    matrix[transfer.source * ranks + transfer.destination] += transfer.bytes;
  }
  write_matrix(files, matrix, ranks, "bytes");
}

[[nodiscard]] Found run(CollectiveProbe const& options) {
  bool const adds_in_switches =
      options.algorithm != "auto" && algorithm_called(options.algorithm)->adds_in_switches();
  if (adds_in_switches && !options.files.matrix.empty()) {
    throw refused("--matrix has no meaning with --algorithm " + options.algorithm +
                  " (endpoints send to switches); use --links");
  }
  auto const problem = problem_of(options);
  auto found = find(options, problem);
  if (problem.file) {
    FabricUnits const bytes{8, problem.file->packets.flit.value()};
    found.energy = {
        counts_of(problem.interconnect, problem.network.channels, found.result.use, bytes),
        problem.file->energy};
  }
  write_files(options, problem, found);
  return found;
}

[[nodiscard]] std::string as_json(CollectiveProbe const& options, Found const& found) {
  auto const& result = found.result;
  Json json{{"schema", "tessera.probe.collective/1"},
            {"kind", options.kind},
            {"algorithm", found.algorithm},
            {"topology", name_of(options.fabric)},
            {"time_s", seconds(Time{result.time})},
            {"time_ps", result.time},
            {"messages", result.messages},
            {"bytes_sent", result.bytes},
            {"busiest_link_bytes", result.busiest_bytes}};
  if (found.energy) json["energy"] = as_json(*found.energy);
  return document(json);
}

[[nodiscard]] std::string as_text(Found const& found) {
  auto const& result = found.result;
  Table table{{{"", Table::Align::left}, {"value"}}};
  table.add({"algorithm", found.algorithm});
  table.add({"time", time_text(seconds(Time{result.time}))});
  table.add({"messages", std::to_string(result.messages)});
  table.add({"sent by all", bytes_text(static_cast<double>(result.bytes))});
  table.add({"over the busiest link", bytes_text(static_cast<double>(result.busiest_bytes))});
  return found.energy ? table.text() + '\n' + as_text(*found.energy) : table.text();
}

void add_options(Parser& parser, CollectiveProbe& options) {
  parser
      .add_option("--kind", options.kind,
                  "allreduce, reducescatter, allgather, alltoall, broadcast or reshard")
      ->capture_default_str();
  parser
      .add_option("--algorithm", options.algorithm,
                  joined(arch::builtin_collectives().names()) +
                      "; auto: the fastest, by simulation, but in-switch (SHARP: the switches of a "
                      "star, tree or fat tree add)")
      ->capture_default_str();
  auto* const in_file = add_fabric_options(parser, options.fabric);
  parser.add_option("--bytes", options.bytes, "The vector of a rank: '64 MiB'")->required();
  parser.add_option("--bandwidth", options.bandwidth, "Of a link, each way: '82 GB/s'")
      ->excludes(in_file);
  parser.add_option("--latency", options.latency, "Of a link: '1 us'")->excludes(in_file);
  parser.add_option("--router-latency", options.router_latency, "Of a router")
      ->capture_default_str()
      ->excludes(in_file);
  parser.add_option("--endpoint-delay", options.endpoint_delay, "From arrival to what follows")
      ->capture_default_str();
  parser.add_option("--reduce-bandwidth", options.reduce_bandwidth,
                    "Of the memory in which a receiver reduces; none: it takes no time");
  parser.add_option(
      "--packet", options.packet,
      "Messages go in packets with so much data; default: whole, or the fabric's packet");
  add_file_options(parser, options.files);
  parser.add_option("--from", options.from,
                    "Of a reshard: that many ranks, the first, hold --bytes");
  parser.add_option("--to", options.to, "Of a reshard: that many ranks, the last, want them");
  parser.add_option("--chunks", options.chunks, "Pipeline of the trees and of in-switch")
      ->within(1, 1 << 16, Option::InHelp::yes)
      ->capture_default_str();
}

}  // namespace

Command collective_probe(Parser& probe) {
  auto const options = std::make_shared<CollectiveProbe>();
  auto* const parser = probe.add_subcommand("collective", "A collective alone on an interconnect");
  parser->footer(
      "Example:\n  tessera probe collective --kind allreduce --algorithm auto --topology torus:4x4 "
      "--bytes '64 MiB' --bandwidth '82 GB/s' --latency '1 us'\n  tessera probe collective -a "
      "hmc-mesh --bytes '1 MiB'");
  add_options(*parser, *options);
  add_report_options(*parser, options->report);
  return {parser, [options]() -> Outcome {
            auto const found = run(*options);
            return {options->report.json ? as_json(*options, found) : as_text(found)};
          }};
}

}  // namespace tessera::sim
