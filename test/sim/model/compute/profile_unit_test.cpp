// Shares of measured times, in whole cycles.
#include "sim/model/compute/profile_unit.hpp"

#include <gtest/gtest.h>

#include "test/sim/model/protocol/core_harness.hpp"

namespace tessera::sim {
namespace {

using workloads::Dim;
using workloads::Phase;

/// A linear operator of 8 samples, 6 outputs and 4 inputs, and a profile of it for 16 samples.
class ProfiledUnit {
 public:
  explicit ProfiledUnit(arch::OperatorProfile const& times) : graph_{1} {
    workloads::Operator op;
    op.name = "fc";
    op.kind = workloads::OperatorKind::linear;
    for (auto const dim : workloads::all_dims) op.extents[dim] = 1;
    op.extents[Dim::n] = 8;
    op.extents[Dim::k] = 6;
    op.extents[Dim::c] = 4;
    op.weight = workloads::TensorAccess{{}, {{Dim::k}, {Dim::c}}};
    full_ = op.extents;
    IdVector<workloads::OperatorId, workloads::Operator> operators;
    operators.push_back(op);
    graph_.set_operators(operators, Bytes{4});
    profile_.name = "test";
    profile_.batch = 16;
    profile_.operators["fc"] = times;
  }

  /// How many cycles the samples and outputs of a part keep a unit of 1 GHz busy.
  std::int64_t cycles(Phase phase, std::int64_t samples = 8, std::int64_t outputs = 6) {
    auto extents = full_;
    extents[Dim::n] = samples;
    extents[Dim::k] = outputs;
    Task task;
    task.phase = phase;
    task.op = workloads::OperatorId{0};
    task.part = graph_.add_part({task.op, extents});
    auto const id = graph_.add(task, {});
    BusyHistogram utilisation;
    ProfileUnit unit{profile_, ghz, graph_, utilisation};
    advance(unit, ns(1), {{ProfileUnit::from_dispatcher, issue(id, graph_.at(id))}});
    return statistic(unit, "busy") / 1000;
  }

 private:
  TaskGraph graph_;
  workloads::PerDim<std::int64_t> full_;
  arch::ProfileSpec profile_;
};

arch::OperatorProfile profile_of(Time forward, std::variant<Time, arch::BackwardTimes> backward,
                                 Time update = Time{0}) {
  arch::OperatorProfile profile;
  profile.forward = forward;
  profile.backward = backward;
  profile.update = update;
  return profile;
}

TEST(ProfileUnit, TakesTheShareOfSamplesAndOutputsThatItComputes) {
  ProfiledUnit unit{profile_of(ns(960), Time{0})};
  EXPECT_EQ(unit.cycles(Phase::forward), 960 / 2);  // 8 of the 16 samples that were measured
  EXPECT_EQ(unit.cycles(Phase::forward, 2), 960 / 8);
  EXPECT_EQ(unit.cycles(Phase::forward, 2, 3), 960 / 16);
  EXPECT_EQ(unit.cycles(Phase::forward, 0), 0);
}

TEST(ProfileUnit, RoundsUpToWholeCycles) {
  ProfiledUnit unit{profile_of(Time{2'002}, Time{0})};  // half of it: 1001 ps
  EXPECT_EQ(unit.cycles(Phase::forward), 2);
  EXPECT_EQ(ProfiledUnit{profile_of(Time{2'000}, Time{0})}.cycles(Phase::forward), 1);
  EXPECT_EQ(ProfiledUnit{profile_of(Time{1}, Time{0})}.cycles(Phase::forward), 1);
}

TEST(ProfileUnit, APhaseThatTookNoTimeTakesNone) {
  EXPECT_EQ(ProfiledUnit{profile_of(Time{0}, ns(10))}.cycles(Phase::forward), 0);
}

TEST(ProfileUnit, ABackwardPassThatIsOneNumberIsSharedByItsPhases) {
  ProfiledUnit unit{profile_of(ns(960), ns(200))};
  EXPECT_EQ(unit.cycles(Phase::backward_data), 50);
  EXPECT_EQ(unit.cycles(Phase::backward_weight), 50);
}

TEST(ProfileUnit, ABackwardPassInPhasesIsTakenAsItIs) {
  ProfiledUnit unit{profile_of(ns(960), arch::BackwardTimes{ns(40), ns(100)})};
  EXPECT_EQ(unit.cycles(Phase::backward_data), 20);
  EXPECT_EQ(unit.cycles(Phase::backward_weight), 50);
}

TEST(ProfileUnit, AnUpdateIsSharedAsTheWeightsAreWhateverTheBatch) {
  ProfiledUnit unit{profile_of(ns(960), ns(200), ns(60))};
  EXPECT_EQ(unit.cycles(Phase::update), 60);
  EXPECT_EQ(unit.cycles(Phase::update, 1), 60);
  EXPECT_EQ(unit.cycles(Phase::update, 8, 2), 20);
}

}  // namespace
}  // namespace tessera::sim
