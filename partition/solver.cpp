#include "partition/solver.hpp"

#include "partition/solvers/accpar.hpp"
#include "partition/solvers/solvers.hpp"

namespace tessera::partition {

Fit fit_from(ConfigMap& options) {
  return options.choice<Fit>(
      "fit", {{"reject", Fit::reject}, {"ignore", Fit::ignore}, {"search", Fit::search}},
      Fit::reject);
}

std::unique_ptr<Solver> make_solver(std::string const& planner, ConfigNode const& options) {
  auto map = options.as_map();
  return builtin_solvers().make(planner, map);
}

std::set<std::string> options_read_by(std::string const& planner, ConfigNode const& options) {
  auto map = options.as_map();
  static_cast<void>(fit_from(map));
  static_cast<void>(builtin_solvers().make(planner, map));
  return map.asked();
}

void check_options(ConfigNode const& options, std::vector<std::string> const& planned) {
  auto map = options.as_map();
  static_cast<void>(fit_from(map));
  auto const solvers = builtin_solvers();
  for (auto const& planner : solvers.names()) static_cast<void>(solvers.make(planner, map));
  check_spans(map, planned);
  map.finish();
}

SolverRegistry builtin_solvers() {
  SolverRegistry solvers{"planner"};
  solvers.add<DataParallel>("dp", "data parallelism: every operator split over samples")
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
      .add<Exhaustive>(
          "exhaustive",
          "HyPar's choice by trying all of a level's combinations: an oracle for small "
          "networks");
  return solvers;
}

}  // namespace tessera::partition
