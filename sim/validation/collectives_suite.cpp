// Collectives against ASTRA-sim 2 (Won et al., ISPASS 2023; commit 4b6e027) with its analytical networks, our latency, bandwidth and
// endpoints set to its own: an array sends the rounds that a plan's sums and gathers are made of (partition/geometry), lowered and
// run as `simulate` does; no plan has an all-to-all, whose messages run there the same way.
//
// Its congestion-aware switch stores messages before it forwards them, which no array's does: those rows run the same messages on the
// probe's network. Its congestion-unaware one cuts through and lets messages pass through each other. Switches that add have their
// closed form, to the picosecond. A collective in several splits is as many collectives one after another.

#include "arch/array/load.hpp"
#include "arch/collective/builtin_collectives.hpp"
#include "partition/geometry/group_collective.hpp"
#include "sim/lower/task_graph_builder.hpp"
#include "sim/model/fabric/collective/collective_run.hpp"
#include "sim/model/fabric/collective/in_switch.hpp"
#include "sim/shell/run.hpp"
#include "sim/study/collective_transfers.hpp"
#include "sim/study/process_pool.hpp"
#include "sim/validation/suites.hpp"
#include "traces/sink.hpp"
#include "workloads/load.hpp"

namespace tessera::sim {

namespace {

using arch::CollectiveKind;
using arch::CollectiveSpec;

arch::WireSpec const wire{Bandwidth{50 * (std::int64_t{1} << 30) * 8}, Time{500'000}};
constexpr Tick endpoint_delay = 10'000;                       // 10 ns
constexpr Bandwidth memory_bandwidth{1'600'000'000'000 * 8};  // local-mem-bw

struct CollectiveCase {
  bool aware = false;    ///< of congestion
  std::string topology;  ///< in our words
  std::int64_t ranks = 0;
  CollectiveKind kind = CollectiveKind::all_reduce;
  std::string algorithm;  ///< in our words
  std::int64_t kibibytes = 0;
  std::int64_t splits = 1;
  std::string time_ns;
  std::string title;  ///< in ASTRA-sim's words
};

// ASTRA-sim's words, and ours.
std::vector<std::pair<std::string, std::string>> const topologies = {
    {"Ring", "ring"}, {"Switch", "star"}, {"FullyConnected", "full"}};
std::vector<std::pair<std::string, CollectiveKind>> const kinds = {
    {"all_reduce", CollectiveKind::all_reduce},
    {"reduce_scatter", CollectiveKind::reduce_scatter},
    {"all_gather", CollectiveKind::all_gather},
    {"all_to_all", CollectiveKind::all_to_all}};
std::vector<std::pair<std::string, std::string>> const algorithms = {
    {"ring", "ring"}, {"direct", "direct"}, {"halvingDoubling", "halving-doubling"}};

[[nodiscard]] std::string title_of(ConfigMap& map) {
  auto const word = [&map](char const* key) { return map.required<std::string>(key); };
  return word("topology") + ' ' + word("npus") + ", " + word("collective") + ' ' +
         word("algorithm") + ", " + word("size_kib") + " KiB" +
         (word("splits") == "1" ? "" : " in " + word("splits"));
}

[[nodiscard]] CollectiveCase case_of(ConfigNode const& line) {
  auto map = line.as_map();
  CollectiveCase it;
  it.aware = map.choice<bool>("backend", {{"aware", true}, {"unaware", false}});
  it.topology = map.choice("topology", topologies);
  it.ranks = map.required<std::int64_t>("npus");
  it.kind = map.choice("collective", kinds);
  it.kibibytes = map.required<std::int64_t>("size_kib");
  it.algorithm = map.choice("algorithm", algorithms);
  it.splits = map.required<std::int64_t>("splits");
  it.time_ns = map.required<std::string>("time_ns");
  it.title = title_of(map);
  map.finish();
  return it;
}

[[nodiscard]] CollectiveSpec spec_of(CollectiveCase const& it) {
  CollectiveSpec spec;
  spec.kind = it.kind;
  spec.algorithm = arch::builtin_collective(it.algorithm);
  auto const ranks = spec.kind == CollectiveKind::all_gather ? it.ranks : 1;
  spec.size = it.kibibytes * 1024 * ranks / it.splits;
  return spec;
}

/// Of ASTRA-sim's endpoints: from the arrival of a message until the next one leaves, and back at
/// the dispatcher when that has arrived, three messages of 10 clocks of 3 GHz pass.
[[nodiscard]] arch::ArraySpec array_of(CollectiveCase const& it) {
  std::string const link =
      "{bandwidth: " + to_text(wire.bandwidth) + ", latency: " + to_text(wire.latency) + "}";
  auto const ranks = std::to_string(it.ranks);
  std::string const kind = it.topology == "full" ? "fully-connected" : it.topology;
  return arch::load("hypar-paper",
                    {"accelerators=" + ranks, "execution.overlap=communication",
                     "accelerator.clock=3 GHz", "accelerator.dispatch={latency: 10}",
                     "accelerator.reduce={bandwidth: " + to_text(memory_bandwidth) + "}",
                     "fabric={clock: 3 GHz, hop: {latency: 0}, topology: {kind: " + kind +
                         ", shape: [" + ranks + "], link: " + link + "}}"});
}

/// In an array. Runs in a process of its own.
[[nodiscard]] Tick time_in_array(CollectiveCase const& it) {
  auto const array = array_of(it);
  auto const ranks = static_cast<std::size_t>(it.ranks);
  auto const all = partition::everybody(ranks);
  TaskGraphBuilder build{array, Folding{ranks}, Bytes{1}};
  static_cast<void>(build.exchange({workloads::OperatorId{0}}, all,
                                   partition::rounds_of(spec_of(it), all), build.at_start()));
  auto tasks = build.take();
  tasks.set_operators(workloads::load("hypar/sconv").operators(), Bytes{1});
  traces::NullSink sink;
  auto const report = run(array, tasks, sink);
  ENSURES(report.summary.complete, report.stuck.size());
  return report.summary.time.value();
}

/// Does its switch store and forward?
[[nodiscard]] bool stores(CollectiveCase const& it) { return it.topology == "star" && it.aware; }

[[nodiscard]] Tick time_in_probe(CollectiveCase const& it) {
  auto topology = arch::topology_from(it.topology + ':' + std::to_string(it.ranks), wire);
  topology.port.reset();
  arch::Interconnect const net{topology};
  auto network = roomy_network(net, 0);
  network.switching = Switching::store_and_forward;
  EndpointSpec endpoints;
  endpoints.endpoint_delay = endpoint_delay;
  endpoints.reduce_bandwidth = memory_bandwidth;
  auto const graph = transfers_of(spec_of(it), static_cast<std::uint32_t>(it.ranks));
  return run_transfers(net, network, endpoints, graph).time;
}

[[nodiscard]] Job job_of(CollectiveCase const& it) {
  return {"simulating " + it.title,
          [it] {
            return std::to_string(it.splits * (stores(it) ? time_in_probe(it) : time_in_array(it)));
          },
          std::nullopt};
}

/// Known differences, by their rows in DEVIATIONS.md.
[[nodiscard]] std::optional<std::string> deviation_of(CollectiveCase const& it) {
  auto const on_switch = it.topology == "star";
  if (on_switch && it.algorithm == "direct" && !it.aware) return "D41";
  auto const all_reduces = it.kind == CollectiveKind::all_reduce;
  auto const reduces = all_reduces || it.kind == CollectiveKind::reduce_scatter;
  if (it.algorithm != "halving-doubling" || !reduces || it.kibibytes != 1024) {
    return std::nullopt;
  }
  // What it counts less weighs least where everything else takes long.
  auto const weighs_little = (it.ranks == 16 && it.splits == 4) && (it.aware || all_reduces);
  auto const twice_as_long = it.aware && all_reduces;
  if (weighs_little || twice_as_long) return std::nullopt;
  return "D42";
}

[[nodiscard]] Row row_of(CollectiveCase const& it, std::string const& time_ps) {
  Row row;
  row.suite = "collectives";
  row.source = std::string{"ASTRA-sim 2, congestion-"} + (it.aware ? "aware" : "unaware");
  row.title = it.title;
  row.metric = "time";
  row.unit = "ns";
  row.reference = Figure::written(it.time_ns);
  row.value = Figure::of(std::stod(time_ps) / 1000);
  row.tolerance = {Tolerance::Kind::relative, 0.02};
  row.deviation = deviation_of(it);
  return judged(row);
}

/// Switches that add, where nothing is published in figures: 2 L latencies, and (K + L) times a
/// chunk of K on a wire, over L levels of links (in_switch.hpp).
[[nodiscard]] Row in_switch_row(std::string const& name, std::int64_t levels) {
  constexpr std::int64_t chunks = 16;
  constexpr Bytes chunk{1 << 20};
  arch::Interconnect const net{arch::topology_from(name, wire)};
  std::vector<std::int64_t> const vector(chunks, chunk.value());
  auto const time = run_in_switch(net, roomy_network(net, 0), {}, vector).time;
  auto const expected = 2 * levels * wire.latency + (chunks + levels) * (chunk / wire.bandwidth);
  Row row;
  row.suite = "collectives";
  row.source = "SHArP (COMHPC 2016), closed form";
  row.title = name + ", all_reduce in switches, 16384 KiB in 16";
  row.metric = "time";
  row.unit = "ps";
  row.reference = Figure::of_count(expected.value());
  row.value = Figure::of_count(time);
  return judged(row);
}

class CollectivesSuite final : public Suite {
 public:
  [[nodiscard]] std::vector<Row> run(ValidationOptions const& options) const override {
    std::vector<CollectiveCase> cases;
    std::vector<Job> jobs;
    for (auto const& line : reference_table("fabric/astra_sim")) {
      cases.push_back(case_of(line));
      jobs.push_back(job_of(cases.back()));
    }
    auto const times = run_jobs(jobs, options.workers);
    std::vector<Row> rows;
    for (std::size_t i = 0; i < cases.size(); ++i) rows.push_back(row_of(cases[i], times[i]));
    rows.push_back(in_switch_row("star:16", 1));
    rows.push_back(in_switch_row("fat-tree:4x3", 3));
    return rows;
  }
};

}  // namespace

std::unique_ptr<Suite> collectives_suite() { return std::make_unique<CollectivesSuite>(); }

}  // namespace tessera::sim
