#!/usr/bin/python3
"""A pipeline over time: a row for each accelerator of the stages, a box for each pass of a micro-batch, from a run's tasks."""

import numpy as np
from matplotlib import patches

import figure_kit as kit

# Phase of the training step -> the pass that it belongs to; gradients apart only where errors leave before them.
PASSES = {"forward": "forward", "backward_data": "backward", "backward_weight": "backward", "update": "update"}
COLOURS = {"forward": kit.SKY, "backward": kit.ORANGE, "update": kit.GREY}
MOST_ROWS = 64


def read_tasks(path):
    """The computations of a run: a table, and the names of its phases."""
    run = kit.tessera.Run(path)
    tasks, phases, kinds = run.rows("tasks"), run.names("phases"), run.names("task_kinds")
    if "micro_batch" not in tasks.dtype.names:
        raise kit.FigureError(f"{path}: its tasks have no micro-batches; simulate it with a newer Tessera")
    computations = tasks[tasks["kind"] == kinds.index("compute")]
    if len(computations) == 0:
        raise kit.FigureError(f"{path}: no tasks were recorded; simulate with --trace tasks")
    return computations, phases


def boxes_of(tasks, phases):
    """(accelerator, pass, micro-batch, start, end in seconds) of computations that follow each other in one pass."""
    boxes = []
    for task in tasks[np.lexsort((tasks["start_ps"], tasks["accelerator"]))]:
        what = PASSES[phases[task["phase"]]]
        key = [int(task["accelerator"]), what, int(task["micro_batch"]) if what != "update" else None]
        end = task["end_ps"] * 1e-12
        if boxes and boxes[-1][:3] == key:
            boxes[-1][4] = end
        else:
            boxes.append([*key, task["start_ps"] * 1e-12, end])
    return boxes


def rows_of(tasks):
    """Accelerators by stage, the first stage at the top."""
    pairs = {(int(task["stage"]), int(task["accelerator"])) for task in tasks[["stage", "accelerator"]]}
    return sorted(pairs)[:MOST_ROWS]


def label(rows, row):
    stage, accelerator = rows[row]
    is_alone = sum(other == stage for other, _ in rows) == 1
    return f"stage {stage}" if is_alone else f"stage {stage}, accelerator {accelerator}"


def scale_of(seconds):
    return next((factor, unit) for factor, unit in ((1, "s"), (1e3, "ms"), (1e6, "µs"), (1e9, "ns"))
                if seconds * factor >= 1 or unit == "ns")


def draw_box(axes, row, box, scale, width):
    _, what, micro_batch, start, end = box
    is_line = (end - start) * scale < 0.003 * width  # a white edge would hide it
    axes.add_patch(patches.Rectangle((start * scale, row - 0.4), (end - start) * scale, 0.8, facecolor=COLOURS[what],
                                     edgecolor=COLOURS[what] if is_line else "white", linewidth=0.4))
    is_wide = (end - start) * scale > (0.003 + 0.006 * len(str(micro_batch))) * width
    if micro_batch is not None and is_wide:
        axes.text((start + end) / 2 * scale, row, str(micro_batch), ha="center", va="center", fontsize=6.5)


def draw(runs):
    run = runs.all[0]
    runs.used.append(run)
    if len(runs.all) > 1:
        raise kit.FigureError(f"{len(runs.all)} runs are given; give one of them")
    tasks, phases = read_tasks(run.path)
    rows = rows_of(tasks)
    place = {accelerator: row for row, (_, accelerator) in enumerate(rows)}
    boxes = [box for box in boxes_of(tasks, phases) if box[0] in place]
    end = max(box[4] for box in boxes)
    scale, unit = scale_of(end)
    figure, axes = kit.wide_figure(height=1.4 + 0.24 * len(rows))
    for box in boxes:
        draw_box(axes, place[box[0]], box, scale, end * scale)
    axes.set_xlim(0, end * scale)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_yticks(range(len(rows)), [label(rows, row) for row in range(len(rows))])
    axes.set_xlabel(f"time ({unit})")
    axes.set_title(f"{run.name}, {run.planner}: passes of micro-batches")
    used = {box[1] for box in boxes}
    kit.legend_above(axes, [kit.swatch(colour, what) for what, colour in COLOURS.items() if what in used])
    kit.footnote(figure, "A box is from a pass's first computation to its last, waiting for inputs between them included", runs)
    return figure


if __name__ == "__main__":
    kit.main(__doc__, draw)
