// What a network file can do wrong: one line each, with its place. The operators begin in line 7.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "test/support/network_text.hpp"
#include "workloads/network_builder.hpp"

namespace tessera::workloads {
namespace {

using test::error_of;
using test::NetworkText;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

std::string const pixels = "{name: a, kind: conv, input: x, filters: 5, kernel: 1}";

std::string error_with(std::vector<std::string> const& operators) {
  return error_of(NetworkText{}.with(operators));
}

std::string error_of_input(std::string const& input) {
  return error_of(NetworkText{input}.with({pixels}));
}

std::string error_of_batch(std::string const& batch) {
  return error_of(NetworkText{"{name: x, channels: 3, rows: 8, columns: 8}", batch}.with({pixels}));
}

TEST(NetworkError, NamesTheOperatorsOfACycle) {
  EXPECT_THAT(error_with({"{name: a, kind: add, inputs: [x, b]}",
                          "{name: b, kind: conv, input: a, filters: 3, kernel: 1}"}),
              AllOf(StartsWith("net.yaml:7:5: operators.0: "),
                    HasSubstr("the operators form a cycle: a -> b -> a")));
}

TEST(NetworkError, NamesOnlyTheCycleOfALargerNetwork) {
  EXPECT_THAT(error_with({pixels, "{name: b, kind: add, inputs: [a, d]}",
                          "{name: c, kind: conv, input: b, filters: 5, kernel: 1}",
                          "{name: d, kind: conv, input: c, filters: 5, kernel: 1}",
                          "{name: e, kind: conv, input: d, filters: 5, kernel: 1}"}),
              AllOf(StartsWith("net.yaml:8:5: "), HasSubstr("cycle: b -> c -> d -> b (")));
}

TEST(NetworkError, KnowsAnOperatorThatReadsItself) {
  EXPECT_THAT(error_with({pixels, "{name: b, kind: add, inputs: [a, b]}"}),
              HasSubstr("net.yaml:8:38: operators.1.inputs.1: operator 'b' reads its own output"));
}

TEST(NetworkError, KnowsAnInputThatIsReadTwice) {
  EXPECT_THAT(error_with({"{name: b, kind: add, inputs: [x, x]}"}),
              HasSubstr("operators.0.inputs.1: operator 'b' reads 'x' twice"));
}

TEST(NetworkError, SuggestsTheNearestTensor) {
  EXPECT_THAT(error_with({"{name: first, kind: conv, input: x, filters: 5, kernel: 1}",
                          "{name: b, kind: conv, input: frist, filters: 5, kernel: 1}"}),
              AllOf(StartsWith("net.yaml:8:34: operators.1.input: unknown tensor 'frist'"),
                    HasSubstr("did you mean 'first'?")));
}

TEST(NetworkError, KnowsANameThatIsTaken) {
  EXPECT_THAT(error_with({pixels, pixels}),
              HasSubstr("net.yaml:8:5: operators.1: the name 'a' is taken by another operator"));
  EXPECT_THAT(error_with({pixels, "{name: x, kind: conv, input: a, filters: 5, kernel: 1}"}),
              HasSubstr("the name 'x' is taken by the network's input"));
}

TEST(NetworkError, KnowsAnInputThatNobodyReads) {
  EXPECT_THAT(error_with({"{name: a, kind: conv, input: b, filters: 5, kernel: 1}",
                          "{name: b, kind: conv, input: a, filters: 5, kernel: 1}"}),
              AllOf(StartsWith("net.yaml:5:8: input: "), HasSubstr("no operator reads")));
}

TEST(NetworkError, KnowsANetworkWithoutOperators) {
  auto const text =
      "schema: tessera.network/1\nname: test\nbatch: 4\nelement: fp32\n"
      "input: {name: x, features: 3}\noperators: []\n";
  EXPECT_THAT(error_of(text), HasSubstr("net.yaml:6:12: operators: a network needs at least one"));
}

TEST(NetworkError, RejectsExtentsBelowOne) {
  EXPECT_THAT(error_of_batch("0"), HasSubstr("net.yaml:3:8: batch: must be at least 1, not 0"));
  EXPECT_THAT(error_of_batch("-4"), HasSubstr("batch: must be at least 1, not -4"));
  EXPECT_THAT(error_of_batch("1"), IsEmpty());
  EXPECT_THAT(error_of_input("{name: x, channels: 0, rows: 8, columns: 8}"),
              HasSubstr("net.yaml:5:28: input.channels: must be at least 1"));
  EXPECT_THAT(error_of_input("{name: x, channels: 3, rows: -8, columns: 8}"),
              HasSubstr("input.rows: must be at least 1, not -8"));
  for (auto const* const keys :
       {"filters: 0, kernel: 1", "filters: 5, kernel: 0", "filters: 5, kernel: [1, 0]",
        "filters: 5, kernel: 1, stride: 0", "filters: 5, kernel: 1, pool: 0",
        "filters: 5, kernel: 1, pool: {size: 2, stride: 0}"}) {
    EXPECT_THAT(error_with({"{name: a, kind: conv, input: x, " + std::string{keys} + "}"}),
                HasSubstr("must be at least 1, not 0"))
        << keys;
  }
  EXPECT_THAT(error_with({"{name: a, kind: linear, input: x, outputs: 0}"}),
              HasSubstr("net.yaml:7:48: operators.0.outputs: must be at least 1, not 0"));
  EXPECT_THAT(error_with({"{name: a, kind: conv, input: x, filters: 5, kernel: 1, padding: -1}"}),
              HasSubstr("operators.0.padding: must be at least 0, not -1"));
}

TEST(NetworkError, RejectsKeysThatItDoesNotKnow) {
  EXPECT_THAT(error_with({"{name: a, kind: conv, input: x, filters: 5, kernel: 1, outputs: 2}"}),
              AllOf(HasSubstr("net.yaml:7:60: operators.0.outputs: "), HasSubstr("unknown key")));
  EXPECT_THAT(error_with({"{name: a, kind: conv, input: x, filters: 5, kernel: 1, outputs: 2}"}),
              HasSubstr("unknown key"));
  EXPECT_THAT(error_with({"{name: a, kind: cnov, input: x, filters: 5, kernel: 1}"}),
              HasSubstr("did you mean 'conv'?"));
  EXPECT_THAT(error_with({"{name: a, kind: conv, input: x, filters: 5, kernel: 1, pool: {size: 2, "
                          "rounding: upp}}"}),
              HasSubstr("did you mean 'up'?"));
}

TEST(NetworkError, RejectsKeysThatAreMissing) {
  EXPECT_THAT(error_with({"{name: a, kind: conv, input: x, filters: 5}"}), HasSubstr("kernel"));
  EXPECT_THAT(error_with({"{name: a, kind: linear, input: x}"}), HasSubstr("outputs"));
  EXPECT_THAT(error_with({"{name: a, kind: add, inputs: [x]}"}),
              HasSubstr("operators.0.inputs: a sum needs at least two inputs"));
  EXPECT_THAT(error_of_input("{name: x, channels: 3, rows: 8}"), HasSubstr("columns"));
  EXPECT_THAT(error_of_input("{name: x, features: 3, rows: 8}"), HasSubstr("rows"));
}

TEST(NetworkError, RejectsSizesThatAreNeitherOneNumberNorTwo) {
  EXPECT_THAT(error_with({"{name: a, kind: conv, input: x, filters: 5, kernel: [1, 2, 3]}"}),
              HasSubstr("operators.0.kernel: must be one number or [rows, columns]"));
  EXPECT_THAT(error_with({"{name: a, kind: conv, input: x, filters: 5, kernel: 1.5}"}),
              HasSubstr("operators.0.kernel: "));
}

TEST(NetworkError, RejectsAPoolWhoseWindowFitsIntoItsPadding) {
  auto const padded = [](char const* padding) {
    return std::string{"{name: a, kind: conv, input: x, filters: 5, kernel: 1, pool: {size: 2, "} +
           "padding: " + padding + "}}";
  };
  EXPECT_THAT(error_with({padded("1")}), IsEmpty());
  for (auto const* const padding : {"2", "[2, 0]", "[0, 2]"}) {
    EXPECT_THAT(error_with({padded(padding)}), HasSubstr("must be smaller than the window"))
        << padding;
  }
}

TEST(NetworkError, RejectsGroupsThatDoNotDivideChannelsAndSuggestsSomeThatDo) {
  auto const grouped = [](std::string const& filters, std::string const& groups) {
    return error_of(NetworkText{"{name: x, channels: 6, rows: 8, columns: 8}"}.with(
        {"{name: a, kind: conv, input: x, kernel: 1, filters: " + filters + ", groups: " + groups +
         "}"}));
  };
  EXPECT_THAT(grouped("9", "3"), IsEmpty());
  EXPECT_THAT(grouped("8", "4"),
              AllOf(StartsWith("net.yaml:7:68: operators.0.groups: 4 groups do not divide 6 input "
                               "channels"),
                    HasSubstr("use 2")));
  EXPECT_THAT(grouped("9", "2"), HasSubstr("2 groups do not divide 9 filters"));
  EXPECT_THAT(grouped("9", "0"), HasSubstr("must be at least 1, not 0"));
}

TEST(NetworkError, RejectsADilatedKernelThatReachesBeyondTheMap) {
  auto const dilated = [](char const* dilation) {
    return error_with({std::string{"{name: a, kind: conv, input: x, filters: 5, kernel: 3, "} +
                       "dilation: " + dilation + "}"});
  };
  EXPECT_THAT(dilated("3"), IsEmpty());  // taps 0, 3, 6 of 8
  EXPECT_THAT(dilated("4"), HasSubstr("the kernel of 9 rows does not fit (the map has 8"));
  EXPECT_THAT(dilated("[1, 4]"), HasSubstr("the kernel of 9 columns does not fit"));
  EXPECT_THAT(dilated("1099511627776"), HasSubstr("does not fit"));
}

TEST(NetworkError, RejectsPoolsThatDoNotFit) {
  EXPECT_THAT(error_with({"{name: a, kind: pool, input: x, size: 9}"}),
              HasSubstr("net.yaml:7:5: operators.0: the pooling window of 9 rows does not fit"));
  EXPECT_THAT(error_with({"{name: a, kind: pool, input: x, size: whole}"}),
              HasSubstr("operators.0.size: "));
  EXPECT_THAT(error_with({"{name: a, kind: pool, input: x, size: global, stride: 2}"}),
              AllOf(HasSubstr("operators.0.stride: "), HasSubstr("unknown key")));
  EXPECT_THAT(error_with({"{name: a, kind: pool, input: x, size: 2, padding: 2}"}),
              HasSubstr("must be smaller than the window"));
  EXPECT_THAT(error_of(NetworkText{"{name: x, features: 8}"}.with(
                  {"{name: a, kind: pool, input: x, size: global}"})),
              HasSubstr("pooling needs a feature map ('x' is [4, 8]"));
}

TEST(NetworkError, RejectsNamesThatWouldBreakTables) {
  for (auto const* const name : {"\"a b\"", "\"\"", "\"a,b\"", "-a"}) {
    EXPECT_THAT(error_with({std::string{"{name: "} + name +
                            ", kind: conv, input: x, filters: 5, kernel: 1}"}),
                AllOf(StartsWith("net.yaml:7:12: operators.0.name: "), HasSubstr("is no name")))
        << name;
  }
  EXPECT_THAT(
      error_with({"{name: \"a\\nb\", kind: conv, input: x, filters: 5, kernel: 1}"}),
      AllOf(StartsWith("net.yaml:7:12: operators.0.name: "), HasSubstr("control character")));
  EXPECT_THAT(
      error_with({"{name: block-1/conv_3x3.a, kind: conv, input: x, filters: 5, kernel: 1}"}),
      IsEmpty());
}

TEST(NetworkError, RejectsAnotherSchema) {
  auto text = NetworkText{}.with({pixels});
  text.replace(text.find("network/1"), 9, "network/2");
  EXPECT_THAT(error_of(text),
              AllOf(StartsWith("net.yaml:1:9: schema: "), HasSubstr("tessera.network/1")));
}

TEST(NetworkLimit, IsTwoToTheFortyOneElementsOfOneTensor) {
  // 2^21 samples of 2^20 features are 2^41 elements; one sample more is too many.
  std::string const features = "{name: x, features: 1048576}";
  std::string const narrow = "{name: a, kind: linear, input: x, outputs: 1}";
  EXPECT_THAT(error_of(NetworkText{features, "2097152"}.with({narrow})), IsEmpty());
  EXPECT_THAT(error_of(NetworkText{features, "2097153"}.with({narrow})),
              AllOf(StartsWith("net.yaml:5:8: input: "),
                    HasSubstr("tensor 'x' [2097153, 1048576] is too large (more than 2^41 "
                              "elements)")));
}

TEST(NetworkLimit, HoldsForOutputsAndForWeights) {
  NetworkText const file{"{name: x, features: 1048576}", "2"};
  EXPECT_THAT(error_of(file.with({"{name: a, kind: linear, input: x, outputs: 2097152}"})),
              IsEmpty());
  EXPECT_THAT(error_of(file.with({"{name: a, kind: linear, input: x, outputs: 2097153}"})),
              HasSubstr("net.yaml:7:5: operators.0: tensor 'a:weight' [2097153, 1048576] is too"));
  NetworkText const samples{"{name: x, features: 1}", "1048576"};
  EXPECT_THAT(error_of(samples.with({"{name: a, kind: linear, input: x, outputs: 2097153}"})),
              HasSubstr("tensor 'a' [1048576, 2097153] is too large"));
}

TEST(NetworkLimit, RefusesATensorOfAPetabyteInOneLine) {
  // 250 * 10^12 elements of 4 B.
  auto const error = error_of_input("{name: x, channels: 62500, rows: 1000000, columns: 1000}");
  EXPECT_THAT(error, HasSubstr("tensor 'x' [4, 62500, 1000000, 1000] is too large"));
  EXPECT_THAT(error, Not(HasSubstr("\n")));
}

TEST(NetworkLimit, StopsNumbersBeforeTheyOverflow) {
  EXPECT_THAT(error_of_batch("1099511627777"), HasSubstr("batch: must be at most 2^40"));
  EXPECT_THAT(error_of_input("{name: x, channels: 1099511627776, rows: 1099511627776, columns: "
                             "1099511627776}"),
              HasSubstr("is too large"));
  EXPECT_THAT(error_with({"{name: a, kind: conv, input: x, filters: 1099511627776, kernel: 1, "
                          "padding: 1099511627776}"}),
              HasSubstr("is too large"));
}

TEST(NetworkLimit, IsTwoToTheSixtyOneMacsOfOnePhase) {
  // n * k * c = 2^21 * 2^20 * 2^20 = 2^61: no tensor has more than 2^41 elements.
  NetworkText const file{"{name: x, features: 1048576}", "2097152"};
  std::string const wide = "{name: a, kind: linear, input: x, outputs: 1048576}";
  EXPECT_THAT(error_of(file.with({wide})), IsEmpty());
  EXPECT_THAT(error_of(file.with({wide, "{name: b, kind: linear, input: x, outputs: 1}"})),
              HasSubstr("net.yaml:8:5: operators.1: the network up to 'b' needs more than 2^61"));
}

TEST(NetworkLimit, IsThatOfItsOperators) {
  auto const file_with = [](std::size_t count) {
    std::vector<std::string> operators(count);
    for (std::size_t i = 0; i < count; ++i) {
      operators[i] = "{name: a" + std::to_string(i) + ", kind: linear, input: x, outputs: 1}";
    }
    return NetworkText{"{name: x, features: 1}"}.with(operators);
  };
  EXPECT_THAT(error_of(file_with(100'000)), IsEmpty());
  EXPECT_THAT(error_of(file_with(100'001)),
              HasSubstr("operators: 100001 operators are too many (at most 100000)"));
}

}  // namespace
}  // namespace tessera::workloads
