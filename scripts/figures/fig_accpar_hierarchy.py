#!/usr/bin/python3
"""AccPar: speedups on VGG-19 over the levels of the hierarchy, 4 to 512 accelerators."""

from matplotlib import pyplot as plt
from matplotlib import ticker

import figure_kit as kit

NETWORK, ARRAY = "accpar/vgg-19", "accpar-paper-128"
PLANNERS = {"owt": "s", "hypar": "^", "accpar": "o"}  # and their marks, told apart without colour
LEVELS = range(2, 10)


def speedups(runs, planner):
    def time_of(name, level):
        return runs.one(network=NETWORK, planner=name, array=ARRAY, accelerators=2**level).time_s

    return [time_of("dp", level) / time_of(planner, level) for level in LEVELS]


def draw(runs):
    figure, axes = plt.subplots(figsize=(7.2, 4), constrained_layout={"rect": (0, 0.035, 1, 0.965)})
    for planner, marker in PLANNERS.items():
        values = speedups(runs, planner)
        axes.plot(LEVELS, values, color=kit.COLOURS[planner], marker=marker, markersize=4.5, label=kit.PLANNERS[planner])
        axes.annotate(kit.short(values[-1]), (LEVELS[-1], values[-1]), xytext=(6, 0), textcoords="offset points",
                      va="center", fontsize=7, color=kit.TEXT_COLOURS[planner])
    axes.grid(axis="y")
    axes.set_ylim(0)
    axes.set_xlim(LEVELS[0] - 0.2, LEVELS[-1] + 0.5)
    axes.yaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}×"))
    axes.set_xticks(LEVELS, [f"{level}\n{2**level}" for level in LEVELS])
    axes.set_xlabel("Levels of the hierarchy, accelerators")
    axes.set_title("VGG-19: speedup over data parallelism")
    axes.legend(loc="upper left", frameon=True, framealpha=1, edgecolor="none")  # over the grid
    kit.footnote(figure, "Batch 512", runs)
    return figure


if __name__ == "__main__":
    kit.main(__doc__, draw)
