"""Figures from a sweep's table: what they draw, and what they refuse."""

import csv
import pathlib
import re
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "test/support"), str(ROOT / "scripts/figures")]
import figure_kit as kit  # noqa: E402  (the path comes first)
import h5py  # noqa: E402
import numpy as np  # noqa: E402
import plot  # noqa: E402
import plot_axes  # noqa: E402
import plot_bars  # noqa: E402
import ranking  # noqa: E402
import roofline  # noqa: E402
from study_table import StudyTable, short_names  # noqa: E402
from synthetic_runs import RunsTest  # noqa: E402

COLUMNS = ("planner", "arch.accelerators", "arch.fabric.link.bandwidth", "state", "time_s", "energy_j", "energy_memory_j", "energy_fabric_j",
           "predicted_time_s", "program")


def row(planner, accelerators, time, energy=1.0, predicted=None, state="done", bandwidth="1 Gb/s"):
    memory, fabric = ("", "") if energy == "" else (0.75 * energy, 0.25 * energy)
    return dict(zip(COLUMNS, (planner, accelerators, bandwidth, state, time, energy, memory, fabric, predicted or time, "0.1.0 (abc)")))


ROWS = [row("dp", 4, 4.0), row("dp", 8, 2.0, 3.0), row("hypar", 4, 2.0, 2.0), row("hypar", 8, 0.5, 4.0),
        row("mp", 4, "", "", state="infeasible")]


def text_of(svg):
    """With the lines of a text in one."""
    return re.sub(r"</text>\s*<text[^>]*>", " ", svg.read_text(encoding="utf-8"))


