"""A run over time: a row for each accelerator, its computations by phase above, what it sends below."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .errors import RunFileError

if TYPE_CHECKING:
    import matplotlib.axes

    from .run import Run

#: Okabe and Ito's palette, by phase; a phase without one is grey.
COLOURS = {"forward": "#56B4E9", "backward_data": "#E69F00", "backward_weight": "#D55E00", "update": "#009E73"}
SENDS, OTHER = "#666666", "#9A9A9A"
_PIXELS = 4000  # of a very wide figure: gaps narrower than one are not drawn


def merged(starts: np.ndarray, ends: np.ndarray, gap: float) -> tuple[np.ndarray, np.ndarray]:
    """Intervals, those that overlap or follow within `gap` being one."""
    order = np.argsort(starts, kind="stable")
    starts, reached = starts[order], np.maximum.accumulate(ends[order])
    first = np.flatnonzero(np.concatenate(([True], starts[1:] - reached[:-1] > gap)))
    last = np.concatenate((first[1:], [len(starts)])) - 1
    return starts[first], reached[last]


def busy(tasks: np.ndarray) -> np.ndarray:
    """Computations from when their unit took them: `start_ps` is when they were issued, and one waits for those before it."""
    order = np.lexsort((tasks["end_ps"], tasks["accelerator"]))
    taken = tasks[order]
    same = taken["accelerator"][1:] == taken["accelerator"][:-1]
    starts = taken["start_ps"].copy()
    starts[1:] = np.where(same, np.maximum(starts[1:], taken["end_ps"][:-1]), starts[1:])
    taken["start_ps"] = starts
    return taken


def _scale(seconds: float) -> tuple[float, str]:
    return next(((factor, unit) for factor, unit in ((1.0, "s"), (1e3, "ms"), (1e6, "µs")) if seconds * factor >= 1), (1e9, "ns"))


def draw_timeline(run: Run, axes: matplotlib.axes.Axes | None = None, *, accelerators: range | list[int] | None = None,
                  begin_s: float = 0.0, end_s: float | None = None) -> matplotlib.axes.Axes:
    """Draws the run on `axes` (new ones without) and returns them.

    `accelerators`: the rows (all); `begin_s`, `end_s`: the time [s] (all of it). Gaps below 1/4000 of that are not drawn, so
    that a million tasks are as quick as a thousand. RunFileError where the run has no tasks.
    """
    from matplotlib import patches, pyplot as plt

    tasks, phases, kinds = run.rows("tasks"), run.names("phases"), run.names("task_kinds")
    if len(tasks) == 0:
        raise RunFileError(f"{run.path}: no tasks were recorded; simulate with trace 'tasks'")
    if axes is None:
        _, axes = plt.subplots(figsize=(9, 4), constrained_layout=True)
    stop = run.time_s if end_s is None else end_s
    scale, unit = _scale(stop - begin_s)
    rows = list(np.unique(tasks["accelerator"]) if accelerators is None else accelerators)
    tasks = tasks[np.isin(tasks["accelerator"], rows)]
    computes = busy(tasks[tasks["kind"] == kinds.index("compute")])
    series = [(phase, computes[computes["phase"] == number], COLOURS.get(phase, OTHER), -0.4, 0.44)
              for number, phase in enumerate(phases)]
    series.append(("sends", tasks[tasks["kind"] == kinds.index("transfer")], SENDS, 0.1, 0.3))
    handles = []
    for label, drawn, colour, upper, height in series:
        drawn = drawn[(drawn["end_ps"] * 1e-12 > begin_s) & (drawn["start_ps"] * 1e-12 < stop)]
        if len(drawn) == 0:
            continue
        handles.append(patches.Patch(facecolor=colour, label=label))
        for row, accelerator in enumerate(rows):
            own = drawn[drawn["accelerator"] == accelerator]
            if len(own) == 0:
                continue
            starts, ends = merged(own["start_ps"] * 1e-12, own["end_ps"] * 1e-12, (stop - begin_s) / _PIXELS)
            axes.broken_barh(list(zip(starts * scale, (ends - starts) * scale)), (row + upper, height), facecolors=colour)
    axes.set_xlim(begin_s * scale, stop * scale)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_yticks(range(len(rows)), [str(accelerator) for accelerator in rows])
    axes.set_xlabel(f"time [{unit}]")
    axes.set_ylabel("accelerator")
    if handles:
        axes.legend(handles=handles, ncol=len(handles), loc="lower right", bbox_to_anchor=(1, 1), frameon=False, fontsize=8)
    return axes
