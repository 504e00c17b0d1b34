#!/usr/bin/python3
"""HyPar Fig. 5: the parallelism that HyPar chooses for each layer at each level of the hierarchy."""

from matplotlib import patches
from matplotlib import pyplot as plt

import figure_kit as kit

COLOURS = {"0": "#D9DEE3", "1": kit.BLUE}
LEVELS = 4
ROWS = (("hypar/sfc", "hypar/sconv", "hypar/lenet-c", "hypar/cifar-c", "hypar/alexnet"),
        ("hypar/vgg-a", "hypar/vgg-b"), ("hypar/vgg-c", "hypar/vgg-d"), ("hypar/vgg-e",))
# Inches. Every cell has the same size, so the panels are placed by hand.
WIDTH, HEIGHT = 9.6, 7.55
CELL_WIDTH, CELL_HEIGHT = 0.268, 0.235
LEFT, GAP, TOP, ROW_HEIGHT = 0.36, 0.4, 0.75, 1.72


def draw_cell(axes, layer, level, chosen, printed):
    colour = COLOURS.get(chosen, kit.ORANGE)
    axes.add_patch(patches.Rectangle((layer, level), 1, 1, facecolor=colour, edgecolor="white", linewidth=1.5))
    axes.text(layer + 0.5, level + 0.5, {"0": "dp", "1": "mp"}.get(chosen, chosen), ha="center", va="center",
              fontsize=6.5, color="white" if chosen == "1" else "#555555")
    if chosen != printed:
        axes.add_patch(patches.Rectangle((layer + 0.06, level + 0.06), 0.88, 0.88, fill=False, linewidth=1.8,
                                         edgecolor=kit.VERMILION, zorder=3))


def draw_network(axes, run, printed):
    """Returns how many cells differ from the printed ones."""
    operators = list(run.splits)
    mismatches = 0
    for level in range(LEVELS):
        row = printed[(run.network, "hypar", f"H{level + 1}")]
        if len(row) != len(operators):
            raise kit.FigureError(f"{run.path}: {len(operators)} layers ({run.name} has {len(row)})")
        for layer, operator in enumerate(operators):
            chosen = run.parallelism(operator)[level]
            draw_cell(axes, layer, level, chosen, row[layer])
            mismatches += chosen != row[layer]
    axes.set_xlim(0, len(operators))
    axes.set_ylim(LEVELS, 0)
    axes.set_yticks([level + 0.5 for level in range(LEVELS)], [f"H{level + 1}" for level in range(LEVELS)])
    axes.set_xticks([layer + 0.5 for layer in range(len(operators))], operators, rotation=45, ha="right",
                    rotation_mode="anchor", fontsize=7)
    axes.tick_params(length=0, pad=2)
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.set_title(run.name, pad=4, fontsize=9)
    return mismatches


def place_panel(figure, row, left, layers):
    top = TOP + row * ROW_HEIGHT
    size = (layers * CELL_WIDTH, LEVELS * CELL_HEIGHT)
    return figure.add_axes((left / WIDTH, 1 - (top + size[1]) / HEIGHT, size[0] / WIDTH, size[1] / HEIGHT))


def draw_panels(figure, runs, printed):
    mismatches = 0
    for row, networks in enumerate(ROWS):
        left = LEFT
        for network in networks:
            run = runs.sixteen(network, "hypar")
            layers = len(run.splits)
            mismatches += draw_network(place_panel(figure, row, left, layers), run, printed)
            left += layers * CELL_WIDTH + GAP
    return mismatches


def draw(runs):
    figure = plt.figure(figsize=(WIDTH, HEIGHT))
    mismatches = draw_panels(figure, runs, kit.published(5))
    verdict = f"{mismatches} cells are not as published." if mismatches else "Every cell is as published."
    figure.text(LEFT / WIDTH, 1 - 0.2 / HEIGHT, "Parallelism of each layer at each level", weight="bold", fontsize=11,
                va="center")
    handles = [kit.swatch(COLOURS["0"], "data parallelism (dp)"),
               kit.swatch(COLOURS["1"], "model parallelism (mp)"),
               patches.Patch(fill=False, edgecolor=kit.VERMILION, linewidth=1.8, label="published otherwise")]
    figure.legend(handles=handles, title=f"16 accelerators: H1 splits the whole array.\n{verdict}",
                  alignment="left", loc="lower right", bbox_to_anchor=(1, 0.075), title_fontsize=9, labelspacing=0.7)
    kit.footnote(figure, "Planner hypar", runs)
    return figure


if __name__ == "__main__":
    kit.main(__doc__, draw)
