"""scripts/compare_traces.py: equal runs are the same wherever they were made, and every difference is found."""

import contextlib
import io
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import h5py
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "test/support"), str(ROOT / "scripts")]
import compare_traces  # noqa: E402  (the path comes first)
from synthetic_runs import write_run  # noqa: E402


class CompareTraces(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.a = pathlib.Path(folder.name) / "a.h5"
        self.b = pathlib.Path(folder.name) / "b.h5"

    def compare(self, a=None, b=None):
        """What the script says of two files, without starting it; test_it_is_a_program does."""
        command = ["compare_traces.py", str(a or self.a), str(b or self.b)]
        stdout, stderr = io.StringIO(), io.StringIO()
        with mock.patch("sys.argv", command), contextlib.redirect_stdout(stdout), contextlib.redirect_stderr(stderr):
            code = compare_traces.main()
        return subprocess.CompletedProcess(command, code, stdout.getvalue(), stderr.getvalue())

    def expect_difference(self, *lines):
        done = self.compare()
        self.assertEqual((done.stdout.splitlines(), done.stderr, done.returncode), (list(lines), "", 3))

    def test_runs_that_differ_in_provenance_only_are_the_same(self):
        write_run(self.a)
        write_run(self.b, attributes={"host": "elsewhere", "commit": "1234567", "command_line": "x", "seed": 7,
                                      "tessera_version": "9"})
        done = self.compare()
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("the same\n", "", 0))

    def test_it_is_a_program(self):
        write_run(self.a, time_s=1.0)
        write_run(self.b, time_s=1.25)
        for b in (self.a, self.b, self.a.parent / "nowhere.h5"):
            command = [ROOT / "scripts/compare_traces.py", self.a, b]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            called = self.compare(b=b)
            self.assertEqual((done.stdout, done.stderr, done.returncode), (called.stdout, called.stderr, called.returncode))

    def test_a_result_that_differs_is_shown_with_its_relative_change(self):
        write_run(self.a, time_s=1.0)
        write_run(self.b, time_s=1.25)
        self.expect_difference("time_ps: 1000000000000 != 1250000000000 (+25 %)")

    def test_an_attribute_that_only_one_run_has_is_a_difference(self):
        write_run(self.a)
        write_run(self.b, attributes={"more": 1})
        self.expect_difference("more: only in B")

    def test_a_task_that_differs_is_shown_with_the_columns_that_do(self):
        write_run(self.a)
        write_run(self.b)
        with h5py.File(self.b, "a") as run:
            run["tasks"][2] = (*run["tasks"][2].tolist()[:-1], 99)
        self.expect_difference("tasks[2]: stage 0 != 99")

    def test_many_tasks_that_differ_are_counted(self):
        write_run(self.a, tasks=10)
        write_run(self.b, tasks=10)
        with h5py.File(self.b, "a") as run:
            tasks = run["tasks"][:]
            tasks["bytes"] = 5
            run["tasks"][:] = tasks
        self.expect_difference(*(f"tasks[{row}]: bytes 0 != 5" for row in range(3)), "tasks: 10 rows differ in all")

    def test_a_run_with_more_tasks_differs(self):
        write_run(self.a, tasks=4)
        write_run(self.b, tasks=5)
        self.expect_difference("tasks: 4 != 5 rows")

    def test_another_plan_is_a_difference_and_its_first_line_is_shown(self):
        write_run(self.a, splits={"fc1": "nnnn"})
        write_run(self.b, splits={"fc1": "cnnn"})
        self.expect_difference("config/plan, line 6: - n != - c")

    def test_names_of_other_lengths_are_compared_as_texts(self):
        write_run(self.a)
        write_run(self.b)
        with h5py.File(self.b, "a") as run:
            energy = run["energy"][:].tolist()
            del run["energy"], run["names/operators"]
            run["energy"] = np.array(energy, [("component", "S99"), ("event", "S99"), ("count", "<i8"),
                                              ("each_j", "<f8"), ("total_j", "<f8")])
            run["names/operators"] = np.array([b"fc2"], "S9")
        self.expect_difference("names/operators[0]: fc1 != fc2")

    def test_tables_with_other_columns_differ(self):
        write_run(self.a)
        write_run(self.b)
        with h5py.File(self.b, "a") as run:
            del run["energy"]
            run["energy"] = np.zeros(1, [("component", "S9")])
        self.expect_difference("energy: the columns differ")

    def test_a_table_that_only_one_run_has_is_a_difference(self):
        write_run(self.a)
        write_run(self.b)
        with h5py.File(self.a, "a") as run:
            del run["energy"]
        self.expect_difference("energy: only in B")

    def test_an_attribute_of_a_table_counts_too(self):
        write_run(self.a)
        write_run(self.b)
        with h5py.File(self.b, "a") as run:
            run["tasks"].attrs["units"] = ["ps"]
        self.expect_difference("tasks.units: only in B")

    def expect_unusable(self, path, problem):
        done = self.compare(b=path)
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("", f"{path}: {problem}\n", 2))

    def test_files_that_are_not_runs_cannot_be_compared(self):
        write_run(self.a)
        self.expect_unusable(self.b, "not a run file: not found")
        self.b.write_text("not a run")
        self.expect_unusable(self.b, "not a run file: not an HDF5 file, or not all of one")
        self.expect_unusable(self.b.parent, "not a run file: not an HDF5 file, or not all of one")

    def test_runs_of_another_schema_cannot_be_compared(self):
        write_run(self.a)
        write_run(self.b, attributes={"schema": "tessera.run/99"})
        self.expect_unusable(self.b, "not a run file: its schema is tessera.run/99 (tessera.run/1 or tessera.run/2 is needed)")

    def test_a_run_that_was_cut_off_cannot_be_compared(self):
        write_run(self.a)
        self.b.write_bytes(self.a.read_bytes()[:3000])
        done = self.compare()
        self.assertEqual((done.stdout, done.returncode, len(done.stderr.splitlines())), ("", 2, 1))


if __name__ == "__main__":
    unittest.main()
