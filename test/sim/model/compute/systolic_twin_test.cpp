// The closed form against the register-level twin: the same cycles on random shapes, and the twin multiplies correctly.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "sim/model/compute/systolic_array.hpp"
#include "test/support/compute/systolic_twin.hpp"
#include "test/support/draw.hpp"

namespace tessera::sim {
namespace {

using arch::Dataflow;
using arch::SystolicArraySpec;
using test::Draw;
using Schedule = SystolicArraySpec::Schedule;

constexpr int shapes = 10'000;

std::vector<Matrix> matrices(Draw& draw, std::int64_t count, std::int64_t rows,
                             std::int64_t columns) {
  std::vector<Matrix> result(static_cast<std::size_t>(count), Matrix(rows, columns));
  for (auto& matrix : result) {
    for (auto& number : matrix.numbers()) number = draw(-1000, 1000);
  }
  return result;
}

struct Case {
  SystolicArraySpec array;
  Gemm gemm;
  std::vector<Matrix> a;
  std::vector<Matrix> b;

  Case(Dataflow dataflow, Schedule schedule, Draw& draw)
      : array{draw(1, 5), draw(1, 5), 1, dataflow, schedule, SystolicArraySpec::Operands::fixed},
        gemm{draw(1, 2), draw(1, 12), draw(1, 12), draw(1, 12)},
        a{matrices(draw, gemm.batch, gemm.m, gemm.k)},
        b{matrices(draw, gemm.batch, gemm.k, gemm.n)} {}

  [[nodiscard]] bool is_computed_by(TwinResult const& twin) const {
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (!(twin.products[i] == product(a[i], b[i]))) return false;
    }
    return true;
  }
  [[nodiscard]] std::string text() const {
    return std::to_string(array.rows) + 'x' + std::to_string(array.columns) + ": " +
           std::to_string(gemm.batch) + " x " + std::to_string(gemm.m) + ',' +
           std::to_string(gemm.n) + ',' + std::to_string(gemm.k);
  }
};

class SystolicTwin : public testing::TestWithParam<std::tuple<Dataflow, Schedule>> {};

TEST_P(SystolicTwin, TakesTheCyclesOfTheClosedFormAndMultipliesCorrectly) {
  auto const [dataflow, schedule] = GetParam();
  Draw draw{20};
  for (int trial = 0; trial < shapes; ++trial) {
    Case const drawn{dataflow, schedule, draw};
    auto const twin = run_systolic_twin(drawn.array, drawn.a, drawn.b);
    ASSERT_EQ(Cycles{twin.cycles}, systolic_cost(drawn.array, drawn.gemm).cycles) << drawn.text();
    ASSERT_TRUE(drawn.is_computed_by(twin)) << drawn.text();
  }
}

INSTANTIATE_TEST_SUITE_P(AllDataflows, SystolicTwin,
                         testing::Combine(testing::Values(Dataflow::weight_stationary,
                                                          Dataflow::output_stationary,
                                                          Dataflow::input_stationary),
                                          testing::Values(Schedule::serial, Schedule::overlapped)));

TEST(SystolicTwinInHaste, LosesNumbersSoTheClosedFormWaitsForNothingInVain) {
  // Where registers are the limit (fewer steps than rows), one cycle less ruins the product.
  Draw draw{21};
  for (auto const dataflow :
       {Dataflow::weight_stationary, Dataflow::output_stationary, Dataflow::input_stationary}) {
    for (int trial = 0; trial < 200; ++trial) {
      SystolicArraySpec const array{
          draw(4, 6), draw(1, 5),           1,
          dataflow,   Schedule::overlapped, SystolicArraySpec::Operands::fixed};
      auto const steps = draw(1, 3);
      bool const is_output = dataflow == Dataflow::output_stationary;
      bool const is_weight = dataflow == Dataflow::weight_stationary;
      // Two folds along the rows, and `steps` in the dimension that streams.
      Gemm const gemm{1, is_weight ? steps : 12, is_weight || is_output ? 12 : steps,
                      is_output ? steps : 12};
      auto const a = matrices(draw, 1, gemm.m, gemm.k);
      auto const b = matrices(draw, 1, gemm.k, gemm.n);
      EXPECT_TRUE(run_systolic_twin(array, a, b).products[0] == product(a[0], b[0]));
      EXPECT_FALSE(run_systolic_twin(array, a, b, 1).products[0] == product(a[0], b[0]));
    }
  }
}

}  // namespace
}  // namespace tessera::sim
