// One program for all operators of a shape, and never that of another shape.
#include "sim/model/compute/program_library.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "workloads/load.hpp"

namespace tessera::sim {
namespace {

using workloads::Phase;

/// The whole of every operator of a network, and its programs.
struct Library {
  TaskGraph graph{1};
  ProgramLibrary programs;

  explicit Library(workloads::Network const& network) {
    graph.set_operators(network.operators(), network.element_size());
  }

  [[nodiscard]] TileProgram const& program(arch::CoreSpec const& core, workloads::OperatorId op,
                                           Phase phase) {
    Task task;
    task.phase = phase;
    task.part = graph.add_part({op, graph.operation(op).extents});
    return programs.program(core, graph, task);
  }
};

std::vector<std::int64_t> words_of(TileProgram const& program) {
  std::vector<std::int64_t> words;
  program.for_each([&](TileStep const& step) {
    for (auto const& move : {step.loads[0], step.loads[1], step.store}) {
      words.insert(words.end(), {static_cast<std::int64_t>(move.operand), move.offset.value(),
                                 move.size.value()});
    }
    words.push_back(step.compute.value());
    words.push_back(step.kernel_start.value_or(Cycles{-1}).value());
  });
  return words;
}

TEST(ProgramLibrary, HasOneProgramForLayersOfOneShape) {
  auto const network = workloads::load("bert-base", {"batch=2"});
  auto const core = arch::load_core("hypar-pu");
  Library library{network};
  std::set<TileProgram const*> inner;
  for (int layer = 1; layer <= 12; ++layer) {
    auto const name = "layer" + std::to_string(layer) + "/inner";
    inner.insert(&library.program(core, network.find(name), Phase::forward));
  }
  EXPECT_EQ(inner.size(), 1U);
  inner.insert(&library.program(core, network.find("layer1/outer"), Phase::forward));
  inner.insert(&library.program(core, network.find("layer1/inner"), Phase::backward_weight));
  EXPECT_EQ(inner.size(), 3U);
}

/// That of a library which knows no other operator.
TEST(ProgramLibrary, GivesEveryOperatorItsOwnProgram) {
  for (auto const* const core_name : {"hypar-pu", "tpu-v3"}) {
    auto const core = arch::load_core(core_name);
    for (auto const* const name :
         {"hypar/lenet-c", "accpar/alexnet", "accpar/resnet-18", "bert-base"}) {
      auto const network = workloads::load(name, {"batch=2"});
      Library all{network};
      for (auto const op : network.operators().ids()) {
        if (op.index() > 40) break;
        for (auto const phase : {Phase::forward, Phase::backward_weight, Phase::update}) {
          Library one{network};
          EXPECT_EQ(words_of(all.program(core, op, phase)), words_of(one.program(core, op, phase)))
              << name << ' ' << network.at(op).name;
        }
      }
    }
  }
}

}  // namespace
}  // namespace tessera::sim
