// Sums and averages over a run's summary.
#include "sim/study/measurement.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "arch/array/topology.hpp"
#include "traces/fingerprint.hpp"

namespace tessera::sim {

namespace {

std::optional<double> unless_zero(double value) {
  return value > 0 ? std::optional{value} : std::nullopt;
}

/// None without both.
std::optional<double> share_of(double part, double whole) {
  return part > 0 && whole > 0 ? std::optional{part / whole} : std::nullopt;
}

/// What all accelerators can do in a second; 0 where one of them has no peak.
struct ArrayPeaks {
  double macs = 0;
  double memory_bytes = 0;
};

ArrayPeaks peaks_of(std::vector<traces::AcceleratorEntry> const& accelerators) {
  ArrayPeaks peaks;
  bool has_macs = true;
  bool has_memory = true;
  for (auto const& entry : accelerators) {
    peaks.macs += entry.peak_macs_per_s;
    peaks.memory_bytes += static_cast<double>(entry.peak_memory.value()) / 8;
    has_macs = has_macs && entry.peak_macs_per_s > 0;
    has_memory = has_memory && entry.peak_memory > Bandwidth{0};
  }
  return {has_macs ? peaks.macs : 0, has_memory ? peaks.memory_bytes : 0};
}

/// Integer sums first, seconds once.
class ShareSum final {
 public:
  void add(traces::BreakdownEntry const& entry) {
    compute_ += entry.compute;
    communication_ += entry.communication;
    memory_ += entry.memory;
    idle_ += entry.idle;
    macs_ += entry.macs;
    memory_bytes_ += entry.memory_bytes;
    kernel_starts_ += entry.kernel_starts;
  }
  [[nodiscard]] TimeShares averaged(std::size_t accelerators, ArrayPeaks const& peaks) const {
    auto const over = static_cast<double>(accelerators);
    TimeShares shares{seconds(compute_) / over, seconds(communication_) / over,
                      seconds(memory_) / over, seconds(idle_) / over,
                      seconds(kernel_starts_) / over};
    auto const macs = static_cast<double>(macs_.value());
    shares.of_peak = share_of(macs, peaks.macs * shares.total());
    shares.macs_per_byte = share_of(macs, static_cast<double>(memory_bytes_.value()));
    return shares;
  }

 private:
  Time compute_{0};
  Time communication_{0};
  Time memory_{0};
  Time idle_{0};
  Macs macs_{0};
  Bytes memory_bytes_{0};
  Time kernel_starts_{0};
};

/// Counters by resource and name.
class CounterTable final {
 public:
  explicit CounterTable(std::vector<traces::Counter> const& counters) {
    for (auto const& counter : counters) values_[{counter.resource, counter.name}] = counter.value;
  }
  [[nodiscard]] std::int64_t at(std::string const& resource, std::string const& name) const {
    auto const found = values_.find({resource, name});
    EXPECTS(found != values_.end(), resource, name);
    return found->second;
  }

