"""`tessera export`: traces of Perfetto, read back through protoc, and tables, both against the run file."""

import collections
import csv
import os
import unittest

import h5py

from perfetto_trace import PROTOC, Trace
from program import ProgramTest

DETAILED = ("-w", "hypar/lenet-c", "-a", "hmc-htree-16", "-p", "hypar", "--set", "workload.batch=32", "--set", "arch.accelerators=4")
PIPELINE = """\
schema: tessera.plan/2
planner: by-hand
network: hypar/lenet-c
array: hypar-paper
batch: 256
accelerators: 4
operators: {conv1: [n], conv2: [n], fc1: [n], fc2: [n]}
pipeline:
  micro_batches: 8
  schedule: 2bw
  stages:
    - {accelerators: [0-1], operators: [conv1, conv2]}
    - {accelerators: [2-3], operators: [fc1, fc2]}
"""


class Export(ProgramTest):
    def simulate(self, *options, name="run.h5"):
        self.output_of("simulate", *(options or DETAILED), "-o", name, "--quiet")
        return h5py.File(self.path(name))

    def pipeline(self, steps):
        self.write("plan.yaml", PIPELINE)
        return self.simulate("-w", "hypar/lenet-c", "-a", "hypar-paper", "--set", "arch.accelerators=4",
                             "--set", "arch.execution.overlap=communication", "--plan", "plan.yaml", "--steps", str(steps))


