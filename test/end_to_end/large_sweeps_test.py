"""A three-hundredth of the sweeps of test/bench/sweeps, which measure what a point costs (test/bench/MEASURED.md)."""

import csv
import io
import os
import pathlib
import resource
import unittest

from program import DONE, ProgramTest

SWEEPS = pathlib.Path(__file__).resolve().parent.parent / "bench/sweeps"
PART = 300


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class LargeSweeps(ProgramTest):
    def part_of(self, name, whole):
        """The rows of a part, each done, once; how many points are to be there in all."""
        points = whole // PART
        text = (SWEEPS / f"{name}.yaml").read_text("utf-8")
        self.write("part.yaml", f"{text}sample: {{points: {points}, seed: 1}}\n")
        self.assertEqual(self.run_program("sweep", "plan", "part.yaml", name).returncode, DONE)
        before = cpu_seconds()
        self.output_of("sweep", "work", name, "-j", str(os.cpu_count()), "--quiet")
        cpu = cpu_seconds() - before
        rows = list(csv.DictReader(io.StringIO(self.output_of("sweep", "collect", name, "--host"))))
        self.assertEqual([row["state"] for row in rows], ["done"] * points)
        self.assertEqual(len({row["id"] for row in rows}), points)
        within = sum(float(row["point_cpu_s"]) for row in rows)
        print(f"{name}: {points} points, {1e3 * cpu / points:.1f} ms of CPU each, {100 * (1 - within / cpu):.1f} % around them")
        return rows

    def test_a_hundred_thousand_points_on_an_ideal_machine(self):
        rows = self.part_of("ideal_machine", 34 * 99 * 10 * 3)
        self.assertEqual(len({(row["workload"], row["planner"]) for row in rows}), 30)

    def test_five_thousand_points_on_each_of_two_machines(self):
        self.part_of("two_machines", 2 * 5040)

    def test_they_have_as_many_points_as_is_said(self):
        for name, points in (("ideal_machine", 100980), ("two_machines", 10080)):
            text = (SWEEPS / f"{name}.yaml").read_text("utf-8")
            self.write("more.yaml", f"{text}sample: {{points: 200000, seed: 1}}\n")
            self.assert_refused("sweep", "plan", "more.yaml", name, because=f"asks for 200000 of {points} points")


if __name__ == "__main__":
    unittest.main()
