// The plans of the AccPar authors' released solver, github.com/linghaosong/AccPar (MIT licence), batch 512, seven levels.
#include <gtest/gtest.h>

#include <map>

#include "arch/array/load.hpp"
#include "partition/planners/accpar.hpp"
#include "partition/planners/planner.hpp"
#include "partition/price/cost_model.hpp"
#include "partition/search/level_problem.hpp"
#include "test/support/error_message.hpp"
#include "workloads/load.hpp"

namespace tessera::partition {
namespace {

using workloads::Dim;

std::vector<std::string> const released_networks{
    "accpar-released/alexnet", "accpar-released/vgg11", "accpar-released/resnet18",
    "accpar-released/resnet34", "accpar-released/resnet50"};

struct Released {
  explicit Released(std::string const& name) : network{workloads::load(name)} {}

  workloads::Network network;
  arch::ArraySpec array = arch::load("accpar-released");

  [[nodiscard]] Plan plan(std::string const& planner) const { return plan(planner, array.planner); }
  [[nodiscard]] Plan plan(std::string const& planner, ConfigNode const& options) const {
    return make_planner(planner, options)->solve({network, array});
  }
};

/// One string per level from the top; a digit per layer of the authors' table, 0 = Type I, 1 = II,
/// 2 = III, as their solver prints them.
std::vector<std::string> types(workloads::Network const& network, Plan const& plan) {
  std::map<Dim, char> const digits{{Dim::n, '0'}, {Dim::c, '1'}, {Dim::k, '2'}};
  std::vector<std::string> levels(static_cast<std::size_t>(plan.levels()));
  for (auto const op : network.operators().ids()) {
    if (!network.at(op).weight) continue;
    for (std::size_t level = 0; level < levels.size(); ++level) {
      levels[level] += digits.at(plan.splits[op][level].value().dim);
    }
  }
  return levels;
}

TEST(AccParReleased, AlexNetHasTheAuthorsPlansInBothModes) {
  Released const alexnet{"accpar-released/alexnet"};
  EXPECT_EQ(types(alexnet.network, alexnet.plan("hypar")),
            (std::vector<std::string>{"00000111", "00000111", "00000111", "00000100", "00000111",
                                      "00001000", "00011111"}));
  EXPECT_EQ(types(alexnet.network, alexnet.plan("accpar")),
            (std::vector<std::string>{"00000121", "00000211", "00000121", "00000212", "00000121",
                                      "00021212", "00001121"}));
}

TEST(AccParReleased, AlexNetHasTheAuthorsBaselines) {
  Released const alexnet{"accpar-released/alexnet"};
  EXPECT_EQ(types(alexnet.network, alexnet.plan("dp")), std::vector<std::string>(7, "00000000"));
  EXPECT_EQ(types(alexnet.network, alexnet.plan("owt")), std::vector<std::string>(7, "00000111"));
}

/// What the printed tables ask of a plan, one direction of all pairs.
double printed_elements(workloads::Network const& network, Plan const& plan) {
  double elements = 0;
  for (std::size_t level = 0; level < static_cast<std::size_t>(plan.levels()); ++level) {
    auto const tables = traffic_objective(network, InterLayer::printed, level);
    for (auto const op : network.operators().ids()) {
      elements += tables->operator_cost(op, plan.splits[op]);
    }
    for (auto const& edge : tables->edges()) {
      elements += tables->edge_cost(edge, plan.splits[edge.producer], plan.splits[edge.consumer]);
    }
  }
  return elements / 2;
}

// Sum over levels of 2^(h-1) c_h over the authors' plans, without the shortcuts, from an independent implementation of their solver
// whose plans equal theirs in every cell of all five networks. Four digits.
TEST(AccParReleased, EveryNetworkMovesWhatTheAuthorsPlansMove) {
  using Row = std::map<std::string, double>;
  std::map<std::string, Row> const totals{
      {"alexnet", {{"dp", 7.921e9}, {"owt", 1.105e9}, {"hypar", 7.445e8}, {"accpar", 5.628e8}}},
      {"vgg11", {{"dp", 1.687e10}, {"owt", 1.828e9}, {"hypar", 1.396e9}, {"accpar", 1.184e9}}},
      {"resnet18", {{"dp", 1.853e9}, {"owt", 1.662e9}, {"hypar", 9.172e8}, {"accpar", 7.441e8}}},
      {"resnet34", {{"dp", 3.136e9}, {"owt", 2.944e9}, {"hypar", 1.850e9}, {"accpar", 1.505e9}}},
      {"resnet50", {{"dp", 2.497e9}, {"owt", 2.306e9}, {"hypar", 1.733e9}, {"accpar", 1.531e9}}}};
  for (auto const& [name, row] : totals) {
    Released const released{"accpar-released/" + name};
    for (auto const& [planner, elements] : row) {
      EXPECT_NEAR(printed_elements(released.network, released.plan(planner)) / elements, 1, 5e-4)
          << name << ' ' << planner;
    }
  }
}

TEST(AccParReleased, OurOwnSearchNeverMovesMoreThanTheAuthors) {
  for (auto const& name : released_networks) {
    Released const released{name};
    for (auto const* const planner : {"hypar", "accpar"}) {
      auto const theirs = released.plan(planner);
      auto const ours = released.plan("accpar", ConfigNode::map());
      EXPECT_LE(ours.predicted->communication, theirs.predicted->communication) << name << planner;
      EXPECT_LE(ours.predicted->time_s, theirs.predicted->time_s) << name << planner;
    }
  }
}

TEST(AccParReleased, ShortcutsByNumberNeedAChain) {
  auto const network = workloads::load("accpar/resnet-18");
  auto const array = arch::load("accpar-released");
  auto options = array.planner;
  options.override_key("shortcut_spans." + network.name(), "2", "test");
  try {
    static_cast<void>(make_planner("accpar", options)->solve({network, array}));
    FAIL();
  } catch (ConfigError const& error) {
    EXPECT_NE(std::string{error.what()}.find("leave this network out"), std::string::npos);
  }
}

TEST(PlannerOptions, OfAnArrayAreThoseOfItsFile) {
  auto const released = arch::load("accpar-released");
  auto map = released.planner.as_map();
  auto const options = AccParOptions::from(map);
  EXPECT_EQ(options.level.inter_layer, InterLayer::printed);
  EXPECT_EQ(options.shortcut_spans.at("accpar-released/resnet50"), 3);
  auto const paper = arch::load("hypar-paper");
  auto others = paper.planner.as_map();
  EXPECT_EQ(inter_layer_from(others), InterLayer::as_evaluated);
}

/// What check_options() says of the section `planner` with a setting on top.
std::string complaint(std::string const& setting, std::vector<std::string> const& planned = {}) {
  auto const array = arch::load("accpar-released", {"planner." + setting});
  return test::error_message([&] {
    check_options(array.planner, planned);
    return 0;
  });
}

TEST(PlannerOptions, RejectASpanOfOneLayer) {
  EXPECT_NE(complaint("shortcut_spans.net=1").find("at least two layers"), std::string::npos);
}

TEST(PlannerOptions, RejectASpanOfANetworkThatDoesNotExist) {
  auto const typo = complaint("shortcut_spans.accpar-released/resnt50=3");
  EXPECT_NE(typo.find("did you mean 'accpar-released/resnet50'?"), std::string::npos) << typo;
  EXPECT_NE(complaint("shortcut_spans.mine=3").find("unknown network 'mine'"), std::string::npos);
  EXPECT_EQ(complaint("shortcut_spans.mine=3", {"mine"}), "no error");
}

TEST(PlannerOptions, ThatNoPlannerReadsAreRejectedWhereTheyStand) {
  auto const message = complaint("coarsning=none");
  EXPECT_NE(message.find("did you mean 'coarsening'?"), std::string::npos) << message;
  EXPECT_NE(complaint("errors=loose").find("errors"), std::string::npos);
}

TEST(PlannerOptions, AreThoseThatAPlannerReads) {
  using Options = std::set<std::string>;
  EXPECT_EQ(options_read_by("dp"), Options{"fit"});
  EXPECT_EQ(options_read_by("hypar"), (Options{"fit", "inter_layer", "price", "times"}));
  EXPECT_EQ(options_read_by("accpar"), (Options{"compute", "fit", "idle_half", "inter_layer",
                                                "price", "ratio", "shortcut_spans", "times"}));
  EXPECT_EQ(options_read_by("soybean"), (Options{"errors", "fit", "forms"}));
  EXPECT_EQ(options_read_by("tofu"), (Options{"coarsening", "fit"}));
  EXPECT_EQ(options_read_by("exhaustive"), (Options{"fit", "inter_layer", "oracle_of"}));
  EXPECT_EQ(options_read_by("exhaustive", ConfigNode::map().add("oracle_of", "accpar")),
            (Options{"compute", "fit", "inter_layer", "oracle_of", "ratio"}));
}

}  // namespace
}  // namespace tessera::partition
