// `tessera probe fabric`: an interconnect under synthetic traffic.
#include <algorithm>
#include <memory>
#include <optional>

#include <nlohmann/json.hpp>

#include "sim/app/options.hpp"
#include "sim/app/probe/chosen.hpp"
#include "sim/app/probe/fabric_file.hpp"
#include "sim/app/probe/fabric_report.hpp"
#include "sim/app/probe/probes.hpp"
#include "sim/app/result.hpp"
#include "sim/app/table.hpp"
#include "sim/model/fabric/load_test.hpp"
#include "sim/model/fabric/quickest_network.hpp"
#include "sim/model/fabric/wormhole_network.hpp"

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

enum class FlowControl : std::uint8_t { wormhole, cut_through };

/// A load test's result, and what it put on the links.
struct Measured {
  LoadResult result;
  FabricUse use;
  std::optional<FabricEnergy> energy;
  double cycle_seconds = 0;  ///< of a fabric's file
  std::uint32_t packet_flits = 1;
};

[[nodiscard]] arch::Interconnect interconnect_of(FabricProbe const& options) {
  // Cycles are what counts here; the wire's own figures are not used.
  arch::WireSpec const wire{Bandwidth{1'000'000'000}, Time{1'000}, duplex_of(options.fabric)};
  auto const paths =
      chosen<arch::Paths>("--paths", options.paths,
                          {{"one", arch::Paths::one}, {"equal-cost", arch::Paths::equal_cost}});
  return arch::Interconnect{arch::topology_from(options.fabric.topology, wire), paths};
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

[[nodiscard]] Arbitration arbitration_of(FabricProbe const& options) {
  return chosen<Arbitration>(
      "--arbitration", options.arbitration,
      {{"round-robin", Arbitration::round_robin}, {"oldest-first", Arbitration::oldest_first}});
}

template <typename Network>
[[nodiscard]] Measured run_on(Network& network, arch::Interconnect const& net,
                              LoadTest const& test) {
  auto result = run_load_test(network, net.endpoints(), test);
  auto use = use_of(network, net, result.cycles);
  return {std::move(result), std::move(use), {}, 0, test.traffic.packet_flits};
}

[[nodiscard]] Measured run_quickest(arch::Interconnect const& net, CutThroughSpec const& spec,
                                    LoadTest const& test) {
  return with_quickest_network(net, spec, test.traffic.packet_flits,
                               [&](auto& network) { return run_on(network, net, test); });
}

[[nodiscard]] Measured run_wormhole(FabricProbe const& options, arch::Interconnect const& net,
                                    LoadTest const& test) {
  WormholeSpec spec;
  spec.virtual_channels = static_cast<std::uint32_t>(options.virtual_channels);
  spec.buffer_flits = static_cast<std::uint32_t>(options.buffer_flits);
  spec.arbitration = arbitration_of(options);
  spec.latency = IdVector<arch::ChannelId, Tick>{net.channels().size(), options.link_cycles};
  if (net.has_half_duplex()) {
    throw refused(
        "--duplex half is for --flow-control cut-through (links of wormhole routers carry flits "
        "both ways at once)");
  }
  if (!WormholeNetwork::takes(net, spec.virtual_channels)) {
    throw refused("a router has more than " +
                  std::to_string(WormholeNetwork::most_virtual_channels) +
                  " virtual channels; take fewer, or --flow-control cut-through");
  }
  WormholeNetwork network{net, spec};
  return run_on(network, net, test);
}

[[nodiscard]] Measured run_cut_through(FabricProbe const& options, arch::Interconnect const& net,
                                       LoadTest const& test) {
  CutThroughSpec spec;
  spec.virtual_channels = static_cast<std::uint32_t>(options.virtual_channels);
  spec.buffer_packets =
      static_cast<std::uint32_t>(options.buffer_flits / test.traffic.packet_flits);
  spec.pipeline = options.pipeline_cycles;
  spec.arbitration = arbitration_of(options);
  spec.channels = clocked_timing(net, options.link_cycles);
  if (spec.buffer_packets == 0) {
    throw refused("--buffer-flits " + std::to_string(options.buffer_flits) +
                  " does not hold a packet (cut-through needs room for all of it); use " +
                  std::to_string(test.traffic.packet_flits) + " or more");
  }
  return run_quickest(net, spec, test);
}

[[nodiscard]] Measured measure_topology(FabricProbe const& options, arch::Interconnect const& net) {
  auto const test = load_test_of(options, net.endpoints(), options.packet_flits.value_or(1));
  auto const problem = arch::virtual_channel_problem(net, options.virtual_channels);
  if (!problem.empty()) throw refused("--virtual-channels " + problem);
  auto const flow_control = chosen<FlowControl>(
      "--flow-control", options.flow_control,
      {{"wormhole", FlowControl::wormhole}, {"cut-through", FlowControl::cut_through}});
  return flow_control == FlowControl::wormhole ? run_wormhole(options, net, test)
                                               : run_cut_through(options, net, test);
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
  auto const whole = tessera::detail::multiply_divide_ceil(largest.value(), 1, fabric.flit.value());
  auto const flits = options.packet_flits.value_or(whole);
  if (flits > whole) {
    throw refused("--packet-flits " + std::to_string(flits) + " is more than a packet of " +
                  fabric.name + " (" + std::to_string(whole) + " flits)");
  }
  auto test = load_test_of(options, net.endpoints(), flits);
  auto const spec = clocked_network(fabric, net);
  auto const hop = longest_hop(spec) + flits;
  if (!options.warm_up) test.warm_up = std::max(test.warm_up, 50 * hop);
  if (!options.cycles) test.window = std::max(test.window, 100 * hop);
  test.patience = test.window;
  auto measured = run_quickest(net, spec, test);
  measured.energy = {counts_of(net, spec.channels, measured.use, {fabric.flit.value() * 8, 1}),
                     fabric.energy};
  measured.cycle_seconds = cycle_seconds(fabric, net);
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
  parser->add_option("--flow-control", options->flow_control, "wormhole or cut-through")
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
