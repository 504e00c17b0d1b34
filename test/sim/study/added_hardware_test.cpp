// A memory, a processing unit, routers and a collective that somebody adds: one class each, one line in a table, and an array's file that names
// them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "arch/array/load.hpp"
#include "arch/base/config_error.hpp"
#include "sim/model/compute/timed_unit.hpp"
#include "sim/model/fabric/packet/make_network.hpp"
#include "sim/study/experiment.hpp"
#include "workloads/load.hpp"

namespace tessera::sim {
namespace {

using testing::HasSubstr;

/// Every transfer takes a fixed time, whatever its size.
class PagedMemory final : public Memory {
 public:
  PagedMemory(ConfigMap& keys, MemoryParts const& parts)
      : Memory{parts.clock, parts.graph}, time_{keys.required<Time>("page")} {}

  [[nodiscard]] Time transfer(Time at, Transfer const& transfer) override {
    counters_.count(transfer.access, transfer.size, Time{0});
    return at + time_;
  }
  void serialize(Time /*now*/, StateWriter& /*out*/) const override {}
  [[nodiscard]] std::vector<Statistic> const& statistics() const override {
    return counters_.all();
  }

 private:
  Time time_;
  MemoryCounters counters_;
};

/// Every task takes as long.
class ConstantUnit final : public TimedUnit {
 public:
  ConstantUnit(ConfigMap& keys, ProcessingUnitParts const& parts)
      : TimedUnit{parts.clock, parts.schedule.graph(), parts.utilisation},
        length_{keys.required<std::int64_t>("clocks")} {}

 private:
  [[nodiscard]] Cycles length_of(Task const& /*task*/) const override { return length_; }

  Cycles length_;
};

/// A bus: one packet at a time in the whole network, each for a fixed time, in the order of
/// sending.
class Bus final : public PacketNetwork {
 public:
  Bus(ConfigMap& keys, NetworkParts const& parts)
      : turn_{keys.required<Time>("turn").value()},
        graph_{parts.interconnect},
        timing_{wire_timing(parts.interconnect)},
        counts_{graph_.channels().size()} {}

  void send(Tick now, FabricPacket const& packet) override {
    ++sent_;
    waiting_.emplace(std::max(now, free_at_), packet);
    free_at_ = std::max(now, free_at_) + turn_;
  }
  [[nodiscard]] Tick next_event() override {
    return waiting_.empty() ? never : waiting_.begin()->first;
  }
  void advance(Tick until, std::vector<FabricDelivery>& out) override {
    while (next_event() < until) {
      auto const [begin, packet] = *waiting_.begin();
      waiting_.erase(waiting_.begin());
      out.push_back({packet.tag, 1, begin, begin, begin + turn_});
      ++delivered_;
      for (auto const& hop :
           graph_.route(arch::VertexId{packet.source}, arch::VertexId{packet.destination})) {
        auto const& timing = timing_[hop.channel];
        auto const end =
            begin + tessera::detail::multiply_divide_ceil(packet.size, timing.ticks, timing.units);
        ++counts_[hop.channel].packets;
        on_passage_({hop.channel, packet.tag, begin, end, true, packet.bytes});
      }
    }
  }
  void on_passage(PassageListener listener) override { on_passage_ = std::move(listener); }
  [[nodiscard]] ChannelCount count(arch::ChannelId channel) const override {
    return counts_[channel];
  }
  [[nodiscard]] std::int64_t sent() const override { return sent_; }
  [[nodiscard]] std::int64_t delivered() const override { return delivered_; }

