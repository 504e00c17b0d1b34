// The suite `memory`: other DRAM simulators, given their own parameters and their traffic, and what follows from a data sheet.
//
// Peers: sustained bandwidth within 3 %, mean read latency and energy within 5 %. The rows are in sim/validation/references/memory, the
// parameters in arch/presets/memory/peers. Physics: local streams of an HMC at its peak, or at the rate of the row cycle.
#include "sim/validation/memory_suite.hpp"

#include <array>

#include "arch/memory/dram_spec.hpp"
#include "sim/model/memory/closed_loop.hpp"
#include "sim/model/memory/dram/dram_energy.hpp"
#include "sim/model/memory/hmc/hmc_host.hpp"

namespace tessera::sim {

namespace {

constexpr char const* suite_name = "memory";
constexpr double bandwidth_tolerance = 0.03;
constexpr double latency_tolerance = 0.05;
constexpr double energy_tolerance = 0.05;

struct Peer {
  char const* table;
  char const* config;  ///< in the table
  char const* title;
  char const* preset;
  std::uint64_t bytes;
  std::uint64_t gibibytes;
  std::uint64_t stride;                     ///< of the pattern `conflict`: the next row of a bank
  std::size_t outstanding = SIZE_MAX;       ///< in the modes w1 and w8
  std::optional<std::int64_t> posted = {};  ///< clocks after which it answers a write
  std::vector<std::string> settings = {};   ///< of the preset, for these rows
  bool over_links = false;
};

/// DRAMsim3's vaults, which it measures behind links and crossbar: 4 clocks when these are idle.
std::vector<std::string> const dramsim3_vaults = {"policy.latency=5"};

/// Ramulator-PIM in its mode with host links. It serves reads alone, so one queue does. A packet
/// takes whole clocks of 0.8 ns on its link: five FLITs at 30 Gb/s, 1.33 ns, take 1.6 ns, as at 25
/// Gb/s. Its crossbar takes a packet per clock and port, and no time.
std::vector<std::string> const ramulator_links = {
    "policy.queues=shared",
    "hmc={links: 4, lanes: 16, lane_rate: 25 Gb/s, link_latency: 0 ns, tokens: 1024, "
    "crossbar_clock: 10 GHz, crossbar_flits: 16, crossbar_cycles: 0, link_bit: 0 pJ, "
    "link_idle_bit: 0 pJ}"};

std::vector<Peer> peers() {
  return {
      {"dramsim3", "HMC_4GB_4Lx16", "DRAMsim3", "dramsim3-hmc-4gb", 64, 4, 65536, SIZE_MAX, 6,
       dramsim3_vaults},
      {"dramsim3", "HBM2_8Gb_x128", "DRAMsim3", "dramsim3-hbm2-8gb", 64, 8, 262144, SIZE_MAX, 1},
      {"ramulator1", "HBM_4Gb_8ch_1Gbps", "Ramulator", "ramulator1-hbm-4gb", 64, 4, 262144},
      {"ramulator2", "HBM2_8Gb_8ch_2pc_2000", "Ramulator 2", "ramulator2-hbm2-8gb", 32, 8, 262144},
      {"ramulator_pim", "HMC_4GB_32vault_pim1_64B", "Ramulator-PIM", "ramulator-pim-hmc-4gb", 64, 4,
       65536, 512},
      {"ramulator_pim", "HMC_4GB_32vault_pim0_64B", "Ramulator-PIM", "ramulator-pim-hmc-4gb", 64, 4,
       65536, 4096, std::nullopt, ramulator_links, true},
  };
}

/// A line of a peer's table.
struct Measurement {
  std::string mode, pattern;
  std::int64_t requests = 0;
  std::string latency, bandwidth;
  std::string latency_deviation, bandwidth_deviation;
  std::string energy, energy_deviation;  ///< of a bit; empty: it counts none
};

[[nodiscard]] std::optional<Measurement> measurement_of(ConfigNode const& line,
                                                        std::string const& config) {
  auto map = line.as_map();
  if (map.required<std::string>("config") != config) return std::nullopt;
  Measurement it;
  it.mode = map.required<std::string>("mode");
  it.pattern = map.required<std::string>("pattern");
  it.requests = map.required<std::int64_t>("requests");
  it.latency = map.required<std::string>("mean_read_latency");
  it.bandwidth = map.required<std::string>("bandwidth_GBps");
  it.latency_deviation = map.node("latency_deviation").text();
  it.bandwidth_deviation = map.node("bandwidth_deviation").text();
  if (auto const* const energy = map.find("energy_pJ_per_bit")) {
    it.energy = energy->text();
    it.energy_deviation = map.node("energy_deviation").text();
  }
  return it;
}

[[nodiscard]] std::vector<TimedRequest> requests_of(Peer const& peer, Measurement const& it,
                                                    arch::DramSpec const& spec) {
  MemoryTraffic traffic;
  traffic.requests = static_cast<std::size_t>(it.requests);
  traffic.bytes = traffic.stride = peer.bytes;
  traffic.span = peer.gibibytes << 30U;
  if (it.pattern == "rand" || it.pattern == "randrw")
    traffic.pattern = MemoryTraffic::Pattern::random;
  if (it.pattern == "conflict") traffic.stride = peer.stride;
  if (it.pattern == "seqrw" || it.pattern == "randrw") traffic.read_fraction = 0.5;
  return make_requests(traffic, spec);
}

[[nodiscard]] MemoryRun run_peer(Peer const& peer, Measurement const& it,
                                 arch::DramSpec const& spec) {
  auto requests = requests_of(peer, it, spec);
  int const width = it.mode == "w8" ? 8 : 1;
  auto const outstanding = it.mode == "chain" ? 1 : peer.outstanding;
  if (!peer.over_links) return closed_loop(spec, requests, {width, outstanding, peer.posted});
  for (std::size_t i = 0; i < requests.size(); ++i) {
    requests[i].cycle = static_cast<std::int64_t>(i) / width;
  }
  return run_host(spec, requests, {HmcCube::Side::upstream, outstanding, 1});
}

[[nodiscard]] std::optional<std::string> known(std::string const& deviation) {
  return deviation.empty() ? std::nullopt : std::optional{deviation};
}

[[nodiscard]] double picojoules_per_bit(arch::DramSpec const& spec, MemoryRun const& run) {
  auto const clocks = ceil_ratio(run.finished, spec.clock_period);
  auto const bits = static_cast<double>(run.bytes.value()) * 8;
  return dram_energy(spec, run.dram, clocks).total().value() * 1e12 / bits;
}

void append_rows(std::vector<Row>& rows, Peer const& peer, Measurement const& it) {
  auto const spec = arch::load_dram(std::string{"peers/"} + peer.preset, peer.settings);
  auto const run = run_peer(peer, it, spec);
  auto const clock = static_cast<double>(spec.clock_period.value());
  Row row;
  row.suite = suite_name;
  row.source = peer.title;
  row.title = std::string{peer.config} + " " + it.mode + " " + it.pattern;
  row.metric = "bandwidth";
  row.unit = "GB/s";
  row.reference = Figure::written(it.bandwidth);
  row.value = Figure::of(run.gigabytes_per_second());
  row.tolerance = {Tolerance::Kind::relative, bandwidth_tolerance};
  row.deviation = known(it.bandwidth_deviation);
  rows.push_back(judged(row));
  row.metric = "mean read latency";
  row.unit = "clocks";
  row.reference = Figure::written(it.latency);
  row.value = Figure::of(summarize(run.read_latency).mean_ps / clock);
  row.tolerance = {Tolerance::Kind::relative, latency_tolerance};
  row.deviation = known(it.latency_deviation);
  rows.push_back(judged(row));
  if (it.energy.empty()) return;
  row.metric = "energy";
  row.unit = "pJ/bit";
  row.reference = Figure::written(it.energy);
  row.value = Figure::of(picojoules_per_bit(spec, run));
  row.tolerance = {Tolerance::Kind::relative, energy_tolerance};
  row.deviation = known(it.energy_deviation);
  rows.push_back(judged(row));
}

/// Bandwidth of local reads of consecutive blocks, without refresh.
struct Physics {
  char const* preset;
  int column_bits;  ///< a block has 32 B << this
  int channel_bits, bank_bits;
  double gigabytes_per_second;
  double tolerance;
  char const* source;
};

// 32 vaults (16: HMC 1.0) of 10 GB/s each (HMC_2500: 32 TSVs at 2.5 Gb/s).
constexpr std::array<Physics, 7> laws = {{
    {"hmc-1.0", 1, 4, 3, 160, 0.02, "peak of 16 vaults"},
    {"hmc-2.0", 1, 5, 3, 320, 0.02, "peak of 32 vaults"},
    {"hmc-2.1", 1, 5, 4, 320, 0.02, "peak of 32 vaults"},
    {"hmc-2.0", 2, 5, 3, 320, 0.02, "peak of 32 vaults"},
    {"hmc-2.1", 3, 5, 4, 320, 0.02, "peak of 32 vaults"},
    // Each block opens a row, and a bank can do so once in tRC: 8 * 32 B / 40.8 ns per vault.
    {"hmc-2.0", 0, 5, 3, 32 * 8 * 32 / 40.8, 0.01, "8 banks, one row of 32 B in tRC each"},
    {"hmc-1.0", 0, 4, 3, 16 * 8 * 32 / 40.8, 0.01, "8 banks, one row of 32 B in tRC each"},
}};

[[nodiscard]] arch::DramSpec blocks_of(Physics const& law) {
  auto const field = [](char const* kind, int bits) {
    return bits == 0 ? std::string{}
                     : std::string{", {"} + kind + ": " + std::to_string(bits) + "}";
  };
  return arch::load_dram(law.preset,
                         {"policy.refresh=none",
                          "address_map=[{byte: 5}" + field("column", law.column_bits) +
                              field("channel", law.channel_bits) + field("bank", law.bank_bits) +
                              field("column", 3 - law.column_bits) + field("row", 16) + "]"});
}

[[nodiscard]] Row row_of(Physics const& law) {
  auto const spec = blocks_of(law);
  MemoryTraffic traffic;
  traffic.requests = 60'000;
  traffic.bytes = traffic.stride = std::uint64_t{32} << static_cast<unsigned>(law.column_bits);
  traffic.span = static_cast<std::uint64_t>(spec.organization.capacity().value());
  auto const run = closed_loop(spec, make_requests(traffic, spec), {64, SIZE_MAX, {}});
  Row row;
  row.suite = suite_name;
  row.source = law.source;
  row.title = std::string{law.preset} + ", blocks of " + std::to_string(traffic.bytes) + " B";
  row.metric = "bandwidth";
  row.unit = "GB/s";
  row.reference = Figure::of(law.gigabytes_per_second);
  row.value = Figure::of(run.gigabytes_per_second());
  row.tolerance = {Tolerance::Kind::relative, law.tolerance};
  return judged(row);
}

class MemorySuite final : public Suite {
 public:
  [[nodiscard]] std::vector<Row> run(ValidationOptions const&) const override {
    std::vector<Row> rows;
    for (auto const& peer : peers()) {
      for (auto const& line : reference_table(std::string{"memory/"} + peer.table)) {
        if (auto const it = measurement_of(line, peer.config)) append_rows(rows, peer, *it);
      }
    }
    for (auto const& law : laws) rows.push_back(row_of(law));
    return rows;
  }
};

}  // namespace

std::unique_ptr<Suite> memory_suite() { return std::make_unique<MemorySuite>(); }

}  // namespace tessera::sim
