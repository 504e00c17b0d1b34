// `tessera probe fabric`: an interconnect under synthetic traffic.
#include <algorithm>
#include <memory>
#include <optional>

#include <nlohmann/json.hpp>

#include "sim/command/options.hpp"
#include "sim/model/fabric/packet/load_test.hpp"
#include "sim/model/fabric/packet/make_network.hpp"
#include "sim/probe/chosen.hpp"
#include "sim/probe/fabric_file.hpp"
#include "sim/probe/fabric_report.hpp"
#include "sim/probe/probes.hpp"
#include "sim/study/result.hpp"
#include "sim/terminal/table.hpp"

namespace tessera::sim {

namespace {

struct FabricProbe {
  FabricOptions fabric;
  FabricFiles files;
  std::string pattern = "uniform";
  std::string flow_control = "wormhole";
  std::string paths = "one";
  std::string arbitration = "round-robin";
  double rate = 0.1;
  std::optional<std::int64_t> packet_flits;
  std::int64_t virtual_channels = 4;
  std::int64_t buffer_flits = 8;
  std::int64_t link_cycles = 1;
  std::int64_t pipeline_cycles = 3;
  std::optional<std::int64_t> warm_up;
  std::optional<std::int64_t> cycles;
  std::int64_t seed = 1;
  ReportOptions report;
};

/// A load test's result, and what it put on the links.
struct Measured {
  LoadResult result;
  FabricUse use;
  std::optional<FabricEnergy> energy;
  double cycle_seconds = 0;  ///< of a fabric's file
  std::uint32_t packet_flits = 1;
};

/// Of a short topology: a link carries a flit in a cycle, which is a nanosecond.
constexpr Bytes short_flit{16};
constexpr Bandwidth short_wire{128'000'000'000};

[[nodiscard]] Time cycles(std::int64_t count) { return Time{1'000} * count; }

[[nodiscard]] arch::Interconnect interconnect_of(FabricProbe const& options) {
  arch::WireSpec const wire{short_wire, cycles(options.link_cycles), duplex_of(options.fabric)};
  auto const paths =
      chosen<arch::Paths>("--paths", options.paths,
                          {{"one", arch::Paths::one}, {"equal-cost", arch::Paths::equal_cost}});
  return arch::Interconnect{arch::topology_from(options.fabric.topology, wire), paths};
}

/// Routers of a short topology, and packets of so many flits.
[[nodiscard]] arch::PacketSpec packets_of(FabricProbe const& options, std::int64_t packet_flits) {
  arch::PacketSpec packets;
  packets.switching = chosen("--flow-control", options.flow_control, arch::switchings());
  packets.flit = short_flit;
  packets.packet = short_flit * packet_flits;
  packets.router.pipeline = cycles(options.pipeline_cycles);
  packets.router.virtual_channels = options.virtual_channels;
  packets.router.buffer_packets = options.buffer_flits / packet_flits;
  packets.router.arbitration = chosen("--arbitration", options.arbitration, arch::arbitrations());
  if (packets.switching == Switching::wormhole) {
    packets.router.pipeline = cycles(least_wormhole_pipeline);
    packets.router.buffer_flits = options.buffer_flits;
  }
  return packets;
}

[[nodiscard]] LoadTest load_test_of(FabricProbe const& options, std::size_t endpoints,
                                    std::int64_t packet_flits) {
  if (!(options.rate > 0) || options.rate > static_cast<double>(packet_flits)) {
    throw refused("--rate must be above 0 and at most one packet per cycle (it counts flits)");
  }
  if (options.rate / static_cast<double>(packet_flits) < least_packet_rate) {
    throw refused(
        "--rate must be at least one packet per endpoint in 10^9 cycles (it counts flits)");
  }
  LoadTest test;
  if (!options.files.matrix.empty()) test.matrix = TrafficMatrix::counted;
  test.traffic.pattern = chosen("--pattern", options.pattern, traffic_patterns());
  test.traffic.rate = options.rate;
  test.traffic.packet_flits = static_cast<std::uint32_t>(packet_flits);
  test.traffic.seed = static_cast<std::uint64_t>(options.seed);
  test.warm_up = options.warm_up.value_or(10'000);
  test.window = options.cycles.value_or(50'000);
  test.patience = test.window;
  if (!fits(test.traffic.pattern, endpoints)) {
    throw refused("--pattern " + options.pattern + " has no meaning for " +
                  std::to_string(endpoints) + " endpoints");
  }
  return test;
}

[[nodiscard]] Measured run_on(arch::PacketSpec const& packets, arch::Interconnect const& net,
                              LoadTest const& test) {
  auto const network = make_clocked_network(packets, net, test.traffic.packet_flits);
  auto result = run_load_test(*network, net.endpoints(), test);
  auto use = use_of(*network, net, result.cycles);
  return {std::move(result), std::move(use), {}, 0, test.traffic.packet_flits};
}

/// Throws where the routers cannot be those of a short topology.
void check_routers(FabricProbe const& options, arch::PacketSpec const& packets,
                   arch::Interconnect const& net) {
  auto const problem = arch::virtual_channel_problem(net, options.virtual_channels);
  if (!problem.empty()) throw refused("--virtual-channels " + problem);
  if (packets.switching == Switching::wormhole) {
    auto const reason = arch::wormhole_problem(net, packets);
    if (!reason.empty()) {
      throw refused("--topology " + options.fabric.topology + ' ' + reason +
                    " (--flow-control cut-through)");
    }
  } else if (packets.router.buffer_packets == 0) {
    throw refused("--buffer-flits " + std::to_string(options.buffer_flits) +
                  " does not hold a packet (cut-through needs room for all of it); use " +
                  std::to_string(packets.flits(packets.packet)) + " or more");
  }
}

[[nodiscard]] Measured measure_topology(FabricProbe const& options, arch::Interconnect const& net) {
  auto const flits = options.packet_flits.value_or(1);
  auto const test = load_test_of(options, net.endpoints(), flits);
  auto const packets = packets_of(options, flits);
  check_routers(options, packets, net);
  return run_on(packets, net, test);
}

/// Cycles of the slowest link and a router.
[[nodiscard]] Tick longest_hop(CutThroughSpec const& spec) {
  Tick longest = 0;
  for (auto const& channel : spec.channels) longest = std::max(longest, channel.latency);
  return longest + spec.pipeline;
}

/// Packets are as large as the file says, and the test lasts for many hops, unless the options say
/// how large and how long.
[[nodiscard]] Measured measure_file(FabricProbe const& options,
                                    arch::InterconnectSpec const& fabric,
                                    arch::Interconnect const& net) {
  auto const largest = fabric.packets.packet + fabric.packets.header;
  auto const whole = fabric.packets.flits(largest);
  auto const flits = options.packet_flits.value_or(whole);
  if (flits > whole) {
    throw refused("--packet-flits " + std::to_string(flits) + " is more than a packet of " +
                  fabric.name + " (" + std::to_string(whole) + " flits)");
  }
  auto test = load_test_of(options, net.endpoints(), flits);
  auto const spec = clocked_network(fabric.packets, net);  // in its wires, all switchings are alike
  auto const hop = longest_hop(spec) + flits;
  if (!options.warm_up) test.warm_up = std::max(test.warm_up, 50 * hop);
  if (!options.cycles) test.window = std::max(test.window, 100 * hop);
  test.patience = test.window;
  auto measured = run_on(fabric.packets, net, test);
  measured.energy = {
      counts_of(net, spec.channels, measured.use, {fabric.packets.flit.value() * 8, 1}),
      fabric.energy};
  measured.cycle_seconds = cycle_seconds(fabric.packets, net);
  return measured;
}

void write_files(FabricProbe const& options, arch::Interconnect const& net,
                 Measured const& measured) {
  auto const& files = options.files;
  if (!files.links.empty()) write_links(files, net, measured.use, "flits");
  if (!files.matrix.empty()) {
    write_matrix(files, measured.result.matrix, net.endpoints(), "flits");
  }
}

[[nodiscard]] Measured measure(FabricProbe const& options) {
  auto file = fabric_file(options.fabric);
  auto const net = file ? std::move(file->interconnect) : interconnect_of(options);
  auto measured = file ? measure_file(options, file->spec, net) : measure_topology(options, net);
  write_files(options, net, measured);
  return measured;
}

[[nodiscard]] std::string as_json(FabricProbe const& options, Measured const& measured) {
  auto const& result = measured.result;
  Json json{{"schema", "tessera.probe.fabric/1"},
            {"topology", name_of(options.fabric)},
            {"pattern", options.pattern},
            {"rate", options.rate},
            {"packet_flits", measured.packet_flits},
            {"mean_latency_cycles", result.mean_latency},
            {"network_latency_cycles", result.network_latency},
            {"max_latency_cycles", result.longest_latency},
            {"offered_rate", result.offered_rate},
            {"accepted_rate", result.accepted_rate},
            {"mean_hops", result.mean_hops},
            {"packets", result.packets},
            {"cycles", result.cycles},
            {"saturated", result.saturated}};
  if (measured.energy) {
    json["cycle_s"] = measured.cycle_seconds;
    json["energy"] = as_json(*measured.energy);
  }
  return document(json);
}

[[nodiscard]] std::string as_text(Measured const& measured) {
  auto const& result = measured.result;
  Table table{{{"", Table::Align::left}, {"value"}, {"unit", Table::Align::left}}};
  table.add({"mean latency", number_text(result.mean_latency, 5), "cycles"});
  table.add({"in the network", number_text(result.network_latency, 5), "cycles"});
  table.add({"longest latency", std::to_string(result.longest_latency), "cycles"});
  table.add({"offered", number_text(result.offered_rate, 4), "flits/cycle and endpoint"});
  table.add({"accepted", number_text(result.accepted_rate, 4), "flits/cycle and endpoint"});
  table.add({"hops", number_text(result.mean_hops, 4), "routers"});
  table.add({"packets", std::to_string(result.packets), ""});
  if (measured.energy) table.add({"a cycle", time_text(measured.cycle_seconds), ""});
  auto text = table.text();
  if (measured.energy) text += '\n' + as_text(*measured.energy);
  if (result.saturated) {
    text += "saturated: packets kept waiting; latencies are of those that arrived\n";
  }
  return text;
}

/// `in_file`: the option that says them all at once.
void add_counts(Parser& parser, FabricProbe& options, Option* in_file) {
  auto const add = [&](char const* name, std::int64_t& value, char const* help, std::int64_t least,
                       std::int64_t most) {
    auto* const option = parser.add_option(name, value, help);
    return option->within(least, most, Option::InHelp::yes)->capture_default_str();
  };
  parser
      .add_option("--packet-flits", options.packet_flits,
                  "Flits of a packet; default: 1, or the fabric's packet")
      ->within(1, 1 << 20, Option::InHelp::yes);
  add("--virtual-channels", options.virtual_channels, "Virtual channels of a port", 1, 32)
      ->excludes(in_file);
  add("--buffer-flits", options.buffer_flits, "Buffer of a virtual channel", 1, 1 << 20)
      ->excludes(in_file);
  add("--link-cycles", options.link_cycles, "Latency of a link", 1, 1 << 20)->excludes(in_file);
  add("--pipeline-cycles", options.pipeline_cycles, "Latency of a cut-through router (wormhole: 3)",
      0, 1 << 20)
      ->excludes(in_file);
  parser
      .add_option("--warm-up", options.warm_up,
                  "Cycles before the measurement; default: 10000, or 50 hops of the fabric")
      ->within(0, 1 << 30, Option::InHelp::yes);
  parser
      .add_option("--cycles", options.cycles,
                  "Cycles of the measurement; default: 50000, or 100 hops of the fabric")
      ->within(1, 1 << 30, Option::InHelp::yes);
  add("--seed", options.seed, "Of the random traffic", 0, INT64_MAX);
}

}  // namespace

Command fabric_probe(Parser& probe) {
  auto const options = std::make_shared<FabricProbe>();
  auto* const parser = probe.add_subcommand("fabric", "An interconnect under synthetic traffic");
  parser->footer(
      "Example:\n  tessera probe fabric --topology torus:4x4 --pattern uniform --rate 0.4 "
      "--packet-flits 4\n  tessera probe fabric -a hmc-mesh --rate 0.4 --links links.csv");
  auto* const in_file = add_fabric_options(*parser, options->fabric);
  parser
      ->add_option("--pattern", options->pattern,
                   "uniform, uniform-others, transpose, neighbour or hotspot")
      ->capture_default_str();
  parser->add_option("--rate", options->rate, "Flits per endpoint and cycle")->required();
  parser
      ->add_option("--flow-control", options->flow_control,
                   "wormhole, cut-through or store-and-forward")
      ->capture_default_str()
      ->excludes(in_file);
  parser->add_option("--paths", options->paths, "one or equal-cost")
      ->capture_default_str()
      ->excludes(in_file);
  parser->add_option("--arbitration", options->arbitration, "round-robin or oldest-first")
      ->capture_default_str()
      ->excludes(in_file);
  add_counts(*parser, *options, in_file);
  add_file_options(*parser, options->files);
  add_report_options(*parser, options->report);
  return {parser, [options]() -> Outcome {
            auto const measured = measure(*options);
            return {options->report.json ? as_json(*options, measured) : as_text(measured)};
          }};
}

}  // namespace tessera::sim
