#!/usr/bin/python3
"""AccPar: speedup of one weird trick, HyPar and AccPar over data parallelism, on its two arrays."""

from matplotlib import pyplot as plt

import figure_kit as kit

PLANNERS = ("owt", "hypar", "accpar")
ARRAYS = {"accpar-paper-128": "128 TPU-v3", "accpar-paper-256": "128 TPU-v2 and 128 TPU-v3"}


def speedups(runs, array, planner):
    def time_of(network, name):
        return runs.one(network=network, planner=name, array=array).time_s

    return kit.with_mean({network: time_of(network, "dp") / time_of(network, planner)
                          for network in kit.ACCPAR_NETWORKS})


def draw_array(axes, runs, array, printed):
    for index, planner in enumerate(PLANNERS):
        values = speedups(runs, array, planner)
        places, width, beside = kit.series_places(len(values), index, len(PLANNERS))
        axes.bar(places, [value - 1 for value in values.values()], width, bottom=1, color=kit.COLOURS[planner], zorder=2)
        kit.draw_published(axes, beside, [printed.get((network, planner, array)) for network in values], s=14)
        for place, value in zip(places, values.values()):
            kit.label_bar(axes, place, max(value, 1), kit.short(value), kit.TEXT_COLOURS[planner], fontsize=6)
    kit.factors(axes)
    axes.axhline(1, color=kit.INK, linewidth=1, zorder=3)
    low, high = axes.get_ylim()
    axes.set_ylim(low / 1.1, high * 1.4)
    kit.network_axis(axes, list(values))
    axes.set_title(f"Speedup over data parallelism: {ARRAYS[array]}")


def draw(runs):
    figure, panels = plt.subplots(2, 1, figsize=(9.6, 6.6), constrained_layout={"rect": (0, 0.02, 1, 0.98)})
    for axes, array in zip(panels, ARRAYS):
        draw_array(axes, runs, array, kit.published("speedup", "accpar"))
    kit.legend_above(panels[0], [kit.swatch(kit.COLOURS[planner], kit.PLANNERS[planner]) for planner in PLANNERS] +
                     [kit.published_handle("published (in part recalled)")])
    kit.footnote(figure, "Batch 512", runs)
    return figure


if __name__ == "__main__":
    kit.main(__doc__, draw)
