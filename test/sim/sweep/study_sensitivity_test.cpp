// One step of one axis at a time, and units.
#include "sim/sweep/study_sensitivity.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/sweep/study_hdf5.hpp"

namespace tessera::sim {
namespace {

using testing::ElementsAre;

constexpr auto sweep_text =
    "schema: tessera.sweep/1\n"
    "name: s\n"
    "axes: {workload: [a, b]}\n"
    "zip: [{arch.x: [1, 2, 4], arch.y: [p, q, r]}]\n";

/// Points of every combination, and a column t.
struct Study {
  SweepSpec spec = sweep_from(read_config_text(sweep_text, "sweep.yaml"));
  std::vector<StudyPoint> points;
  StudyTable table{{"id", "t"}, {}};

  explicit Study(std::vector<std::string> const& column) {
    for (auto const& settings : points_of(spec)) {
      auto& point = points.emplace_back();
      for (auto const& setting : settings) point.keys.emplace_back(setting.key, text_of(setting));
      table.rows.push_back({"", column.at(points.size() - 1)});
    }
  }

  [[nodiscard]] std::vector<std::vector<std::string>> rows(std::string const& column = "t") const {
    return sensitivities(spec, points, table, column).rows;
  }
};

TEST(Sensitivities, AreFactorsOfPointsThatDifferInOneStepAlone) {
  Study const study{{"1.0", "2.0", "3.0", "4.0", "2.0", "3.0"}};
  EXPECT_THAT(study.rows(),
              ElementsAre(ElementsAre("workload", "a", "b", "3", testing::_, "1.0", "4.0"),
                          ElementsAre("arch.x+arch.y", "1+p", "2+q", "2", "1.0", "0.5", "2.0"),
                          ElementsAre("arch.x+arch.y", "2+q", "4+r", "2", "1.5", "1.5", "1.5")));
}

TEST(Sensitivities, LeaveOutPointsWithoutANumber) {
  Study const study{{"1.0", "", "3.0", "4.0", "2.0", "0"}};
  EXPECT_THAT(study.rows(),
              ElementsAre(ElementsAre("workload", "a", "b", "1", "4.0", "4.0", "4.0"),
                          ElementsAre("arch.x+arch.y", "1+p", "2+q", "1", "0.5", "0.5", "0.5"),
                          ElementsAre("arch.x+arch.y", "2+q", "4+r", "0", "", "", "")));
}

TEST(Sensitivities, OfAColumnThatIsNotThereAreRefused) {
  Study const study{{"1.0", "2.0", "3.0", "4.0", "2.0", "3.0"}};
  EXPECT_THROW(static_cast<void>(study.rows("u")), ConfigError);
  EXPECT_THROW(static_cast<void>(study.rows("id")), ConfigError);
}

TEST(StudyHdf5, ReadsUnitsFromTheEndsOfNames) {
  EXPECT_STREQ(unit_of("predicted_time_s"), "s");
  EXPECT_STREQ(unit_of("samples_per_s"), "1/s");
  EXPECT_STREQ(unit_of("energy_j"), "J");
  EXPECT_STREQ(unit_of("memory_needed_bytes"), "B");
  EXPECT_STREQ(unit_of("cycles"), "1");
}

}  // namespace
}  // namespace tessera::sim
