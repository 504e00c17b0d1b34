"""The figures of AccPar, SoyBean and the planners: on made-up runs they say what the runs say; one is simulated, too."""

import importlib
import itertools
import os
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "test/support"), str(ROOT / "scripts/figures")]
import accpar_runs  # noqa: E402  (the path comes first)
import fig_accpar_predicted  # noqa: E402
import figure_kit as kit  # noqa: E402
from synthetic_runs import RunsTest  # noqa: E402


class AccParFigures(RunsTest):
    def drawn(self, name):
        """The texts that stand in the figure."""
        output = self.folder / "figure.svg"
        kit.render(importlib.import_module(f"fig_accpar_{name}").draw, self.runs, str(output))
        return re.findall(r"<text[^>]*>([^<]*)</text>", output.read_text(encoding="utf-8"))

    def test_speedup_is_relative_to_dp_on_each_array(self):
        times = {"dp": 12, "owt": 6, "hypar": 4, "accpar": 3}
        for array, network, (planner, time) in itertools.product(
                ("accpar-paper-128", "accpar-paper-256"), kit.ACCPAR_NETWORKS, times.items()):
            self.add(network=network, planner=planner, array=array, time_s=time / (2 if array[-1] == "6" else 1))
        texts = self.drawn("speedup")
        self.assertEqual([texts.count(text) for text in ("2.00", "3.00", "4.00")], [20, 20, 20])  # 9 and the mean, twice

    def test_splits_with_ratios_are_read(self):
        self.add(accelerators=4, splits={"fc1": [{"n": 0.3}, "c"]})
        self.assertEqual(kit.load_run(self.runs[0]).splits, {"fc1": "nc"})

    def test_hierarchy_has_every_level(self):
        for level in range(2, 10):
            for planner, faster in (("dp", 1), ("owt", 2), ("hypar", 3), ("accpar", level)):
                self.add(network="accpar/vgg-19", planner=planner, array="accpar-paper-128", accelerators=2**level,
                         time_s=36 / faster)
        texts = self.drawn("hierarchy")
        self.assertEqual([texts.count(text) for text in ("2.00", "3.00", "9.00")], [1, 1, 1])

    def add_types(self, *, fc3="cccccck"):
        self.add(network="accpar-released/alexnet", planner="accpar", array="accpar-released", accelerators=128,
                 splits={"cv1": "n" * 7, "cv2": "n" * 7, "cv3": "n" * 7, "cv4": "nnnnnkn", "cv5": "nnnnncc",
                         "fc1": "ckckckc", "fc2": "kckckck", "fc3": fc3})

    def test_types_marks_what_is_not_as_published(self):
        self.add_types(fc3="ccckckc")
        self.assertIn("AlexNet: types that AccPar selects; every cell is as published", self.drawn("types"))
        self.runs.clear()
        self.add_types(fc3="ccckcnn")
        self.assertIn("AlexNet: types that AccPar selects; 2 cells are not as published", self.drawn("types"))

    def test_soybean_has_every_batch(self):
        for network, batch in itertools.product(("accpar/alexnet", "accpar/vgg-16"), (64, 128, 256, 512, 1024)):
            for planner, time in (("dp", 3), ("soybean", 2)):
                self.add(network=network, planner=planner, array="accpar-paper-128", accelerators=8, batch=batch,
                         time_s=time)
        self.assertEqual(self.drawn("soybean").count("1.50"), 10)

    def test_predicted_ranks_the_planners_of_each_network(self):
        for array in ("hmc-htree-16", "tpu-v3-128"):
            for network, order in (("accpar/lenet", (1, 2, 4)), ("accpar/vgg-11", (4, 2, 1))):
                for planner, predicted, simulated in zip(("dp", "hypar", "accpar"), (1, 2, 3), order):
                    self.add(network=network, planner=planner, array=array, predicted_time_s=predicted,
                             time_s=simulated)
        texts = self.drawn("predicted")
        for text in ("rank correlation over 2 networks:", "mean 0.00, least -1.00 (accpar/vgg-11)",
                     "predicted best over simulated best, 2 networks:",
                     "mean 2.000, most 4.000 (accpar/vgg-11)"):  # 1 and 4 / 1, whose geometric mean is 2
            self.assertEqual([line.strip() for line in texts].count(text), 2, text)

    def test_a_network_whose_plans_are_all_alike_does_not_count_as_well_ranked(self):
        for array in ("hmc-htree-16", "tpu-v3-128"):
            for planner, predicted, simulated in zip(("dp", "hypar", "accpar"), (1, 2, 3), (3, 2, 1)):
                self.add(network="accpar/vgg-11", planner=planner, array=array, predicted_time_s=predicted,
                         time_s=simulated)
                self.add(network="hypar/sconv", planner=planner, array=array, predicted_time_s=5, time_s=6)
        texts = self.drawn("predicted")
        for text in ("rank correlation over 1 network:", "mean -1.00, least -1.00 (accpar/vgg-11)",
                     "not ranked, since all plans are alike: hypar/sconv"):
            self.assertEqual([line.strip() for line in texts].count(text), 2, text)

    def test_of_plans_that_are_predicted_to_be_equally_fast_the_slowest_counts(self):
        for planner, predicted, simulated in zip(("dp", "hypar", "accpar"), (1, 1, 2), (2, 3, 1)):
            self.add(planner=planner, predicted_time_s=predicted, time_s=simulated)
        runs = kit.Runs(self.runs).all
        self.assertEqual(list(fig_accpar_predicted.regrets(runs).values()), [3])

    def test_rank_correlation_is_spearmans(self):
        correlation = fig_accpar_predicted.rank_correlation
        self.assertAlmostEqual(correlation([1, 2, 3, 4], [10, 20, 30, 1000]), 1)
        # d = 0, 0, 1, -1: 1 - 6 * 2 / (4 * 15)
        self.assertAlmostEqual(correlation([1, 2, 3, 4], [1, 2, 4, 3]), 0.8)
        # Ranks 1.5, 1.5, 3 against 1, 2, 3: covariance 1.5, variances 1.5 and 2.
        self.assertAlmostEqual(correlation([5, 5, 9], [1, 2, 3]), 1.5 / 3**0.5)
        self.assertIsNone(correlation([1, 1], [2, 2]))
        self.assertEqual(correlation([1, 1], [2, 3]), 0)

    def test_a_missing_run_is_named(self):
        with self.assertRaises(kit.FigureError) as caught:
            self.drawn("types")
        self.assertIn("no run has network accpar-released/alexnet, planner accpar", str(caught.exception))

    def test_a_figure_is_simulated_and_drawn(self):
        command = [ROOT / "scripts/figures/accpar_runs.py", "--tessera", os.environ["TESSERA"], "--out", self.folder,
                   "--figures", "types", "--draw"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout, f"{self.folder}/fig_accpar_types.png\n")

    def test_runs_have_names_of_their_own(self):
        runs = {run for runs_of in accpar_runs.FIGURES.values() for run in runs_of()}
        self.assertEqual(len({run.name for run in runs}), len(runs))


if __name__ == "__main__":
    unittest.main()
