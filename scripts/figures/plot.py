#!/usr/bin/python3
"""Figures from the table of any sweep (tessera sweep collect): what is asked for is said in columns of the table.

    plot.py lines  links.csv --x arch.accelerators --y time_s --by planner,workload -o times.pdf
    plot.py bars   links.csv --x workload --y time_s --by planner --relative-to dp -o speedups.pdf
    plot.py stacks links.csv --x workload --y energy --by planner --relative-to dp -o energy.pdf
    plot.py pareto links.csv --x time_s --y energy_j --by arch.accelerators -o front.png
    plot.py map    links.csv --x arch.accelerators --y workload.batch --z time_s -o map.png
    plot.py predicted links.csv --by workload -o predicted.png
    plot.py roofline run.h5 -o roofline.png

A roofline is of a run file (tessera simulate -o), its marks as large as the time that an operator takes in a phase. The parts of a
stack are columns (--y compute_s,idle_s), or energy or time: all of them. Only points that are done are drawn, and the footer says how
many are not. Numbers keep their unit: "2 Gb/s" stands at 2e9. --width 1 is a column of a paper, 2 its page.
"""

import argparse
import itertools
import math
import sys
import textwrap

import numpy as np
from matplotlib import colors, pyplot as plt, ticker

import figure_kit as kit
import ranking
from plot_axes import COLOURS, INCHES, LETTERS, LINES, group_axis, log_ticks, new_axes, scale, spans, style
from plot_bars import draw_bars, draw_stacks
from roofline import RunFile, draw_roofline
from study_table import StudyTable, short_names
from tessera import number  # that of this checkout, which the kit found


