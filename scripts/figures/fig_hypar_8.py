#!/usr/bin/python3
"""HyPar Fig. 8: total communication per training step of data parallelism, model parallelism and HyPar."""

from matplotlib import ticker

import figure_kit as kit

PLANNERS = ("dp", "mp", "hypar")


def draw(runs):
    printed = kit.published(8)
    figure, axes = kit.wide_figure()
    axes.set_yscale("log")
    for index, planner in enumerate(PLANNERS):
        values = kit.with_mean({network: runs.sixteen(network, planner).communication_gb for network in kit.NETWORKS})
        places, width, beside = kit.series_places(len(values), index, len(PLANNERS))
        axes.bar(places, list(values.values()), width, color=kit.COLOURS[planner], zorder=2)
        references = [printed.get((network, planner, "communication_gb")) for network in values]
        kit.draw_published(axes, beside, references, s=13)
        for place, value in zip(places, values.values()):
            kit.label_bar(axes, place, value, kit.short(value), kit.TEXT_COLOURS[planner], rotation=90, fontsize=6.5)
    low, high = axes.get_ylim()
    axes.set_ylim(low / 1.3, high * 2.5)
    axes.yaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g} GB"))
    axes.yaxis.set_minor_locator(ticker.NullLocator())
    kit.network_axis(axes, list(values))
    axes.set_title("Total communication per training step")
    kit.legend_above(axes, [kit.swatch(kit.COLOURS[planner], kit.PLANNERS[planner]) for planner in PLANNERS] +
                     [kit.published_handle()])
    kit.footnote(figure, "16 accelerators, H-tree; GB = 10⁹ bytes, both directions", runs)
    return figure


if __name__ == "__main__":
    kit.main(__doc__, draw)
