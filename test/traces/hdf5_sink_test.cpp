// What a run file holds, read back with h5py and pandas as its users do, and what is left when it
// cannot be written.
#include "traces/hdf5_sink.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <random>
#include <string>

#include "arch/base/config_error.hpp"
#include "test/support/file_size_limit.hpp"
#include "test/support/files.hpp"
#include "test/support/python.hpp"
#include "test/support/temporary_directory.hpp"

namespace tessera::traces {
namespace {

using test::python;
using test::read_file;
using test::TemporaryDirectory;
using test::write_file;
using testing::ElementsAre;
using testing::IsEmpty;

[[nodiscard]] RunDescription description() {
  RunDescription run;
  run.tessera_version = "0.1.0";
  run.commit = "d497ce6";
  run.command_line = "tessera simulate -w hypar/sfc";
  run.host = "zürich";
  run.seed = UINT64_MAX;
  run.workload = "name: hypar/sfc\n";
  run.array = "name: hypar-paper\n";
  run.plan = "planner: hypar\n";
  run.network_name = "hypar/sfc";
  run.array_name = "hypar-paper";
  run.planner = "hypar";
  run.batch = 256;
  run.steps = 6;
  run.accelerators = 16;
  run.names.operators = {"fc1", "fc2"};
  run.names.task_kinds = {"load", "compute", "store", "transfer"};
  run.names.phases = {"forward", "backward_data", "backward_weight", "update"};
  run.names.causes = {"none", "data"};
  run.names.path_causes = {"compute", "memory"};
  run.places = {{"accelerator-3", 1.5, -2}};
  run.plan_costs = {{1, 2, 0.25, 4096}};
  return run;
}

[[nodiscard]] RunSummary summary() {
  RunSummary end;
  end.complete = true;
  end.time = Time{1'000'000};
  end.cycles = Cycles{250};
  end.communication = Bytes{4096};
  end.macs = Macs{168};
  end.fingerprint = 0xfedcba9876543210;
  end.predicted_time_s = 1.5e-6;
  end.predicted_communication_bytes = 4095;
  end.predicted_energy_j = 0.25;
  end.breakdown = {{1, 2, Time{4}, Time{3}, Time{2}, Time{1}, Macs{168}, Bytes{77}, Time{2}}};
  end.reasons = Reasons{{{Time{0}, Time{9}, 4'000'000'000, 1, 1, 2, 0}},
                        {{"links of level 2", Time{100}, Time{700}, Time{300}}}};
  end.counters = {{"accelerator-3.memory", "busy", "ps", 77}};
  end.utilisation = {{"unit-0", Time{10}, {Time{10}, Time{5}, Time{0}}},
                     {"unit-1", Time{10}, {Time{2}}}};
  end.energy = {{"processing-unit", "multiply", 1000, Energy{3.5}}};
  end.accelerators = {{7, 4.2e10, Bandwidth{9'000}, Macs{168}, Bytes{77}, Time{60}, 7},
                      {8, 4.2e10, Bandwidth{9'000}, Macs{168}, Bytes{77}, Time{60}, 7}};
  end.links = {{"switch-1.0", "accelerator-3", 4, 2, Bandwidth{8'000'000'000}, 5, Bytes{600},
                Time{600'000}, 0.3, Energy{0.125}}};
  end.traffic = {{0, 65535, 5, Bytes{4096}}};
  end.stages = {{2, 7, Time{10}, Time{90}, Time{60}, Time{15}, 3, 2}};
  end.first_step = Time{400'000};
  end.steady = SteadyState{Time{120'000}, 4, Time{300'000}, Time{900'000}};
  return end;
}

[[nodiscard]] TaskEvent transfer() {
  TaskEvent event;
  event.task = 4'000'000'000;
  event.kind = 3;
  event.phase = 2;
  event.level = 1;
  event.accelerator = 15;
  event.destination = 65535;
  event.op = 1;
  event.start = Time{9'000'000'000'000'000'000};
  event.end = Time{9'000'000'000'000'000'001};
  event.bytes = Bytes{2048};
  event.macs = Macs{7};
  event.micro_batch = 41;
  event.step = 5;
  event.version = 4;
  event.stage = 3;
  event.cause = 1;
  event.waited_for = 3'999'999'999;
  event.slack = Time{12};
  event.rounds = 31;
  return event;
}

void write_run(std::string const& path, std::size_t events, TraceLevel level = TraceLevel::tasks) {
  Hdf5Sink sink{path, level};
  sink.begin(description());
  std::mt19937_64 random{1};  // so that the events do not compress to nothing
  for (std::size_t i = 0; i < events; ++i) {
    TaskEvent event;
    event.task = static_cast<std::int64_t>(i);
    event.bytes = Bytes{static_cast<std::int64_t>(random() >> 1U)};
    sink.record(event);
  }
  sink.end(summary());
}

/// What Python prints for `expressions` of a run of one transfer.
[[nodiscard]] std::string printed(std::string const& expressions) {
  TemporaryDirectory const directory;
  {
    Hdf5Sink sink{directory.path("run.h5"), TraceLevel::tasks};
    sink.begin(description());
    sink.record(transfer());
    sink.end(summary());
  }
  return python(directory,
                "import h5py\n"
                "run = h5py.File('run.h5')\n"
                "def table(name): return [list(row) for row in run[name][:].tolist()]\n"
                "print(" +
                    expressions + ", sep='\\n')\n");
}

/// traces/schema.md; CMake says where it is.
[[nodiscard]] std::string schema() { return read_file(TESSERA_RUN_FILE_SCHEMA); }

TEST(Hdf5Sink, WritesEveryColumnOfATask) {
  EXPECT_EQ(
      printed("list(run['tasks'].dtype.names), table('tasks'), list(run['tasks'].attrs['units'])"),
      "['task', 'kind', 'phase', 'level', 'accelerator', 'destination', 'operator', 'start_ps', "
      "'end_ps', 'bytes', 'macs', 'micro_batch', 'step', 'version', 'stage', "
      "'cause', 'waited_for', 'slack_ps', 'rounds']\n"
      "[[4000000000, 3, 2, 1, 15, 65535, 1, 9000000000000000000, 9000000000000000001, 2048, 7, "
      "41, 5, 4, 3, 1, 3999999999, 12, 31]]\n"
      "['1', '1', '1', '1', '1', '1', '1', 'ps', 'ps', 'B', 'MAC', '1', '1', '1', '1', '1', '1', "
      "'ps', '1']\n");
}

TEST(Hdf5Sink, WritesWhereTheRunCameFrom) {
  EXPECT_EQ(printed("*[run.attrs[a] for a in ('schema', 'tessera_version', 'commit', "
                    "'command_line', 'host', 'seed', 'trace')]"),
            "tessera.run/1\n0.1.0\nd497ce6\ntessera simulate -w hypar/sfc\nzürich\n"
            "18446744073709551615\ntasks\n");
}

TEST(Hdf5Sink, WritesWhatWasRun) {
  EXPECT_EQ(printed("*[run.attrs[a] for a in ('network', 'array', 'planner', 'batch', "
                    "'steps', 'accelerators')], *[run['config/' + c].asstr()[()].strip() for c in "
                    "('workload', 'array', 'plan')], *[list(run['names/' + n].asstr()) for n in "
                    "('operators', 'phases', 'task_kinds')]"),
            "hypar/sfc\nhypar-paper\nhypar\n256\n6\n16\n"
            "name: hypar/sfc\nname: hypar-paper\nplanner: hypar\n['fc1', 'fc2']\n"
            "['forward', 'backward_data', 'backward_weight', 'update']\n"
            "['load', 'compute', 'store', 'transfer']\n");
}

TEST(Hdf5Sink, WritesHowItEnded) {
  EXPECT_EQ(printed("*[run.attrs[a] for a in ('complete', 'time_ps', 'cycles', "
                    "'communication_bytes', 'macs', 'fingerprint', 'predicted_time_s', "
                    "'predicted_communication_bytes', 'predicted_energy_j')]"),
            "1\n1000000\n250\n4096\n168\nfedcba9876543210\n1.5e-06\n4095\n0.25\n");
}

TEST(Hdf5Sink, WritesTheTablesOfTheSummary) {
  EXPECT_EQ(printed("table('counters'), table('energy'), table('breakdown')"),
            "[[b'accelerator-3.memory', b'busy', b'ps', 77]]\n"
            "[[b'processing-unit', b'multiply', 1000, 3.5, 3500.0]]\n"
            "[[1, 2, 4, 3, 2, 1, 168, 77, 2]]\n");
}

TEST(Hdf5Sink, WritesWhatAcceleratorsCanDoAndDid) {
  EXPECT_EQ(printed("table('accelerators')"),
            "[[7, 42000000000.0, 9000, 168, 77, 60], "
            "[8, 42000000000.0, 9000, 168, 77, 60]]\n");
}

TEST(Hdf5Sink, WritesWhyItTookSoLong) {
  EXPECT_EQ(printed("list(run['critical_path'].dtype.names), table('critical_path'), "
                    "table('what_if'), table('places'), table('plan'), "
                    "*[list(run['names/' + n].asstr()) for n in ('causes', 'path_causes')]"),
            "['begin_ps', 'end_ps', 'task', 'cause', 'link', 'operator', 'phase']\n"
            "[[0, 9, 4000000000, 1, 0, 1, 2]]\n[[b'links of level 2', 100, 700, "
            "300]]\n[[b'accelerator-3', 1.5, -2.0]]\n"
            "[[1, 2, 0.25, 4096]]\n['none', 'data']\n['compute', 'memory']\n");
}

TEST(Hdf5Sink, WritesLinksAndWhoSentToWhom) {
  EXPECT_EQ(printed("table('links'), table('traffic')"),
            "[[b'switch-1.0', b'accelerator-3', 4, 2, 8000000000, 5, 600, 600000, 0.3, 0.125]]\n"
            "[[0, 65535, 5, 4096]]\n");
}

TEST(Hdf5Sink, WritesStagesAndTheSteadyState) {
  EXPECT_EQ(printed("table('stages'), *[run.attrs[a] for a in ('first_step_ps', 'period_ps', "
                    "'period_micro_batches', 'steady_begin_ps', 'steady_end_ps')]"),
            "[[2, 7, 10, 90, 60, 15, 3, 2]]\n400000\n120000\n4\n300000\n900000\n");
}

TEST(Hdf5Sink, KeepsTextsOfEveryLength) {
  TemporaryDirectory const directory;
  {
    Hdf5Sink sink{directory.path("run.h5"), TraceLevel::tasks};
    RunDescription run;
    run.names.operators = {"", "ü", std::string(300, 'x')};
    sink.begin(run);
    RunSummary end;
    end.counters = {{std::string(300, 'y'), "", "°", -1}, {"", "busy", "1", INT64_MIN}};
    sink.end(end);
  }
  EXPECT_EQ(python(directory,
                   "import h5py\n"
                   "run = h5py.File('run.h5')\n"
                   "print([t.replace('x' * 300, 'X') for t in run['names/operators'].asstr()])\n"
                   "for row in run['counters'][:].tolist():\n"
                   "  print([c.decode().replace('y' * 300, 'Y') for c in row[:3]], row[3])\n"),
            "['', 'ü', 'X']\n['Y', '', '°'] -1\n['', 'busy', '1'] -9223372036854775808\n");
}

TEST(Hdf5Sink, WritesUtilisationAsAMatrixFilledUpWithZeros) {
  EXPECT_EQ(printed("list(run['utilisation/resource'].asstr()), "
                    "run['utilisation/busy_ps'][:].tolist(), "
                    "run['utilisation/busy_ps'].attrs['bin_ps']"),
            "['unit-0', 'unit-1']\n[[10, 5, 0], [2, 0, 0]]\n10\n");
}

TEST(Hdf5Sink, IsReadableInTheThreeLinesOfItsSchema) {
  TemporaryDirectory const directory;
  write_run(directory.path("run.h5"), 3);
  auto const text = schema();
  auto const start = text.find("import h5py");
  auto const lines = text.substr(start, text.find("```", start) - start);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 3);
  EXPECT_EQ(python(directory, lines + "print(type(tasks).__name__, list(tasks.task))\n"),
            "DataFrame [0, 1, 2]\n");
}

// The dictionary is complete: every attribute, dataset, column and unit of the file stands in it.
TEST(Hdf5Sink, WritesNothingThatItsSchemaDoesNotName) {
  TemporaryDirectory const directory;
  write_run(directory.path("run.h5"), 1, TraceLevel::repeats);
  write_file(directory.path("schema.md"), schema());
  EXPECT_EQ(python(directory, R"(
import h5py
schema = open('schema.md', encoding='utf-8').read()
section = lambda name: schema.split('\n## /' + name + ':')[1].split('\n## ')[0]
run = h5py.File('run.h5')
for attribute in run.attrs:
    assert f'`{attribute}`' in schema.split('## /')[0], attribute
def check(name, item):
    if isinstance(item, h5py.Dataset) and item.dtype.names:
        for column, unit in zip(item.dtype.names, item.attrs['units']):
            assert f'| `{column}` | {unit} |' in section(name), (name, column, unit)
    elif isinstance(item, h5py.Dataset):
        assert f'| `{name}` |' in section(name.split('/')[0]), name
run.visititems(check)
print(sorted(run))
)"),
            "['accelerators', 'breakdown', 'commands', 'config', 'counters', 'critical_path', "
            "'energy', 'links', 'mirrors', "
            "'names', 'places', 'plan', 'stages', 'tasks', 'traffic', 'utilisation', "
            "'what_if']\n");
}

TEST(Hdf5Sink, KeepsEveryEventOfSeveralChunks) {
  TemporaryDirectory const directory;
  write_run(directory.path("run.h5"), 2 * 16384 + 5);
  EXPECT_EQ(python(directory,
                   "import h5py\n"
                   "tasks = h5py.File('run.h5')['tasks']\n"
                   "print(tasks.chunks, tasks.compression, tasks.shuffle, len(tasks))\n"
                   "print(all(tasks['task'] == range(2 * 16384 + 5)))\n"),
            "(16384,) gzip True 32773\nTrue\n");
}

TEST(Hdf5Sink, WritesNoTasksWhenNoneAreAskedFor) {
  TemporaryDirectory const directory;
  {
    Hdf5Sink sink{directory.path("run.h5"), TraceLevel::none};
    sink.begin(description());
    sink.record(transfer());
    sink.end(summary());
  }
  EXPECT_EQ(python(directory,
                   "import h5py\n"
                   "run = h5py.File('run.h5')\n"
                   "print(len(run['tasks']), run.attrs['trace'], run.attrs['time_ps'])\n"),
            "0 none 1000000\n");
}

TEST(Hdf5Sink, SaysOfRepeatsWhoMirrorsWhom) {
  TemporaryDirectory const directory;
  write_run(directory.path("all.h5"), 2);
  write_run(directory.path("repeats.h5"), 2, TraceLevel::repeats);
  EXPECT_EQ(python(directory,
                   "import h5py\n"
                   "for name in ('all', 'repeats'):\n"
                   "  run = h5py.File(name + '.h5')\n"
                   "  print(run.attrs['schema'], run.attrs['trace'], len(run['tasks']), "
                   "run['mirrors'][:].tolist() if 'mirrors' in run else None)\n"),
            "tessera.run/1 tasks 2 None\n"
            "tessera.run/2 repeats 2 [(8, 7)]\n");
}

TEST(Hdf5Sink, WritesEveryColumnOfACommandAcrossChunks) {
  TemporaryDirectory const directory;
  {
    Hdf5Sink sink{directory.path("run.h5"), TraceLevel::commands};
    auto run = description();
    run.names.channels = {"channel-0", "channel-1"};
    run.names.command_kinds = {"activate", "read"};
    sink.begin(run);
    for (std::uint32_t i = 0; i < 40'000U; ++i) {  // more than two chunks
      sink.record_command({Time{800} * i, i % 2, 4'000'000'000U + i % 3, 65'535, 1});
    }
    sink.end(summary());
  }
  EXPECT_EQ(python(directory,
                   "import h5py\n"
                   "run = h5py.File('run.h5')\n"
                   "commands = run['commands']\n"
                   "print(run.attrs['trace'], len(commands), len(run['tasks']))\n"
                   "print(list(commands.dtype.names), list(commands.attrs['units']))\n"
                   "print(commands[39999].tolist(), sum(commands['time_ps'].tolist()))\n"
                   "print(*[list(run['names/' + n].asstr()) for n in ('channels', "
                   "'command_kinds')])\n"),
            "commands 40000 0\n"
            "['time_ps', 'channel', 'row', 'bank', 'kind'] ['ps', '1', '1', '1', '1']\n"
            "(31999200, 1, 4000000000, 65535, 1) 639984000000\n"  // 800 ps * 39999 * 40000 / 2
            "['channel-0', 'channel-1'] ['activate', 'read']\n");
}

TEST(Hdf5Sink, WritesNoCommandsWhenOnlyTasksAreAskedFor) {
  TemporaryDirectory const directory;
  {
    Hdf5Sink sink{directory.path("run.h5"), TraceLevel::tasks};
    sink.begin(description());
    sink.record_command({});
    sink.end(summary());
  }
  EXPECT_EQ(python(directory, "import h5py\nprint(len(h5py.File('run.h5')['commands']))\n"), "0\n");
}

TEST(Hdf5Sink, WritesARunInWhichNothingHappened) {
  TemporaryDirectory const directory;
  {
    Hdf5Sink sink{directory.path("run.h5"), TraceLevel::tasks};
    sink.begin({});
    sink.end({});
  }
  EXPECT_EQ(python(directory,
                   "import h5py\n"
                   "run = h5py.File('run.h5')\n"
                   "print(*[len(run[t]) for t in ('tasks', 'counters', 'energy', 'breakdown',"
                   " 'links', 'traffic', 'names/operators', 'utilisation/busy_ps')], "
                   "run.attrs['complete'])\n"),
            "0 0 0 0 0 0 0 0 0\n");
}

TEST(Hdf5Sink, WritesEqualBytesForEqualRuns) {
  TemporaryDirectory const directory;
  write_run(directory.path("a.h5"), 20'000);
  write_run(directory.path("b.h5"), 20'000);
  EXPECT_EQ(read_file(directory.path("a.h5")), read_file(directory.path("b.h5")));
}

TEST(Hdf5Sink, StampsNoTimes) {
  TemporaryDirectory const directory;
  write_run(directory.path("run.h5"), 1);
  EXPECT_EQ(python(directory,
                   "import h5py\n"
                   "times = set()\n"
                   "note = lambda name, item: times.add(h5py.h5g.get_objinfo(item.id).mtime)\n"
                   "run = h5py.File('run.h5')\n"
                   "note('/', run['/'])\n"
                   "run.visititems(note)\n"
                   "print(times)\n"),
            "{0}\n");
}

TEST(Hdf5Sink, ShowsTheFileOnlyAtTheEnd) {
  TemporaryDirectory const directory;
  Hdf5Sink sink{directory.path("run.h5"), TraceLevel::tasks};
  sink.begin(description());
  sink.record(transfer());
  EXPECT_THAT(directory.names(), ElementsAre(testing::StartsWith("run.h5.partial-")));
  sink.end(summary());
  EXPECT_THAT(directory.names(), ElementsAre("run.h5"));
}

TEST(Hdf5Sink, LeavesNothingWhenTheRunIsAbandoned) {
  TemporaryDirectory const directory;
  {
    Hdf5Sink sink{directory.path("run.h5"), TraceLevel::tasks};
    sink.begin(description());
    sink.record(transfer());
  }
  EXPECT_THAT(directory.names(), IsEmpty());
}

TEST(Hdf5Sink, KeepsAnIncompleteRunAndMarksIt) {
  TemporaryDirectory const directory;
  {
    Hdf5Sink sink{directory.path("run.h5"), TraceLevel::tasks};
    sink.begin(description());
    sink.record(transfer());
    auto stuck = summary();
    stuck.complete = false;
    sink.end(stuck);
  }
  EXPECT_EQ(python(directory,
                   "import h5py\n"
                   "run = h5py.File('run.h5')\n"
                   "print(run.attrs['complete'], len(run['tasks']))\n"),
            "0 1\n");
}

TEST(Hdf5Sink, RefusesAtOnceWhatItCannotWrite) {
  TemporaryDirectory const directory;
  EXPECT_THROW(Hdf5Sink(directory.path(""), TraceLevel::none), ConfigError);
  EXPECT_THROW(Hdf5Sink(directory.path("missing/run.h5"), TraceLevel::none), ConfigError);
  EXPECT_THROW(Hdf5Sink("/dev/full", TraceLevel::none), ConfigError);
}

TEST(Hdf5Sink, WantsBeginThenRecordsThenEnd) {
  TemporaryDirectory const directory;
  Hdf5Sink sink{directory.path("run.h5"), TraceLevel::tasks};
  EXPECT_THROW(sink.record(transfer()), ContractError);
  EXPECT_THROW(sink.end(summary()), ContractError);
  sink.begin(description());
  EXPECT_THROW(sink.begin(description()), ContractError);
  sink.end(summary());
  EXPECT_THROW(sink.record(transfer()), ContractError);
}

/// Writes a run where files can have no more than `limit` bytes, as the program would: the problem
/// goes to stderr and the exit code is 2.
[[noreturn]] void run_on_a_full_disk(std::string const& path, std::uintmax_t limit) {
  try {
    test::FileSizeLimit const full{limit};
    write_run(path, 40'000);
  } catch (ConfigError const& error) {
    std::cerr << error.problem();
    std::exit(2);
  }
  std::exit(0);
}

// Wherever the disk fills up: one line, exit code 2, nothing left behind, not a word from HDF5, and
// no crash when the program ends.
TEST(Hdf5Sink, ReportsAFullDiskInOneLineAndLeavesNothing) {
  TemporaryDirectory const directory;
  auto const path = directory.path("run.h5");
  write_run(path, 40'000);
  auto const size = std::filesystem::file_size(path);
  std::filesystem::remove(path);
  for (auto const limit : {std::uintmax_t{0}, std::uintmax_t{1}, std::uintmax_t{800},
                           std::uintmax_t{5000}, size / 3, size / 2, size - 5000, size - 1}) {
    EXPECT_EXIT(run_on_a_full_disk(path, limit), testing::ExitedWithCode(2),
                testing::Eq("cannot write " + path + ": File too large"))
        << limit << " of " << size << " bytes";
    EXPECT_THAT(directory.names(), IsEmpty()) << limit;
  }
  auto const enough = size + 8192;  // HDF5 allocates blocks and gives back their rest
  EXPECT_EXIT(run_on_a_full_disk(path, enough), testing::ExitedWithCode(0), testing::IsEmpty());
  EXPECT_THAT(directory.names(), ElementsAre("run.h5"));
}

}  // namespace
}  // namespace tessera::traces
