// What Slurm and GNU parallel are given to run.
#include "sim/sweep/job_script.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "arch/base/config_error.hpp"

namespace tessera::sim {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

PartsOfStudy parts_of(std::string const& folder) {
  PartsOfStudy parts;
  parts.name = "links";
  parts.folder = folder;
  parts.program = "/opt/tessera";
  parts.parts = 8;
  parts.wanted = {0, 1, 2, 5};
  return parts;
}

TEST(JobScript, WritesRisingNumbersAsRanges) {
  EXPECT_EQ(ranges_text({4}), "4");
  EXPECT_EQ(ranges_text({0, 1, 2, 5, 7, 8}), "0-2,5,7-8");
  EXPECT_EQ(ranges_text({}), "");
}

TEST(JobScript, OfSlurmAsksForWhatATaskMayHave) {
  auto parts = parts_of("/study");
  parts.cores = 2;
  parts.options = " --point-seconds 60";
  SlurmLimits limits;
  limits.throttle = 3;
  limits.minutes = 30;
  limits.memory_per_core = Bytes{1'610'612'736};
  limits.requeues = 4;
  limits.options = {"--partition=long"};
  auto const script = slurm_script(parts, limits);
  for (auto const* const line :
       {"#SBATCH --job-name=\"links\"\n", "#SBATCH --array=0-2,5%3\n",
        "#SBATCH --cpus-per-task=2\n", "#SBATCH --time=30\n", "#SBATCH --mem-per-cpu=1536M\n",
        "#SBATCH --signal=B:USR1@60\n", "#SBATCH --requeue\n", "#SBATCH --open-mode=append\n",
        "#SBATCH --output=\"/study/jobs/%A_%a.txt\"\n", "#SBATCH --partition=long\n",
        "\n'/opt/tessera' sweep work '/study' --slice \"$SLURM_ARRAY_TASK_ID\"/8 --jobs 2 --quiet "
        "--point-seconds 60 &\n",
        "\"${SLURM_RESTART_COUNT:-0}\" -lt 4 "}) {
    EXPECT_THAT(script, HasSubstr(line));
  }
}

TEST(JobScript, OfSlurmLeavesOutWhatNobodyAskedFor) {
  auto const script = slurm_script(parts_of("/study"), {});
  EXPECT_THAT(script, HasSubstr("--array=0-2,5\n"));
  EXPECT_THAT(script, Not(HasSubstr("--mem-per-cpu")));
}

TEST(JobScript, TakesFoldersWithAnyName) {
  auto const slurm = slurm_script(parts_of("/my \"%A\" isn't"), {});
  EXPECT_THAT(slurm, HasSubstr("--output=\"/my \\\"%%A\\\" isn't/jobs/%A_%a.txt\"\n"));
  EXPECT_THAT(slurm, HasSubstr(" sweep work '/my \"%A\" isn'\\''t' --slice"));
}

TEST(JobScript, RefusesOptionsOfSbatchThatAreNone) {
  SlurmLimits limits;
  for (auto const* const option : {"", "partition=long", "--a\nrm"}) {
    limits.options = {option};
    EXPECT_THROW(static_cast<void>(slurm_script(parts_of("/study"), limits)), ConfigError)
        << option;
  }
}

TEST(JobScript, OfParallelDealsOutPartsToHostsAndSaysHowTheStudyStands) {
  auto const script =
      parallel_script(parts_of("/study"), {2, {"4/one", "two"}, "ssh -F config", " --json"});
  EXPECT_THAT(script, HasSubstr("\nparallel --will-cite --retries 3 --jobs 2 --ssh 'ssh -F config' "
                                "--sshlogin '4/one' --sshlogin 'two' "));
  EXPECT_THAT(script, HasSubstr(" ::: 0 1 2 5\n"));
  EXPECT_THAT(script, HasSubstr("\n'/opt/tessera' sweep status '/study' --json || exit $?\n"));
}

}  // namespace
}  // namespace tessera::sim
