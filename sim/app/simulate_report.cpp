// Tables of one simulated point.
#include "sim/app/simulate_report.hpp"

#include <algorithm>
#include <map>

#include "arch/base/quantity.hpp"
#include "sim/app/modules_report.hpp"
#include "sim/terminal/table.hpp"

namespace tessera::sim {

namespace {

constexpr std::size_t longest_layers = 5;
constexpr std::size_t largest_causes = 5;

std::string difference(double predicted, double simulated) {
  if (predicted == 0) return simulated == 0 ? "0.0 %" : "-";
  return percent_text(simulated / predicted - 1);
}

std::string share(double part, double whole) {
  return whole > 0 ? percent_text(part / whole) : "-";
}

std::string totals(Result const& result) {
  auto const& [time, bytes, energy] = result.predicted;
  auto const& simulated = result.simulated;
  auto const simulated_bytes = static_cast<double>(simulated.communication_bytes);
  auto const predicted_bytes = static_cast<double>(bytes);
  Table table{{{"", Table::Align::left}, {"predicted"}, {"simulated"}, {"difference"}}};
  table.add(
      {"time", time_text(time), time_text(simulated.time_s), difference(time, simulated.time_s)});
  table.add({"communication", bytes_text(predicted_bytes), bytes_text(simulated_bytes),
             difference(predicted_bytes, simulated_bytes)});
  table.add({"energy", energy_text(energy), energy_text(simulated.energy_j),
             difference(energy, simulated.energy_j)});
  return table.text();
}

Table shares_table(std::string const& title) {
  return Table{{{title, Table::Align::left},
                {"time"},
                {"of all"},
                {"compute"},
                {"communication"},
                {"memory"},
                {"idle"},
                {"of peak"},
                {"MAC/B"}}};
}

void add_shares(Table& table, std::string const& name, TimeShares const& shares, double whole) {
  table.add({name, time_text(shares.total()), share(shares.total(), whole),
             time_text(shares.compute), time_text(shares.communication), time_text(shares.memory),
             time_text(shares.idle), shares.of_peak ? percent_text(*shares.of_peak) : "-",
             shares.macs_per_byte ? number_text(*shares.macs_per_byte) : "-"});
}

std::string phases(TimeBreakdown const& breakdown) {
  auto table = shares_table("phase");
  for (auto const& [name, shares] : breakdown.phases) {
    add_shares(table, name, shares, breakdown.total.total());
  }
  add_shares(table, "all", breakdown.total, breakdown.total.total());
  auto const add_part = [&](std::string const& name, double time) {
    table.add(
        {name, time_text(time), share(time, breakdown.total.total()), "", "", "", "", "", ""});
  };
  if (breakdown.bubbles) add_part("in bubbles", *breakdown.bubbles);
  if (breakdown.total.kernel_starts > 0) {
    add_part("starting kernels", breakdown.total.kernel_starts);
  }
  return table.text();
}

/// In the network's order, or the longest first.
std::string layers(TimeBreakdown const& breakdown, ShownLayers shown) {
  auto sorted = breakdown.layers;
  if (shown == ShownLayers::longest) {
    std::stable_sort(sorted.begin(), sorted.end(), [](auto const& a, auto const& b) {
      return a.second.total() > b.second.total();
    });
    if (sorted.size() > longest_layers) sorted.resize(longest_layers);
  }
  auto table = shares_table("layer");
  for (auto const& [name, shares] : sorted) {
    add_shares(table, name, shares, breakdown.total.total());
  }
  auto const hidden = breakdown.layers.size() - sorted.size();
  return table.text() +
         (hidden > 0 ? "and " + std::to_string(hidden) + " more layers (--layers shows all)\n"
                     : "");
}

std::string stages(Details const& details) {
  if (!details.stages) return {};
  Table table{{{"stage"},
               {"accelerators"},
               {"from first to last work"},
               {"compute"},
               {"bubbles"},
               {"of it"},
               {"in flight"},
               {"versions"}}};
  for (auto const& stage : *details.stages) {
    table.add({std::to_string(stage.stage), std::to_string(stage.accelerators),
               time_text(stage.span_s), time_text(stage.compute_s), time_text(stage.bubble_s),
               share(stage.bubble_s, stage.span_s), std::to_string(stage.in_flight),
               std::to_string(stage.weight_versions)});
  }
  return table.text() + "\n";
}

/// "every micro-batch is complete 352.1 ms after the one 24 before it"; --json has the picoseconds.
std::string repetition(Steady const& steady, std::string const& what) {
  auto const distance = steady.period_micro_batches;
  return "every " + what + " is complete " + time_text(seconds(Time{steady.period_ps})) +
         " after the one " + (distance == 1 ? "" : std::to_string(distance) + " ") + "before it";
}

std::string steady(Steady const& steady, std::string const& what) {
  return "steady state: " + time_text(steady.step_time_s) + " per step, " +
         number_text(steady.samples_per_s) + " samples per second; " + repetition(steady, what) +
         ", to the picosecond\nfill: " + time_text(steady.fill_s) + " until its first " + what +
         " is complete; drain: " + time_text(steady.drain_s) + " after its last\n";
}

std::string steps(Point const& point) {
  auto const& result = point.result;
  if (!result.steps) return {};
  auto const& [count, first_s, repeated] = *result.steps;
  auto const text = std::to_string(count) + " steps in " + time_text(result.simulated.time_s) +
                    ", the first in " + time_text(first_s) + "\n";
  if (repeated)
    return text + steady(*repeated, point.details.stages ? "micro-batch" : "step") + "\n";
  if (count < 3) return text + "steady state: looked for in 3 steps or more\n\n";
  return text +
         "steady state: none was found (no number of micro-batches repeats itself at every stage, "
         "to the picosecond, three times and over half of the run); more steps may show one\n\n";
}

/// "compute conv1.forward", "communication fc1.backward_weight over switch-1.0>switch-2.1"
std::string cause_text(PathShare const& share) {
  std::map<std::string, std::string> const words = {
      {"memory", "memory for"},
      {"wait", "others' messages"},
      {"dispatch", "messages between dispatchers and units"},
      {"barrier", "barriers"},
      {"bubble", "bubbles (stages fill and drain)"}};
  auto const known = words.find(share.cause);
  auto text = known == words.end() ? share.cause : known->second;
  if (share.layer) text += ' ' + *share.layer + '.' + share.phase.value_or("");
  if (share.accelerators) text += " on " + *share.accelerators;
  if (share.link) text += " over " + *share.link;
  return text;
}

std::string critical_path(Details const& details) {
  if (!details.critical_path) return {};
  double whole = 0;
  for (auto const& cause : *details.critical_path) whole += cause.time_s;
  Table table{{{"critical path", Table::Align::left}, {"time"}, {"of all"}}};
  auto const shown = std::min(details.critical_path->size(), largest_causes);
  for (std::size_t i = 0; i < shown; ++i) {
    auto const& cause = details.critical_path->at(i);
    table.add({cause_text(cause), time_text(cause.time_s), share(cause.time_s, whole)});
  }
  auto const hidden = details.critical_path->size() - shown;
  auto const more =
      hidden > 0 ? "and " + std::to_string(hidden) + " smaller causes (--json has all)\n" : "";
  return table.text() + more + "\n";
}

std::string what_if(Details const& details) {
  if (!details.what_if) return {};
  if (details.what_if->empty()) {
    return "if faster: not known; the run, timed once more as it was, takes another time\n\n";
  }
  Table table{{{"if faster", Table::Align::left}, {"twice"}, {"infinitely"}, {"never below"}}};
  for (auto const& [resource, time] : *details.what_if) {
    table.add({resource, time_text(time.estimate_2x_s), time_text(time.estimate_infinite_s),
               time_text(time.bound_s)});
  }
  return table.text() + "\n";
}

std::string energy(Details const& details, double whole) {
  Table table{{{"energy", Table::Align::left}, {"joules"}, {"of all"}}};
  for (auto const& [component, joules] : details.energy) {
    table.add({component, energy_text(joules), share(joules, whole)});
  }
  return table.text();
}

std::string traffic(Details const& details) {
  if (details.levels.empty()) return {};
  Table table{{{"level", Table::Align::left}, {"predicted"}, {"simulated"}}};
  for (auto const& level : details.levels) {
    table.add({"H" + std::to_string(level.level),
               bytes_text(static_cast<double>(level.predicted_bytes)),
               bytes_text(static_cast<double>(level.simulated_bytes.value_or(0)))});
  }
  return "\n" + table.text();
}

std::string share_text(std::int64_t count, std::int64_t all) {
  return std::to_string(count) + " (" +
         percent_text(static_cast<double>(count) / static_cast<double>(all)) + ")";
}

/// Where channels find courses again, no steps of tiles are repeated.
std::string tiles(Details const& details) {
  if (!details.tiles) return {};
  auto const& [computed, late, repeated, mirrored, within] = *details.tiles;
  auto const of_all = [all = computed](std::int64_t count) { return share_text(count, all); };
  bool const says_steps = within > 0 || !details.blocks;
  return "\n" + std::to_string(computed) + " tiles; " + of_all(late) +
         " were late, so that the arrays waited for memory; " + of_all(repeated) +
         " were not worked out: " + of_all(mirrored) + " on mirrored accelerators, " +
         (says_steps ? of_all(within) + " repeat a step of the same accelerator or an equal one, "
                     : "") +
         of_all(repeated - mirrored - within) + " are of computations that were recorded\n";
}

std::string blocks(Details const& details) {
  if (!details.blocks) return {};
  auto const& [asked, repeated] = *details.blocks;
  return std::string{details.tiles ? "" : "\n"} + std::to_string(asked) +
         " blocks were asked of the channels that were simulated; " + share_text(repeated, asked) +
         " were not worked out: they take the course of earlier ones\n";
}

std::string addresses(Details const& details) {
  if (!details.addresses) return {};
  auto const& [mapped, wrapped] = *details.addresses;
  auto const needed = details.memory.needed_bytes;
  auto const more = static_cast<double>(mapped - needed) / static_cast<double>(needed);
  auto line = "addresses: " + bytes_text(static_cast<double>(mapped)) + ", " + percent_text(more) +
              " more, as tensors begin at stripes of the memory and leave gaps";
  if (wrapped > 0) {
    line += "; " + bytes_text(static_cast<double>(wrapped)) + " of it beyond the memory's end";
  }
  return line + "\n";
}

std::string bounds_line(std::optional<Bounds> const& bounds) {
  if (!bounds) return {};
  std::string line;
  auto const add = [&line](std::optional<double> time_s, std::string const& what) {
    if (time_s) line += (line.empty() ? "" : ", ") + time_text(*time_s) + what;
  };
  add(bounds->peak_s, " for all products at the array's peak rate");
  add(bounds->memory_s, " for all their operands once at its memories' bandwidth");
  return line.empty() ? "" : "bounds: under any plan a step takes at least " + line + "\n";
}

/// "H1, H2 (packet switching)", the reasons in order of their first levels.
std::string unfolded_text(std::vector<UnfoldedLevel> const& unfolded) {
  std::vector<std::string> reasons;
  for (auto const& [level, reason] : unfolded) {
    if (std::find(reasons.begin(), reasons.end(), reason) == reasons.end()) {
      reasons.push_back(reason);
    }
  }
  std::string text;
  for (auto const& reason : reasons) {
    for (auto const& level : unfolded) {
      if (level.reason != reason) continue;
      text.append(text.empty() ? "H" : ", H").append(std::to_string(level.level));
    }
    text.append(" (").append(reason).append(")");
  }
  return text;
}

std::string symmetry(Details const& details) {
  auto const& [accelerators, simulated, unfolded] = details.symmetry;
  auto const kept =
      unfolded.empty() ? "" : "levels without symmetry: " + unfolded_text(unfolded) + "\n";
  if (simulated == accelerators) return kept.empty() ? "" : "\n" + kept;
  return "\nof " + std::to_string(accelerators) + " accelerators " + std::to_string(simulated) +
         (simulated == 1 ? " was" : " were") + " simulated; the others mirror " +
         (simulated == 1 ? "it" : "them") + " (--no-symmetry simulates all)" +
         (details.trace == "repeats" ? "; the run file has the tasks of the former" : "") + "\n" +
         kept;
}

}  // namespace

std::string memory_line(MemoryUse const& memory) {
  auto const text = [](std::int64_t bytes) { return bytes_text(static_cast<double>(bytes)); };
  auto line = "memory: accelerator " + std::to_string(memory.accelerator) + " needs " +
              text(memory.needed_bytes) + " of " + text(memory.capacity_bytes) + " (weights " +
              text(memory.weights_bytes) + ", gradients " + text(memory.gradients_bytes) +
              ", activations kept " + text(memory.activations_bytes) + ", working " +
              text(memory.working_bytes) + ")";
  if (memory.needed_bytes > memory.capacity_bytes) {
    bool const is_held_too_much =
        memory.needed_bytes - memory.working_bytes > memory.capacity_bytes;
    line += is_held_too_much ? ": more than there is, which planner.fit=ignore allows"
                             : ": more than there is (planner.fit leaves working out)";
  }
  return line + "\n";
}

std::string links_line(std::optional<LinkBandwidth> const& bandwidth) {
  if (!bandwidth) return {};
  auto const text = [](std::optional<double> gbit_per_s) {
    return gbit_per_s ? bandwidth_text(*gbit_per_s * 1e9) : "unlimited";
  };
  auto const& [own, widest] = *bandwidth;
  auto const line = "links: " + text(own) + " each way";
  if (own == widest) return line + "\n";
  return line + ", an accelerator's own; the widest " + text(widest) + "\n";
}

std::string simulate_report(Point const& point, ShownLayers shown) {
  auto const& result = point.result;
  auto const& details = point.details;
  return result.workload + " on " + result.arch + " with " + result.planner + ", batch " +
         std::to_string(result.batch) +
         (result.steps ? ", " + std::to_string(result.steps->count) + " steps: " : ": ") +
         std::to_string(result.simulated.cycles) + " cycles\n\n" + totals(result) + "\n" +
         steps(point) + phases(details.breakdown) + "\n" + stages(details) +
         layers(details.breakdown, shown) + "\n" + critical_path(details) + what_if(details) +
         energy(details, result.simulated.energy_j) + traffic(details) + tiles(details) +
         blocks(details) + symmetry(details) + "\n" +
         (details.modules ? modules_report(*details.modules) + "\n" : "") +
         memory_line(details.memory) + addresses(details) + links_line(details.link_bandwidth) +
         bounds_line(result.bounds) +
         (result.plan_wall_s ? "planned in " + time_text(*result.plan_wall_s) + ", " : "") +
         "simulated in " + time_text(result.simulate_wall_s) + ", " +
         (result.explain_wall_s ? "explained in " + time_text(*result.explain_wall_s) + ", " : "") +
         "fingerprint " + result.simulated.fingerprint + "\n";
}

}  // namespace tessera::sim
