"""The figure of a pipeline's passes, on a made-up run: each box is where its pass was."""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "test/support"), str(ROOT / "scripts/figures")]
import fig_pipeline  # noqa: E402  (the path comes first)
import figure_kit as kit  # noqa: E402
from synthetic_runs import KINDS, PHASES, RunsTest  # noqa: E402


def task(phase, stage, micro_batch, start, end, kind="compute"):
    return {"kind": KINDS.index(kind), "phase": PHASES.index(phase), "stage": stage, "accelerator": 4 * stage,
            "micro_batch": micro_batch, "start_ps": start, "end_ps": end}


# Two stages, two micro-batches; the first stage's forward pass of 0 has two operators.
TASKS = [task("forward", 0, 0, 0, 10), task("forward", 0, 0, 12, 20), task("forward", 0, 1, 20, 40),
         task("forward", 1, 0, 21, 30), task("backward_data", 1, 0, 30, 40), task("backward_weight", 1, 0, 40, 50),
         task("forward", 0, 0, 20, 21, kind="transfer"), task("update", 1, 0, 50, 51), task("backward_data", 0, 0, 52, 60)]


class FigurePipeline(RunsTest):
    def boxes(self):
        tasks, phases = fig_pipeline.read_tasks(str(self.runs[0]))
        return [tuple(box[:3]) + tuple(round(time * 1e12) for time in box[3:]) for box in fig_pipeline.boxes_of(tasks, phases)]

    def test_computations_that_follow_each_other_are_one_box(self):
        self.add(tasks=TASKS)
        self.assertEqual(self.boxes(), [(0, "forward", 0, 0, 20), (0, "forward", 1, 20, 40), (0, "backward", 0, 52, 60),
                                        (4, "forward", 0, 21, 30), (4, "backward", 0, 30, 50), (4, "update", None, 50, 51)])

    def test_draws_a_row_for_each_stage_and_the_numbers_of_micro_batches(self):
        self.add(tasks=TASKS)
        kit.render(fig_pipeline.draw, self.runs, str(self.folder / "figure.svg"))
        texts = re.findall(r"<text[^>]*>([^<]*)</text>", (self.folder / "figure.svg").read_text(encoding="utf-8"))
        self.assertLessEqual({"stage 0", "stage 1", "forward", "backward", "update", "1"}, set(texts))
        first = (self.folder / "figure.svg").read_bytes()
        kit.render(fig_pipeline.draw, self.runs, str(self.folder / "again.svg"))
        self.assertEqual((self.folder / "again.svg").read_bytes(), first)

    def test_a_pass_too_short_to_see_is_a_line(self):
        self.add(tasks=[*TASKS, task("backward_data", 0, 1, 60, 60000)])
        kit.render(fig_pipeline.draw, self.runs, str(self.folder / "figure.svg"))
        drawn = (self.folder / "figure.svg").read_text(encoding="utf-8").lower()
        self.assertIn(f"fill: {kit.SKY}; stroke: {kit.SKY};".lower(), drawn)
        self.assertIn(f"fill: {kit.ORANGE}; stroke: #ffffff;".lower(), drawn)  # the long one has an edge

    def test_says_what_it_lacks(self):
        self.add(tasks=0)
        with self.assertRaisesRegex(kit.FigureError, "no tasks were recorded; simulate with --trace tasks"):
            kit.render(fig_pipeline.draw, self.runs, str(self.folder / "figure.svg"))
        with self.assertRaisesRegex(kit.FigureError, "2 runs are given; give one"):
            kit.render(fig_pipeline.draw, self.runs * 2, str(self.folder / "figure.svg"))


if __name__ == "__main__":
    unittest.main()
