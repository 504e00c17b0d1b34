"""A design space from a file: run, killed, resumed and collected, by one worker or by several."""

import csv
import glob
import io
import json
import os
import signal
import subprocess
import time
import unittest

from program import CHECK_FAILED, DONE, IS_SANITIZED, PROGRAM, ProgramTest

SWEEP = """\
schema: tessera.sweep/1
name: link-bandwidth
options: {arch: hypar-paper, workload.batch: 64}
axes:
  workload: [hypar/lenet-c, hypar/sconv]
  planner: [dp, mp, hypar]
  arch.accelerators: [4, 8]
  arch.fabric.link.bandwidth: {from: 1 Gb/s, to: 16 Gb/s, factor: 4}
results: {edp: energy_j * time_s}
"""
POINTS = 2 * 3 * 2 * 3


class Sweep(ProgramTest):
    def sweep(self, text=SWEEP):
        return self.write("sweep.yaml", text)

    def done(self, *arguments):
        """Standard output of a run that may have remarks."""
        run = self.run_program(*arguments)
        self.assertEqual(run.returncode, DONE, run.stderr)
        return run.stdout

    def table(self, folder="sweep.study"):
        return list(csv.DictReader(io.StringIO(self.output_of("sweep", "collect", folder))))

    def status(self, folder="sweep.study"):
        return self.json_of("sweep", "status", folder)

    def test_simulates_every_point_as_simulate_does(self):
        self.sweep()
        run = self.run_program("sweep", "sweep.yaml")
        self.assertIn(f"{POINTS} done, 0 infeasible, 0 failed, 0 left", run.stdout)
        self.assertRegex(run.stderr, r"\Aremark: sweep.yaml:8:38: .* of an H-tree's links at the root .* \(and 5 more like it\)\n\Z")
        rows = self.table()
        self.assertEqual(len(rows), POINTS)
        row = rows[-1]
        self.assertEqual((row["workload"], row["planner"], row["arch.accelerators"]), ("hypar/sconv", "hypar", "8"))
        alone = json.loads(self.run_program(
            "simulate", "-w", "hypar/sconv", "-a", "hypar-paper", "-p", "hypar", "--json", "--set", "workload.batch=64",
            "--set", "arch.accelerators=8", "--set", "arch.fabric.link.bandwidth=16 Gb/s").stdout)
        self.assertEqual(row["fingerprint"], alone["simulated"]["fingerprint"])
        self.assertEqual(float(row["time_s"]), alone["simulated"]["time_s"])
        self.assertEqual(float(row["predicted_energy_j"]), alone["predicted"]["energy_j"])
        self.assertAlmostEqual(float(row["edp"]) / (float(row["time_s"]) * float(row["energy_j"])), 1, places=9)

    def test_points_that_share_a_process_are_as_in_processes_of_their_own_on_systemc(self):
        """On detailed cores, where programs and records of computations are kept from one link bandwidth to the next."""
        self.sweep(SWEEP.replace("hypar-paper, workload.batch: 64", "hmc-htree-16, workload.batch: 32").replace("[4, 8]", "[4, 16]")
                   .replace("hypar/sconv", "hypar/cifar-c"))
        self.done("sweep", "sweep.yaml", "one", "-j", "1", "--quiet")
        self.done("sweep", "sweep.yaml", "each", "--host", "systemc", "--quiet")
        self.assertEqual(self.output_of("sweep", "collect", "one"), self.output_of("sweep", "collect", "each"))
        self.assertEqual(self.status("one")["done"], POINTS)

    def test_plans_first_and_works_in_slices(self):
        self.sweep()
        self.done("sweep", "plan", "sweep.yaml", "study")
        self.assertEqual(self.status("study")["left"], POINTS)
        for index in range(3):
            self.output_of("sweep", "work", "study", "--slice", f"{index}/3", "-j", "1", "--quiet")
            self.assertEqual(self.status("study")["done"], (index + 1) * POINTS // 3)

    def test_does_nothing_twice_and_takes_more_points_later(self):
        self.sweep()
        self.done("sweep", "sweep.yaml")
        first = self.table()
        self.assertEqual(len(os.listdir(self.path("sweep.study/results"))), 1)
        self.output_of("sweep", "resume", "sweep.study")
        self.assertEqual(len(os.listdir(self.path("sweep.study/results"))), 1)
        self.sweep(SWEEP.replace("[4, 8]", "[8, 16]"))
        self.assertIn(f"({POINTS // 2} new, {POINTS // 2} no longer wanted)", self.done("sweep", "sweep.yaml"))
        again = self.table()
        self.assertEqual([row for row in again if row["arch.accelerators"] == "8"],
                         [row for row in first if row["arch.accelerators"] == "8"])

    def test_tells_points_that_cannot_be_planned_from_failures(self):
        self.sweep(SWEEP.replace("[4, 8]", "[4, 16]").replace("workload.batch: 64", "workload.batch: 8"))
        self.done("sweep", "sweep.yaml")
        states = {row["arch.accelerators"]: row["state"] for row in self.table() if row["planner"] == "dp"}
        self.assertEqual(states, {"4": "done", "16": "infeasible"})
        self.assertTrue(all(row["reason"] for row in self.table() if row["state"] == "infeasible"))

    def large_sweep(self):
        self.sweep("schema: tessera.sweep/1\nname: large\noptions: {arch: hmc-htree-16, planner: mp}\n"
                   "axes: {workload: [hypar/vgg-d], workload.batch: [1024], arch.execution.kernels: [free]}\n")

    def test_stops_points_that_take_too_long_and_tries_them_again(self):
        self.large_sweep()
        run = self.run_program("sweep", "sweep.yaml", "--point-seconds", "1", "--quiet")
        self.assertEqual(run.returncode, CHECK_FAILED, run.stderr)
        row = self.table()[0]
        self.assertEqual((row["state"], row["reason"]), ("timed out", "took longer than a point may"))
        self.output_of("sweep", "retry", "sweep.study", "--quiet")
        self.assertEqual(self.table()[0]["state"], "done")

    @unittest.skipIf(IS_SANITIZED, "the address sanitizer itself needs terabytes")
    def test_stops_points_that_take_too_much_memory(self):
        self.large_sweep()
        run = self.run_program("sweep", "sweep.yaml", "--point-memory", "40 MB", "--quiet")
        self.assertEqual(run.returncode, CHECK_FAILED, run.stderr)
        self.assertEqual(self.table()[0]["state"], "out of memory")

    def test_a_sweep_that_is_wrong_is_refused_with_its_place_and_leaves_nothing(self):
        for text, because in (
                (SWEEP.replace("planner: [", "planer: ["), "sweep.yaml:6:11: axes.planer: unknown key 'planer'; did you mean 'planner'?"),
                (SWEEP.replace("hypar/sconv", "hypar/scnv"), "sweep.yaml:5:29: workload: unknown network 'hypar/scnv'"),
                (SWEEP.replace("link.bandwidth", "link.bandwith"), "sweep.yaml:8:"),
                (SWEEP.replace("to: 16 Gb/s", "to: 16 ns"), "has another unit than from"),
                (SWEEP.replace("factor: 4", "step: 0.000000001"), "has more than 1000000 values"),
                (SWEEP + "derive: {planner.a: 1 + planner.b, planner.b: planner.a}\n", "needs itself"),
                (SWEEP + "derive: {arch.accelerators: 2}\n", "is set here and before"),
                (SWEEP.replace("results:", "  planner.a: {from: 1, to: 30000, step: 1}\n  steps: {from: 1, to: 1000, step: 1}\nresults:"),
                 "sweep.yaml:5:3: more than 20000000 combinations of its axes"),
                (SWEEP.replace("results:", "  arch.fabric: [{topology: htree}]\nresults:"),
                 "sweep.yaml:8:38: arch.fabric.link.bandwidth: is inside of arch.fabric, which is set too"),
                (SWEEP.replace("energy_j *", "enrgy_j *"), "sweep.yaml:9:16: unknown column 'enrgy_j'; did you mean 'energy_j'?"),
                # The key is wrong, not the result that reads it as it should be.
                (SWEEP.replace("arch.fabric.link.bandwidth:", "arch.fabric.link.bandwith:").replace("energy_j *", "arch.fabric.link.bandwidth *"),
                 "did you mean 'bandwidth'?"),
                (SWEEP + "where: [__import__('os').system('true')]\n", "sweep.yaml:10:"),
                (SWEEP + "where: [planner + 1 > 2]\n", "'+' does not go with the text 'dp'"),
                ("", "sweep.yaml")):
            self.write("sweep.yaml", text)
            self.assert_refused("sweep", "sweep.yaml", because=because)
        self.assert_refused("sweep", "status", "nowhere", because="is this a study's folder?")
        self.sweep()
        os.mkdir(self.path("photos"))
        self.write("photos/cat.png", "")
        self.assert_refused("sweep", "sweep.yaml", "photos", because="has files that are of no study")

    def test_replaces_neither_another_study_nor_a_file_that_is_no_table(self):
        self.sweep()
        self.done("sweep", "plan", "sweep.yaml", "study")
        self.write("other.yaml", SWEEP.replace("name: link-bandwidth", "name: other"))
        self.assert_refused("sweep", "other.yaml", "study", because="is the study of sweep link-bandwidth, not of other")
        self.write("notes.txt", "mine\n")
        self.assert_refused("sweep", "collect", "study", "-o", "notes.txt", because="no table of a sweep")
        for _ in range(2):
            self.done("sweep", "collect", "study", "-o", "table.csv")

    def test_the_sweeps_that_come_with_tessera_can_be_planned(self):
        folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts", "sweeps")
        for name in sorted(os.listdir(folder)):
            self.assertRegex(self.done("sweep", "plan", os.path.join(folder, name), name), r"[0-9]+ points of")

    def test_an_interrupted_one_says_how_to_go_on(self):
        # So many points that it is interrupted long before the last one.
        self.sweep(SWEEP.replace("[hypar/lenet-c, hypar/sconv]", "[hypar/vgg-e]").replace("factor: 4", "step: 0.25 Gb/s"))
        worker = subprocess.Popen([PROGRAM, "sweep", "sweep.yaml", "-j", "1"], cwd=self.folder,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        # The file of results is there before signals are listened to, a result is not.
        while not any(os.path.getsize(file) for file in glob.glob(self.path("sweep.study/results/*"))):
            self.assertIsNone(worker.poll())
            time.sleep(0.01)
        worker.send_signal(signal.SIGINT)
        _, stderr = worker.communicate()
        self.assertEqual(worker.returncode, -signal.SIGINT)
        self.assertEqual(stderr, "interrupted; go on with: tessera sweep resume sweep.study\n")


if __name__ == "__main__":
    unittest.main()
