#include "partition/solver.hpp"

#include "partition/solvers/solvers.hpp"

namespace tessera::partition {

SolverOptions solver_options_from(ConfigNode const& node) {
  using InterLayer = SolverOptions::InterLayer;
  SolverOptions options;
  auto map = node.as_map();
  if (map.find("inter_layer") != nullptr) {
    options.inter_layer = map.choice<InterLayer>(
        "inter_layer",
        {{"as_evaluated", InterLayer::as_evaluated}, {"printed", InterLayer::printed}});
  }
  map.finish();
  return options;
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
      .add<Exhaustive>("exhaustive",
                       "HyPar's choice by trying all of a level's combinations: an oracle for up "
                       "to 16 operators");
  return solvers;
}

}  // namespace tessera::partition
