#!/usr/bin/python3
"""SoyBean: speedup over data parallelism on AlexNet and VGG-16, eight accelerators, from small batches to large ones."""

from matplotlib import pyplot as plt

import figure_kit as kit

NETWORKS = ("accpar/alexnet", "accpar/vgg-16")
ARRAY = "accpar-paper-128"
BATCHES = (64, 128, 256, 512, 1024)
CLAIMED = (1.5, 4)  # arXiv:1805.04170, abstract: AlexNet and VGG, on eight GPUs


def speedup(runs, network, batch):
    dp, soybean = (runs.one(network=network, planner=planner, array=ARRAY, accelerators=8, batch=batch).time_s
                   for planner in ("dp", "soybean"))
    return dp / soybean


def draw(runs):
    figure, axes = plt.subplots(figsize=(7.2, 3.8), constrained_layout={"rect": (0, 0.035, 1, 0.965)})
    axes.axhspan(*CLAIMED, color="#EEEEEE", zorder=0, label="published: 1.5 to 4, on GPUs")
    for index, (network, colour, text) in enumerate(zip(NETWORKS, (kit.GREEN, kit.BLUE), ("#00785A", kit.BLUE))):
        values = [speedup(runs, network, batch) for batch in BATCHES]
        places, width, _ = kit.series_places(len(BATCHES), index, len(NETWORKS))
        axes.bar(places, [value - 1 for value in values], width, bottom=1, color=colour, zorder=2,
                 label=kit.ACCPAR_NETWORKS[network])
        for place, value in zip(places, values):
            kit.label_bar(axes, place, max(value, 1), kit.short(value), text)
    kit.factors(axes)
    axes.axhline(1, color=kit.INK, linewidth=1, zorder=3)
    axes.set_xticks(range(len(BATCHES)), BATCHES)
    axes.set_xlabel("Batch")
    axes.set_ylim(axes.get_ylim()[0], axes.get_ylim()[1] * 1.2)
    axes.set_title("SoyBean: speedup over data parallelism")
    axes.legend(loc="upper right")
    kit.footnote(figure, "Eight TPU-v3 boards, not the paper's GPUs", runs)
    return figure


if __name__ == "__main__":
    kit.main(__doc__, draw)
