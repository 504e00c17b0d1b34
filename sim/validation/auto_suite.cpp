// A job per plan; each job plans and simulates.
#include "sim/validation/auto_suite.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "arch/array/load.hpp"
#include "sim/study/experiment.hpp"
#include "workloads/load.hpp"

namespace tessera::sim {

namespace {

/// What `auto` is compared with. `accpar` is the first.
std::vector<std::string> const others = {"accpar", "dp", "owt", "hypar", "soybean", "optcnn"};

std::vector<std::string> const accpar_networks = {
    "accpar/lenet",  "accpar/alexnet",   "accpar/vgg-11",    "accpar/vgg-13",   "accpar/vgg-16",
    "accpar/vgg-19", "accpar/resnet-18", "accpar/resnet-34", "accpar/resnet-50"};

Experiment experiment_of(AutoCases const& cases, std::string const& network,
                         std::string const& planner) {
  Experiment experiment;
  experiment.network = workloads::load(network);
  experiment.array = arch::load(cases.array);
  experiment.planner = planner;
  experiment.host = Host::engine;
  experiment.run.explain = false;  // no row says why
  if (planner == "auto") experiment.planner_options.add("budget", cases.budget);
  return experiment;
}

/// Of one network: `auto`, and the others.
struct Times {
  double by_auto = 0;
  std::vector<double> by_others;

  [[nodiscard]] double least_of_others() const {
    return *std::min_element(by_others.begin(), by_others.end());
  }
};

Row row_of(AutoCases const& cases, std::string title, std::string metric) {
  Row row;
  row.suite = "auto";
  row.source = "other planners, simulated";
  row.title = std::move(title) + " on " + cases.array;
  row.metric = std::move(metric);
  return row;
}

Row row_of_network(AutoCases const& cases, std::string const& network, Times const& times) {
  auto row = row_of(cases, network, "time");
  row.unit = "ms";
  row.reference = Figure::of(1e3 * times.least_of_others());
  row.value = Figure::of(1e3 * times.by_auto);
  row.tolerance.kind = Tolerance::Kind::at_most;
  return judged(row);
}

Row row_of_gain(AutoCases const& cases, std::vector<Times> const& all) {
  double logarithms = 0;
  for (auto const& times : all) logarithms += std::log(times.by_others.front() / times.by_auto);
  auto row = row_of(cases, "all", "gain over accpar");
  row.reference = Figure::of(cases.least_gain);
  row.value = Figure::of(std::exp(logarithms / static_cast<double>(all.size())));
  row.tolerance.kind = Tolerance::Kind::at_least;
  return judged(row);
}

class AutoSuite final : public Suite {
 public:
  AutoSuite(std::vector<AutoCases> cases, bool takes_long)
      : cases_{std::move(cases)}, takes_long_{takes_long} {}

  [[nodiscard]] bool takes_long() const override { return takes_long_; }

  [[nodiscard]] std::vector<Row> run(ValidationOptions const& options) const override {
    std::vector<Job> jobs;
    for (auto const& cases : cases_) {
      for (auto const& network : cases.networks) {
        jobs.push_back(job_of(experiment_of(cases, network, "auto")));
        for (auto const& planner : others) {
          jobs.push_back(job_of(experiment_of(cases, network, planner)));
        }
      }
    }
    Progress progress{jobs.size(), "runs", options.progress};
    return rows_of(
        run_jobs(jobs, options.workers, [&progress](std::size_t done) { progress.update(done); }));
  }

 private:
  [[nodiscard]] std::vector<Row> rows_of(std::vector<std::string> const& texts) const {
    std::vector<Row> rows;
    auto next = texts.begin();
    auto const next_time = [&] { return point_from(*next++).result.simulated.time_s; };
    for (auto const& cases : cases_) {
      std::vector<Times> all;
      for (auto const& network : cases.networks) {
        auto& times = all.emplace_back();
        times.by_auto = next_time();
        for (std::size_t i = 0; i < others.size(); ++i) times.by_others.push_back(next_time());
        rows.push_back(row_of_network(cases, network, times));
      }
      rows.push_back(row_of_gain(cases, all));
    }
    return rows;
  }

  std::vector<AutoCases> cases_;
  bool takes_long_;
};

}  // namespace

std::unique_ptr<Suite> auto_suite(std::vector<AutoCases> cases, bool takes_long) {
  return std::make_unique<AutoSuite>(std::move(cases), takes_long);
}

std::vector<AutoCases> small_auto_cases() {
  return {{"hypar-paper", {"hypar/lenet-c", "hypar/sfc"}, "20"},
          {"hmc-htree-16", {"accpar/lenet"}, "10"}};
}

std::vector<AutoCases> large_auto_cases() {
  return {{"tpu-v2v3-256", accpar_networks, "20", 1.25},
          {"tpu-v3-128", accpar_networks, "20", 1.1},
          {"hmc-htree-16", accpar_networks, "60", 1.05}};
}

}  // namespace tessera::sim
