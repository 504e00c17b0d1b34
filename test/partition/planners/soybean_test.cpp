#include "partition/planners/soybean.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "arch/array/load.hpp"
#include "partition/planners/planner.hpp"
#include "partition/price/cost_model.hpp"
#include "test/support/cases/cases.hpp"
#include "test/support/network_text.hpp"
#include "test/support/random_network.hpp"
#include "workloads/load.hpp"

namespace tessera::partition {
namespace {

using workloads::Dim;

Holding const rows = Holding::split(0);
Holding const columns = Holding::split(1);
Holding const all = Holding::replicated();
Holding const sum = Holding::partial();

TEST(BinaryCut, ConvertsAsSoyBeansTableSays) {
  auto const region = whole_region({8, 4});
  double const size = 32;
  struct Line {
    Holding from;
    double to_rows, to_columns, to_all;
  };
  for (auto const& line : {Line{rows, 0, size / 2, size}, Line{columns, size / 2, 0, size},
                           Line{all, 0, 0, 0}, Line{sum, size, size, 2 * size}}) {
    EXPECT_EQ(conversion_cost({region, line.from}, {region, rows}), line.to_rows);
    EXPECT_EQ(conversion_cost({region, line.from}, {region, columns}), line.to_columns);
    EXPECT_EQ(conversion_cost({region, line.from}, {region, all}), line.to_all);
  }
}

// Of 144 elements: each of three parts lacks two thirds of its 48 of another axis, and of all 144.
TEST(RegionCut, InThreeMovesWhatEachPartLacks) {
  auto const region = whole_region({12, 12});
  double const size = 144;
  struct Line {
    Holding from;
    double to_rows, to_columns, to_all;
  };
  for (auto const& line :
       {Line{rows, 0, size * 2 / 3, 2 * size}, Line{columns, size * 2 / 3, 0, 2 * size},
        Line{all, 0, 0, 0}, Line{sum, 2 * size, 2 * size, 4 * size}}) {
    EXPECT_EQ(conversion_cost({region, line.from}, {region, rows}, 3), line.to_rows);
    EXPECT_EQ(conversion_cost({region, line.from}, {region, columns}, 3), line.to_columns);
    EXPECT_EQ(conversion_cost({region, line.from}, {region, all}, 3), line.to_all);
  }
  EXPECT_EQ(first_part_of({region, columns}, 3).axes[1].size(), 4);
  auto const few = whole_region({2, 9});
  EXPECT_EQ(conversion_cost({few, rows}, {few, columns}, 3), 100 * 2 * 18);
  // Rows 0 to 2, 3 to 5 and 6, 7 of 8: each lacks two of every three columns' rows.
  auto const eight = whole_region({8, 9});
  EXPECT_EQ(conversion_cost({eight, rows}, {eight, columns}, 3), 8 * 6);
}

// Held: rows 0 to 3 of 8. Needed: columns 0 and 1 of 4, of all rows.
TEST(BinaryCut, FetchesWhatTheOtherHalfHolds) {
  auto const held = whole_region({4, 4});
  auto const needed = whole_region({8, 2});
  // Rows 0, 1 | 2, 3 held, rows 0 to 3 | 4 to 7 needed: the first half lacks rows 2 and 3.
  EXPECT_EQ(conversion_cost({held, rows}, {needed, rows}), 2 * 2);
  // Column 0 | 1 needed: each half lacks its column of the other's two rows.
  EXPECT_EQ(conversion_cost({held, rows}, {needed, columns}), 2 + 2);
  // Both columns needed by both: of the other's two rows, and of rows 4 to 7, which neither holds.
  EXPECT_EQ(conversion_cost({held, rows}, {needed, all}), 4 + 4 + 8);
  EXPECT_EQ(conversion_cost({held, all}, {needed, all}), 8);
}

TEST(BinaryCut, OfAnOddAxisIsDearerThanAnyOther) {
  auto const region = whole_region({7, 4});
  EXPECT_EQ(conversion_cost({region, rows}, {region, columns}), 100 * 2 * 28);
  EXPECT_EQ(conversion_cost({region, columns}, {region, all}), 28);
}

TEST(BinaryCut, LeavesTheFirstHalfAndOfAnOddAxisTheLargerOne) {
  auto const left = [](std::vector<std::int64_t> const& extents, Holding holding) {
    std::vector<std::int64_t> sizes;
    for (auto const& axis : first_part_of({whole_region(extents), holding}).axes) {
      sizes.push_back(axis.size());
    }
    return sizes;
  };
  EXPECT_EQ(left({8, 4}, rows), (std::vector<std::int64_t>{4, 4}));
  EXPECT_EQ(left({8, 4}, columns), (std::vector<std::int64_t>{8, 2}));
  EXPECT_EQ(left({8, 4}, sum), (std::vector<std::int64_t>{8, 4}));
  EXPECT_EQ(left({1, 4}, rows), (std::vector<std::int64_t>{1, 4}));
}

workloads::Network perceptron(int layers, std::int64_t batch, std::int64_t hidden) {
  test::NetworkText text;
  text.input = "{name: x0, features: " + std::to_string(hidden) + "}";
  text.batch = std::to_string(batch);
  std::vector<std::string> operators;
  for (int layer = 1; layer <= layers; ++layer) {
    operators.push_back("{name: x" + std::to_string(layer) + ", kind: linear, input: x" +
                        std::to_string(layer - 1) + ", outputs: " + std::to_string(hidden) + "}");
  }
  return test::network_of(text.with(operators));
}

/// In how many parts.
struct Ways {
  std::size_t outer = 2;
  std::size_t inner = 2;
};

/// All tilings of a perceptron by two cuts or more, one after another, with errors that lie as
/// their activations. SoyBean's aligned forms of a product, as its paper prints them.
class AllCuts {
 public:
  AllCuts(int layers, std::int64_t batch, std::int64_t hidden, SoyBeanOptions::Forms forms) {
    for (int layer = 0; layer <= layers; ++layer)
      regions_[x(layer)] = whole_region({batch, hidden});
    for (int layer = 1; layer <= layers; ++layer)
      regions_[w(layer)] = whole_region({hidden, hidden});
    for (int layer = 1; layer <= layers; ++layer) add_layer(layer, forms);
  }