def draw_lines(study, options):
    figure, axes = new_axes(options)
    all_x, all_y = [], []
    for index, (label, rows) in enumerate(study.series(options.by)):
        points = sorted(zip(study.values(rows, options.x), study.values(rows, options.y)))
        doubles = [x for (x, _), (after, _) in itertools.pairwise(points) if x == after]
        if doubles:
            raise kit.FigureError(f"{study.path}: {label or 'a line'} has several points at {options.x} {doubles[0]:g}; "
                                  "name what tells them apart with --by")
        xs, ys = zip(*points)
        axes.plot(xs, ys, LINES[index // len(COLOURS) % len(LINES)], label=label, markersize=4, **style(index))
        all_x += xs
        all_y += ys
    scale(axes, study, options, all_x, all_y)
    return figure, axes


def front_of(points):
    """The points that no other is below in both coordinates, from left to right."""
    front = []
    for x, y in sorted(points):
        if not front or y < front[-1][1]:
            front.append((x, y))
    return front


def draw_pareto(study, options):
    """Both axes are costs: less is better."""
    figure, axes = new_axes(options)
    every = []
    for index, (label, rows) in enumerate(study.series(options.by)):
        points = list(zip(study.values(rows, options.x), study.values(rows, options.y)))
        axes.scatter(*zip(*points), s=18, label=label, alpha=0.85, zorder=3, linewidths=0, **style(index))
        every += points
    front = front_of(every)
    axes.scatter(*zip(*front), s=64, facecolors="none", edgecolors=kit.INK, linewidths=1, zorder=4)
    axes.step(*zip(*front), where="post", color=kit.INK, linewidth=1.2, zorder=2,
              label=f"Pareto front, {len(front)} {'point' if len(front) == 1 else 'points'}")
    scale(axes, study, options, *zip(*every))
    return figure, axes


def in_order(study, column):
    """What a column has: numbers rising, texts in the order of the table."""
    texts = list(dict.fromkeys(row[column] for row in study.rows))
    return texts if None in map(number, texts) else sorted(texts, key=number)


def draw_map(study, options):
    figure, axes = new_axes(options)
    columns, lines = in_order(study, options.x), in_order(study, options.y)
    grid = np.full((len(lines), len(columns)), math.nan)
    for row, value in zip(study.rows, study.values(study.rows, options.z)):
        index = lines.index(row[options.y]), columns.index(row[options.x])
        if not math.isnan(grid[index]):
            raise kit.FigureError(f"{study.path}: several points have {options.x} {row[options.x]} and {options.y} {row[options.y]}; "
                                  "sweep over these two only")
        grid[index] = value
    known = grid[~np.isnan(grid)]
    image = axes.imshow(grid, origin="lower", cmap="cividis", aspect="auto", norm=colors.LogNorm() if spans(known) else None)
    group_axis(axes, columns, options.width)
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_yticks(range(len(lines)), short_names(lines))
    axes.grid(visible=False)
    format_value = ticker.EngFormatter(study.unit(options.z), places=1)
    if grid.size <= 20 * options.width:
        for (line, column), value in np.ndenumerate(grid):
            is_dark = not math.isnan(value) and image.norm(value) < 0.6
            text = "–" if math.isnan(value) else format_value(value)
            axes.text(column, line, text, ha="center", va="center", fontsize=6.5, color="white" if is_dark else kit.INK)
    bar = figure.colorbar(image, label=study.name(options.z), format=ticker.EngFormatter(study.unit(options.z)),
                          ticks=log_ticks(known) if spans(known) else None)
    bar.ax.minorticks_off()
    axes.set_xlabel(study.name(options.x))
    axes.set_ylabel(study.name(options.y))
    return figure, axes


def draw_predicted(study, options):
    """Each point's simulated time beside its predicted one; how well the prediction ranks the points of a series."""
    figure, axes = new_axes(options)
    options.x, options.y = "predicted_time_s", "time_s"
    every = []
    for index, (label, rows) in enumerate(study.series(options.by)):
        predicted, simulated = study.values(rows, options.x), study.values(rows, options.y)
        correlation = ranking.correlation(predicted, simulated)
        regret = simulated[predicted.index(min(predicted))] / min(simulated)
        text = "-" if correlation is None else f"{correlation:.2f}"
        axes.scatter(predicted, simulated, s=18, linewidths=0, zorder=3, **style(index),
                     label=f"{label}: rank correlation {text}, regret {regret:.3f}".lstrip(": "))
        every += zip(predicted, simulated)
    scale(axes, study, options, *zip(*every))
    axes.axline((1, 1), (2, 2), color=kit.GREY, linewidth=0.9, zorder=1)
    axes.set_ylabel("simulated time")
    return figure, axes


def draw_run(run, options):
    figure, axes = new_axes(options)
    draw_roofline(run, axes)
    return figure, axes


FOOTER_LETTERS = {1: 78, 2: 160}
KINDS = {"lines": (draw_lines, "xy"), "bars": (draw_bars, "xy"), "stacks": (draw_stacks, "x"), "pareto": (draw_pareto, "xy"),
         "map": (draw_map, "xyz"), "predicted": (draw_predicted, ""), "roofline": (draw_run, "")}


def add_legend(figure, axes, options):
    """Above the axes, in as many columns as there is room for; the figure grows by lines beyond the second."""
    _, labels = axes.get_legend_handles_labels()
    if not labels or labels == [""]:
        return
    title = ", ".join(options.by) if options.kind != "stacks" else ""
    are_dashed = options.kind == "lines" and len(labels) > len(COLOURS)  # some, which must be long enough to see
    columns = max(1, min(len(labels), LETTERS[options.width] // (max(map(len, labels)) + (9 if are_dashed else 6))))
    lines = math.ceil(len(labels) / columns) + bool(title)
    width, height = INCHES[options.width]
    figure.set_size_inches(width, height + 0.15 * max(0, lines - 2))
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1.01), fontsize=7, ncol=columns, title=title or None, title_fontsize=7,
                alignment="left", handlelength=3.6 if are_dashed else None)


def draw(options):
    study = (RunFile if options.kind == "roofline" else StudyTable)(options.table)
    function, needed = KINDS[options.kind]
    for name in needed:
        if getattr(options, name) is None:
            raise kit.FigureError(f"{options.kind} needs --{name} COLUMN")
        study.check(getattr(options, name))
    if options.kind == "stacks" and options.y is None:
        raise kit.FigureError("stacks needs --y energy, --y time or --y COLUMN,...")
    with plt.rc_context(kit.STYLE):
        figure, axes = function(study, options)
        if options.kind != "map":
            add_legend(figure, axes, options)
        axes.xaxis.label.set_fontsize(8)
        axes.yaxis.label.set_fontsize(8)
        footer = textwrap.wrap(study.footer(), FOOTER_LETTERS[options.width])
        band = (0.06 + 0.1 * len(footer)) / figure.get_size_inches()[1]
        figure.get_layout_engine().set(rect=(0, band, 1, 1 - band))
        figure.text(0.995, 0.006, "\n".join(footer), ha="right", va="bottom", fontsize=5.5, color="#777777")
        kit.save(figure, options.output)
        plt.close(figure)


def main(words=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("table", metavar="TABLE.csv", help="or RUN.h5, of a roofline")
    parser.add_argument("--x", metavar="COLUMN")
    parser.add_argument("--y", metavar="COLUMN", help="of stacks: energy, time, or columns with commas between them")
    parser.add_argument("--z", metavar="COLUMN", help="the colour of a map")
    parser.add_argument("--by", metavar="COLUMN,...", default=[], type=lambda text: text.split(","), help="a series for each value")
    parser.add_argument("--relative-to", metavar="SERIES", type=lambda text: ", ".join(map(str.strip, text.split(","))), help="of bars: how many times better than this series; of stacks: its share")
    parser.add_argument("--width", type=int, choices=INCHES, default=2)
    parser.add_argument("-o", "--output", required=True, metavar="FIG", help="png, pdf or svg")
    options = parser.parse_args(words)
    try:
        draw(options)
    except kit.FigureError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
