#include "partition/solvers/soybean.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "arch/load.hpp"
#include "partition/cost_model.hpp"
#include "test/support/network_text.hpp"
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
    for (auto const& axis : first_half({whole_region(extents), holding}).axes) {
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

/// All tilings of a perceptron by two cuts, one after another, with errors that lie as their
/// activations. SoyBean's aligned forms of a product, as its paper prints them.
class TwoCuts {
 public:
  TwoCuts(int layers, std::int64_t batch, std::int64_t hidden, SoyBeanOptions::Forms forms) {
    for (int layer = 0; layer <= layers; ++layer)
      regions_[x(layer)] = whole_region({batch, hidden});
    for (int layer = 1; layer <= layers; ++layer)
      regions_[w(layer)] = whole_region({hidden, hidden});
    for (int layer = 1; layer <= layers; ++layer) add_layer(layer, forms);
  }

  [[nodiscard]] double cheapest() const {
    double best = std::numeric_limits<double>::infinity();
    for_all_layouts([&](Layouts const& first) {
      auto left = *this;
      auto const outer = left.take(first);
      for_all_layouts(
          [&](Layouts const& second) { best = std::min(best, outer + 2 * left.price(second)); });
    });
    return best;
  }

 private:
  using Layouts = std::map<std::string, Holding>;
  struct Use {
    std::string tensor;
    bool is_result;
    std::vector<Holding> forms;
    Region region;
  };

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
      cost += use.is_result ? conversion_cost(used, stored) : conversion_cost(stored, used);
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
    for (auto& uses : computations_) {
      auto const form = cheapest_form(uses, layouts);
      for (auto& use : uses) use.region = first_half({use.region, use.forms[form]});
    }
    for (auto& [tensor, region] : regions_) region = first_half({region, layouts.at(tensor)});
    return total;
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

  std::map<std::string, Region> regions_;
  std::vector<std::vector<Use>> computations_;
};

double two_cuts(workloads::Network const& network, SoyBeanOptions options) {
  SoyBeanGraph graph{network, options};
  auto const outer = graph.cut().elements;
  return outer + 2 * graph.cut().elements;
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
      EXPECT_EQ(two_cuts(perceptron(layers, batch, hidden), {forms, SolverOptions::Errors::tied}),
                TwoCuts(layers, batch, hidden, forms).cheapest())
          << layers << " layers of " << hidden << ", batch " << batch;
    }
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
  using Errors = SolverOptions::Errors;
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

TEST(SoyBean, PlansFullyConnectedOperatorsOverModelsAndConvolutionsOverSamples) {
  auto const network = workloads::load("hypar/alexnet");
  auto const array = arch::load("hypar-paper");
  auto const plan = builtin_solvers().make("soybean", {})->solve({network, array});
  EXPECT_EQ(plan.splits[network.find("conv1")].front(), Split{Dim::n});
  EXPECT_NE(plan.splits[network.find("fc1")].front(), Split{Dim::n});
  EXPECT_GT(plan.evaluations, 0);
}

}  // namespace
}  // namespace tessera::partition
