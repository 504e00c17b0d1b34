// Fast-forward and symmetry against everything worked out, on every network of the zoo.
//
// Two accelerators with TPU-v3 cores, two samples, data parallel. In full, both accelerators are simulated, and every request on
// each of the channels of their memories; the reference is that run. GPT-3 has its 96 layers, but 256 features and positions: all of
// its 175 B weights, request by request on every channel, are out of reach. It is also put in two stages of a torus, each of a ring of
// four accelerators that share its operators. And 64 accelerators in eight servers, one of which stands for all, and in a fat tree.
#include <string>
#include <utility>
#include <vector>

#include "arch/array/load.hpp"
#include "sim/study/experiment.hpp"
#include "sim/validation/suites.hpp"
#include "workloads/load.hpp"

namespace tessera::sim {

namespace {

/// A step, and what it is called.
struct SkippedStep {
  std::string title;
  Experiment experiment;
};

std::vector<std::string> settings_of(std::string const& network, std::string const& batch) {
  if (network != "gpt-3") return {batch};
  return {batch,
          "input.positions=256",
          "operators.0.outputs=256",
          "operators.1.outputs=256",
          "operators.3.width=256",
          "operators.3.heads=4",
          "operators.3.inner=1024"};
}

SkippedStep data_parallel(std::string const& network) {
  Experiment experiment;
  experiment.network = workloads::load(network, settings_of(network, "batch=2"));
  experiment.array = arch::load("tpu-v3-128", {"accelerators=2", "fabric.topology=htree"});
  experiment.planner = "dp";
  return {network, experiment};
}

/// In stages of tensor-parallel groups, several micro-batches after another.
void put_in_stages(Experiment& experiment, std::string const& stages, std::string const& tensor,
                   std::string const& micro_batches) {
  experiment.planner = "megatron";
  experiment.planner_options.add("stages", stages);
  experiment.planner_options.add("tensor", tensor);
  experiment.planner_options.add("micro_batches", micro_batches);
}

SkippedStep in_stages() {
  Experiment experiment;
  experiment.network = workloads::load("gpt-3", settings_of("gpt-3", "batch=8"));
  experiment.array =
      arch::load("tpu-v3-128", {"accelerators=8", "execution.collectives=torus",
                                "fabric={clock: 940 MHz, topology: {kind: torus, shape: [4, 2], "
                                "half_way: both, link: {bandwidth: 656 Gb/s, latency: 1 us}}}"});
  put_in_stages(experiment, "2", "4", "2");
  experiment.planner_options.add("activations", "recomputed");
  return {"gpt-3 in two stages, recomputed", experiment};
}

SkippedStep of_64(std::string const& title, std::vector<std::string> const& settings) {
  Experiment experiment;
  experiment.network = workloads::load("gpt-2", {"batch=64"});
  experiment.array = arch::load("v100-64", settings);
  experiment.planner = "dp";
  return {"gpt-2 on " + title, experiment};
}

std::vector<SkippedStep> skipped_steps() {
  std::vector<SkippedStep> all;
  for (auto const& network : workloads::builtin_networks()) {
    all.push_back(data_parallel(network.name));
  }
  all.push_back(in_stages());
  for (auto const* const collectives : {"ring", "hierarchical"}) {
    std::string const sums = std::string{"execution.collectives="} + collectives;
    auto servers = of_64(std::string{"eight servers, "} + collectives, {sums});
    all.push_back(servers);
    put_in_stages(servers.experiment, "2", "8", "2");
    all.push_back({servers.title + ", in two stages", servers.experiment});
    all.push_back(of_64(std::string{"a fat tree, "} + collectives,
                        {sums,
                         "fabric.topology={kind: fat-tree, shape: [8, 2], "
                         "link: {bandwidth: 240 Gb/s, latency: 1 us}}"}));
  }
  return all;
}

Row row_of(std::string const& title, Result const& full, Result const& skipping) {
  Row row;
  row.suite = "skipping";
  row.source = "the same step in full";
  row.title = title;
  row.metric = "fingerprint";
  row.reference = Figure::of_text(full.simulated.fingerprint);
  row.value = Figure::of_text(skipping.simulated.fingerprint);
  return judged(row);
}

class SkippingSuite final : public Suite {
 public:
  [[nodiscard]] bool takes_long() const override { return true; }

  [[nodiscard]] std::vector<Row> run(ValidationOptions const& options) const override {
    auto const all = skipped_steps();
    std::vector<Job> jobs;
    for (auto const& [title, experiment] : all) {
      jobs.push_back(job_of(in_full(experiment)));
      jobs.push_back(job_of(experiment));
    }
    Progress progress{jobs.size(), "runs", options.progress};
    auto const texts =
        run_jobs(jobs, options.workers, [&progress](std::size_t done) { progress.update(done); });
    std::vector<Row> rows;
    for (std::size_t i = 0; i < all.size(); ++i) {
      rows.push_back(row_of(all[i].title, point_from(texts[2 * i]).result,
                            point_from(texts[2 * i + 1]).result));
    }
    return rows;
  }
};

}  // namespace

std::unique_ptr<Suite> skipping_suite() { return std::make_unique<SkippingSuite>(); }

}  // namespace tessera::sim