class Plot(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tessera-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def table(self, rows):
        path = self.folder / "table.csv"
        with open(path, "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS)
            writer.writeheader()
            writer.writerows(rows)
        return str(path)

    def draw(self, rows, *words, width="2"):
        output = self.folder / "figure.svg"
        options = [words[0], self.table(rows), *words[1:], "--width", width, "-o", str(output)]
        self.assertEqual(plot.main(options), 0)
        return text_of(output)

    def assert_refused(self, rows, because, *words):
        study = [words[0], self.table(rows), *words[1:], "-o", str(self.folder / "none.svg")]
        with self.assertRaisesRegex(kit.FigureError, because):
            plot.draw(self.options(study))
        self.assertFalse((self.folder / "none.svg").exists())

    @staticmethod
    def options(words):
        kept = {}
        original = plot.draw
        plot.draw = lambda options: kept.update(options=options)
        try:
            plot.main(words)
        finally:
            plot.draw = original
        return kept["options"]

    def test_every_kind_says_what_it_is_of_at_both_widths(self):
        for width in "12":
            for words in (("lines", "--x", "arch.accelerators", "--y", "time_s", "--by", "planner"),
                          ("bars", "--x", "arch.accelerators", "--y", "time_s", "--by", "planner", "--relative-to", "dp"),
                          ("pareto", "--x", "time_s", "--y", "energy_j", "--by", "planner"),
                          ("stacks", "--x", "arch.accelerators", "--y", "energy", "--by", "planner", "--relative-to", "dp"),
                          ("stacks", "--x", "arch.accelerators", "--y", "energy_memory_j,energy_fabric_j", "--by", "planner"),
                          ("map", "--x", "arch.accelerators", "--y", "planner", "--z", "time_s"),
                          ("predicted", "--by", "planner")):
                text = self.draw(ROWS, *words, width=width)
                self.assertIn("4 points of table.csv, simulated by Tessera 0.1.0 (abc); 1 of 5 points are not done.", text, words)
                self.assertIn("hypar", text)

    def test_numbers_keep_their_units(self):
        self.assertEqual([plot.number(text) for text in ("16", "2 Gb/s", "250 MB/s", "40 ns", "1e-3", "dp", "16x", "2 Gx")],
                         [16, 2e9, 2e9, 40e-9, 1e-3, None, None, None])

    def test_the_front_has_what_nothing_beats(self):
        self.assertEqual(plot.front_of([(3, 1), (1, 3), (2, 2), (2, 3), (3, 2), (1, 4)]), [(1, 3), (2, 2), (3, 1)])

    def test_ranks_share_places_and_constants_rank_nothing(self):
        self.assertEqual(list(ranking.ranks([10, 30, 20, 20])), [1, 4, 2.5, 2.5])
        self.assertAlmostEqual(ranking.correlation([1, 2, 3, 4], [10, 20, 40, 30]), 0.8)
        self.assertIsNone(ranking.correlation([1, 1, 1], [1, 2, 3]))

    def test_bars_are_relative_to_a_series_with_the_mean_of_the_groups_that_all_have(self):
        rows = ROWS + [row("dp", 16, 1.0)]
        study = StudyTable(self.table(rows))
        options = self.options(["bars", study.path, "--x", "arch.accelerators", "--y", "time_s", "--relative-to", "dp", "-o", "x.svg"])
        values = {("dp", "4"): 4.0, ("dp", "8"): 2.0, ("dp", "16"): 1.0, ("hypar", "4"): 2.0, ("hypar", "8"): 0.5}
        ratios, groups = plot_bars.relative(study, options, values, ["4", "8", "16"], ["dp", "hypar"])
        self.assertEqual(groups, ["4", "8", kit.GMEAN])
        self.assertAlmostEqual(ratios["hypar", kit.GMEAN], 8 ** 0.5)

    def test_a_stack_has_every_component_and_is_as_high_as_its_sum(self):
        study = StudyTable(self.table(ROWS))
        self.assertEqual(plot_bars.parts_of(study, "energy"), ["energy_memory_j", "energy_fabric_j"])
        options = self.options(["stacks", study.path, "--x", "arch.accelerators", "--y", "energy", "--by", "planner", "-o", "x.svg"])
        figure, axes = plot_bars.draw_stacks(study, options)
        self.addCleanup(plot.plt.close, figure)
        memory, fabric = (container.patches for container in axes.containers[:2])  # of dp: at 4 and at 8
        self.assertEqual([bar.get_height() for bar in memory], [0.75 * 1.0, 0.75 * 3.0])
        self.assertEqual([bar.get_y() + bar.get_height() for bar in fabric], [1.0, 3.0])

    def test_axes_have_words_and_units(self):
        study = StudyTable(self.table(ROWS))
        self.assertEqual([study.name(column) for column in ("energy_memory_j", "arch.accelerators")], ["energy memory", "arch.accelerators"])
        self.assertEqual([study.unit(column) for column in ("time_s", "energy_j", "arch.fabric.link.bandwidth", "arch.accelerators")],
                         ["s", "J", "b/s", ""])
        self.assertEqual(short_names(["hypar/vgg-a", "hypar/sfc", kit.GMEAN]), ["vgg-a", "sfc", kit.GMEAN])
        self.assertEqual(short_names(["hypar/vgg-a", "accpar/vgg-11"]), ["hypar/vgg-a", "accpar/vgg-11"])
        self.assertEqual(short_names(["{kind: bandwidth, bandwidth: 450 GB/s}", "{kind: bandwidth, bandwidth: 900 GB/s, latency: 9 ns}"]),
                         ["bandwidth 450 GB/s", "bandwidth 900 GB/s latency 9 ns"])

    def test_no_two_of_many_series_look_alike(self):
        for style, other in ((plot_axes.style, "marker"), (plot_axes.bar_style, "hatch")):
            looks = {(style(index)["color"], style(index)[other]) for index in range(64)}
            self.assertEqual(len(looks), 64)

    def test_the_names_above_stacks_have_room(self):
        study = StudyTable(self.table([row("dp", 4, 4.0), row("hypar", 4, 2.0, 3.0)]))
        options = self.options(["stacks", study.path, "--x", "arch.accelerators", "--y", "energy_j,predicted_time_s", "--by", "planner",
                                "-o", "x.svg"])
        figure, axes = plot_bars.draw_stacks(study, options)
        self.addCleanup(plot.plt.close, figure)
        self.assertEqual(axes.get_ylim()[0], 0)
        self.assertGreater(axes.get_ylim()[1], 1.2 * max(4.0 + 1.0, 2.0 + 3.0))

    def test_a_logarithmic_axis_of_few_decades_has_more_ticks_than_them(self):
        self.assertEqual([tick for tick in plot_axes.log_ticks([2, 80]).tick_values(2, 80) if 2 <= tick <= 80], [2, 5, 10, 20, 50])
        self.assertEqual([tick for tick in plot_axes.log_ticks([1, 1e4]).tick_values(1, 1e4) if 1 <= tick <= 1e4], [1, 10, 100, 1e3, 1e4])

    def test_what_is_not_there_or_ambiguous_is_refused(self):
        self.assert_refused(ROWS, "no column 'speed'; there are: planner", "lines", "--x", "arch.accelerators", "--y", "speed")
        self.assert_refused(ROWS, "lines needs --x COLUMN", "lines", "--y", "time_s")
        self.assert_refused(ROWS, "has several points at arch.accelerators 4; name what tells them apart", "lines",
                            "--x", "arch.accelerators", "--y", "time_s")
        self.assert_refused(ROWS, "'dp' of column planner is no number", "lines", "--x", "planner", "--y", "time_s")
        self.assert_refused(ROWS, "stacks needs --y energy", "stacks", "--x", "arch.accelerators")
        self.assert_refused(ROWS, "no column 'compute_s'", "stacks", "--x", "arch.accelerators", "--y", "time", "--by", "planner")
        self.assert_refused(ROWS, "no series 'owt'", "bars", "--x", "arch.accelerators", "--y", "time_s", "--by", "planner",
                            "--relative-to", "owt")
        self.assert_refused(ROWS[4:], "no point is done", "predicted")
        self.assert_refused([], "no table of a sweep", "predicted")


def table(**columns):
    """A table of a run file, a list for each column."""
    types = [(name, "<f8" if "peak" in name else "<i8") for name in columns]
    return np.array(list(zip(*columns.values())), types)


class Roofline(RunsTest):
    """Of a run of 1 s: two accelerators of 100 MAC/s on memories of 10 B/s; fc1 computes and waits, fc2 has no MACs."""

    def setUp(self):
        super().setUp()
        self.add(splits={"fc1": "n", "fc2": "n"})
        self.extend(accelerators=table(peak_macs_per_s=[100.0, 100.0], peak_memory_bandwidth=[80.0, 80.0]),
                    breakdown=table(operator=[0, 0, 1], phase=[0, 1, 0], macs=[50, 40, 0], memory_bytes=[10, 4, 7],
                                    compute_ps=[10**12 // 2, 10**12, 5], memory_ps=[10**12 // 2, 0, 5]))

    def extend(self, **tables):
        with h5py.File(self.runs[0], "a") as file:
            for name, rows in tables.items():
                if name in file:
                    del file[name]
                file[name] = rows

    def test_marks_are_what_an_accelerator_attains_at_its_intensity(self):
        run = roofline.RunFile(str(self.runs[0]))
        self.assertEqual(run.roofs(), [(100, 10)])
        self.assertEqual(run.points(), [("fc1", "forward", 5, 50, 1), ("fc1", "backward_data", 10, 40, 1)])

    def test_marks_that_lie_close_have_their_names_in_one_place_each_once(self):
        points = [("a", "forward", 10, 40, 3), ("b", "forward", 11, 39, 2), ("a", "update", 9, 41, 1), ("a", "update", 1, 41, 1)]
        self.assertEqual(roofline.named_places(points), [((10, 40), ["a", "b"]), ((1, 41), ["a"])])

    def test_is_drawn_at_both_widths_with_its_roof_and_provenance(self):
        for width in "12":
            output = self.folder / "figure.svg"
            self.assertEqual(plot.main(["roofline", str(self.runs[0]), "--width", width, "-o", str(output)]), 0)
            text = text_of(output)
            for word in ("peak 100.0 MAC/s", "memory 10.0 B/s", "fc1", "backward data", "simulated by Tessera 0.0.0 (synthetic)"):
                self.assertIn(word, text)

    def test_says_what_a_run_lacks(self):
        self.extend(breakdown=table(operator=[0], phase=[0], macs=[0], memory_bytes=[1], compute_ps=[1], memory_ps=[1]))
        with self.assertRaisesRegex(kit.FigureError, "no operator of it multiplies"):
            roofline.RunFile(str(self.runs[0])).points()
        self.extend(breakdown=table(operator=[0], phase=[0]))
        with self.assertRaisesRegex(kit.FigureError, "its table 'breakdown' lacks macs, memory_bytes; simulate it with a newer"):
            roofline.RunFile(str(self.runs[0]))
        with self.assertRaisesRegex(kit.FigureError, "not a run file"):
            roofline.RunFile(str(self.folder / "none.h5"))


if __name__ == "__main__":
    unittest.main()