@unittest.skipUnless(PROTOC, "protoc is not installed (protobuf-compiler)")
class Perfetto(Export):
    def trace(self, *options):
        self.output_of("export", "run.h5", "--perfetto", "run.pftrace", *options)
        return Trace(self.path("run.pftrace"))

    @staticmethod
    def expected_slices(run, unit, keep=lambda task: 0):
        """What tasks should be, of those that `keep` says by how many picoseconds they are moved."""
        names = {key: run[f"names/{key}"].asstr()[:] for key in ("operators", "phases", "task_kinds")}
        slices = collections.Counter()
        for task in run["tasks"][:]:
            shift, kind = keep(task), names["task_kinds"][task["kind"]]
            if shift is None or (task["start_ps"] == task["end_ps"] and kind != "transfer"):
                continue
            begin, end = (int(task[key] - shift) // unit for key in ("start_ps", "end_ps"))
            told = (begin, end, int(task["task"]), names["operators"][task["operator"]], names["phases"][task["phase"]],
                    *(int(task[key]) for key in ("stage", "micro_batch", "bytes", "macs")))
            places = [(task["accelerator"], kind)] if kind != "transfer" else [(task["accelerator"], "send"),
                                                                              (task["destination"], "receive")]
            slices.update((f"accelerator {accelerator}", track, *told) for accelerator, track in places)
        return slices

    def shown_slices(self, trace):
        keys = ("task", "operator", "phase", "stage", "micro_batch", "bytes")
        return collections.Counter((entry.process, entry.track, entry.begin, entry.end, *(entry.arguments[key] for key in keys),
                                    entry.arguments.get("macs", 0))
                                   for entry in trace.slices if entry.process.startswith("accelerator"))

    def test_its_slices_are_the_tasks_in_nanoseconds(self):
        run = self.simulate()
        trace = self.trace()
        self.assertEqual(self.shown_slices(trace), self.expected_slices(run, 1000))
        for entry in trace.slices:
            if "start_ps" in entry.arguments:  # where a nanosecond is not enough
                self.assertEqual((entry.arguments["start_ps"] // 1000, entry.arguments["end_ps"] // 1000), (entry.begin, entry.end))
                self.assertTrue(entry.arguments["start_ps"] % 1000 or entry.arguments["end_ps"] % 1000)

    def test_its_slices_are_the_tasks_in_picoseconds(self):
        run = self.simulate()
        trace = self.trace("--time-unit", "ps")
        self.assertEqual(self.shown_slices(trace), self.expected_slices(run, 1))
        self.assertTrue(any("1 ns shown is 1 ps simulated" in entry.process for entry in trace.slices))

    def test_a_task_says_what_it_waited_for(self):
        run = self.simulate()
        causes, tasks = run["names/causes"].asstr()[:], {int(task["task"]): task for task in run["tasks"][:]}
        for entry in self.trace().slices:
            if entry.process.startswith("accelerator"):
                task = tasks[entry.arguments["task"]]
                self.assertEqual((entry.arguments["waited_for"], entry.arguments.get("waited_for_task", -1), entry.arguments["slack_ps"]),
                                 (causes[task["cause"]], task["waited_for"], task["slack_ps"]))

    def test_accelerators_without_tasks_say_whom_they_mirror(self):
        run = self.simulate("-w", "hypar/lenet-c", "-a", "hypar-paper", "-p", "dp", "--trace", "repeats")
        mirrors = dict(run["mirrors"][:].tolist())
        names = {f"accelerator {i} (mirrors {mirrors[i]})" if i in mirrors else f"accelerator {i}" for i in range(16)}
        shown = {entry.process for entry in self.trace().slices if entry.process.startswith("accelerator")}
        self.assertLessEqual(shown, names)
        self.assertEqual({name for name in shown if "mirrors" not in name}, {name for name in names if "mirrors" not in name})

    def test_an_arrow_goes_with_every_transfer(self):
        run = self.simulate()
        trace = self.trace()
        ends = collections.defaultdict(dict)
        for entry in trace.slices:
            for end, flow in entry.flows:
                self.assertNotIn(end, ends[flow])
                ends[flow][end] = entry.process
        transfer = list(run["names/task_kinds"].asstr()[:]).index("transfer")
        expected = {int(task["task"]) + 1: {"leaves": f"accelerator {task['accelerator']}",
                                            "arrives": f"accelerator {task['destination']}"}
                    for task in run["tasks"][:] if task["kind"] == transfer}
        self.assertTrue(expected)
        self.assertEqual(dict(ends), expected)

    def test_transfers_take_no_more_tracks_than_there_are_at_once(self):
        run = self.simulate()
        trace = self.trace()
        transfer = list(run["names/task_kinds"].asstr()[:]).index("transfer")
        for track, column in (("send", "accelerator"), ("receive", "destination")):
            tasks = [task for task in run["tasks"][:] if task["kind"] == transfer and task[column] == 0]
            at_once = max(sum(other["start_ps"] <= task["start_ps"] < other["end_ps"] for other in tasks) for task in tasks)
            used = {entry.number for entry in trace.slices if (entry.process, entry.track) == ("accelerator 0", track)}
            self.assertEqual(len(used), at_once)
            self.assertGreater(at_once, 1)

    def test_its_counters_are_what_was_busy(self):
        run = self.simulate()
        trace = self.trace()
        busy, width = run["utilisation/busy_ps"], run["utilisation/busy_ps"].attrs["bin_ps"]
        lanes = {f"{link['from'].decode()}>{link['to'].decode()}": link["lanes"] for link in run["links"][:]}
        self.assertEqual(len(trace.counters), len(busy))
        for resource, row in zip(run["utilisation/resource"].asstr()[:], busy[:]):
            owner, dot, part = resource.partition(".")
            is_part = dot and ">" not in resource and owner.startswith("accelerator-")
            place = (owner.replace("-", " "), f"{part} busy") if is_part else ("fabric", f"{resource} busy")
            expected = [(i * width // 1000, 100 * value / (width * lanes.get(resource, 1))) for i, value in enumerate(row)]
            self.assertEqual([time for time, _ in trace.counters[place]], [time for time, _ in expected])
            for (_, shown), (_, value) in zip(trace.counters[place], expected):
                self.assertAlmostEqual(shown, value, places=4)
                self.assertLessEqual(shown, 100 + 1e-9)

    def test_what_was_counted_stands_at_the_end(self):
        run = self.simulate()
        told = {(entry.process, name): value for entry in self.trace().instants for name, value in entry.arguments.items()}
        for counter in run["counters"][:]:
            if counter["resource"].startswith(b"accelerator-3."):
                part = counter["resource"].decode().partition(".")[2]
                self.assertEqual(told["accelerator 3", f"{part}.{counter['name'].decode()}"], counter["value"])

    def test_a_steady_state_is_folded_on_request(self):
        run = self.pipeline(steps=6)
        begin, end, period = (int(run.attrs[key]) for key in ("steady_begin_ps", "steady_end_ps", "period_ps"))
        periods = (end - begin) // period
        self.assertGreater(periods, 2)

        def keep(task):
            if task["start_ps"] < begin + period:
                return 0
            return None if task["start_ps"] < begin + periods * period else (periods - 1) * period

        trace = self.trace("--fold")
        self.assertEqual(self.shown_slices(trace), self.expected_slices(run, 1000, keep))
        whole = self.expected_slices(run, 1000)
        self.assertLess(sum(self.shown_slices(trace).values()), sum(whole.values()))
        folded = [entry for entry in trace.slices if entry.track == "folded"]
        self.assertEqual([(entry.begin, entry.end, entry.arguments["periods"]) for entry in folded],
                         [(begin // 1000, (begin + period) // 1000, periods)])
        self.output_of("export", "run.h5", "--perfetto", "whole.pftrace")
        self.assertEqual(self.shown_slices(Trace(self.path("whole.pftrace"))), whole)


class Csv(Export):
    def table(self, name):
        with open(self.path(f"tables/{name}.csv"), encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def test_tables_are_those_of_the_run_file(self):
        run = self.simulate()
        self.output_of("export", "run.h5", "--csv", "tables")
        names = {"operator": "operators", "phase": "phases", "kind": "task_kinds", "cause": "causes"}
        tables = [name for name in run if isinstance(run[name], h5py.Dataset)]
        self.assertGreaterEqual(set(tables), {"tasks", "links", "energy", "breakdown", "traffic", "stages", "counters"})
        for name in tables:
            rows = self.table(name)
            self.assertEqual(len(rows), len(run[name]))
            for row, expected in zip(rows, run[name][:]):
                for column in run[name].dtype.names:
                    value = expected[column]
                    if column in names:
                        key = "path_causes" if (name, column) == ("critical_path", "cause") else names[column]
                        value = run[f"names/{key}"].asstr()[:][value]
                    elif isinstance(value, bytes):
                        value = value.decode()
                    self.assertEqual(type(value)(row[column]), value)
        attributes = {row["name"]: row["value"] for row in self.table("run")}
        self.assertEqual({name: str(value) for name, value in run.attrs.items() if not isinstance(value, float)},
                         {name: value for name, value in attributes.items() if not isinstance(run.attrs[name], float)})
        busy = self.table("utilisation")
        self.assertEqual([int(row["busy_ps"]) for row in busy], [int(value) for value in run["utilisation/busy_ps"][:].ravel()])

    def test_only_tables_of_the_same_run_are_replaced(self):
        self.simulate()
        self.output_of("export", "run.h5", "--csv", "tables")
        self.output_of("export", "run.h5", "--csv", "tables")
        self.simulate(*DETAILED, "--set", "workload.batch=16", name="other.h5")
        self.assert_refused("export", "other.h5", "--csv", "tables", because=["tables/", "no such export of this run", "--force"])
        self.output_of("export", "other.h5", "--csv", "tables", "--force")


class Refused(Export):
    def test_one_kind_of_file_is_asked_for(self):
        self.simulate()
        self.assert_refused("export", "run.h5", because="give --perfetto or --csv")
        self.assert_refused("export", "run.h5", "--perfetto", "a", "--csv", "b", because="excludes")

    def test_what_is_no_run_file(self):
        self.write("text.h5", "schema: tessera.plan/1\n")
        self.write("empty.h5", "")
        with h5py.File(self.path("other.h5"), "w") as other:
            other["numbers"] = [1, 2, 3]
        for name, because in (("no.h5", "No such file"), ("empty.h5", "empty"), ("text.h5", "is no run file, but a tessera.plan/1"),
                              ("other.h5", "is no run file, but another HDF5 file")):
            self.assert_refused("export", name, "--perfetto", "run.pftrace", because=[name, because])

    def test_another_schema(self):
        self.simulate().close()
        with h5py.File(self.path("run.h5"), "r+") as run:
            run.attrs["schema"] = "tessera.run/9"
        self.assert_refused("export", "run.h5", "--csv", "tables", because=["run.h5", "'tessera.run/9'", "reads tessera.run/1"])

    def test_a_file_that_is_cut_off(self):
        self.simulate().close()
        size = os.path.getsize(self.path("run.h5"))
        os.truncate(self.path("run.h5"), size // 2)
        self.assert_refused("export", "run.h5", "--perfetto", "run.pftrace", because=["run.h5", "cut off or damaged", "simulate again"])

    def test_damaged_tasks(self):
        run = self.simulate()
        offset, size = run["tasks"].id.get_chunk_info(0).byte_offset, run["tasks"].id.get_chunk_info(0).size
        run.close()
        with open(self.path("run.h5"), "r+b") as file:
            file.seek(offset)
            file.write(b"\xff" * size)
        self.assert_refused("export", "run.h5", "--perfetto", "run.pftrace", because="run.h5: /tasks is damaged")

    def test_no_tasks(self):
        self.simulate(*DETAILED, "--trace", "none")
        self.assert_refused("export", "run.h5", "--perfetto", "run.pftrace",
                            because=["run.h5", "has no tasks (it was written with --trace none)", "--trace tasks"])

    def test_nothing_to_fold(self):
        self.simulate()
        self.assert_refused("export", "run.h5", "--perfetto", "run.pftrace", "--fold", because=["no steady state", "--steps 3"])

    def test_a_trace_replaces_only_one_of_the_same_run(self):
        self.simulate()
        self.output_of("export", "run.h5", "--perfetto", "run.pftrace")
        self.output_of("export", "run.h5", "--perfetto", "run.pftrace")
        self.assert_refused("export", "run.h5", "--perfetto", "run.h5", because=["run.h5", "no such export of this run"])
        self.simulate(*DETAILED, "--set", "workload.batch=16", name="other.h5")
        self.assert_refused("export", "other.h5", "--perfetto", "run.pftrace", because=["run.pftrace", "--force"])
        self.output_of("export", "other.h5", "--perfetto", "run.pftrace", "--force")


if __name__ == "__main__":
    unittest.main()
