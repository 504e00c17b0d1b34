// The bubble rates of pipeline schedules (zero_bubble_rows.hpp), from simulated steps.
//
// Each stage is an accelerator with the published times of its passes; a chunk of the network is an operator. A message to another
// stage takes the published time and occupies nobody; issue, switches and memory take no time, nor does the update: the paper counts
// none of them.
#include <algorithm>
#include <map>
#include <utility>

#include "arch/array/load.hpp"
#include "partition/planners/staged_plan.hpp"
#include "sim/lower/lower.hpp"
#include "sim/shell/run.hpp"
#include "sim/study/process_pool.hpp"
#include "sim/validation/suites.hpp"
#include "sim/validation/zero_bubble_rows.hpp"
#include "traces/sink.hpp"
#include "workloads/load.hpp"

namespace tessera::sim {

namespace {

using workloads::OperatorId;

constexpr double closeness = 1e-4;  ///< of rates with four digits
/// Of interleaved rates: the paper counts fewer transfers than their order waits for (D60).
constexpr double nearness = 1e-2;

std::string operator_name(std::int64_t part) { return "part" + std::to_string(part); }

std::int64_t parts_of(ZeroBubbleRow const& row) { return row.stages * row.chunks; }

workloads::Network network_of(ZeroBubbleRow const& row) {
  std::string text =
      "schema: tessera.network/1\nname: zero-bubble\nbatch: " + std::to_string(row.micro_batches) +
      "\nelement: fp32\ninput: {name: x, features: 1}\noperators:\n";
  for (std::int64_t part = 0; part < parts_of(row); ++part) {
    auto const input = part == 0 ? std::string{"x"} : operator_name(part - 1);
    text.append("  - {name: ").append(operator_name(part)).append(", kind: linear, input: ");
    text.append(input).append(", outputs: 1}\n");
  }
  text += "training: {input_error: computed}\n";
  return workloads::network_from(read_config_text(text, "zero-bubble.yaml"));
}

/// A chunk's share of a stage's time.
Time per_chunk(Time time, ZeroBubbleRow const& row) { return Time{time.value() / row.chunks}; }

arch::ArraySpec array_of(ZeroBubbleRow const& row) {
  std::string times = "{schema: tessera.profile/1, name: zero-bubble, batch: 1, operators: [";
  for (std::int64_t part = 0; part < parts_of(row); ++part) {
    times.append(part == 0 ? "" : ", ").append("{name: ").append(operator_name(part));
    times.append(", forward: ").append(to_text(per_chunk(row.forward, row)));
    times.append(", backward_data: ").append(to_text(per_chunk(row.backward_data, row)));
    times.append(", backward_weight: ").append(to_text(per_chunk(row.backward_weight, row)));
    times.append("}");
  }
  times += "]}";
  auto const count = std::to_string(row.stages);
  return arch::array_from(read_config_text(
      "schema: tessera.array/2\nname: zero-bubble\naccelerators: " + count +
          "\naccelerator:\n  clock: 1 THz\n  processing_unit: {kind: profile, times: " + times +
          "}\n  memory: {kind: ideal, capacity: 80 GB}\n  dispatch: {latency: 0}\n"
          "fabric:\n  clock: 1 THz\n  hop: {latency: 0}\n  topology: {kind: full, shape: [" +
          count + "], link: {bandwidth: unlimited, latency: " + to_text(row.transfer) +
          "}}\nexecution: {overlap: communication}\n"
          "energy: {multiply: 0 pJ, add: 0 pJ, buffer_access: 0 pJ, memory_access: 0 pJ, "
          "link_word: 0 pJ}\n",
      "zero-bubble.yaml"));
}

partition::Plan plan_of(ZeroBubbleRow const& row, workloads::Network const& network,
                        arch::ArraySpec const& array) {
  partition::Pipeline pipeline;
  pipeline.schedule = row.schedule;
  pipeline.micro_batches = row.micro_batches;
  for (std::int64_t index = 0; index < row.stages; ++index) {
    partition::Stage stage;
    stage.mesh.devices = {static_cast<std::size_t>(index)};
    for (auto part = index; part < parts_of(row); part += row.stages) {
      stage.chunks.push_back({OperatorId{static_cast<std::size_t>(part)}});
    }
    pipeline.stages.push_back(std::move(stage));
  }
  auto plan = partition::unpriced_plan("zero-bubble", {network, array}, std::move(pipeline));
  validate(plan, network, array);
  return plan;
}

/// From each accelerator's first computation to its last.
class SpanSink final : public traces::Sink {
 public:
  void begin(traces::RunDescription const&) override {}
  void record(traces::TaskEvent const& event) override {
    if (static_cast<TaskKind>(event.kind) != TaskKind::compute) return;
    auto& [begin, end] =
        spans_.try_emplace(event.accelerator, event.start, event.end).first->second;
    begin = std::min(begin, event.start);
    end = std::max(end, event.end);
  }
  void end(traces::RunSummary const&) override {}

