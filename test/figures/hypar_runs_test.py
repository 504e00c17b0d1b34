"""scripts/figures/hypar_runs.py: it simulates what each figure needs, with the program that was built."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/figures"))
import figure_kit as kit  # noqa: E402  (the path comes first)
import hypar_runs  # noqa: E402

TESSERA = os.environ["TESSERA"]


class HyparRuns(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def call(self, *arguments, tessera=TESSERA):
        command = [ROOT / "scripts/figures/hypar_runs.py", "--tessera", tessera, "--out", self.folder, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def simulated(self, run):
        """The run file of `run`, read as figures read it."""
        simulator = hypar_runs.Simulator(TESSERA, "hypar-paper", self.folder)
        hypar_runs.simulate_all(simulator, [run], 1)
        return kit.load_run(simulator.path(run))

    def find(self, figure, name):
        return next(run for run in hypar_runs.runs_of(figure) if run.name == name)

    def test_a_figure_is_simulated_and_drawn(self):
        done = self.call("--figures", "13", "--draw")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout, f"{self.folder}/fig_hypar_13.png\n")
        self.assertTrue((self.folder / "fig_hypar_13.png").read_bytes().startswith(b"\x89PNG"))
        self.assertEqual(len(list((self.folder / "fig_hypar_13").glob("*.h5"))), 2 * 2 * 3)  # layers, planners, levels

    def test_fig_9_edits_the_levels_1_and_4_of_hypars_plan(self):
        run = self.simulated(self.find(9, "lenet-c.explored.ccnn-nnnc"))
        self.assertEqual(run.planner, "explored")
        # HyPar's levels 2 and 3 are nncn and nnnn (Fig. 5); ccnn and nnnc are what the point says.
        self.assertEqual(run.splits, {"conv1": "cnnn", "conv2": "cnnn", "fc1": "ncnn", "fc2": "nnnc"})

    def test_fig_10_edits_two_layers_of_hypars_plan(self):
        run = self.simulated(self.find(10, "vgg-a.explored.cnnn-nccc"))
        self.assertEqual((run.splits["conv5_2"], run.splits["fc1"]), ("cnnn", "nccc"))
        self.assertEqual((run.splits["conv5_1"], run.splits["fc2"], run.splits["fc3"]), ("nnnn", "cccc", "cccc"))

    def test_fig_12_simulates_a_torus(self):
        run = self.simulated(self.find(12, "lenet-c.hypar.16.torus"))
        self.assertEqual((run.topology, run.accelerators, run.planner), ("torus", 16, "hypar"))

    def test_runs_have_names_of_their_own(self):
        runs = {run for figure in hypar_runs.FIGURES for run in hypar_runs.runs_of(figure)}
        self.assertEqual(len({run.name for run in runs}), len(runs))
        self.assertEqual([len(hypar_runs.runs_of(figure)) for figure in hypar_runs.FIGURES],
                         [10, 30, 30, 30, 258, 258, 14, 30, 12])

    def test_what_tessera_refuses_is_reported(self):
        done = self.call("--figures", "13", "-a", "no-such-array")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("no-such-array", done.stderr)
        self.assertFalse((self.folder / "fig_hypar_13").exists())

    def test_a_program_that_is_not_there_is_reported(self):
        done = self.call("--figures", "13", tessera="/no/such/tessera")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, "cannot run /no/such/tessera: No such file or directory\n")

    def test_a_figure_that_is_not_there_is_reported(self):
        done = self.call("--figures", "5,14")
        self.assertEqual(done.returncode, 2)
        self.assertIn("14 is not one of 5 to 13", done.stderr)


if __name__ == "__main__":
    unittest.main()
