// What a study's files of results say together.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "sim/sweep/study_table.hpp"
#include "test/support/temporary_directory.hpp"

namespace tessera::sim {
namespace {

using testing::HasSubstr;

StudyRecord record_of(std::string const& id, PointState state,
                      std::string const& fingerprint = "f") {
  StudyRecord record;
  record.id = id;
  record.state = state;
  record.program = this_program();
  if (state == PointState::done) record.columns = {{"time_s", "2.0"}, {"fingerprint", fingerprint}};
  if (state != PointState::done) record.reason = "why";
  return record;
}

class Results : public testing::Test {
 protected:
  Results() { std::filesystem::create_directories(folder() + "/results"); }

  [[nodiscard]] std::string folder() const { return directory_.path("study"); }

  void write(std::string const& segment, std::vector<StudyRecord> const& records,
             std::string const& tail = {}) const {
    std::ofstream file{folder() + "/results/" + segment + ".jsonl"};
    for (auto const& record : records) file << to_text(record) << '\n';
    file << tail;
  }

 private:
  test::TemporaryDirectory directory_;
};

TEST_F(Results, OfAllWorkersCountDoneBeforeAllElseThenTheNewest) {
  write("1", {record_of("a", PointState::failed), record_of("b", PointState::done)});
  write("2", {record_of("a", PointState::done), record_of("b", PointState::failed),
              record_of("c", PointState::failed), record_of("c", PointState::timed_out)});
  auto const results = read_results(folder(), Programs::this_one);
  EXPECT_EQ(results.records.at("a").state, PointState::done);
  EXPECT_EQ(results.records.at("b").state, PointState::done);
  EXPECT_EQ(results.records.at("c").state, PointState::timed_out);
}

TEST_F(Results, DoNotCountLinesThatAWorkerCouldNotEnd) {
  auto const whole = to_text(record_of("b", PointState::done));
  write("1", {record_of("a", PointState::done)}, whole.substr(0, whole.size() / 2));
  write("2", {}, whole);  // all of it, but not its end
  write("3", {}, "{}\nno json\n");
  auto const results = read_results(folder(), Programs::this_one);
  EXPECT_EQ(results.records.size(), 1U);
  EXPECT_EQ(results.torn_lines, 4U);
}

TEST_F(Results, OfAPointThatDifferAreOurFault) {
  write("1", {record_of("a", PointState::done, "f")});
  write("2", {record_of("a", PointState::done, "f")});
  EXPECT_EQ(read_results(folder(), Programs::this_one).records.size(), 1U);
  write("3", {record_of("a", PointState::done, "g")});
  try {
    ADD_FAILURE() << read_results(folder(), Programs::this_one).torn_lines;
  } catch (FailureError const& error) {
    EXPECT_EQ(error.failure().code, ExitCode::our_fault);
    EXPECT_THAT(error.failure().text, HasSubstr("point a was simulated twice with different "
                                                "results (fingerprints f and g)"));
  }
}

TEST_F(Results, OfAnotherProgramCountWhereTheyAreAsked) {
  auto other = record_of("a", PointState::done);
  other.program = "0.0.1 (old)";
  write("1", {other, record_of("b", PointState::done)});
  auto const results = read_results(folder(), Programs::this_one);
  EXPECT_EQ(results.records.count("a"), 0U);
  EXPECT_EQ(results.stale, 1U);
  EXPECT_EQ(read_results(folder(), Programs::any).records.count("a"), 1U);
}

TEST_F(Results, AreOnTheDiskLineByLine) {
  {
    ResultSegment segment{folder()};
    segment.append(to_text(record_of("a", PointState::done)));
    EXPECT_EQ(read_results(folder(), Programs::this_one).records.size(), 1U);
    segment.append(to_text(record_of("b", PointState::out_of_memory)));
  }
  { ResultSegment const unused{folder()}; }  // leaves no empty file
  auto const results = read_results(folder(), Programs::this_one);
  EXPECT_EQ(results.records.at("b").state, PointState::out_of_memory);
  EXPECT_EQ(results.torn_lines, 0U);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator{folder() + "/results"}, {}), 1);
}

TEST(StudyTable, HasARowAPointWithResultsOfItsOwn) {
  auto const spec =
      sweep_from(read_config_text("schema: tessera.sweep/1\nname: t\naxes: {steps: [1, 2]}\n"
                                  "results: {twice: 2 * time_s * steps}",
                                  "s.yaml"));
  std::vector<StudyPoint> points(3);
  points[0].id = "a";
  points[0].keys = {{"steps", "1"}};
  points[1].id = "b";
  points[1].keys = {{"steps", "2"}, {"plan", "x, \"y\".yaml"}};
  points[2].id = "c";
  StudyResults results;
  results.records["a"] = record_of("a", PointState::done);
  results.records["b"] = record_of("b", PointState::infeasible);
  auto const table = table_of(spec, points, results, HostColumns::left_out);
  EXPECT_EQ(csv_text(table),
            "id,steps,state,time_s,fingerprint,twice,program,plan,reason\n"
            "a,1,done,2.0,f,4," +
                this_program() +
                ",,\n"
                "b,2,infeasible,,,," +
                this_program() +
                ",\"x, \"\"y\"\".yaml\",why\n"
                "c,,left,,,,,,\n");
}

TEST(StudyTable, HasNoResultWhereOneOfItsColumnsHasNoneOrNothingCanBeComputed) {
  auto const spec =
      sweep_from(read_config_text("schema: tessera.sweep/1\nname: t\naxes: {steps: [1, 2]}\n"
                                  "results: {rate: steps / step_time_s, part: 1 / (steps - 2)}",
                                  "s.yaml"));
  std::vector<StudyPoint> points(2);
  points[0].id = "a";
  points[0].keys = {{"steps", "1"}};
  points[1].id = "b";
  points[1].keys = {{"steps", "2"}};
  StudyResults results;
  results.records["a"] = record_of("a", PointState::done);
  results.records["b"] = record_of("b", PointState::done);
  results.records["b"].columns.emplace_back("step_time_s", "0.5");
  auto const table = table_of(spec, points, results, HostColumns::left_out);
  EXPECT_EQ(csv_text(table),
            "id,steps,state,time_s,fingerprint,part,program,step_time_s,rate,reason\n"
            "a,1,done,2.0,f,-1," +
                this_program() +
                ",,,\n"
                "b,2,done,2.0,f,," +
                this_program() + ",0.5,4,no part: '1 / (steps - 2)': '/' by zero\n");
}

}  // namespace
}  // namespace tessera::sim
