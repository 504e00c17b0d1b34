#!/usr/bin/python3
"""AccPar: the types that it selects for AlexNet, layer by layer and level by level."""

from matplotlib import patches

import figure_kit as kit

NETWORK, ARRAY = "accpar-released/alexnet", "accpar-released"
TYPES = {"n": "I", "c": "II", "k": "III"}
COLOURS = {"I": "#D9DEE3", "II": kit.BLUE, "III": kit.VERMILION}


def draw_cell(axes, layer, level, chosen, printed):
    axes.add_patch(patches.Rectangle((layer, level), 1, 1, facecolor=COLOURS.get(chosen, kit.ORANGE),
                                     edgecolor="white", linewidth=1.5))
    axes.text(layer + 0.5, level + 0.5, chosen, ha="center", va="center", fontsize=8,
              color="#555555" if chosen == "I" else "white")
    if chosen != printed:
        axes.add_patch(patches.Rectangle((layer + 0.05, level + 0.05), 0.9, 0.9, fill=False, linewidth=2,
                                         edgecolor=kit.INK, zorder=3))


def draw_cells(axes, run, printed):
    """Returns how many cells differ from the published ones."""
    mismatches = 0
    for level in range(run.accelerators.bit_length() - 1):
        row = printed[(NETWORK, "accpar", f"H{level + 1}")].split()
        if len(row) != len(run.splits):
            raise kit.FigureError(f"{run.path}: {len(run.splits)} layers (AlexNet has {len(row)})")
        for layer, splits in enumerate(run.splits.values()):
            chosen = TYPES.get(splits[level], splits[level])
            draw_cell(axes, layer, level, chosen, row[layer])
            mismatches += chosen != row[layer]
    return mismatches


def draw(runs):
    run = runs.one(network=NETWORK, planner="accpar", array=ARRAY, accelerators=128)
    figure, axes = kit.wide_figure()
    mismatches = draw_cells(axes, run, kit.published("types", "accpar"))
    layers, levels = len(run.splits), run.accelerators.bit_length() - 1
    axes.set_xlim(0, layers)
    axes.set_ylim(levels, 0)
    axes.set_xticks([layer + 0.5 for layer in range(layers)], list(run.splits))
    axes.set_yticks([level + 0.5 for level in range(levels)], [f"H{level + 1}" for level in range(levels)])
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    verdict = f"{mismatches} cells are not as published" if mismatches else "every cell is as published"
    axes.set_title(f"AlexNet: types that AccPar selects; {verdict}")
    kit.footnote(figure, "Published: the plan of the authors' released solver", runs)
    return figure


if __name__ == "__main__":
    kit.main(__doc__, draw)
