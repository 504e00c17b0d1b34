"""The figures of HyPar on made-up runs: each is drawn, says what the runs say, and names the run that it lacks."""

import functools
import importlib
import itertools
import pathlib
import re
import subprocess
import sys
import unittest
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "test/support"), str(ROOT / "scripts/figures")]
import figure_kit as kit  # noqa: E402  (the path comes first)
from synthetic_runs import RunsTest, write_run  # noqa: E402

PATTERNS = ["".join(letters) for letters in itertools.product("nc", repeat=4)]
LAYERS = {"hypar/lenet-c": ("conv1", "conv2", "fc1", "fc2")}


def published_splits(network):
    """What HyPar's Fig. 5 prints, as a plan: layer -> a letter per level."""
    printed = kit.published(5)
    rows = [printed[(network, "hypar", f"H{level}")].translate(str.maketrans("01", "nc")) for level in (1, 2, 3, 4)]
    names = LAYERS.get(network, [f"layer{number}" for number in range(len(rows[0]))])
    return {name: "".join(row[layer] for row in rows) for layer, name in enumerate(names)}


class FigureTest(RunsTest):
    """What is drawn from the runs."""

    def add_networks(self, planners, **results):
        for network in kit.NETWORKS:
            for planner in planners:
                splits = published_splits(network)
                self.add(network=network, planner=planner, splits=splits, **results.get(planner, {}))

    def draw(self, number, name="figure.svg", runs=None):
        """Draws into the folder and returns the bytes of the figure."""
        kit.render(importlib.import_module(f"fig_hypar_{number}").draw, runs or self.runs, str(self.folder / name))
        return (self.folder / name).read_bytes()

    def drawn(self, number):
        """The texts that stand in the figure."""
        return re.findall(r"<text[^>]*>([^<]*)</text>", self.draw(number).decode("utf-8"))

    def expect_error(self, problem, number, **options):
        with self.assertRaises(kit.FigureError) as caught:
            self.draw(number, **options)
        self.assertIn(problem, str(caught.exception))


class Explorations(FigureTest):
    """256 runs, twice as fast as HyPar's where both patterns are cccc. Each is read once: none is written twice."""

    def setUp(self):
        super().setUp()
        once = unittest.mock.patch.object(kit, "load_run", functools.cache(kit.load_run))
        once.start()
        self.addCleanup(once.stop)

    def add_exploration(self, network, splits, edit):
        self.add(network=network, planner="dp", time_s=2, splits=splits)
        self.add(network=network, planner="hypar", time_s=2, splits=splits)
        for x, y in itertools.product(PATTERNS, PATTERNS):
            time_s = 1 if x == y == "cccc" else 2
            self.add(network=network, planner="explored", time_s=time_s, splits=edit(splits, x, y), tasks=0)

    def test_9_finds_the_peak_and_refuses_what_is_no_exploration_of_256_points(self):
        def with_levels(splits, first, fourth):
            return {name: first[layer] + letters[1:3] + fourth[layer]
                    for layer, (name, letters) in enumerate(splits.items())}

        self.add_exploration("hypar/lenet-c", published_splits("hypar/lenet-c"), with_levels)
        figure = self.drawn(9)
        self.assertIn("Peak: 2.00×", figure)
        self.assertIn("H1 1111, H4 1111", figure)
        self.assertIn("HyPar's choice: 1.00×", figure)
        self.assertIn("H1 0011, H4 0011", figure)
        missing = "1 of 256 points of hypar/lenet-c have no run, such as ('1111', '1111')"
        self.expect_error(missing, 9, runs=self.runs[:-1])
        self.expect_error("a second run of point ('1111', '1111')", 9, runs=[*self.runs, self.runs[-1]])
        self.add(network="hypar/lenet-c", planner="explored", splits=dict.fromkeys(LAYERS["hypar/lenet-c"], "cccc"))
        self.expect_error("levels 2 and 3 are not as HyPar chooses them", 9, runs=[*self.runs[:2], self.runs[-1]])

    def test_10_finds_the_peak_and_refuses_another_plan_elsewhere(self):
        splits = {"conv5_1": "nnnn", "conv5_2": "nnnc", "fc1": "cccc", "fc2": "cccc"}
        self.add_exploration("hypar/vgg-a", splits, lambda splits, x, y: {**splits, "conv5_2": x, "fc1": y})
        figure = self.drawn(10)
        self.assertIn("Peak: 2.00×", figure)
        self.assertIn("conv5_2 1111, fc1 1111", figure)
        self.assertIn("conv5_2 0001, fc1 1111", figure)
        self.add(network="hypar/vgg-a", planner="explored", splits={**splits, "fc2": "nnnn"})
        self.expect_error("a layer other than conv5_2 and fc1 is not as HyPar chooses it", 10,
                          runs=[*self.runs[:2], self.runs[-1]])