 private:
  Tick turn_;
  arch::Interconnect const& graph_;
  IdVector<arch::ChannelId, ChannelTiming> timing_;
  IdVector<arch::ChannelId, ChannelCount> counts_;
  std::map<Tick, FabricPacket> waiting_;  ///< by when they begin
  Tick free_at_ = 0;
  std::int64_t sent_ = 0;
  std::int64_t delivered_ = 0;
  PassageListener on_passage_;
};

/// Everybody sends the whole vector to rank 0, which sends the sum back when it has all of them.
class StarCollective final : public arch::CollectiveAlgorithm {
 public:
  [[nodiscard]] bool makes(arch::CollectiveKind kind) const override {
    return kind == arch::CollectiveKind::all_reduce;
  }
  [[nodiscard]] std::vector<std::int64_t> pieces(arch::CollectiveSpec const& spec,
                                                 std::uint32_t /*ranks*/) const override {
    return {spec.size};
  }
  void send(arch::CollectiveBuilder& build) const override {
    arch::Pieces const whole{0, 1, 1};
    auto received = build.nothing();
    for (std::uint32_t rank = 1; rank < build.ranks(); ++rank) {
      received[0].push_back(build.send({rank, 0, 0, whole, true, 0}));
    }
    for (std::uint32_t rank = 1; rank < build.ranks(); ++rank) {
      build.send({0, rank, 0, whole, false, 1}, received[0]);
    }
  }
};

arch::CollectiveTable with_star() {
  auto table = arch::builtin_collectives();
  table.add<StarCollective>("star", "all to the first, and back");
  return table;
}

Experiment experiment_with(std::vector<std::string> const& settings) {
  Experiment experiment;
  experiment.network = workloads::load("hypar/lenet-c");
  experiment.array = arch::load("hypar-paper", settings);
  experiment.planner = "dp";
  experiment.run.models.memories.add<PagedMemory>("paged", "a fixed time");
  experiment.run.models.units.add<ConstantUnit>("constant", "a fixed time");
  experiment.run.models.networks.add<Bus>("bus", "one packet at a time");
  return experiment;
}

Result simulate_on_engine(Experiment experiment) {
  experiment.host = Host::engine;
  return simulate(experiment).result;
}

std::string memory_of(std::string const& model, std::string const& keys) {
  return "accelerator.memory={kind: model, model: " + model + ", capacity: 8 GiB, keys: " + keys +
         "}";
}

TEST(AddedHardware, AMemoryOfOnesOwnRunsThroughSimulate) {
  auto const point = simulate(experiment_with({memory_of("paged", "{page: 1 ms}")}));
  // Four layers in four phases: 16 computations, each behind a load of 1 ms at least.
  EXPECT_GT(point.details.breakdown.total.memory, 16e-3);
}

TEST(AddedHardware, AProcessingUnitOfOnesOwnRunsThroughSimulate) {
  auto const point = simulate(experiment_with(
      {"accelerator.processing_unit={kind: model, model: constant, macs_per_cycle: 168, keys: "
       "{clocks: 250000}}"}));
  // A clock is 4 ns: 1 ms a task, and two clocks to be told of it and to tell that it is done. Four
  // layers in four phases are 16 tasks, one after another.
  EXPECT_NEAR(point.details.breakdown.total.compute, 16 * (1e-3 + 8e-9), 1e-12);
}

std::string fabric_of(std::string const& model, std::string const& keys,
                      std::string const& more = "") {
  return "fabric={topology: {kind: ring, shape: [16], link: {bandwidth: 8 Gb/s, latency: 5 ns}}, "
         "clock: 1 GHz, packet: 1 MiB, switching: {kind: model, model: " +
         model + ", keys: " + keys + "}" + more + "}";
}

TEST(AddedHardware, RoutersOfOnesOwnRunThroughSimulate) {
  auto const experiment = experiment_with({fabric_of("bus", "{turn: 10 ms}")});
  auto const result = simulate(experiment).result;
  // Halving and doubling of four gradients: 16 accelerators send to their partner at each of four
  // levels in either half, one after another; a packet of 1 MiB has every message.
  EXPECT_NEAR(result.simulated.time_s, 4 * 8 * 16 * 10e-3, 0.1);
  EXPECT_EQ(result.simulated.fingerprint, simulate_on_engine(experiment).simulated.fingerprint);
  EXPECT_EQ(result.simulated.communication_bytes, result.predicted.communication_bytes);
}

TEST(AddedHardware, ACollectiveOfOnesOwnRunsThroughSimulate) {
  auto const topology = std::string{"fabric.topology=torus"};
  auto experiment = experiment_with({topology});
  auto const by_levels = simulate_on_engine(experiment);
  experiment.array =
      arch::load("hypar-paper", {topology, "execution.collectives=star"}, with_star());
  auto const star = simulate_on_engine(experiment);
  // Each of 16 has a summand of every gradient: 15 of them go to the first, and 15 sums back.
  auto const gradients = experiment.network.element_size() * experiment.network.weights().value();
  EXPECT_EQ(star.simulated.communication_bytes, 30 * gradients.value());
  EXPECT_EQ(star.simulated.communication_bytes, star.predicted.communication_bytes);
  // Halving sends as much in all, but not through the links of one accelerator.
  EXPECT_EQ(star.simulated.communication_bytes, by_levels.simulated.communication_bytes);
  EXPECT_GT(star.simulated.time_s, by_levels.simulated.time_s);
  EXPECT_EQ(star.simulated.fingerprint,
            simulate_on_engine(in_full(experiment)).simulated.fingerprint);
}

TEST(AddedHardware, ACollectiveOfOnesOwnIsAmongThoseThatAutoChoosesFrom) {
  auto const names_of = [](arch::CollectiveTable const& table) {
    return arch::load("hypar-paper", {"execution.collectives=auto"}, table)
        .execution.collectives.candidates.size();
  };
  EXPECT_EQ(names_of(with_star()), names_of(arch::builtin_collectives()) + 1);
}

TEST(AddedHardware, IsWrittenIntoFilesAndReadBack) {
  auto const array = arch::load("hypar-paper", {memory_of("paged", "{page: 1 ms}")});
  auto const text = write_config(arch::to_config(array));
  EXPECT_THAT(text, HasSubstr("paged"));
  EXPECT_EQ(write_config(arch::to_config(arch::array_from(read_config_text(text, "there")))), text);
  auto const bus = write_config(arch::to_config(
      arch::load("hypar-paper", {fabric_of("bus", "{turn: 10 ms}", ", header: 8 B")})));
  EXPECT_THAT(bus, HasSubstr("model: bus"));
  EXPECT_EQ(write_config(arch::to_config(arch::array_from(read_config_text(bus, "there")))), bus);
  auto const star = arch::load("hypar-paper", {"execution.collectives=star"}, with_star());
  EXPECT_THAT(write_config(arch::to_config(star)), HasSubstr("collectives: star"));
}

void expect_refused(std::string const& memory, std::string const& because) {
  try {
    static_cast<void>(simulate(experiment_with({memory})));
    ADD_FAILURE() << memory;
  } catch (ConfigError const& error) {
    EXPECT_THAT(error.what(), HasSubstr(because));
  }
}

TEST(AddedHardware, RefusesUnknownModels) {
  expect_refused(memory_of("pages", "{page: 1 ms}"), "did you mean 'paged'");
}

TEST(AddedHardware, RefusesRoutersThatItDoesNotKnowAndKeysOfOthers) {
  expect_refused(fabric_of("buss", "{turn: 10 ms}"), "did you mean 'bus'");
  expect_refused(fabric_of("bus", "{}"), "turn");
  expect_refused(fabric_of("bus", "{turn: 10 ms, turns: 3}"), "turns");
  expect_refused(fabric_of("bus", "{turn: 10 ms}", ", router: {paths: all}"), "pipeline");
  expect_refused("fabric.switching={kind: model, model: bus, keys: {turn: 10 ms}}",
                 "is for a topology map");
}

TEST(AddedHardware, RefusesUnknownCollectives) {
  try {
    static_cast<void>(arch::load("hypar-paper", {"execution.collectives=stars"}, with_star()));
    ADD_FAILURE();
  } catch (ConfigError const& error) {
    EXPECT_THAT(error.what(), HasSubstr("did you mean 'star'"));
  }
}

TEST(AddedHardware, RefusesKeysThatItsModelDoesNotKnow) {
  expect_refused(memory_of("paged", "{page: 1 ms, pages: 3}"), "pages");
}

TEST(AddedHardware, RefusesToDoWithoutAKey) { expect_refused(memory_of("paged", "{}"), "page"); }

}  // namespace
}  // namespace tessera::sim