 private:
  std::map<std::pair<std::string, std::string>, std::int64_t> values_;
};

constexpr auto unlimited = std::numeric_limits<double>::infinity();

/// All lanes together.
double gbit_per_s(arch::Link const& link) {
  if (link.lane_bandwidth == unlimited_bandwidth) return unlimited;
  return static_cast<double>(link.lanes) * static_cast<double>(link.lane_bandwidth.value()) / 1e9;
}

std::optional<double> limited(double bandwidth) {
  return bandwidth == unlimited ? std::nullopt : std::optional{bandwidth};
}

}  // namespace

Simulated measured(traces::RunSummary const& summary) {
  Energy energy{0};
  for (auto const& entry : summary.energy) energy += entry.total();
  return {seconds(summary.time), summary.cycles.value(), summary.communication.value(),
          energy.value(), traces::to_hex(summary.fingerprint)};
}

TimeBreakdown breakdown_of(traces::RunSummary const& summary, workloads::Network const& network) {
  auto const accelerators = summary.accelerators.size();
  auto const peaks = peaks_of(summary.accelerators);
  ShareSum total;
  std::map<std::uint8_t, ShareSum> phases;
  std::map<std::uint32_t, ShareSum> layers;
  for (auto const& entry : summary.breakdown) {
    total.add(entry);
    phases[entry.phase].add(entry);
    layers[entry.op].add(entry);
  }
  TimeBreakdown breakdown{total.averaged(accelerators, peaks), {}, {}};
  for (auto const& [phase, sum] : phases) {
    breakdown.phases.emplace_back(name(static_cast<workloads::Phase>(phase)),
                                  sum.averaged(accelerators, peaks));
  }
  for (auto const& [op, sum] : layers) {
    breakdown.layers.emplace_back(network.at(workloads::OperatorId{op}).name,
                                  sum.averaged(accelerators, peaks));
  }
  return breakdown;
}

PeakUse peak_use_of(traces::RunSummary const& summary) {
  auto const peaks = peaks_of(summary.accelerators);
  auto const time = seconds(summary.time);
  auto const macs = static_cast<double>(summary.macs.value());
  double bytes = 0;
  Time busy{0};
  Time most{0};
  for (auto const& entry : summary.accelerators) {
    bytes += static_cast<double>(entry.memory_bytes.value());
    busy += entry.busy;
    most = std::max(most, entry.busy);
  }
  PeakUse use;
  use.of_peak = share_of(macs, peaks.macs * time);
  use.macs_per_byte = share_of(macs, bytes);
  use.balance = share_of(peaks.macs, peaks.memory_bytes);
  use.memory_of_peak = share_of(bytes, peaks.memory_bytes * time);
  double busiest = 0;
  for (auto const& link : summary.links) busiest = std::max(busiest, link.utilisation);
  use.busiest_link = unless_zero(busiest);
  auto const even = most * static_cast<std::int64_t>(summary.accelerators.size());
  use.imbalance = share_of(static_cast<double>(even.value()), static_cast<double>(busy.value()));
  return use;
}

std::optional<Steps> steps_of(traces::RunSummary const& summary, partition::Plan const& plan,
                              std::int64_t steps) {
  if (steps == 1) return std::nullopt;
  Steps result{steps, seconds(summary.first_step), {}};
  if (!summary.steady) return result;
  auto const& [period, micro_batches, begin, end] = *summary.steady;
  auto const of_step = plan.pipeline ? plan.pipeline->micro_batches : 1;
  auto const step_s =
      seconds(period) * static_cast<double>(of_step) / static_cast<double>(micro_batches);
  result.steady = {step_s,         static_cast<double>(plan.batch) / step_s,
                   period.value(), micro_batches,
                   seconds(begin), seconds(summary.time - end)};
  return result;
}

std::optional<std::vector<StageUse>> stages_of(traces::RunSummary const& summary,
                                               partition::Plan const& plan) {
  if (!plan.pipeline) return std::nullopt;
  std::vector<StageUse> stages;
  for (auto const& entry : summary.stages) {
    if (stages.empty() || stages.back().stage != entry.stage) stages.push_back({entry.stage});
    auto& stage = stages.back();
    ++stage.accelerators;
    stage.compute_s += seconds(entry.compute);
    stage.bubble_s += seconds(entry.bubble);
    stage.span_s += seconds(entry.end - entry.begin);
    stage.in_flight = std::max(stage.in_flight, entry.in_flight);
    stage.weight_versions = std::max(stage.weight_versions, entry.weight_versions);
  }
  for (auto& stage : stages) {
    for (auto* const sum : {&stage.compute_s, &stage.bubble_s, &stage.span_s}) {
      *sum /= static_cast<double>(stage.accelerators);
    }
  }
  return stages;
}

std::optional<double> bubbles_of(traces::RunSummary const& summary, partition::Plan const& plan) {
  if (!plan.pipeline) return std::nullopt;
  double sum = 0;
  for (auto const& entry : summary.stages) sum += seconds(entry.bubble);
  return sum / static_cast<double>(plan.accelerators);
}

/// In the order in which components first appear.
Named<double> energy_of(traces::RunSummary const& summary) {
  Named<double> energy;
  for (auto const& entry : summary.energy) {
    auto known = std::find_if(energy.begin(), energy.end(),
                              [&](auto const& sum) { return sum.first == entry.component; });
    if (known == energy.end()) known = energy.insert(energy.end(), {entry.component, 0.0});
    known->second += entry.total().value();
  }
  return energy;
}

Named<LinkUse> links_of(traces::RunSummary const& summary, arch::ArraySpec const& array) {
  CounterTable const counters{summary.counters};
  arch::Topology const topology{array};
  Named<LinkUse> links;
  auto const time = static_cast<double>(summary.time.value());
  for (auto const& link : topology.links()) {
    auto const busy = static_cast<double>(counters.at(link.name, "busy"));
    auto const lanes = static_cast<double>(link.lanes);
    links.emplace_back(
        link.name, LinkUse{time > 0 ? busy / (lanes * time) : 0, counters.at(link.name, "bytes")});
  }
  return links;
}

std::optional<LinkBandwidth> link_bandwidth_of(arch::ArraySpec const& array) {
  arch::Topology const topology{array};
  if (topology.links().empty()) return std::nullopt;
  auto own = unlimited;
  double widest = 0;
  for (auto const& link : topology.links()) {
    auto const bandwidth = gbit_per_s(link);
    widest = std::max(widest, bandwidth);
    bool const is_own = std::min(link.from, link.to).index() < topology.accelerators();
    if (is_own) own = std::min(own, bandwidth);
  }
  return LinkBandwidth{limited(own), limited(widest)};
}

std::optional<Tiles> tiles_of(Report const& report) {
  Tiles tiles;
  for (auto const& counter : report.summary.counters) {
    if (counter.name == "tiles") tiles.computed += counter.value;
    if (counter.name == "late_tiles") tiles.late += counter.value;
  }
  if (tiles.computed == 0) return std::nullopt;
  tiles.repeated = tiles.computed - report.worked_out_tiles;
  tiles.mirrored = tiles.computed - report.simulated_tiles;
  tiles.within = report.repeated_steps;
  return tiles;
}

Symmetry symmetry_of(Folding const& folding, partition::UnfoldedReasons const& unfolded) {
  Symmetry symmetry{static_cast<std::int64_t>(folding.accelerators()),
                    static_cast<std::int64_t>(folding.representatives())};
  for (auto const& [level, reason] : unfolded) {
    symmetry.unfolded.push_back({static_cast<std::int64_t>(level) + 1, reason});
  }
  return symmetry;
}

std::optional<Blocks> blocks_of(Report const& report) {
  if (report.asked_blocks == 0) return std::nullopt;
  return Blocks{report.asked_blocks, report.repeated_blocks};
}

std::optional<AddressUse> addresses_of(TaskGraph const& tasks, arch::ArraySpec const& array,
                                       std::size_t accelerator) {
  auto const& spec = array.accelerator(accelerator);
  if (!std::holds_alternative<arch::CoreUnitSpec>(spec.processing_unit)) return std::nullopt;
  auto const mapped = tasks.addressed(AcceleratorId{tasks.folding().representative(accelerator)});
  auto const wrapped = std::max(mapped, spec.memory_capacity) - spec.memory_capacity;
  return AddressUse{mapped.value(), wrapped.value()};
}

std::vector<Bytes> sent_by_level(std::vector<traces::TrafficEntry> const& traffic,
                                 Hierarchy const& hierarchy) {
  std::vector<Bytes> sent(hierarchy.levels(), Bytes{0});
  for (auto const& entry : traffic) {
    auto const outermost = hierarchy.outermost_difference(entry.source, entry.destination);
    if (outermost < sent.size()) sent[outermost] += entry.bytes;
  }
  return sent;
}

}  // namespace tessera::sim