class Figures(FigureTest):
    def test_5_says_that_every_cell_is_as_published(self):
        self.add_networks(["hypar"])
        self.assertIn("Every cell is as published.", self.drawn(5))

    def test_5_counts_the_cells_that_are_not(self):
        self.add_networks(["hypar"])
        splits = published_splits("hypar/lenet-c")
        write_run(self.runs[list(kit.NETWORKS).index("hypar/lenet-c")], network="hypar/lenet-c", planner="hypar",
                  splits={**splits, "conv1": "cnkn"})
        self.assertIn("2 cells are not as published.", self.drawn(5))

    def test_5_refuses_a_network_with_other_layers(self):
        self.add_networks(["hypar"])
        write_run(self.runs[0], network="hypar/sfc", planner="hypar", splits={"fc1": "nnnn"})
        self.expect_error("1 layers (SFC has 4)", 5)

    def test_6_shows_performance_relative_to_dp(self):
        self.add_networks(["dp", "mp", "hypar"], dp={"time_s": 6}, mp={"time_s": 24}, hypar={"time_s": 2})
        figure = self.drawn(6)
        self.assertEqual((figure.count("0.250"), figure.count("3.00")), (11, 11))  # ten networks and their mean

    def test_7_shows_energy_efficiency_relative_to_dp(self):
        self.add_networks(["dp", "mp", "hypar"], dp={"energy_j": 6}, mp={"energy_j": 24}, hypar={"energy_j": 2})
        figure = self.drawn(7)
        self.assertEqual((figure.count("0.250"), figure.count("3.00")), (11, 11))

    def test_8_shows_communication(self):
        self.add_networks(["dp", "mp", "hypar"], dp={"communication_gb": 16.5}, mp={"communication_gb": 320},
                          hypar={"communication_gb": 0.012})
        figure = self.drawn(8)
        self.assertEqual([figure.count(text) for text in ("16.5", "320", "0.0120")], [11, 11, 11])

    def test_11_shows_gains_over_one_accelerator_and_communication(self):
        for planner, size in itertools.product(("dp", "hypar"), (1, 2, 4, 8, 16, 32, 64)):
            self.add(network="hypar/vgg-e", planner=planner, accelerators=size, time_s=200 / size,
                     communication_gb=3.21 * (size > 1))
        figure = self.drawn(11)
        for size in ("1.00", "2.00", "4.00", "8.00", "16.0", "32.0", "64.0"):
            self.assertEqual(figure.count(size), 2)
        self.assertEqual(figure.count("3.21"), 12)

    def test_12_shows_the_torus_relative_to_dp_on_the_htree(self):
        self.add_networks(["dp", "hypar"], dp={"time_s": 6}, hypar={"time_s": 2})
        for network in kit.NETWORKS:
            self.add(network=network, planner="hypar", topology="torus", time_s=4)
        figure = self.drawn(12)
        self.assertEqual((figure.count("3.00"), figure.count("1.50")), (11, 11))

    def test_13_shows_hypar_relative_to_the_trick(self):
        for network, level in itertools.product(("hypar/vgg-e-conv5", "hypar/vgg-e-fc3"), (2, 3, 4)):
            self.add(network=network, planner="owt", accelerators=2**level, time_s=2, energy_j=3)
            self.add(network=network, planner="hypar", accelerators=2**level, time_s=1, energy_j=2)
        figure = self.drawn(13)
        self.assertEqual((figure.count("2.00"), figure.count("1.50")), (6, 6))

    def test_a_missing_run_is_named(self):
        self.add_networks(["dp", "mp"])
        self.expect_error("no run has network hypar/sfc, planner hypar, accelerators 16, topology htree", 6)

    def test_two_runs_of_one_kind_are_too_many(self):
        self.add_networks(["dp", "mp", "hypar", "hypar"])
        self.expect_error("2 runs have network hypar/sfc, planner hypar", 6)

    def test_an_incomplete_run_is_refused(self):
        self.add(attributes={"complete": 0})
        self.expect_error("the run is incomplete", 6)

    def test_a_file_that_is_not_a_run_is_refused(self):
        text = self.folder / "text"
        text.write_text("not a run")
        self.expect_error("not a run file", 6, runs=[text])
        self.expect_error("not a run file", 6, runs=[self.folder / "missing.h5"])

    def test_figures_are_written_as_png_pdf_and_svg_and_never_in_part(self):
        self.add_networks(["dp", "mp", "hypar"])
        for suffix, start in (("png", b"\x89PNG"), ("pdf", b"%PDF"), ("svg", b"<?xml")):
            self.assertTrue(self.draw(6, f"figure.{suffix}").startswith(start))
        self.expect_error("cannot write", 6, name="figure.docx")
        self.expect_error("cannot write", 6, name="missing/figure.png")
        self.assertEqual({path.suffix for path in self.folder.iterdir()}, {".h5", ".png", ".pdf", ".svg"})

    def test_equal_runs_give_equal_figures(self):
        self.add_networks(["dp", "mp", "hypar"])
        for name in ("figure.png", "figure.pdf", "figure.svg"):
            self.assertEqual(self.draw(6, name), self.draw(6, name))

    def test_a_figure_is_a_program_that_reports_errors_in_one_line(self):
        self.add_networks(["dp", "hypar"])
        program = [ROOT / "scripts/figures/fig_hypar_6.py", *self.runs, "-o", self.folder / "figure.png"]
        done = subprocess.run(program, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout, len(done.stderr.splitlines())), (2, "", 1), done.stderr)
        self.add_networks(["mp"])
        program = [program[0], *self.runs, *program[-2:]]
        done = subprocess.run(program, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        self.assertTrue((self.folder / "figure.png").read_bytes().startswith(b"\x89PNG"))


if __name__ == "__main__":
    unittest.main()
