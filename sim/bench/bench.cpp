// `tessera bench`: how fast this build is on this machine.
#include <algorithm>
#include <memory>
#include <optional>

#include <nlohmann/json.hpp>

#include "arch/base/config_error.hpp"
#include "sim/bench/bench_case.hpp"
#include "sim/command/command.hpp"
#include "sim/command/options.hpp"
#include "sim/study/host.hpp"
#include "sim/study/version.hpp"
#include "sim/terminal/table.hpp"

namespace tessera::sim {

namespace {

struct BenchOptions {
  std::vector<std::string> cases;
  ReportOptions report;
};

/// The same step with and without what is provably identical left out.
struct FastForward {
  std::int64_t batch = 0;
  double full_wall_s = 0;
  double skipping_wall_s = 0;

  [[nodiscard]] double factor() const { return full_wall_s / skipping_wall_s; }
};

struct Speed {
  std::string name;
  std::string description;
  std::string unit;
  Workout done;
  double wall_s = 0;
  std::int64_t peak_rss_bytes = 0;
  std::optional<FastForward> fast_forward;
};

/// In a process of its own, so that memory is counted alone.
Speed measure(ComponentCase const& bench) {
  auto const in_child = [&bench] {
    Stopwatch const watch;
    auto const done = bench.run();
    auto const wall_s = watch.seconds();
    return Json{done.amount, done.simulated_cycles, wall_s, peak_memory()}.dump();
  };
  auto const told = Json::parse(run_jobs({{"running " + bench.name, in_child, {}}}, 1).front());
  return {bench.name, bench.description, bench.unit, {told[0], told[1]}, told[2], told[3], {}};
}

Point simulated(Experiment const& experiment) {
  return point_from(run_jobs({job_of(experiment)}, 1).front());
}

/// Also holds the two against each other.
FastForward compared(SystemCase const& bench) {
  auto const experiment = experiment_of(bench, bench.small_batch);
  auto const skipping = simulated(experiment).result;
  auto const full = simulated(in_full(experiment)).result;
  ENSURES(full.simulated.fingerprint == skipping.simulated.fingerprint, bench.name);
  return {bench.small_batch, full.simulate_wall_s, skipping.simulate_wall_s};
}

Speed measure(SystemCase const& bench) {
  auto const experiment = experiment_of(bench, bench.batch);
  auto const point = simulated(experiment);
  auto const& result = point.result;
  Speed speed;
  speed.name = bench.name;
  speed.description = title(experiment) + ", " + std::to_string(experiment.array.accelerators) +
                      " accelerators, batch " + std::to_string(bench.batch);
  speed.unit = "tiles";
  speed.done = {static_cast<double>(point.details.tiles.value_or(Tiles{}).computed),
                static_cast<double>(result.simulated.cycles)};
  speed.wall_s = result.simulate_wall_s;
  speed.peak_rss_bytes = result.peak_rss_bytes;
  if (bench.small_batch > 0) speed.fast_forward = compared(bench);
  return speed;
}

/// A case by its name, ready to run.
struct NamedCase {
  std::string name;
  std::function<Speed()> run;
};

std::vector<NamedCase> all_cases() {
  std::vector<NamedCase> all;
  auto const add = [&all](auto const& benches) {
    for (auto const& bench : benches) {
      all.push_back({bench.name, [bench] { return measure(bench); }});
    }
  };
  add(component_cases());
  add(search_cases());
  add(system_cases());
  return all;
}

std::vector<NamedCase> chosen_cases(std::vector<std::string> const& names) {
  auto all = all_cases();
  if (names.empty()) return all;
  std::vector<std::string> known;
  known.reserve(all.size());
  for (auto const& bench : all) known.push_back(bench.name);
  std::vector<NamedCase> chosen;
  for (auto const& name : names) {
    auto const place = std::find(known.begin(), known.end(), name);
    if (place == known.end()) throw ConfigError({}, {}, unknown_name("case", name, known));
    chosen.push_back(all[static_cast<std::size_t>(place - known.begin())]);
  }
  return chosen;
}

Json as_json(Speed const& speed) {
  Json json = {{"case", speed.name},
               {"description", speed.description},
               {"simulated_cycles", speed.done.simulated_cycles},
               {"wall_s", speed.wall_s},
               {"cycles_per_s", speed.done.simulated_cycles / speed.wall_s},
               {"unit", speed.unit},
               {"amount", speed.done.amount},
               {"amount_per_s", speed.done.amount / speed.wall_s},
               {"peak_rss_bytes", speed.peak_rss_bytes}};
  if (auto const& fast_forward = speed.fast_forward) {
    json["fast_forward"] = {{"batch", fast_forward->batch},
                            {"full_wall_s", fast_forward->full_wall_s},
                            {"skipping_wall_s", fast_forward->skipping_wall_s},
                            {"factor", fast_forward->factor()}};
  }
  return json;
}

std::string as_json(std::vector<Speed> const& speeds) {
  Json json = {{"schema", "tessera.bench/1"},
               {"version", version()},
               {"commit", commit()},
               {"host", host_name()},
               {"cases", Json::array()}};
  for (auto const& speed : speeds) json["cases"].push_back(as_json(speed));
  return document(json);
}

std::string as_text(std::vector<Speed> const& speeds) {
  Table table{{{"case", Table::Align::left},
               {"cycles"},
               {"time"},
               {"cycles/s"},
               {"work"},
               {"work/s"},
               {"memory"},
               {"fast-forward"}}};
  std::string notes;
  for (auto const& speed : speeds) {
    auto const& [amount, cycles] = speed.done;
    auto const& fast_forward = speed.fast_forward;
    table.add({speed.name, number_text(cycles), time_text(speed.wall_s),
               number_text(cycles / speed.wall_s), number_text(amount) + ' ' + speed.unit,
               number_text(amount / speed.wall_s),
               bytes_text(static_cast<double>(speed.peak_rss_bytes)),
               fast_forward ? number_text(fast_forward->factor(), 3) + 'x' : "-"});
    notes += speed.name + ": " + speed.description;
    if (fast_forward) {
      notes += "; fast-forward at batch " + std::to_string(fast_forward->batch) + ": " +
               time_text(fast_forward->full_wall_s) + " in full, " +
               time_text(fast_forward->skipping_wall_s) + " without what repeats";
    }
    notes += '\n';
  }
  return table.text() + '\n' + notes;
}

Outcome run(BenchOptions const& options) {
  auto const cases = chosen_cases(options.cases);
  Progress progress{cases.size(), "cases", options.report.progress()};
  std::vector<Speed> speeds;
  for (auto const& bench : cases) {
    progress.update(speeds.size(), bench.name);
    speeds.push_back(bench.run());
  }
  return {options.report.json ? as_json(speeds) : as_text(speeds)};
}

std::string help_footer() {
  std::string text = "Cases:";
  for (auto const& benches : {component_cases(), search_cases()}) {
    for (auto const& bench : benches) text += "\n  " + bench.name + ": " + bench.description;
  }
  for (auto const& bench : system_cases()) {
    text += "\n  " + bench.name + ": " + bench.network + " on " + bench.array + ", " +
            bench.planner + ", batch " + std::to_string(bench.batch);
    if (!bench.element.empty()) text += ", " + bench.element;
    for (auto const& setting : bench.settings) text += ", " + setting;
    for (auto const& [key, value] : bench.planner_options) {
      text.append(", planner.").append(key).append("=").append(value);
    }
  }
  return text + "\nExample:\n  tessera bench vgg-e";
}

}  // namespace

Command bench_command(Parser& tessera) {
  auto const options = std::make_shared<BenchOptions>();
  auto* const parser = tessera.add_subcommand(
      "bench", "Measure how fast this build is on this machine, one case after another");
  parser->footer(help_footer);
  parser->add_option("cases", options->cases, "Which cases; none: all")->type_name("CASE...");
  add_report_options(*parser, options->report);
  return {parser, [options] { return run(*options); }};
}

}  // namespace tessera::sim
