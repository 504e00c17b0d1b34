#include "workloads/load.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "test/support/files.hpp"
#include "test/support/network_text.hpp"
#include "test/support/temporary_directory.hpp"

namespace tessera::workloads {
namespace {

using test::NetworkText;
using test::TemporaryDirectory;
using testing::AllOf;
using testing::HasSubstr;

std::string const lenet = "hypar/lenet-c";

std::string load_error(std::string const& name, std::vector<std::string> const& overrides = {}) {
  try {
    static_cast<void>(load(name, overrides));
  } catch (ConfigError const& error) {
    return error.what();
  }
  return {};
}

TEST(Load, ReadsAFileOfTheUsersOwn) {
  TemporaryDirectory const directory;
  auto const path = directory.path("mine.yaml");
  test::write_file(path,
                   NetworkText{}.with({"{name: a, kind: conv, input: x, filters: 5, kernel: 1}"}));
  auto const network = load(path);
  EXPECT_EQ(network.name(), "test");
  EXPECT_EQ(network.weights(), Elements{5 * 3});
  EXPECT_EQ(load(path, {"operators.0.filters=7"}).weights(), Elements{7 * 3});
}

TEST(Load, WritesWhatItReadsBackToAnEqualFile) {
  TemporaryDirectory const directory;
  auto const path = directory.path("again.yaml");
  auto const original = load(lenet, {"batch=32", "element=bf16"});
  test::write_file(path, original.source_text());
  auto const again = load(path);
  EXPECT_EQ(again.source_text(), original.source_text());
  EXPECT_EQ(again.name(), lenet);
  EXPECT_EQ(again.batch(), 32);
  EXPECT_EQ(again.element_size(), Bytes{2});
  EXPECT_TRUE(again.training().input_error);
  EXPECT_EQ(again.weights(), original.weights());
  EXPECT_EQ(again.macs(Phase::backward_data), original.macs(Phase::backward_data));
}

TEST(Load, OverridesAnyKey) {
  EXPECT_EQ(load(lenet).batch(), 256);
  auto const network = load(lenet, {"batch=512", "training.input_error=skipped",
                                    "operators.0.pool={size: 2, stride: 2}"});
  EXPECT_EQ(network.batch(), 512);
  EXPECT_EQ(network.macs(Phase::forward), Macs{512} * 2'293'000);
  EXPECT_FALSE(network.at(network.find("conv1")).has(Phase::backward_data));
  EXPECT_THAT(network.source_text(), HasSubstr("batch: 512"));
}

TEST(Load, BlamesTheOverrideForWhatIsWrongWithIt) {
  EXPECT_THAT(load_error(lenet, {"batch=0"}),
              AllOf(HasSubstr("--set workload.batch=0"), HasSubstr("must be at least 1, not 0")));
  EXPECT_THAT(
      load_error(lenet, {"bacth=512"}),
      AllOf(HasSubstr("--set workload.bacth=512"), HasSubstr("unknown key"), HasSubstr("batch")));
  EXPECT_THAT(load_error(lenet, {"operators.9.kernel=3"}), HasSubstr("operators.9"));
  EXPECT_THAT(load_error(lenet, {"operators.1.kernel=13"}),
              HasSubstr("the kernel of 13 rows does not fit (the map has 12, with padding 12)"));
  EXPECT_THAT(load_error(lenet, {"batch"}), HasSubstr("batch"));
}

TEST(Load, AnswersAnUnknownNameWithTheNearest) {
  EXPECT_THAT(load_error("hypar/lenetc"), AllOf(HasSubstr("unknown network 'hypar/lenetc'"),
                                                HasSubstr("did you mean 'hypar/lenet-c'?")));
}

TEST(Load, BlamesAFileThatIsNone) {
  TemporaryDirectory const directory;
  auto const empty = directory.path("empty.yaml");
  test::write_file(empty, "");
  for (auto const& path : {directory.path("missing.yaml"), directory.path("."), empty}) {
    EXPECT_THAT(load_error(path), HasSubstr(path)) << path;
  }
}

}  // namespace
}  // namespace tessera::workloads
