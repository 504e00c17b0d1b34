// Fast-forward and symmetry against everything worked out, on every network of the zoo.
//
// Two accelerators with TPU-v3 cores, two samples, data parallel. In full, both accelerators are simulated, and every request on
// each of the channels of their memories; the reference is that run. GPT-3 has its 96 layers, but 256 features and positions: all of
// its 175 B weights, request by request on every channel, are out of reach.
#include <string>
#include <vector>

#include "arch/array/load.hpp"
#include "sim/study/experiment.hpp"
#include "sim/validation/suites.hpp"
#include "workloads/load.hpp"

namespace tessera::sim {

namespace {

std::vector<std::string> settings_of(std::string const& network) {
  if (network != "gpt-3") return {"batch=2"};
  return {"batch=2",
          "input.positions=256",
          "operators.0.outputs=256",
          "operators.1.outputs=256",
          "operators.3.width=256",
          "operators.3.heads=4",
          "operators.3.inner=1024"};
}

Experiment experiment_of(std::string const& network) {
  Experiment experiment;
  experiment.network = workloads::load(network, settings_of(network));
  experiment.array = arch::load("tpu-v3-128", {"accelerators=2", "fabric.topology=htree"});
  experiment.planner = "dp";
  return experiment;
}

Row row_of(std::string const& network, Result const& full, Result const& skipping) {
  Row row;
  row.suite = "skipping";
  row.source = "the same step in full";
  row.title = network;
  row.metric = "fingerprint";
  row.reference = Figure::of_text(full.simulated.fingerprint);
  row.value = Figure::of_text(skipping.simulated.fingerprint);
  return judged(row);
}

class SkippingSuite final : public Suite {
 public:
  [[nodiscard]] bool takes_long() const override { return true; }

  [[nodiscard]] std::vector<Row> run(ValidationOptions const& options) const override {
    auto const networks = workloads::builtin_networks();
    std::vector<Job> jobs;
    for (auto const& network : networks) {
      auto const experiment = experiment_of(network.name);
      jobs.push_back(job_of(in_full(experiment)));
      jobs.push_back(job_of(experiment));
    }
    Progress progress{jobs.size(), "runs", options.progress};
    auto const texts =
        run_jobs(jobs, options.workers, [&progress](std::size_t done) { progress.update(done); });
    std::vector<Row> rows;
    for (std::size_t i = 0; i < networks.size(); ++i) {
      rows.push_back(row_of(networks[i].name, point_from(texts[2 * i]).result,
                            point_from(texts[2 * i + 1]).result));
    }
    return rows;
  }
};

}  // namespace

std::unique_ptr<Suite> skipping_suite() { return std::make_unique<SkippingSuite>(); }

}  // namespace tessera::sim
