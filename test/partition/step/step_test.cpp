// What a step computes, as it is listed without the step.
#include "partition/step/step.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include "test/support/tied_words.hpp"
#include "workloads/load.hpp"

namespace tessera::partition {
namespace {

using workloads::Network;
using workloads::OperatorId;
using workloads::Phase;

using Listed = std::vector<std::tuple<OperatorId, Phase>>;

Listed listed(Network const& network) {
  Listed all;
  for (auto const& [op, phase] : computations_of(network)) all.emplace_back(op, phase);
  return all;
}

Listed of_step(Network const& network) {
  Plan plan;
  plan.batch = network.batch();
  plan.accelerators = 1;
  plan.splits = IdVector<OperatorId, Splits>(network.operators().size());
  Listed all;
  for (auto const& action : step_of(network, plan).actions) {
    if (action.is_computation()) all.emplace_back(action.op, action.phase);
  }
  return all;
}

TEST(Step, ComputesOnOneAcceleratorWhatIsListed) {
  for (auto const& network : {workloads::load("alexnet"), workloads::load("gpt-2"),
                              test::words(test::Output::tied), test::words(test::Output::own)}) {
    EXPECT_THAT(of_step(network), testing::ElementsAreArray(listed(network))) << network.name();
  }
}

}  // namespace
}  // namespace tessera::partition