  [[nodiscard]] double cheapest(Ways ways = {}) const {
    double best = std::numeric_limits<double>::infinity();
    auto const groups = static_cast<double>(ways.outer);
    for_all_layouts([&](Layouts const& first) {
      auto left = *this;
      left.ways_ = ways.outer;
      auto const outer = left.take(first);
      left.ways_ = ways.inner;
      for_all_layouts([&](Layouts const& second) {
        best = std::min(best, outer + groups * left.price(second));
      });
    });
    return best;
  }

  using Layouts = std::map<std::string, Holding>;

  /// What so many cuts in two cost at least, each the cheapest of what the ones before have left.
  [[nodiscard]] double cheapest_greedily(int cuts) const {
    Known known;
    return cheapest_greedily(cuts, known);
  }

 private:
  struct Use {
    std::string tensor;
    bool is_result;
    std::vector<Holding> forms;
    Region region;
  };
  using Known = std::map<std::vector<std::int64_t>, double>;
  using Forms = std::vector<std::size_t>;  ///< by computation

  /// Over all ties, of layouts and of forms; what is known by sizes of what is left.
  [[nodiscard]] double cheapest_greedily(int cuts, Known& known) const {
    auto const left = known.find(sizes(cuts));
    if (left != known.end()) return left->second;
    auto least = std::numeric_limits<double>::infinity();
    for_all_layouts([&](Layouts const& layouts) { least = std::min(least, price(layouts)); });
    auto rest = cuts == 1 ? 0 : std::numeric_limits<double>::infinity();
    for_all_layouts([&](Layouts const& layouts) {
      if (cuts == 1 || price(layouts) != least) return;
      for_all_cheapest_forms(layouts, [&](Forms const& forms) {
        auto inner = *this;
        inner.take(layouts, forms);
        rest = std::min(rest, inner.cheapest_greedily(cuts - 1, known));
      });
    });
    return known[sizes(cuts)] = least + 2 * rest;
  }

  [[nodiscard]] std::vector<std::int64_t> sizes(int cuts) const {
    std::vector<std::int64_t> found{cuts};
    for (auto const& [tensor, region] : regions_) {
      for (auto const& axis : region.axes) found.push_back(axis.size());
    }
    for (auto const& uses : computations_) {
      for (auto const& use : uses) {
        for (auto const& axis : use.region.axes) found.push_back(axis.size());
      }
    }
    return found;
  }

