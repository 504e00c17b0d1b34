#include "sim/outcome/stage_summary.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "sim/model/record/in_flight.hpp"
#include "sim/model/record/steady_state.hpp"

namespace tessera::sim::outcome {

namespace {

constexpr std::int64_t fewest_steps = 3;

using Spans = std::vector<std::pair<Time, Time>>;  // begin, end

/// As a span of its own, or as part of the last one if it goes on from there.
void add_to(Spans& spans, Time begin, Time end) {
  bool const goes_on =
      !spans.empty() && spans.back().first <= begin && begin <= spans.back().second;
  if (!goes_on) {
    spans.emplace_back(begin, end);
  } else {
    spans.back().second = std::max(spans.back().second, end);
  }
}

/// How long at least one of them lasts. Requires them in order of their begin.
Time covered(Spans const& spans) {
  Time sum{0};
  Time until{0};
  for (auto const& [begin, end] : spans) {
    auto const from = std::max(begin, until);
    if (end > from) sum += end - from;
    until = std::max(until, end);
  }
  return sum;
}

/// What an accelerator did for a stage, in order of begin.
struct StageWork {
  Spans all;
  Spans computations;
};

/// By accelerator (of a folded array: representative) and stage.
class StageWorkTable final {
 public:
  explicit StageWorkTable(Outcome const& outcome)
      : graph_{outcome.blueprint.schedule.graph()},
        journal_{outcome.records.journal},
        rows_{graph_.accelerators()} {
    for (auto const id : graph_.tasks().ids()) {
      if (is_local(graph_.at(id))) add(graph_.at(id).accelerator, id);
    }
    for (auto const id : graph_.tasks().ids()) {
      if (!is_local(graph_.at(id))) add_within_stage(id);
    }
    for (auto& stages : rows_) {
      for (auto& [stage, work] : stages) {
        std::sort(work.all.begin(), work.all.end());
        std::sort(work.computations.begin(), work.computations.end());
      }
    }
  }

  using Stages = std::map<std::size_t, StageWork>;
  [[nodiscard]] IdVector<AcceleratorId, Stages> const& rows() const { return rows_; }

 private:
  void add(AcceleratorId accelerator, TaskId id) {
    auto& work = rows_[accelerator][graph_.passage_of(id).stage];
    auto const begin = journal_.started(id).value();
    auto const end = journal_.completed(id).value();
    add_to(work.all, begin, end);
    if (graph_.at(id).kind == TaskKind::compute) add_to(work.computations, begin, end);
  }

  /// An exchange keeps both busy, if both are in the stage.
  void add_within_stage(TaskId id) {
    auto const& task = graph_.at(id);
    auto const stage = graph_.passage_of(id).stage;
    if (rows_[task.accelerator].count(stage) == 0) return;
    if (rows_[task.destination].count(stage) == 0) return;
    add(task.accelerator, id);
    if (task.destination != task.accelerator) add(task.destination, id);
  }

  TaskGraph const& graph_;
  Journal const& journal_;
  IdVector<AcceleratorId, Stages> rows_;
};

traces::StageEntry entry_of(std::size_t stage, StageWork const& work, InFlight const& most) {
  Time last{0};
  for (auto const& [begin, end] : work.all) last = std::max(last, end);
  auto const first = work.all.front().first;
  traces::StageEntry entry;
  entry.stage = static_cast<std::uint32_t>(stage);
  entry.begin = first;
  entry.end = last;
  entry.compute = covered(work.computations);
  entry.bubble = last - first - covered(work.all);
  entry.in_flight = most.activations;
  entry.weight_versions = most.weight_versions;
  return entry;
}

/// By stage and micro-batch: when the last of its tasks was done.
Completions completions(Outcome const& outcome) {
  auto const& graph = outcome.blueprint.schedule.graph();
  std::size_t stages = 1;
  std::int64_t micro_batches = 1;
  for (auto const& passage : graph.passages()) {
    stages = std::max(stages, passage.stage + 1);
    micro_batches = std::max(micro_batches, passage.micro_batch + 1);
  }
  Completions done(stages, std::vector<Time>(static_cast<std::size_t>(micro_batches), Time{0}));
  for (auto const id : graph.tasks().ids()) {
    auto const& passage = graph.passage_of(id);
    auto& last = done[passage.stage][static_cast<std::size_t>(passage.micro_batch)];
    last = std::max(last, outcome.records.journal.completed(id).value());
  }
  return done;
}

std::int64_t steps_of(TaskGraph const& graph) {
  std::int64_t last = 0;
  for (auto const& passage : graph.passages()) last = std::max(last, passage.step);
  return last + 1;
}

/// Over all stages.
Time completion(Completions const& completions, std::size_t micro_batch) {
  Time last{0};
  for (auto const& times : completions) last = std::max(last, times[micro_batch]);
  return last;
}

}  // namespace

std::vector<traces::StageEntry> stage_entries(Outcome const& outcome) {
  StageWorkTable const table{outcome};
  std::vector<traces::StageEntry> entries;
  for (auto const accelerator : table.rows().ids()) {
    for (auto const& [stage, work] : table.rows()[accelerator]) {
      auto entry = entry_of(
          stage, work,
          in_flight(outcome.blueprint.schedule, outcome.records.journal, accelerator, stage));
      for (auto const copy : outcome.blueprint.folding().copies_of(accelerator.index())) {
        entry.accelerator = static_cast<std::uint32_t>(copy);
        entries.push_back(entry);
      }
    }
  }
  std::sort(entries.begin(), entries.end(), [](auto const& a, auto const& b) {
    return std::tie(a.stage, a.accelerator) < std::tie(b.stage, b.accelerator);
  });
  return entries;
}

Time first_step_end(Outcome const& outcome) {
  auto const& graph = outcome.blueprint.schedule.graph();
  Time last{0};
  for (auto const id : graph.tasks().ids()) {
    if (graph.passage_of(id).step > 0) continue;
    last = std::max(last, outcome.records.journal.completed(id).value());
  }
  return last;
}

std::optional<traces::SteadyState> steady_state(Outcome const& outcome) {
  if (steps_of(outcome.blueprint.schedule.graph()) < fewest_steps) return std::nullopt;
  auto const done = completions(outcome);
  auto const part = repeated_part(done);
  if (!part) return std::nullopt;
  return traces::SteadyState{part->period, static_cast<std::int64_t>(part->micro_batches),
                             completion(done, part->first), completion(done, part->last)};
}

}  // namespace tessera::sim::outcome
