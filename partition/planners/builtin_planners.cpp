#include "partition/planners/planner.hpp"

#include "partition/planners/accpar.hpp"
#include "partition/planners/auto_planner.hpp"
#include "partition/planners/builtin_planners.hpp"

namespace tessera::partition {

std::unique_ptr<Planner> make_planner(std::string const& planner, ConfigNode const& options) {
  auto map = options.as_map();
  return builtin_planners().make(planner, map);
}

std::set<std::string> options_read_by(std::string const& planner, ConfigNode const& options) {
  auto map = options.as_map();
  static_cast<void>(fit_from(map));
  static_cast<void>(builtin_planners().make(planner, map));
  return map.asked();
}

std::vector<PlannerOption> options_of(std::string const& planner) {
  auto const none = ConfigNode::map();
  auto map = none.as_map();
  static_cast<void>(fit_from(map));
  static_cast<void>(builtin_planners().make(planner, map));
  std::vector<PlannerOption> options;
  for (auto const& key : map.asked()) {
    auto const known = map.alternatives().find(key);
    options.push_back({key, {}, {}});
    if (known == map.alternatives().end()) continue;
    options.back().fallback = known->second.fallback;
    options.back().choices = known->second.choices;
  }
  return options;
}

void check_options(ConfigNode const& options, std::vector<std::string> const& planned) {
  auto map = options.as_map();
  static_cast<void>(fit_from(map));
  auto const planners = builtin_planners();
  for (auto const& planner : planners.names()) static_cast<void>(planners.make(planner, map));
  check_spans(map, planned);
  map.finish();
}

PlannerRegistry builtin_planners() {
  PlannerRegistry planners{"planner"};
  planners.add<DataParallel>("dp", "data parallelism: every operator split over samples")
      .add<ModelParallel>(
          "mp", "model parallelism: every operator split over input channels (HyPar, HPCA'19)")
      .add<OneWeirdTrick>(
          "owt",
          "one weird trick: convolutions dp, fully connected mp (Krizhevsky, arXiv:1404.5997)")
      .add<HyPar>(
          "hypar",
          "dp or mp per operator and level, least communication (HyPar, HPCA'19, Alg. 1 and 2)")
      .add<AccPar>(
          "accpar",
          "Type I, II or III and a ratio per operator and level, least time (AccPar, HPCA'20)")
      .add<SoyBean>("soybean",
                    "n, k or c per operator and cut, least conversion between layouts of tensors "
                    "(SoyBean, arXiv:1805.04170)")
      .add<Tofu>("tofu",
                 "SoyBean's choice with cuts in any number of parts, on a coarsened graph (Tofu, "
                 "EuroSys'19)")
      .add<OptCnn>(
          "optcnn",
          "how many levels split samples and how many output channels, per operator, least "
          "time of the step (OptCNN, ICML'18)")
      .add<PipeDreamPlanner>(
          "pipedream",
          "stages and their replicas, least time of the slowest stage (PipeDream, SOSP'19)")
      .add<GPipePlanner>("gpipe",
                         "balanced stages, all micro-batches forward, then back (GPipe, "
                         "NeurIPS'19)")
      .add<PipeDream2bw>("pipedream-2bw",
                         "replicas of a pipeline of equal stages that fit, most samples per second "
                         "(PipeDream-2BW, ICML'21)")
      .add<GnmtExpert>("gnmt-expert",
                       "a layer of LSTMs per accelerator, samples between nodes (Wu et al., "
                       "arXiv:1609.08144)")
      .add<TensorParallel>("tp",
                           "columns then rows of weights, on the whole array or groups of it "
                           "(Megatron-LM, arXiv:1909.08053)")
      .add<Megatron>("megatron",
                     "equal stages of groups that share every operator and split samples, least "
                     "time of what fits (Megatron-LM, SC'21)")
      .add<FlexFlow>("flexflow",
                     "any split of any operator on any accelerators, the shortest timeline that a "
                     "Markov chain finds (FlexFlow, SysML'19)")
      .add<ColocRl>("colocrl",
                    "each group of operators on one accelerator, the shortest timeline by policy "
                    "gradient (ColocRL, ICML'17)")
      .add<AutoPlanner>(
          "auto",
          "the best in simulated time of all planners' plans, on the array or part of "
          "it, and of changes of them, within a budget (ours)")
      .add<Exhaustive>(
          "exhaustive",
          "HyPar's choice by trying all of a level's combinations: an oracle for small "
          "networks");
  return planners;
}

}  // namespace tessera::partition