  template <typename Visit>
  void for_all_cheapest_forms(Layouts const& layouts, Visit visit, Forms const& so_far = {}) const {
    if (so_far.size() == computations_.size()) return visit(so_far);
    auto const& uses = computations_[so_far.size()];
    auto const least = cost(uses, layouts, cheapest_form(uses, layouts));
    for (std::size_t form = 0; form < 3; ++form) {
      if (cost(uses, layouts, form) != least) continue;
      auto longer = so_far;
      longer.push_back(form);
      for_all_cheapest_forms(layouts, visit, longer);
    }
  }

  static std::string x(int layer) { return "x" + std::to_string(layer); }
  static std::string w(int layer) { return "w" + std::to_string(layer); }

  void add_layer(int layer, SoyBeanOptions::Forms forms) {
    auto const in = x(layer - 1);
    auto const weight = w(layer);
    auto const out = x(layer);  // and its error
    add({{in, false, {rows, all, columns}, {}},
         {weight, false, {all, rows, columns}, {}},
         {out, true, {rows, columns, sum}, {}}});
    std::vector<Use> gradient = {{out, false, {rows, columns, all}, {}},
                                 {in, false, {rows, all, columns}, {}},
                                 {weight, true, {sum, rows, columns}, {}}};
    Use const read_weight{weight, false, {all, rows, columns}, {}};
    Use const error{in, true, {rows, sum, columns}, {}};
    if (forms == SoyBeanOptions::Forms::split_backward) {
      if (layer > 1) add({gradient.front(), read_weight, error});
    } else if (layer > 1) {
      gradient.push_back(read_weight);
      gradient.push_back(error);
    }
    add(gradient);
  }

  void add(std::vector<Use> uses) {
    for (auto& use : uses) use.region = regions_.at(use.tensor);
    computations_.push_back(std::move(uses));
  }

  [[nodiscard]] double cost(std::vector<Use> const& uses, Layouts const& layouts,
                            std::size_t form) const {
    double cost = 0;
    for (auto const& use : uses) {
      CutRegion const stored{regions_.at(use.tensor), layouts.at(use.tensor)};
      CutRegion const used{use.region, use.forms[form]};
      cost += use.is_result ? conversion_cost(used, stored, ways_)
                            : conversion_cost(stored, used, ways_);
    }
    return cost;
  }

  [[nodiscard]] std::size_t cheapest_form(std::vector<Use> const& uses,
                                          Layouts const& layouts) const {
    std::array<double, 3> costs{};
    for (std::size_t form = 0; form < 3; ++form) costs.at(form) = cost(uses, layouts, form);
    return static_cast<std::size_t>(std::min_element(costs.begin(), costs.end()) - costs.begin());
  }

  /// Of a cut with these layouts and the cheapest form of every computation.
  [[nodiscard]] double price(Layouts const& layouts) const {
    double total = 0;
    for (auto const& uses : computations_) {
      total += cost(uses, layouts, cheapest_form(uses, layouts));
    }
    return total;
  }

  /// Makes that cut; its cost.
  double take(Layouts const& layouts) {
    auto const total = price(layouts);
    Forms forms;
    for (auto const& uses : computations_) forms.push_back(cheapest_form(uses, layouts));
    take(layouts, forms);
    return total;
  }

  void take(Layouts const& layouts, Forms const& forms) {
    for (std::size_t i = 0; i < computations_.size(); ++i) {
      for (auto& use : computations_[i]) {
        use.region = first_part_of({use.region, use.forms[forms[i]]}, ways_);
      }
    }
    for (auto& [tensor, region] : regions_)
      region = first_part_of({region, layouts.at(tensor)}, ways_);
  }

  template <typename Visit>
  void for_all_layouts(Visit visit) const {
    std::vector<Holding> const choices = {rows, columns, all};
    std::size_t combinations = 1;
    for (std::size_t i = 0; i < regions_.size(); ++i) combinations *= choices.size();
    for (std::size_t combination = 0; combination < combinations; ++combination) {
      Layouts layouts;
      auto rest = combination;
      for (auto const& [tensor, region] : regions_) {
        layouts[tensor] = choices[rest % choices.size()];
        rest /= choices.size();
      }
      visit(layouts);
    }
  }