  [[nodiscard]] Time longest() const {
    Time longest{0};
    for (auto const& [accelerator, span] : spans_) {
      longest = std::max(longest, span.second - span.first);
    }
    return longest;
  }

 private:
  std::map<std::uint32_t, std::pair<Time, Time>> spans_;
};

std::string simulated_span(ZeroBubbleRow const& row) {
  auto const network = network_of(row);
  auto const array = array_of(row);
  SpanSink sink;
  auto const report = run(array, lower(network, array, plan_of(row, network, array)), sink);
  ENSURES(report.summary.complete, row.model, row.schedule);
  return std::to_string(sink.longest().value());
}

Row row_of(ZeroBubbleRow const& published, Time span) {
  Row row;
  row.suite = "zero-bubble";
  row.source = "ICLR'24, Table 5";
  row.title = published.schedule + ", " + published.model + ", " +
              std::to_string(published.stages) + " stages, " +
              std::to_string(published.micro_batches) + " micro-batches";
  row.metric = "bubble rate";
  row.reference = Figure::of(published.bubble_rate);
  row.value = Figure::of(published.rate_of(span));
  row.tolerance = {Tolerance::Kind::absolute, closeness};
  return row;
}

/// Interleaved rates are near, and their digits are known to differ.
std::vector<Row> judged_rows(ZeroBubbleRow const& published, Time span) {
  auto row = row_of(published, span);
  bool const is_interleaved = published.chunks > 1;
  if (!is_interleaved) return {judged(row)};
  auto near = row;
  near.tolerance.limit = nearness;
  row.metric += ", its digits";
  row.deviation = "D60";
  return {judged(near), judged(row)};
}

class ZeroBubbleSuite final : public Suite {
 public:
  [[nodiscard]] std::vector<Row> run(ValidationOptions const& options) const override {
    auto const published = zero_bubble_rows();
    Progress progress{published.size(), "runs", options.progress};
    auto const spans = simulated_spans(published, options.workers,
                                       [&](std::size_t done) { progress.update(done); });
    std::vector<Row> rows;
    for (std::size_t i = 0; i < published.size(); ++i) {
      for (auto& row : judged_rows(published[i], spans[i])) rows.push_back(std::move(row));
    }
    return rows;
  }
};

}  // namespace

std::vector<Time> simulated_spans(std::vector<ZeroBubbleRow> const& rows, std::size_t workers,
                                  std::function<void(std::size_t)> const& on_progress) {
  std::vector<Job> jobs;
  jobs.reserve(rows.size());
  for (auto const& row : rows) {
    jobs.push_back({"simulating " + row.schedule + " of " + row.model,
                    [row] { return simulated_span(row); },
                    {}});
  }
  std::vector<Time> spans;
  spans.reserve(rows.size());
  for (auto const& text : run_jobs(jobs, workers, on_progress)) {
    spans.push_back(Time{std::stoll(text)});
  }
  return spans;
}

std::unique_ptr<Suite> zero_bubble_suite() { return std::make_unique<ZeroBubbleSuite>(); }

}  // namespace tessera::sim
