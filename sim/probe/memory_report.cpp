// Derives bandwidth and energy; the counts are the model's.
#include "sim/probe/memory_report.hpp"

#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "sim/model/memory/dram/dram_energy.hpp"
#include "sim/study/result.hpp"
#include "sim/terminal/table.hpp"

namespace tessera::sim {

namespace {

[[nodiscard]] std::int64_t cycles_of(arch::DramSpec const& spec, Time time) {
  return (time.value() + spec.clock_period.value() - 1) / spec.clock_period.value();
}

[[nodiscard]] double clocks_of(arch::DramSpec const& spec, double picoseconds) {
  return picoseconds / static_cast<double>(spec.clock_period.value());
}

[[nodiscard]] double peak_gigabytes(arch::DramSpec const& spec) {
  return static_cast<double>(spec.peak_bandwidth().value()) / 8e9;
}

[[nodiscard]] std::vector<std::pair<char const*, std::int64_t>> commands_of(
    DramStatistics const& dram) {
  return {{"activate", dram.activates}, {"precharge", dram.precharges},
          {"read", dram.reads},         {"write", dram.writes},
          {"refresh", dram.refreshes},  {"refresh_bank", dram.bank_refreshes}};
}

[[nodiscard]] std::vector<std::pair<char const*, Energy>> energy_of(arch::DramSpec const& spec,
                                                                    MemoryRun const& run) {
  auto ledger = dram_energy(spec, run.dram, cycles_of(spec, run.finished));
  if (spec.hmc && run.link_flits > 0) {
    add_link_energy(ledger, *spec.hmc, run.link_flits, run.finished);
  }
  return {{"activate", ledger.activate},
          {"read", ledger.read},
          {"write", ledger.write},
          {"refresh", ledger.refresh},
          {"background", ledger.background},
          {"active_standby", ledger.active_standby},
          {"link_active", ledger.link_active},
          {"link_idle", ledger.link_idle},
          {"total", ledger.total()}};
}

/// Of a bit that was asked for.
[[nodiscard]] double picojoules_per_bit(MemoryRun const& run, Energy energy) {
  return energy.value() * 1e12 / (static_cast<double>(run.bytes.value()) * 8);
}

[[nodiscard]] Json latency_json(arch::DramSpec const& spec, std::vector<Time> const& latencies) {
  if (latencies.empty()) return {{"requests", 0}};
  auto const it = summarize(latencies);
  auto const clocks = [&](Time time) { return clocks_of(spec, static_cast<double>(time.value())); };
  return {{"requests", latencies.size()}, {"min", clocks(it.least)},
          {"p50", clocks(it.median)},     {"mean", clocks_of(spec, it.mean_ps)},
          {"p99", clocks(it.p99)},        {"max", clocks(it.most)}};
}

[[nodiscard]] std::string latency_table(arch::DramSpec const& spec, MemoryRun const& run) {
  Table table{{{"latency in clocks", Table::Align::left},
               {"requests"},
               {"min"},
               {"p50"},
               {"mean"},
               {"p99"},
               {"max"}}};
  auto const add = [&](char const* title, std::vector<Time> const& latencies) {
    if (latencies.empty()) return;
    auto const it = summarize(latencies);
    auto const clocks = [&](double ps) { return number_text(clocks_of(spec, ps)); };
    auto const of = [&](Time time) { return clocks(static_cast<double>(time.value())); };
    table.add({title, std::to_string(latencies.size()), of(it.least), of(it.median),
               clocks(it.mean_ps), of(it.p99), of(it.most)});
  };
  add("reads", run.read_latency);
  add("writes", run.write_latency);
  return table.text();
}

}  // namespace

std::string memory_text(arch::DramSpec const& spec, MemoryRun const& run) {
  auto const cycles = cycles_of(spec, run.finished);
  auto const reached = run.gigabytes_per_second();
  Table facts{{{spec.name, Table::Align::left}, {""}}};
  facts.add({"cycles", std::to_string(cycles)});
  facts.add({"time", time_text(seconds(run.finished))});
  facts.add({"bandwidth", number_text(reached) + " GB/s"});
  facts.add({"of peak", percent_text(reached / peak_gigabytes(spec))});
  Table commands{{{"commands", Table::Align::left}, {""}}};
  for (auto const& [name, count] : commands_of(run.dram)) {
    if (count > 0) commands.add({name, std::to_string(count)});
  }
  Table energy{{{"energy", Table::Align::left}, {"joules"}, {"pJ/bit"}}};
  for (auto const& [name, joules] : energy_of(spec, run)) {
    if (joules == Energy{0}) continue;
    energy.add({name, energy_text(joules.value()), number_text(picojoules_per_bit(run, joules))});
  }
  return facts.text() + "\n" + latency_table(spec, run) + "\n" + commands.text() + "\n" +
         energy.text();
}

std::string memory_json(arch::DramSpec const& spec, MemoryRun const& run) {
  auto commands = Json::object();
  for (auto const& [name, count] : commands_of(run.dram)) commands[name] = count;
  auto energy = Json::object();
  auto of_bit = Json::object();
  for (auto const& [name, joules] : energy_of(spec, run)) {
    bool const is_of_links = std::string{name}.rfind("link", 0) == 0;
    if (is_of_links && run.link_flits == 0) continue;  // requests came past them
    energy[name] = joules.value();
    of_bit[name] = picojoules_per_bit(run, joules);
  }
  return document({{"schema", "tessera.probe.memory/1"},
                   {"memory", spec.name},
                   {"cycles", cycles_of(spec, run.finished)},
                   {"time_s", seconds(run.finished)},
                   {"bytes", run.bytes.value()},
                   {"bandwidth_gb_per_s", run.gigabytes_per_second()},
                   {"peak_gb_per_s", peak_gigabytes(spec)},
                   {"latency_cycles",
                    {{"read", latency_json(spec, run.read_latency)},
                     {"write", latency_json(spec, run.write_latency)}}},
                   {"commands", commands},
                   {"energy_j", energy},
                   {"energy_pj_per_bit", of_bit}});
}

}  // namespace tessera::sim
