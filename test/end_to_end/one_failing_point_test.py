"""One failing point of many is a row of `compare` that says so; the others are shown, and the exit code is 3."""

import json
import unittest

from program import CHECK_FAILED, NETWORK, ProgramTest

# A batch of 8 over 16 accelerators: data parallelism cannot split it, model parallelism need not.
FAILING = ("compare", "-w", "a.yaml,b.yaml", "-a", "hypar-paper")


class OneFailingPoint(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("a.yaml", NETWORK.replace("small", "a"))
        self.write("b.yaml", NETWORK.replace("small", "b").replace("batch: 256", "batch: 8"))

    def compared(self, planners):
        run = self.run_program(*FAILING, "-p", planners)
        self.assertEqual((run.returncode, run.stderr), (CHECK_FAILED, ""))
        return run.stdout

    def test_its_row_says_failed_and_why_and_the_others_are_shown(self):
        lines = self.compared("mp,dp").splitlines()
        rows = {tuple(line.split()[:2]): line.split()[2:] for line in lines[1:] if line}
        self.assertEqual(rows[("b", "dp")], ["failed"])
        for row in (("a", "mp"), ("a", "dp"), ("b", "mp")):
            self.assertNotIn("failed", rows[row])
            self.assertGreater(len(rows[row]), 6)
        self.assertTrue(any("b with dp failed: workload.batch: batch 8 is not divisible by 16" in line for line in lines))

    def test_means_are_over_the_workloads_that_the_baseline_completed(self):
        self.assertIn("geomean: over the 2 of 2 workloads that mp completed", self.compared("mp,dp"))
        self.assertIn("geomean: over the 1 of 2 workloads that dp completed", self.compared("dp,mp"))

    def test_json_has_its_failure_and_no_numbers(self):
        run = self.run_program(*FAILING, "-p", "dp,mp", "--json")
        self.assertEqual(run.returncode, CHECK_FAILED)
        document = json.loads(run.stdout)
        failed = [result for result in document["results"] if "failure" in result]
        self.assertEqual([(result["workload"], result["planner"]) for result in failed], [("b", "dp")])
        self.assertEqual(failed[0]["failure"]["exit_code"], 2)
        self.assertEqual(set(failed[0]), {"workload", "arch", "batch", "planner", "failure"})
        beside_it = next(result for result in document["results"] if (result["workload"], result["planner"]) == ("b", "mp"))
        self.assertNotIn("speedup", beside_it)
        self.assertGreater(beside_it["simulated"]["time_s"], 0)
        means = {mean["planner"]: mean for mean in document["geomean"]}
        only = next(result for result in document["results"] if (result["workload"], result["planner"]) == ("a", "mp"))
        self.assertAlmostEqual(means["mp"]["speedup"], only["speedup"])
        self.assertEqual(means["mp"]["workloads"], 1)

    def test_a_planner_that_failed_has_no_mean(self):
        run = self.run_program(*FAILING, "-p", "mp,dp", "--json")
        self.assertEqual([mean["planner"] for mean in json.loads(run.stdout)["geomean"]], ["mp"])

    def test_where_all_fail_the_first_failure_is_the_command_s_own(self):
        self.assert_refused("compare", "-w", "b.yaml", "-a", "hypar-paper", "-p", "dp", because="not divisible by 16")


if __name__ == "__main__":
    unittest.main()
