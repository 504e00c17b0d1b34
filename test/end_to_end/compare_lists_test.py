"""`compare` over several arrays and several values of keys: a block of rows for each, and how good the predictions were."""

import json
import unittest

from program import CHECK_FAILED, ProgramTest

ARRAYS = "hypar-paper,p100-16"
GRID = ("compare", "-w", "hypar/lenet-c,hypar/sfc", "-a", ARRAYS, "-p", "dp,hypar", "--set", "workload.batch=128,256")


class CompareLists(ProgramTest):
    def test_every_array_with_every_value_is_compared_as_alone(self):
        results = self.json_of(*GRID)["results"]
        self.assertEqual(len(results), 2 * 2 * 2 * 2)
        for arch in ARRAYS.split(","):
            for batch in ("128", "256"):
                alone = self.json_of("compare", "-w", "hypar/lenet-c,hypar/sfc", "-a", arch, "-p", "dp,hypar",
                                     "--set", f"workload.batch={batch}")
                block = [result for result in results
                         if (result["arch"], result["settings"]) == (arch, {"workload.batch": batch})]
                for one, other in zip(alone["results"], block, strict=True):
                    self.assertEqual(one["simulated"], other["simulated"])
                    self.assertEqual(one["speedup"], other["speedup"])
                self.assertNotIn("settings", alone["results"][0])

    def test_means_are_of_each_block(self):
        means = self.json_of(*GRID)["geomean"]
        self.assertEqual([(mean["arch"], mean["settings"]["workload.batch"], mean["planner"]) for mean in means],
                         [(arch, batch, planner) for arch in ARRAYS.split(",") for batch in ("128", "256")
                          for planner in ("dp", "hypar")])

    def test_says_how_well_predictions_rank_planners(self):
        document = self.json_of(*GRID)
        quality = document["prediction"]
        self.assertEqual((quality["problems"], quality["ranked"]), (8, 8))
        agree = sum((first["predicted"]["time_s"] < second["predicted"]["time_s"])
                    == (first["simulated"]["time_s"] < second["simulated"]["time_s"])
                    for first, second in zip(document["results"][::2], document["results"][1::2]))
        self.assertAlmostEqual(quality["rank_correlation"], (agree - (8 - agree)) / 8)
        self.assertIn("with a correlation (Spearman) of", self.output_of(*GRID))
        self.assertNotIn("prediction", self.json_of("compare", "-w", "hypar/sfc", "-a", "hypar-paper", "-p", "dp"))

    def test_a_failing_point_is_a_row_of_its_block(self):
        run = self.run_program("compare", "-w", "hypar/lenet-c", "-a", ARRAYS, "-p", "mp,dp", "--set", "workload.batch=8,256")
        self.assertEqual(run.returncode, CHECK_FAILED)
        rows = [line.split() for line in run.stdout.splitlines() if " failed" in line and line.startswith(("hypar-paper", "p100"))]
        self.assertEqual(rows, [["hypar-paper", "8", "hypar/lenet-c", "dp", "failed"],
                                ["p100-16", "8", "hypar/lenet-c", "dp", "failed"]])
        self.assertIn("hypar/lenet-c with dp on hypar-paper, workload.batch=8 failed: workload.batch: batch 8", run.stdout)

    def test_every_point_has_a_file_of_its_own(self):
        json.loads(self.output_of(*GRID, "-o", "runs", "--json"))
        first = self.files()
        self.assertEqual(len(first), 16 + 1)
        self.assertIn("runs/hypar_sfc.hypar-paper.dp.workload.batch=128.h5", first)
        self.output_of("compare", "-w", "hypar/sfc", "-a", "hypar-paper", "-p", "dp", "--set", "workload.batch=512", "-o", "runs")
        self.assertEqual(len(self.files()), 17 + 1)

    def test_lists_that_are_none_are_refused(self):
        self.assert_refused(*GRID, "--set", "arch.accelerators=4,", because="a value beside a comma is empty")
        self.assert_refused(*GRID, "-a", "hypar-paper", because="array 'hypar-paper' is named twice")
        self.assert_refused(*GRID[:-2], "--set", "workload.batch=8,many", because="workload.batch")


if __name__ == "__main__":
    unittest.main()
