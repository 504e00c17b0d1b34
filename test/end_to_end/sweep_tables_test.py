"""What a study costs, what others have found out already, and what its table says."""

import csv
import io
import math
import unittest

import h5py

from program import DONE, ProgramTest

SWEEP = """\
schema: tessera.sweep/1
name: small
options: {arch: hypar-paper}
axes:
  workload: [hypar/lenet-c, hypar/sfc]
  planner: [dp, hypar]
  workload.batch: [8, 64, 128, 256]
  steps: [1, 3]
results: {edp: energy_j * time_s}
"""
POINTS = 2 * 2 * 4 * 2


class SweepTables(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("sweep.yaml", SWEEP)

    def done(self, *arguments):
        run = self.run_program("sweep", *arguments)
        self.assertEqual(run.returncode, DONE, run.stderr)
        return run.stdout

    def rows(self, *arguments):
        return list(csv.DictReader(io.StringIO(self.done(*arguments))))

    def test_a_price_is_told_from_points_that_are_kept(self):
        self.assertRegex(self.done("plan", "sweep.yaml", "study", "--price", "-j", "2"),
                         rf"{POINTS} points of small\n16 points left, about [0-9.]+ m?s on 2 cores like these \(16 points simulated to tell\)\n")
        self.assertEqual(self.json_of("sweep", "status", "study")["left"], POINTS - 16)
        self.done("resume", "study", "--quiet")
        self.assertIn("\n0 points left\n", self.done("plan", "sweep.yaml", "study", "--price"))

    def test_what_other_studies_found_out_is_not_simulated_again(self):
        self.done("sweep.yaml", "first", "--quiet")
        self.write("more.yaml", SWEEP.replace("name: small", "name: more").replace("256]", "512]"))
        self.assertIn(f"{POINTS * 3 // 4} results of other studies taken\n", self.done("more.yaml", "second", "--reuse", "first"))
        self.done("more.yaml", "alone", "--quiet")
        self.assertEqual(self.done("collect", "second"), self.done("collect", "alone"))
        self.assertIn("0 results of other studies taken\n", self.done("resume", "second", "--reuse", "first"))
        self.assert_refused("sweep", "resume", "second", "--reuse", "nowhere", because="is this a study's folder?")

    def test_sensitivities_are_of_one_step_at_a_time(self):
        self.done("sweep.yaml", "study", "--quiet")
        table = {(row["workload"], row["planner"], row["workload.batch"], row["steps"]): row for row in self.rows("collect", "study")}
        rows = {(row["axis"], row["from"]): row for row in self.rows("sensitivities", "study", "--column", "energy_j")}
        self.assertEqual(len(rows), 1 + 1 + 3 + 1)
        row = rows["workload.batch", "64"]
        factors = [float(table[(*key[:2], "128", key[3])]["energy_j"]) / float(of["energy_j"])
                   for key, of in table.items() if key[2] == "64"]
        self.assertEqual(row["pairs"], str(len(factors)))
        self.assertAlmostEqual(float(row["least_factor"]), min(factors))
        self.assertAlmostEqual(float(row["mean_factor"]), math.prod(factors) ** (1 / len(factors)))
        small = [row for row in table.values() if row["workload.batch"] == "8" and row["state"] == "done"]
        self.assertLess(len(small), len(factors))  # not all planners can split a batch of 8
        self.assertEqual(rows["workload.batch", "8"]["pairs"], str(len(small)))
        self.assert_refused("sweep", "sensitivities", "study", "--column", "reason", because="has a number 'reason'")

    def test_the_table_as_hdf5_has_the_same_numbers_and_their_units(self):
        self.done("sweep.yaml", "study", "--quiet")
        rows = self.rows("collect", "study")
        for _ in range(2):  # its own file may be replaced
            self.done("collect", "study", "-o", "table.h5")
        with h5py.File(self.path("table.h5")) as file:
            self.assertEqual(file.attrs["schema"], "tessera.study.table/1")
            points = file["points"]
            self.assertEqual(list(points.dtype.names), list(rows[0]))
            for number, row in zip(points["time_s"], rows, strict=True):
                self.assertTrue(math.isnan(number) if row["time_s"] == "" else number == float(row["time_s"]))
            self.assertEqual([text.decode() for text in points["state"]], [row["state"] for row in rows])
            self.assertEqual(points["workload.batch"].tolist(), [int(row["workload.batch"]) for row in rows])
            units = dict(zip(points.dtype.names, points.attrs["units"]))
            self.assertEqual([units[name] for name in ("time_s", "energy_j", "communication_bytes", "state")], ["s", "J", "B", "1"])
        self.write("notes.h5", "mine\n")
        self.assert_refused("sweep", "collect", "study", "-o", "notes.h5", because="no table of a sweep")


if __name__ == "__main__":
    unittest.main()
