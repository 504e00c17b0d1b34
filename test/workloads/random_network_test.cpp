// Laws of every network, on random ones.
#include "test/support/random_network.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "test/support/network_text.hpp"

namespace tessera::test {
namespace {

using workloads::all_dims;
using workloads::all_phases;
using workloads::Network;
using workloads::Operator;
using workloads::OperatorId;
using workloads::TensorAccess;

using Options = RandomNetworkOptions;

void print(std::ostream& out, TensorAccess const& access) {
  out << ' ' << access.tensor;
  for (auto const& axis : access.axes) {
    out << ' ' << name(axis.dim) << ':' << axis.step << ':' << axis.window << ':' << axis.before;
  }
}

/// All that a network says, for comparison.
std::string describe(Network const& network) {
  std::ostringstream out;
  out << network.name() << ' ' << network.batch() << ' ' << network.element_size() << '\n';
  for (auto const& tensor : network.tensors()) {
    out << tensor.name << (tensor.producer ? " of" : " given");
    for (auto const extent : tensor.extents) out << ' ' << extent;
    for (auto const consumer : tensor.consumers) out << ' ' << consumer;
    out << '\n';
  }
  for (auto const& op : network.operators()) {
    out << op.name << ' ' << name(op.kind) << ' ' << op.input_rows << ' ' << op.input_columns;
    for (auto const dim : all_dims) out << ' ' << op.extents[dim];
    for (auto const phase : all_phases) out << ' ' << op.has(phase) << ' ' << op.macs(phase);
    for (auto const& input : op.inputs) print(out, input);
    if (op.weight) print(out, *op.weight);
    print(out, op.output);
    out << '\n';
  }
  return out.str();
}

/// Does `access` give every axis of its tensor, and never a position that does not exist to all?
void expect_fits(Network const& network, Operator const& op, TensorAccess const& access) {
  auto const& extents = network.at(access.tensor).extents;
  ASSERT_EQ(access.axes.size(), extents.size());
  for (std::size_t i = 0; i < extents.size(); ++i) {
    auto const& axis = access.axes[i];
    auto const last = (op.extents[axis.dim] - 1) * axis.step - axis.before;
    EXPECT_LT(last, extents[i]);                         // the last index begins in the axis
    EXPECT_GT(axis.window - axis.before, 0);             // the first one ends in it
    bool const is_map = workloads::is_of_map(axis.dim);  // windows may leave a rest
    if (op.can_split(axis.dim) && !is_map) {
      EXPECT_EQ(last + axis.window, extents[i]);
    }
  }
}

void expect_laws(Network const& network) {
  Macs forward{0};
  Macs update{0};
  for (auto const id : network.operators().ids()) {
    auto const& op = network.at(id);
    SCOPED_TRACE(op.name);
    EXPECT_EQ(network.find(op.name), id);
    EXPECT_EQ(network.at(op.output.tensor).producer, id);
    expect_fits(network, op, op.output);
    if (op.weight) expect_fits(network, op, *op.weight);
    for (auto const& input : op.inputs) {
      auto const& tensor = network.at(input.tensor);
      expect_fits(network, op, input);
      EXPECT_TRUE(!tensor.producer || *tensor.producer < id);
      EXPECT_EQ(std::count(tensor.consumers.begin(), tensor.consumers.end(), id), 1);
    }
    forward += op.macs(workloads::Phase::forward);
    update += op.macs(workloads::Phase::update);
  }
  EXPECT_EQ(network.macs(workloads::Phase::forward), forward);
  EXPECT_EQ(Elements{update.value()}, network.weights());
}

class RandomNetworks : public testing::TestWithParam<std::tuple<Options::Graph, Options::Extents>> {
 protected:
  [[nodiscard]] static Options options(int operators) {
    return {std::get<0>(GetParam()), std::get<1>(GetParam()), operators, 3};
  }
};

std::string kind(testing::TestParamInfo<RandomNetworks::ParamType> const& info) {
  auto const [graph, extents] = info.param;
  return std::string{graph == Options::Graph::chain ? "Chain" : "Dag"} +
         (extents == Options::Extents::divisible ? "Divisible" : "Arbitrary");
}

INSTANTIATE_TEST_SUITE_P(
    AllKinds, RandomNetworks,
    testing::Combine(testing::Values(Options::Graph::chain, Options::Graph::dag),
                     testing::Values(Options::Extents::divisible, Options::Extents::arbitrary)),
    kind);

TEST_P(RandomNetworks, KeepTheLawsOfAllNetworks) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    std::mt19937_64 random{seed};
    auto const network = random_network(random, options(1 + static_cast<int>(seed % 12)));
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + network.source_text());
    expect_laws(network);
    if (HasFailure()) return;
  }
}

TEST_P(RandomNetworks, AreEqualToWhatTheirTextSays) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    std::mt19937_64 random{seed};
    auto const network = random_network(random, options(8));
    EXPECT_EQ(describe(network_of(network.source_text())), describe(network)) << "seed " << seed;
  }
}

TEST_P(RandomNetworks, FollowFromTheirSeed) {
  std::mt19937_64 first{7};
  std::mt19937_64 second{7};
  EXPECT_EQ(random_network(first, options(8)).source_text(),
            random_network(second, options(8)).source_text());
  EXPECT_NE(random_network(first, options(8)).source_text(),
            random_network(second, options(9)).source_text());
}

TEST_P(RandomNetworks, HaveAsManyOperatorsAsAskedFor) {
  std::mt19937_64 random{3};
  for (int count = 1; count <= 12; ++count) {
    EXPECT_EQ(random_network(random, options(count)).operators().size(),
              static_cast<std::size_t>(count));
  }
}

TEST(RandomDags, HaveSumsAndBranches) {
  std::mt19937_64 random{11};
  int sums = 0;
  int branches = 0;
  for (int i = 0; i < 100; ++i) {
    auto const network =
        random_network(random, {Options::Graph::dag, Options::Extents::divisible, 8, 3});
    for (auto const& op : network.operators()) sums += op.kind == workloads::OperatorKind::add;
    for (auto const& tensor : network.tensors()) branches += tensor.consumers.size() > 1;
  }
  EXPECT_GT(sums, 50);
  EXPECT_GT(branches, 100);
}

TEST(DivisibleNetworks, CanBeHalvedAtEveryLevel) {
  std::mt19937_64 random{5};
  for (int i = 0; i < 50; ++i) {
    auto const network =
        random_network(random, {Options::Graph::dag, Options::Extents::divisible, 8, 3});
    for (auto const& op : network.operators()) {
      for (auto const dim : op.splittable_dims()) {
        EXPECT_EQ(op.extents[dim] % 8, 0) << name(dim) << '\n' << network.source_text();
      }
    }
  }
}

}  // namespace
}  // namespace tessera::test
