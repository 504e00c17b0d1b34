"""The 256 points of an exploration as a map, for Figs 9 and 10: two patterns of four digits each (0 = data, 1 = model
parallelism) against performance relative to data parallelism."""

import itertools

import numpy as np
from matplotlib import lines, patches
from matplotlib import pyplot as plt

import figure_kit as kit

PATTERNS = ["".join(digits) for digits in itertools.product("01", repeat=4)]
PEAK = {"edgecolor": kit.VERMILION, "linewidth": 2.4}
CHOICE = {"edgecolor": kit.INK, "linewidth": 1.3}
TIE = 1e-4  # performances closer than this are the same


def performances(runs, network, coordinates):
    """(x, y) -> performance of every explored run; `coordinates` gives a run's two patterns."""
    base = runs.sixteen(network, "dp").time_s
    values = {}
    for run in runs.select(network=network, planner="explored", accelerators=16, topology="htree"):
        point = coordinates(run)
        if point in values:
            raise kit.FigureError(f"{run.path}: a second run of point {point}")
        values[point] = base / run.time_s
    missing = set(itertools.product(PATTERNS, PATTERNS)) - values.keys()
    if missing:
        raise kit.FigureError(f"{len(missing)} of 256 points of {network} have no run, such as {min(missing)}; "
                              "scripts/figures/hypar_runs.py makes them")
    return values


def cell(point):
    return PATTERNS.index(point[0]), PATTERNS.index(point[1])


def draw_map(axes, values):
    grid = np.array([[values[x, y] for x in PATTERNS] for y in PATTERNS])
    image = axes.imshow(grid, origin="lower", cmap="cividis")
    for (row, column), value in np.ndenumerate(grid):
        ground = image.norm(value)
        axes.text(column, row, f"{value:.2f}", ha="center", va="center", fontsize=5.8,
                  color="white" if ground < 0.55 else kit.INK)
    for set_ticks in (axes.set_xticks, axes.set_yticks):
        set_ticks(range(16), PATTERNS, family="DejaVu Sans Mono", fontsize=7.5)
    axes.tick_params(length=0)
    axes.tick_params(axis="x", rotation=90)
    for spine in axes.spines.values():
        spine.set_visible(False)
    return image


def best_points(values):
    best = max(values.values())
    return [point for point, value in values.items() if value > best * (1 - TIE)]


def mark_points(axes, peaks, hypar, printed):
    for x, y in map(cell, peaks):
        axes.add_patch(patches.Rectangle((x - 0.5, y - 0.5), 1, 1, fill=False, zorder=4, clip_on=False, **PEAK))
    x, y = cell(hypar)
    axes.add_patch(patches.Circle((x, y), 0.4, fill=False, zorder=4, **CHOICE))
    for _, point, _ in printed:
        x, y = cell(point)
        kit.draw_published(axes, [x + 0.34], [y + 0.34], s=15)


def explain_points(axes, labels, values, peaks, hypar, printed):
    def entry(what, value, point, more=""):
        return f"{what}: {value}×\n{labels[0]} {point[0]}, {labels[1]} {point[1]}{more}"

    ring = lines.Line2D([], [], linestyle="none", marker="o", markersize=9, markerfacecolor="none",
                        markeredgecolor=CHOICE["edgecolor"], markeredgewidth=CHOICE["linewidth"])
    equal = f"\nand {len(peaks) - 1} equal points" if len(peaks) > 1 else ""
    entries = [(patches.Patch(fill=False, **PEAK), entry("Peak", f"{values[peaks[0]]:.2f}", peaks[0], equal)),
               (ring, entry("HyPar's choice", f"{values[hypar]:.2f}", hypar)),
               *((kit.published_handle(), entry(what, value, point)) for what, point, value in printed)]
    axes.legend(*zip(*entries), loc="upper left", bbox_to_anchor=(1.03, 1.005), labelspacing=1.2, borderaxespad=0,
                handletextpad=1)


def draw(runs, values, labels, hypar, printed, title):
    """`labels`: of x and y. `printed`: (what, point, value) of each published point."""
    figure = plt.figure(figsize=(8.8, 6.75))
    axes = figure.add_axes((0.09, 0.115, 0.64, 0.835))
    image = draw_map(axes, values)
    peaks = best_points(values)
    mark_points(axes, peaks, hypar, printed)
    explain_points(axes, labels, values, peaks, hypar, printed)
    axes.set_xlabel(f"{labels[0]}   (0 = data, 1 = model parallelism)", labelpad=6)
    axes.set_ylabel(labels[1], labelpad=6)
    axes.set_title(title)
    bar = figure.colorbar(image, cax=figure.add_axes((0.755, 0.135, 0.02, 0.36)), format="%g×")
    bar.outline.set_visible(False)
    bar.set_label("Performance relative to data parallelism")
    kit.footnote(figure, "16 accelerators, H-tree", runs)
    return figure
