#include "partition/solver.hpp"

#include "partition/solvers/solvers.hpp"

namespace tessera::partition {

namespace {

std::map<std::string, std::int64_t> spans_from(ConfigNode const& node) {
  auto map = node.as_map();
  std::map<std::string, std::int64_t> spans;
  for (auto const& [network, span] : node.entries()) {
    spans[network] = map.required<std::int64_t>(network);
    if (spans[network] < 2) throw span.error("a shortcut spans at least two layers");
  }
  map.finish();
  return spans;
}

}  // namespace

SolverOptions solver_options_from(ConfigNode const& node) {
  using InterLayer = SolverOptions::InterLayer;
  using Compute = SolverOptions::Compute;
  using Ratio = SolverOptions::Ratio;
  using OracleOf = SolverOptions::OracleOf;
  using Errors = SolverOptions::Errors;
  using Coarsening = SolverOptions::Coarsening;
  using Fit = SolverOptions::Fit;
  SolverOptions options;
  auto map = node.as_map();
  options.inter_layer = map.choice<InterLayer>(
      "inter_layer", {{"as_evaluated", InterLayer::as_evaluated}, {"printed", InterLayer::printed}},
      options.inter_layer);
  options.compute = map.choice<Compute>(
      "compute", {{"counted", Compute::counted}, {"ignored", Compute::ignored}}, options.compute);
  options.ratio = map.choice<Ratio>("ratio", {{"solved", Ratio::solved}, {"equal", Ratio::equal}},
                                    options.ratio);
  options.oracle_of = map.choice<OracleOf>(
      "oracle_of", {{"hypar", OracleOf::hypar}, {"accpar", OracleOf::accpar}}, options.oracle_of);
  options.errors = map.choice<Errors>("errors", {{"free", Errors::free}, {"tied", Errors::tied}},
                                      options.errors);
  options.coarsening = map.choice<Coarsening>(
      "coarsening", {{"element_wise", Coarsening::element_wise}, {"none", Coarsening::none}},
      options.coarsening);
  options.fit = map.choice<Fit>(
      "fit", {{"reject", Fit::reject}, {"ignore", Fit::ignore}, {"search", Fit::search}},
      options.fit);
  if (auto const* const spans = map.find("shortcut_spans")) {
    options.shortcut_spans = spans_from(*spans);
  }
  map.finish();
  return options;
}

SolverOptions solver_options_of(arch::ArraySpec const& array) {
  return solver_options_from(array.planner);
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
