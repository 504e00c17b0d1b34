"""Several steps: what is refused, what is reported, and what the run file says of them."""

import unittest

import h5py
import pandas as pd

from program import ProgramTest

PROBLEM = ("-w", "hypar/lenet-c", "-a", "hypar-paper", "--set", "arch.execution.overlap=communication")
PLAN = """schema: tessera.plan/2
planner: by-hand
network: hypar/lenet-c
array: hypar-paper
batch: 256
accelerators: 16
pipeline:
  schedule: SCHEDULE
  micro_batches: 8
  stages:
    - {accelerators: [0-7], operators: [conv1, conv2]}
    - {accelerators: [8-11], operators: [fc1]}
    - {accelerators: [12], operators: [fc2]}
operators: {conv1: [n, n, n], conv2: [n, n, n], fc1: [c, k], fc2: []}
"""


class Steps(ProgramTest):
    def plan(self, schedule):
        with open(self.path(f"{schedule}.yaml"), "w", encoding="utf-8") as file:
            file.write(PLAN.replace("SCHEDULE", schedule))
        return ("--plan", f"{schedule}.yaml")

    def test_numbers_that_cannot_be_are_refused_in_one_line(self):
        for steps in ("0", "-1", "1.5", "many", "99999999999999999999", "2147483647"):
            for command in (("simulate", "-p", "dp"), ("compare", "-p", "dp,mp")):
                done = self.run_program(*command, *PROBLEM, "--steps", steps)
                self.assertEqual(done.returncode, 2, steps)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                self.assertIn("--steps", done.stderr)
        self.assertIn("use at most", done.stderr)

    def test_one_step_is_as_without_the_option(self):
        one = self.json_of("simulate", *PROBLEM, "-p", "hypar", "--steps", "1")
        self.assertNotIn("steps", one)
        self.assertEqual(one["simulated"], self.json_of("simulate", *PROBLEM, "-p", "hypar")["simulated"])
        for key in ("stages", "bubbles"):
            self.assertNotIn(key, one)

    def test_without_stages_steps_follow_each_other(self):
        one = self.json_of("simulate", *PROBLEM, "-p", "hypar")
        four = self.json_of("simulate", *PROBLEM, "-p", "hypar", "--steps", "4")
        self.assertEqual(four["steps"]["count"], 4)
        self.assertEqual(four["steps"]["first_s"], one["simulated"]["time_s"])
        steady = four["steps"]["steady"]
        self.assertEqual(steady["period_micro_batches"], 1)
        self.assertAlmostEqual(steady["samples_per_s"], 256 / steady["step_time_s"])
        self.assertAlmostEqual(steady["fill_s"] + 3 * steady["step_time_s"] + steady["drain_s"],
                               four["simulated"]["time_s"])
        for key in ("communication_bytes",):
            self.assertEqual(four["simulated"][key], 4 * one["simulated"][key])
            self.assertEqual(four["predicted"][key], 4 * one["predicted"][key])
        for a, b in zip(one["levels"], four["levels"]):
            self.assertEqual((4 * a["predicted_bytes"], 4 * a["simulated_bytes"]),
                             (b["predicted_bytes"], b["simulated_bytes"]))

    def test_two_steps_have_no_steady_state(self):
        document = self.json_of("simulate", *PROBLEM, "-p", "hypar", "--steps", "2")
        self.assertEqual(list(document["steps"]), ["count", "first_s"])
        printed = self.run_program("simulate", *PROBLEM, "-p", "hypar", "--steps", "2").stdout
        self.assertIn("steady state: looked for in 3 steps or more\n", printed)

    def test_stages_say_what_they_did(self):
        plan = self.plan("2bw")
        document = self.json_of("simulate", *PROBLEM, *plan, "--steps", "12")
        stages = document["stages"]
        self.assertEqual([stage["in_flight"] for stage in stages], [3, 2, 1])  # W + 1
        self.assertEqual([stage["weight_versions"] for stage in stages], [2, 2, 2])
        for stage in stages:
            self.assertLessEqual(stage["compute_s"] + stage["bubble_s"], stage["span_s"])
            self.assertLessEqual(stage["span_s"], document["simulated"]["time_s"])
        bubbles = sum(stage["bubble_s"] * stage["accelerators"] for stage in stages) / 16
        self.assertAlmostEqual(document["breakdown"]["bubbles"], bubbles)
        steady = document["steps"]["steady"]
        self.assertAlmostEqual(steady["step_time_s"],
                               steady["period_ps"] * 1e-12 * 8 / steady["period_micro_batches"])

    def test_the_report_shows_the_steady_state_and_the_stages(self):
        printed = self.run_program("simulate", *PROBLEM, *self.plan("1f1b"), "--steps", "4").stdout
        self.assertIn("batch 256, 4 steps: ", printed)
        self.assertRegex(printed, r"\n4 steps in [0-9.]+ ms, the first in [0-9.]+ ms\n")
        self.assertRegex(printed, r"steady state: [0-9.]+ ms per step, \d+ samples per second; every micro-batch is "
                                  r"complete [0-9.]+ ms after the one 8 before it, to the picosecond\n"
                                  r"fill: .* until its first micro-batch is complete; drain: ")
        self.assertRegex(printed, r"\nin bubbles +[0-9.]+ ms +[0-9.]+ %\n")
        self.assertRegex(printed, r"\n +0 +8 +.*% +3 +1\n")

    def test_a_run_without_a_period_says_so(self):
        document = self.json_of("simulate", *PROBLEM, *self.plan("pipedream"), "--steps", "3")
        self.assertNotIn("steady", document["steps"])
        printed = self.run_program("simulate", *PROBLEM, *self.plan("pipedream"), "--steps", "3").stdout
        self.assertIn("steady state: none was found (", printed)

    def test_compare_takes_the_steady_state(self):
        document = self.json_of("compare", *PROBLEM, "-p", "dp,hypar", "--steps", "3", "-o", "runs")
        dp, hypar = document["results"]
        self.assertAlmostEqual(hypar["speedup"], dp["steps"]["steady"]["step_time_s"]
                               / hypar["steps"]["steady"]["step_time_s"])
        with h5py.File(self.path("runs/hypar_lenet-c.hypar-paper.dp.arch.execution.overlap=communication.steps-3.h5")) as run:
            self.assertEqual(run.attrs["steps"], 3)
        printed = self.run_program("compare", *PROBLEM, "-p", "dp,hypar", "--steps", "3").stdout
        self.assertIn("samples/s", printed)
        self.assertIn("3 steps each", printed)

    def test_the_run_file_tells_micro_batches_steps_and_stages_apart(self):
        self.json_of("simulate", *PROBLEM, *self.plan("1f1b"), "--steps", "3", "-o", "run.h5")
        with h5py.File(self.path("run.h5")) as run:
            tasks = pd.DataFrame(run["tasks"][:])
            stages = pd.DataFrame(run["stages"][:])
            phases = list(run["names/phases"].asstr()[:])
            kinds = list(run["names/task_kinds"].asstr()[:])
            totals = dict(run.attrs)
        self.assertEqual(totals["steps"], 3)
        self.assertEqual(sorted(tasks.micro_batch.unique()), list(range(24)))
        self.assertTrue((tasks.step == tasks.micro_batch // 8).all())
        computed = tasks[tasks.kind == kinds.index("compute")]
        update = computed.phase == phases.index("update")
        self.assertTrue((computed[~update].version == computed[~update].step).all())
        self.assertTrue((computed[update].version == computed[update].step + 1).all())
        self.assertTrue((computed.stage == computed.operator.map({0: 0, 1: 0, 2: 1, 3: 2})).all())
        self.assertEqual(totals["first_step_ps"], tasks[tasks.step == 0].end_ps.max())
        self.assertEqual(totals["period_micro_batches"], 8)
        ends = tasks.groupby(["stage", "micro_batch"]).end_ps.max().unstack()
        shifts = (ends.shift(-8, axis=1) - ends).iloc[:, :16]
        self.assertTrue((shifts == totals["period_ps"]).all().all())
        self.assertEqual(list(stages.groupby("stage").size()), [8, 4, 1])
        by_stage = computed.groupby(["stage", "accelerator"])
        self.assertTrue((by_stage.start_ps.min().to_numpy() >= stages.begin_ps).all())
        self.assertEqual(list(stages.in_flight.groupby(stages.stage).max()), [3, 2, 1])

    def test_runs_of_other_numbers_of_steps_are_other_runs(self):
        run = ("simulate", *PROBLEM, "-p", "dp", "-o", "run.h5")
        self.json_of(*run, "--steps", "2")
        self.json_of(*run, "--steps", "2")
        done = self.run_program(*run, "--steps", "3")
        self.assertEqual(done.returncode, 2)
        self.assertIn("steps are 2 there, 3 here", done.stderr)

    def test_a_file_from_before_there_were_steps_is_of_one(self):
        run = ("simulate", *PROBLEM, "-p", "dp", "-o", "run.h5")
        self.json_of(*run)
        with h5py.File(self.path("run.h5"), "r+") as file:
            del file.attrs["steps"]
        self.assertEqual(self.run_program(*run, "--steps", "2").returncode, 2)
        self.assertEqual(self.run_program(*run).returncode, 0)


if __name__ == "__main__":
    unittest.main()
