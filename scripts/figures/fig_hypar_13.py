#!/usr/bin/python3
"""HyPar Fig. 13: HyPar against "the trick" (convolutions dp, fully connected layers mp) on two parts of VGG-E at batch
sizes of their own, 4 to 16 accelerators."""

from matplotlib import pyplot as plt

import figure_kit as kit
import relative_bars

LAYERS = {"hypar/vgg-e-conv5": "conv5 of VGG-E", "hypar/vgg-e-fc3": "fc3 of VGG-E"}
LEVELS = (2, 3, 4)
MERITS = {
    "Performance": (kit.BLUE, kit.BLUE, lambda run: 1 / run.time_s),
    "Energy efficiency": (kit.GREEN, "#00704F", lambda run: 1 / run.energy_j),
}


def draw_layer(axes, runs, network):
    of = {(planner, level): runs.one(network=network, planner=planner, accelerators=2**level, topology="htree")
          for planner in ("owt", "hypar") for level in LEVELS}
    for index, (colour, text_colour, merit) in enumerate(MERITS.values()):
        gains = [merit(of["hypar", level]) / merit(of["owt", level]) for level in LEVELS]
        relative_bars.draw_bars(axes, index, gains, colour, text_colour)
    axes.set_xticks(range(len(LEVELS)), [f"{level} levels\n{2**level} accelerators" for level in LEVELS], fontsize=8)
    axes.set_xlim(-0.6, len(LEVELS) - 0.4)
    axes.grid(axis="y")
    axes.set_title(weight="normal", label=f"{LAYERS[network]}, batch {of['hypar', LEVELS[0]].batch}")


def draw(runs):
    figure, panels = plt.subplots(1, 2, sharey=True, figsize=(7.2, 3.7),
                                  constrained_layout={"rect": (0, 0.035, 1, 0.88), "wspace": 0.06})
    kit.factors(panels[0], steps=(1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 7))
    for axes, network in zip(panels, LAYERS):
        draw_layer(axes, runs, network)
        axes.axhline(1, color=kit.INK, linewidth=1, zorder=3)
    low, high = panels[0].get_ylim()
    panels[0].set_ylim(min(low, 0.95), max(high, 2) * 1.12)
    figure.text(0.012, 0.95, "HyPar relative to the trick", weight="bold", fontsize=11, va="center")
    figure.legend(handles=[kit.swatch(colour, name) for name, (colour, _, _) in MERITS.items()], ncol=2,
                  loc="center right", bbox_to_anchor=(1, 0.95))
    kit.footnote(figure, "The trick: convolutions dp, fully connected layers mp. H-tree", runs)
    return figure


if __name__ == "__main__":
    kit.main(__doc__, draw)
