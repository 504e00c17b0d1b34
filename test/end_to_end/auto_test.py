"""Planners that search, from the command line: `auto` is as fast as the others; the same again, interrupted, refused."""

import os
import signal
import subprocess
import time
import unittest

from program import PROGRAM, TIMEOUT, ProgramTest

SMALL = ("-w", "hypar/lenet-c", "-a", "hypar-paper", "--set", "arch.accelerators=4")
LARGE = ("-w", "hypar/vgg-a", "-a", "hmc-htree-16")
BUDGET = ("--set", "planner.budget=12")


def wait_until_it_searches(process):
    """A program reads its files in a tenth of a second of processor time."""
    while True:
        with open(f"/proc/{process.pid}/stat", encoding="ascii") as file:
            ticks = sum(int(field) for field in file.read().rpartition(")")[2].split()[11:13])
        if ticks >= os.sysconf("SC_CLK_TCK"):
            return
        time.sleep(0.05)


class Auto(ProgramTest):
    def time_of(self, *arguments):
        return self.json_of("simulate", *SMALL, *arguments)["simulated"]["cycles"]

    def test_is_as_fast_as_every_other_planner_and_its_file_is_its_plan(self):
        self.output_of("plan", *SMALL, *BUDGET, "-p", "auto", "-o", "plan.yaml")
        of_file = self.time_of("--plan", "plan.yaml")
        self.assertEqual(of_file, self.time_of(*BUDGET, "-p", "auto"))
        for planner in ("dp", "mp", "owt", "hypar", "accpar", "soybean", "tofu", "optcnn", "gpipe"):
            self.assertLessEqual(of_file, self.time_of("-p", planner), planner)

    def test_equal_budgets_and_seeds_give_equal_plans(self):
        once, again = (self.json_of("plan", *SMALL, *BUDGET, "-p", "auto") for _ in range(2))
        for key in ("levels", "history", "evaluations", "predicted"):
            self.assertEqual(once[key], again[key], key)
        self.assertRegex(once["history"][0], r"\Aseed: [a-z0-9 -]+ on ")
        self.assertRegex(once["history"][-1], r"\Asearch: \d+ plans of other planners and \d+ more simulated, \d+ prices; ")

    def test_interrupted_they_write_the_best_plan_so_far(self):
        for planner in ("auto", "flexflow", "colocrl"):
            with self.subTest(planner):
                self.interrupt(planner)

    def interrupt(self, planner):
        command = [PROGRAM, "plan", *LARGE, "-p", planner, "--set", "planner.budget=1000000", "-o", "plan.yaml", "--force"]
        with subprocess.Popen(command, cwd=self.folder, text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
            wait_until_it_searches(run)
            run.send_signal(signal.SIGINT)
            text, errors = run.communicate(timeout=TIMEOUT)
        self.assertEqual((run.returncode, errors), (-signal.SIGINT, ""))
        self.assertIn("interrupted: the best plan so far", text)
        self.assertEqual(self.files(), ["plan.yaml"])
        plan = self.json_of("simulate", *LARGE, "--plan", "plan.yaml")
        self.assertEqual(plan["planner"], planner)

    def test_budgets_that_are_none_are_refused(self):
        for budget, why in (("0", "at least one plan"), ("soon", "planner.budget"), ("3 apples", "planner.budget")):
            for planner in ("auto", "flexflow"):
                self.assert_refused("plan", *SMALL, "-p", planner, "--set", f"planner.budget={budget}", because=why)

    def test_an_idle_half_is_an_option_of_accpar(self):
        mixed = ("-w", "accpar/alexnet", "-a", "accpar-paper-256", "-p", "accpar")
        both, alone = (self.json_of("plan", *mixed, "--set", f"planner.idle_half={choice}")
                       for choice in ("never", "allowed"))
        self.assertNotIn("stages", both)
        self.assertLessEqual(alone["predicted"]["time_s"], both["predicted"]["time_s"])
        self.assert_refused("plan", *mixed, "--set", "planner.idle_half=perhaps", because="never")


if __name__ == "__main__":
    unittest.main()
