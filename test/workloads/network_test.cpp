#include "workloads/network.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "test/support/network_text.hpp"

namespace tessera::workloads {
namespace {

using test::network_of;
using test::NetworkText;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Two branches that are added, and a second sink.
std::vector<std::string> const branches = {
    "{name: left, kind: conv, input: x, filters: 6, kernel: 3, padding: 1}",
    "{name: right, kind: conv, input: x, filters: 6, kernel: 1}",
    "{name: sum, kind: add, inputs: [left, right]}",
    "{name: side, kind: conv, input: left, filters: 2, kernel: 1}",
};

TEST(Network, LinksProducersAndConsumers) {
  auto const network = network_of(NetworkText{}.with(branches));
  auto const id = [&](char const* name) { return network.find(name); };
  auto const& left = network.at(network.at(id("left")).output.tensor);
  EXPECT_EQ(left.name, "left");
  EXPECT_EQ(left.role, Tensor::Role::activation);
  EXPECT_EQ(left.producer, id("left"));
  EXPECT_THAT(left.consumers, ElementsAre(id("sum"), id("side")));

  auto const& x = network.at(network.at(id("left")).inputs.at(0).tensor);
  EXPECT_EQ(x.name, "x");
  EXPECT_EQ(x.producer, std::nullopt);
  EXPECT_THAT(x.consumers, ElementsAre(id("left"), id("right")));

  auto const& weight = network.at(network.at(id("left")).weight.value().tensor);
  EXPECT_EQ(weight.role, Tensor::Role::weight);
  EXPECT_EQ(weight.producer, std::nullopt);
  EXPECT_THAT(weight.consumers, ElementsAre(id("left")));
  EXPECT_THAT(weight.extents, ElementsAre(6, 3, 3, 3));  // k c r s
}

TEST(Network, MayEndInSeveralSinks) {
  auto const network = network_of(NetworkText{}.with(branches));
  for (auto const* const sink : {"sum", "side"}) {
    EXPECT_THAT(network.at(network.at(network.find(sink)).output.tensor).consumers, IsEmpty());
  }
}

TEST(Network, OrdersOperatorsThatAreWrittenInAnyOrder) {
  auto const order_of = [](std::vector<std::string> const& operators) {
    auto const network = network_of(NetworkText{}.with(operators));
    std::vector<std::string> names;
    for (auto const& op : network.operators()) names.push_back(op.name);
    return names;
  };
  EXPECT_THAT(order_of(branches), ElementsAre("left", "right", "sum", "side"));
  EXPECT_THAT(order_of({branches[2], branches[3], branches[1], branches[0]}),
              ElementsAre("left", "right", "sum", "side"));
}

TEST(Network, CountsWeightsOnceAndActivationsWithTheBatch) {
  auto const network = network_of(NetworkText{}.with(branches));
  EXPECT_EQ(network.batch(), 4);
  EXPECT_EQ(network.weights(), Elements{6 * 3 * 3 * 3 + 6 * 3 + 2 * 6});
  EXPECT_EQ(network.macs(Phase::forward), Macs{4 * 8 * 8 * (6 * 3 * 3 * 3 + 6 * 3 + 2 * 6)});
  auto const& left = network.at(network.find("left"));
  EXPECT_EQ(network.at(left.output.tensor).elements(), Elements{4 * 6 * 8 * 8});
  EXPECT_EQ(network.bytes(left.output.tensor), Bytes{4 * (4 * 6 * 8 * 8)});
  EXPECT_EQ(network.bytes(left.weight.value().tensor), Bytes{4 * (6 * 3 * 3 * 3)});
}

TEST(Network, HasElementsOfTwoBytesInHalfPrecision) {
  for (auto const* const element : {"bf16", "fp16"}) {
    NetworkText file;
    file.element = element;
    auto const network = network_of(file.with(branches));
    EXPECT_EQ(network.element_size(), Bytes{2}) << element;
    EXPECT_EQ(network.bytes(network.at(network.find("sum")).output.tensor),
              Bytes{2 * (4 * 6 * 8 * 8)});
  }
}

TEST(Network, AddsMoreThanTwoTensors) {
  auto operators = branches;
  operators[2] = "{name: sum, kind: add, inputs: [left, right, third]}";
  operators.emplace_back("{name: third, kind: conv, input: x, filters: 6, kernel: 1}");
  auto const network = network_of(NetworkText{}.with(operators));
  EXPECT_EQ(network.at(network.find("sum")).inputs.size(), 3U);
}

TEST(Network, SumsVectorsToo) {
  auto const network = network_of(NetworkText{"{name: x, features: 6}"}.with(
      {"{name: a, kind: linear, input: x, outputs: 6}", "{name: sum, kind: add, inputs: [x, a]}"}));
  auto const& sum = network.at(network.find("sum"));
  EXPECT_THAT(network.at(sum.output.tensor).extents, ElementsAre(4, 6));
  EXPECT_THAT(sum.splittable_dims(), ElementsAre(Dim::n, Dim::k));
}

TEST(Network, AnswersAnUnknownNameWithTheNearest) {
  auto const network = network_of(NetworkText{}.with(branches));
  try {
    static_cast<void>(network.find("rihgt"));
    FAIL() << "found an operator that does not exist";
  } catch (ConfigError const& error) {
    EXPECT_THAT(error.what(), HasSubstr("unknown operator 'rihgt'; did you mean 'right'?"));
  }
}

}  // namespace
}  // namespace tessera::workloads
