#!/usr/bin/python3
"""HyPar Fig. 12: performance of HyPar's plans on an H-tree and a torus, relative to data parallelism on the H-tree."""

import figure_kit as kit
import relative_bars

TOPOLOGIES = {"torus": (kit.SKY, "#2A7DB0", "Torus"), "htree": (kit.BLUE, kit.BLUE, "H-tree")}


def relative(runs, topology):
    return kit.with_mean({
        network: runs.sixteen(network, "dp").time_s / runs.sixteen(network, "hypar", topology).time_s
        for network in kit.NETWORKS
    })


def draw(runs):
    printed = kit.published(12)
    figure, axes = kit.wide_figure()
    kit.factors(axes)
    for index, (topology, (colour, text_colour, _)) in enumerate(TOPOLOGIES.items()):
        values = relative(runs, topology)
        relative_bars.draw_bars(axes, index, list(values.values()), colour, text_colour,
                                [printed.get((network, "hypar", f"performance,{topology}")) for network in values])
    relative_bars.finish(axes)
    kit.network_axis(axes, list(values))
    axes.set_title("HyPar's performance relative to data parallelism on the H-tree")
    kit.legend_above(axes, [kit.swatch(colour, label) for colour, _, label in TOPOLOGIES.values()] +
                     [kit.published_handle()])
    kit.footnote(figure, "16 accelerators; published torus bars are read from the plot (±0.03)", runs)
    return figure


if __name__ == "__main__":
    kit.main(__doc__, draw)
