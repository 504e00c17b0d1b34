#!/usr/bin/python3
"""HyPar Fig. 8: total communication per training step of data parallelism, model parallelism and HyPar."""

from matplotlib import ticker

import figure_kit as kit

WIDTH = 0.27
SIDES = {"dp": -1, "mp": 0, "hypar": 1}


def draw(runs):
    printed = kit.published(8)
    figure, axes = kit.wide_figure()
    axes.set_yscale("log")
    for planner, side in SIDES.items():
        values = kit.with_mean({network: runs.sixteen(network, planner).communication_gb for network in kit.NETWORKS})
        places = [place + side * WIDTH for place in range(len(values))]
        references = [printed.get((network, planner, "communication_gb")) for network in values]
        axes.bar(places, list(values.values()), WIDTH, color=kit.COLOURS[planner], zorder=2)
        kit.draw_published(axes, places, references)
        for place, value, reference in zip(places, values.values(), references):
            kit.label_bar(axes, place, max(value, float(reference or 0)), kit.short(value), kit.TEXT_COLOURS[planner],
                          rotation=90, fontsize=6.5)
    low, high = axes.get_ylim()
    axes.set_ylim(low / 1.3, high * 2.5)
    axes.yaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g} GB"))
    axes.yaxis.set_minor_locator(ticker.NullLocator())
    kit.network_axis(axes, list(values))
    axes.set_title("Total communication per training step")
    kit.legend_above(axes, [kit.swatch(kit.COLOURS[planner], kit.PLANNERS[planner]) for planner in SIDES] +
                     [kit.published_handle()])
    kit.footnote(figure, "16 accelerators, H-tree; GB = 10⁹ bytes, both directions", runs)
    return figure


kit.main(__doc__, draw)
