#include "sim/outcome/stage_summary.hpp"

#include <algorithm>
#include <tuple>

#include "sim/model/record/in_flight.hpp"
#include "sim/model/record/steady_state.hpp"

namespace tessera::sim::outcome {

namespace {

constexpr std::int64_t fewest_steps = 3;

using Spans = std::vector<std::pair<Time, Time>>;  // begin, end

/// How long at least one of them lasts. In order of their begin.
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

/// What an accelerator did for a stage. Empty: nothing of its own.
struct StageWork {
  Spans all;
  Spans computations;
};

/// By stage and accelerator (of a folded array: representative).
class StageWorkTable final {
 public:
  explicit StageWorkTable(Outcome const& outcome)
      : graph_{outcome.blueprint.schedule.graph()}, journal_{outcome.records.journal} {
    for (auto const& passage : graph_.passages()) {
      if (passage.stage < rows_.size()) continue;
      rows_.resize(passage.stage + 1, Row{graph_.accelerators()});
    }
    for (auto const id : graph_.tasks().ids()) {
      if (is_local(graph_.at(id))) add(graph_.at(id).accelerator, id);
    }
    for (auto const id : graph_.tasks().ids()) {
      if (!is_local(graph_.at(id))) add_within_stage(id);
    }
    for (auto& row : rows_) {
      for (auto& work : row) {
        std::sort(work.all.begin(), work.all.end());
        std::sort(work.computations.begin(), work.computations.end());
      }
    }
  }

  using Row = IdVector<AcceleratorId, StageWork>;
  /// In order of their begin.
  [[nodiscard]] std::vector<Row> const& rows() const { return rows_; }

 private:
  void add(AcceleratorId accelerator, TaskId id) {
    auto& work = rows_[graph_.passage_of(id).stage][accelerator];
    auto const span = std::make_pair(journal_.started(id).value(), journal_.completed(id).value());
    work.all.push_back(span);
    if (graph_.at(id).kind == TaskKind::compute) work.computations.push_back(span);
  }

  /// An exchange keeps both busy, if both are in the stage.
  void add_within_stage(TaskId id) {
    auto const& task = graph_.at(id);
    auto const& row = rows_[graph_.passage_of(id).stage];
    if (row[task.accelerator].all.empty() || row[task.destination].all.empty()) return;
    add(task.accelerator, id);
    if (task.destination != task.accelerator) add(task.destination, id);
  }

  TaskGraph const& graph_;
  Journal const& journal_;
  std::vector<Row> rows_;  ///< by stage
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
  for (std::size_t stage = 0; stage < table.rows().size(); ++stage) {
    auto const& row = table.rows()[stage];
    for (auto const accelerator : row.ids()) {
      if (row[accelerator].all.empty()) continue;
      auto entry = entry_of(
          stage, row[accelerator],
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
