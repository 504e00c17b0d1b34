// A plan as a table of layers and levels, and as JSON.
#include "sim/app/plan_report.hpp"

#include <nlohmann/json.hpp>

#include "sim/app/layer_table.hpp"
#include "sim/app/simulate_report.hpp"
#include "sim/app/stages_report.hpp"
#include "sim/study/measurement.hpp"
#include "sim/terminal/table.hpp"

namespace tessera::sim {

namespace {

/// Where the planner has not proven its choice optimal: how far from it that can be.
std::string optimality_line(partition::Plan const& plan) {
  if (plan.optimality_gap == 0) return {};
  auto const above = plan.optimality_gap / (1 - plan.optimality_gap);
  if (above >= 1) return "not proven optimal\n";
  return "within " + number_text(100 * above) + " % of the optimum of what " + plan.planner +
         " minimises\n";
}

/// How a search came to the plan.
std::string history_lines(partition::Plan const& plan) {
  std::string text;
  for (auto const& line : plan.history) text += line + "\n";
  return text;
}

/// The second price, beside the predicted sum.
std::string timeline_line(std::optional<TimelineTimes> const& timeline) {
  if (!timeline)
    return "timeline: none (of plans with stages, and on more than 128 accelerators)\n";
  auto const share = [&](double busy_s) { return percent_text(busy_s / timeline->time_s); };
  return "timeline: " + time_text(timeline->time_s) + ", the busiest core " +
         share(timeline->busiest_core_s) + " of it, the busiest link " +
         share(timeline->busiest_link_s) + "\n";
}

MemoryUse memory_in(Experiment const& experiment, partition::Plan const& plan) {
  return memory_of(experiment, partition::step_of(experiment.network, plan));
}

}  // namespace

std::string plan_report(Experiment const& experiment, Solved const& solved) {
  auto const& plan = solved.plan;
  auto const predicted = predicted_of(plan);
  return title(experiment) + ", batch " + std::to_string(plan.batch) + ", " +
         std::to_string(plan.accelerators) + " accelerators\n\n" +
         (plan.pipeline ? stages_text(*plan.pipeline, experiment.network) + "\n" : "") +
         layer_table(experiment.network, plan) + "predicted: " + time_text(predicted.time_s) +
         ", " + bytes_text(static_cast<double>(predicted.communication_bytes)) +
         " communication, " + energy_text(predicted.energy_j) + "\n" +
         timeline_line(timeline_of(experiment, plan)) + memory_line(memory_in(experiment, plan)) +
         links_line(link_bandwidth_of(experiment.array)) + optimality_line(plan) +
         history_lines(plan) + "planned in " + time_text(solved.wall_s) + ", " +
         std::to_string(plan.evaluations) + " evaluations\n";
}

std::string plan_json(Experiment const& experiment, Solved const& solved) {
  auto const& plan = solved.plan;
  Json json{{"schema", "tessera.plan-report/1"},
            {"workload", experiment.network.name()},
            {"arch", experiment.array.name},
            {"batch", plan.batch},
            {"accelerators", plan.accelerators},
            {"planner", plan.planner},
            {"levels", to_json(levels_of(experiment, plan))},
            {"predicted", to_json(predicted_of(plan))},
            {"memory", to_json(memory_in(experiment, plan))},
            {"planner_wall_s", solved.wall_s},
            {"evaluations", plan.evaluations}};
  if (auto const bandwidth = link_bandwidth_of(experiment.array)) {
    json["link_bandwidth"] = to_json(*bandwidth);
  }
  if (auto const timeline = timeline_of(experiment, plan)) json["timeline"] = to_json(*timeline);
  if (plan.pipeline) {
    json["stages"] = stages_json(*plan.pipeline, experiment.network);
    json["schedule"] = schedule_json(*plan.pipeline);
  }
  if (!plan.history.empty()) json["history"] = plan.history;
  if (plan.optimality_gap > 0) json["optimality_gap"] = plan.optimality_gap;
  return document(json);
}

}  // namespace tessera::sim
