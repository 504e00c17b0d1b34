#!/usr/bin/python3
"""HyPar Fig. 11: scalability of VGG-E from 1 to 64 accelerators: performance gain and total communication."""

from matplotlib import pyplot as plt
from matplotlib import ticker

import figure_kit as kit

NETWORK = "hypar/vgg-e"
SIZES = (1, 2, 4, 8, 16, 32, 64)
PLANNERS = ("dp", "hypar")


def draw_gains(axes, of, printed):
    for index, planner in enumerate(PLANNERS):
        gains = [of[planner, 1].time_s / of[planner, size].time_s for size in SIZES]
        places, width, beside = kit.series_places(len(SIZES), index, len(PLANNERS))
        axes.bar(places, gains, width, color=kit.COLOURS[planner], zorder=2)
        kit.draw_published(axes, beside, [printed.get((NETWORK, planner, f"gain,{size}")) for size in SIZES])
        for place, gain in zip(places, gains):
            kit.label_bar(axes, place, gain, kit.short(gain), kit.TEXT_COLOURS[planner])
    axes.grid(axis="y")
    axes.set_ylim(0, axes.get_ylim()[1] * 1.08)
    axes.yaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}×"))
    axes.set_title("VGG-E: performance relative to one accelerator")


def draw_communication(axes, of):
    for planner, above, marker in (("dp", True, "o"), ("hypar", False, "s")):
        volumes = [of[planner, size].communication_gb for size in SIZES[1:]]
        axes.plot(range(1, len(SIZES)), volumes, color=kit.COLOURS[planner], marker=marker, markersize=4.5, linewidth=1.6,
                  zorder=3)
        for place, volume in enumerate(volumes, 1):
            kit.label_bar(axes, place, volume, kit.short(volume), kit.TEXT_COLOURS[planner], above,
                          gap=5)
    axes.set_yscale("log")
    low, high = axes.get_ylim()
    axes.set_ylim(low / 2, high * 2)
    axes.grid(axis="y")
    axes.yaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g} GB"))
    axes.yaxis.set_minor_locator(ticker.NullLocator())
    axes.set_xticks(range(len(SIZES)), SIZES)
    axes.set_xlabel("Accelerators")
    axes.set_title("Total communication per training step")


def draw(runs):
    of = {(planner, size): runs.one(network=NETWORK, planner=planner, accelerators=size, topology="htree")
          for planner in PLANNERS for size in SIZES}
    figure, (gains, communication) = plt.subplots(2, 1, sharex=True, figsize=(7.2, 5.6), height_ratios=(3, 2),
                                                  constrained_layout={"rect": (0, 0.025, 1, 0.975), "hspace": 0.06})
    draw_gains(gains, of, kit.published(11))
    draw_communication(communication, of)
    gains.legend(handles=[kit.swatch(kit.COLOURS[planner], kit.PLANNERS[planner]) for planner in PLANNERS] +
                 [kit.published_handle()], loc="upper left", bbox_to_anchor=(0.02, 0.97))
    batch = of["hypar", 1].batch
    kit.footnote(figure, f"H-tree, batch {batch}; published bars are read from the plot (±0.1)", runs)
    return figure


if __name__ == "__main__":
    kit.main(__doc__, draw)