  std::size_t ways_ = 2;
  std::map<std::string, Region> regions_;
  std::vector<std::vector<Use>> computations_;
};

double two_cuts(workloads::Network const& network, SoyBeanOptions options, Ways ways = {}) {
  SoyBeanGraph graph{network, options};
  auto const outer = graph.cut(ways.outer).elements;
  return outer + static_cast<double>(ways.outer) * graph.cut(ways.inner).elements;
}

TEST(SoyBeanGraph, CutsGreedilyAsCheaplyAsAnyTwoCuts) {
  using Forms = SoyBeanOptions::Forms;
  struct Shape {
    int layers;
    std::int64_t batch, hidden;
  };
  for (auto const forms : {Forms::fused_backward, Forms::split_backward}) {
    for (auto const& [layers, batch, hidden] :
         {Shape{1, 1024, 1024}, Shape{1, 16, 64}, Shape{2, 512, 8192}}) {
      if (layers > 1 && test::is_sanitized()) continue;
      EXPECT_EQ(two_cuts(perceptron(layers, batch, hidden), {forms, SoyBeanOptions::Errors::tied}),
                AllCuts(layers, batch, hidden, forms).cheapest())
          << layers << " layers of " << hidden << ", batch " << batch;
    }
  }
}

/// What cuts in two cost together, each told of so many that follow.
double cuts_in_two(workloads::Network const& network, SoyBeanOptions options, std::size_t cuts,
                   std::size_t told) {
  SoyBeanGraph graph{network, options};
  double elements = 0;
  for (std::size_t cut = 0; cut < cuts; ++cut) {
    std::vector<std::size_t> const ways(1 + std::min(told, cuts - cut - 1), 2);
    elements += static_cast<double>(1U << cut) * graph.cut({ways}).elements;
  }
  return elements;
}

// Cut by cut without a look at those that follow, these cost an eighth and a twentieth more.
TEST(SoyBeanGraph, OfEquallyCheapCutsTakesTheOneAfterWhichOthersCostLeast) {
  SoyBeanOptions const options{SoyBeanOptions::Forms::fused_backward, SoyBeanOptions::Errors::tied};
  for (auto const& [batch, hidden] : {std::pair{64, 64}, std::pair{512, 8192}}) {
    auto const network = perceptron(2, batch, hidden);
    auto const elements = cuts_in_two(network, options, 3, 2);
    EXPECT_EQ(elements, AllCuts(2, batch, hidden, options.forms).cheapest_greedily(3)) << batch;
    EXPECT_LT(elements, cuts_in_two(network, options, 3, 0)) << batch;
  }
}

TEST(SoyBeanGraph, CutsInThreeAndInTwoAsCheaplyAsAnySuchCuts) {
  auto const forms = SoyBeanOptions::Forms::split_backward;
  Ways const ways{3, 2};
  struct Shape {
    int layers;
    std::int64_t batch, hidden;
  };
  for (auto const& [layers, batch, hidden] : {Shape{1, 36, 72}, Shape{2, 36, 144}}) {
    if (layers > 1 && test::is_sanitized()) continue;
    EXPECT_EQ(
        two_cuts(perceptron(layers, batch, hidden), {forms, SoyBeanOptions::Errors::tied}, ways),
        AllCuts(layers, batch, hidden, forms).cheapest(ways))
        << layers << " layers of " << hidden << ", batch " << batch;
  }
}

TEST(SoyBeanGraph, CutsFurtherInNeverMoveLess) {
  SoyBeanGraph graph{workloads::load("alexnet"), {}};
  double before = 0;
  for (int cut = 0; cut < 4; ++cut) {
    auto const moved = (1 << cut) * graph.cut().elements;  // in as many groups
    EXPECT_GE(moved, before) << "cut " << cut + 1;
    before = moved;
  }
}

TEST(SoyBeanGraph, MoreFreedomNeverCostsMore) {
  using Forms = SoyBeanOptions::Forms;
  using Errors = SoyBeanOptions::Errors;
  for (auto const* const name : {"hypar/alexnet", "accpar/resnet-18", "hypar/lenet-c"}) {
    auto const network = workloads::load(name);
    auto const one_cut = [&](Forms forms, Errors errors) {
      return SoyBeanGraph{network, {forms, errors}}.cut().elements;
    };
    auto const fused = one_cut(Forms::fused_backward, Errors::free);
    EXPECT_LE(one_cut(Forms::split_backward, Errors::free),
              one_cut(Forms::split_backward, Errors::tied));
    EXPECT_LE(fused, one_cut(Forms::fused_backward, Errors::tied));
    EXPECT_LE(one_cut(Forms::per_operator, Errors::free),
              one_cut(Forms::per_operator, Errors::tied));
  }
}

TEST(Tofu, InHalvesWithoutCoarseningIsSoyBeanWithTiedErrors) {
  auto const options = ConfigNode::map().add("errors", "tied").add("coarsening", "none");
  for (auto const* const name : {"hypar/alexnet", "accpar/resnet-18", "hypar/lenet-c"}) {
    auto const network = workloads::load(name);
    auto const array = arch::load("hypar-paper");
    auto const tofu = make_planner("tofu", options)->solve({network, array});
    auto const soybean = make_planner("soybean", options)->solve({network, array});
    for (auto const op : network.operators().ids()) {
      EXPECT_EQ(tofu.splits[op], soybean.splits[op]) << network.at(op).name;
    }
    EXPECT_EQ(cost({network, array}, tofu).communication,
              cost({network, array}, soybean).communication);
  }
}

TEST(Tofu, PlansForAnyNumberOfAcceleratorsAtThePriceOfTheCostModel) {
  auto const network = workloads::load("hypar/sfc", {"batch=180"});
  for (auto const* const size : {"6", "9", "10", "12"}) {
    auto const array = arch::load(
        "hypar-paper", {std::string{"accelerators="} + size, "fabric.link.bandwidth=18 Gb/s"});
    auto const plan = make_planner("tofu")->solve({network, array});
    auto const priced = cost({network, array}, plan);
    EXPECT_EQ(plan.predicted->time_s, priced.time_s());
    EXPECT_EQ(plan.predicted->communication, priced.communication);
    // sfc is of fully connected layers: samples everywhere is what they cannot afford.
    auto const dp = make_planner("dp")->solve({network, array});
    EXPECT_LT(plan.predicted->communication, dp.predicted->communication) << size;
  }
}

bool reads_every_sum_once(workloads::Network const& network) {
  return std::all_of(network.operators().begin(), network.operators().end(),
                     [&](workloads::Operator const& op) {
                       return op.kind != workloads::OperatorKind::add ||
                              network.at(op.output.tensor).consumers.size() <= 1;
                     });
}

/// The elements that one cut moves.
double one_cut(workloads::Network const& network, SoyBeanOptions::Coarsening coarsening) {
  return SoyBeanGraph{
      network, {SoyBeanOptions::Forms::per_operator, SoyBeanOptions::Errors::tied, coarsening}}
      .cut()
      .elements;
}

TEST(Tofu, CoarseningIsExactWhereEverySumHasOneReader) {
  using Coarsening = SoyBeanOptions::Coarsening;
  int exact = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random{seed};
    test::RandomNetworkOptions options;
    options.levels = 1;
    options.graph = test::RandomNetworkOptions::Graph::dag;
    auto const network = test::random_network(random, options);
    auto const fine = one_cut(network, Coarsening::none);
    auto const coarse = one_cut(network, Coarsening::element_wise);
    EXPECT_GE(coarse, fine);  // it only takes choices away
    if (!reads_every_sum_once(network)) continue;
    ++exact;
    EXPECT_EQ(coarse, fine) << network.source_text();
  }
  EXPECT_GT(exact, 50);
}

/// Convolutions want samples split, and two heads with few outputs the channels: the sum between
/// them is taken from one to the other once if it may lie otherwise than what is summed, else
/// twice.
TEST(Tofu, CoarseningCanCostWhereASumHasTwoReaders) {
  test::NetworkText text;
  text.input = "{name: x, channels: 64, rows: 32, columns: 32}";
  text.batch = "16";
  auto const conv = std::string{", kind: conv, filters: 64, kernel: 3, padding: 1, input: "};
  auto const network = test::network_of(text.with({
      "{name: stem" + conv + "x}",
      "{name: a" + conv + "stem}",
      "{name: b" + conv + "stem}",
      "{name: sum, kind: add, inputs: [a, b]}",
      "{name: head1, kind: conv, input: sum, filters: 32, kernel: 32}",
      "{name: head2, kind: conv, input: sum, filters: 32, kernel: 32}",
  }));
  using Coarsening = SoyBeanOptions::Coarsening;
  EXPECT_GT(one_cut(network, Coarsening::element_wise), one_cut(network, Coarsening::none));
}

TEST(SoyBean, PlansFullyConnectedOperatorsOverModelsAndConvolutionsOverSamples) {
  auto const network = workloads::load("hypar/alexnet");
  auto const array = arch::load("hypar-paper");
  auto const plan = make_planner("soybean")->solve({network, array});
  EXPECT_EQ(plan.splits[network.find("conv1")].front(), Split{Dim::n});
  EXPECT_NE(plan.splits[network.find("fc1")].front(), Split{Dim::n});
  EXPECT_GT(plan.evaluations, 0);
}

}  // namespace
}  // namespace tessera::partition
