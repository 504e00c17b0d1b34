#!/usr/bin/python3
"""Figures from the table of any sweep (tessera sweep collect): what is asked for is said in columns of the table.

    plot.py lines  links.csv --x arch.accelerators --y time_s --by planner,workload -o times.pdf
    plot.py bars   links.csv --x workload --y time_s --by planner --relative-to dp -o speedups.pdf
    plot.py pareto links.csv --x time_s --y energy_j --by arch.accelerators -o front.png
    plot.py map    links.csv --x arch.accelerators --y workload.batch --z time_s -o map.png
    plot.py predicted links.csv --by workload -o predicted.png

Only points that are done are drawn, and the footer says how many are not. Numbers keep their unit: "2 Gb/s" stands at 2e9.
--width 1 is a column of a paper, 2 its page.
"""

import argparse
import csv
import itertools
import math
import os
import re
import sys

import numpy as np
from matplotlib import colors, pyplot as plt, ticker

import figure_kit as kit
import ranking
from tessera import number  # that of this checkout, which the kit found

COLOURS = (kit.BLUE, kit.VERMILION, kit.GREEN, kit.ORANGE, "#CC79A7", kit.SKY, kit.INK, kit.GREY)
MARKERS = "osD^vPX*"  # told apart without colour, too
LINES = ("-", "--", "-.", ":")
INCHES = {1: (3.5, 2.8), 2: (7.2, 4.0)}


class Study:
    """The rows of a table that are done."""

    def __init__(self, path):
        try:
            with open(path, encoding="utf-8", newline="") as file:
                rows = list(csv.DictReader(file))
        except (OSError, UnicodeDecodeError, csv.Error) as error:
            raise kit.FigureError(f"{path}: {error}") from error
        if not rows or "state" not in rows[0]:
            raise kit.FigureError(f"{path}: no table of a sweep (tessera sweep collect writes one)")
        self.path = path
        self.rows = [row for row in rows if row["state"] == "done"]
        self.others = len(rows) - len(self.rows)
        if not self.rows:
            raise kit.FigureError(f"{path}: no point is done")

    def check(self, column):
        if column not in self.rows[0]:
            raise kit.FigureError(f"{self.path}: no column '{column}'; there are: {', '.join(self.rows[0])}")

    def series(self, columns):
        """The rows by what they have in `columns`, in the order of the table: (label, rows)."""
        for column in columns:
            self.check(column)
        groups = {}
        for row in self.rows:
            groups.setdefault(tuple(row[column] for column in columns), []).append(row)
        return [(", ".join(key), rows) for key, rows in groups.items()]

    def footer(self):
        programs = ", ".join(sorted({re.sub(r"\((.*)\)", lambda commit: f"({kit.short_commit(commit[1])})", row["program"])
                                     for row in self.rows}))
        left = f"; {self.others} of {self.others + len(self.rows)} points are not done" if self.others else ""
        return f"{len(self.rows)} points of {os.path.basename(self.path)}, simulated by Tessera {programs}{left}."


def numbers(study, rows, column):
    study.check(column)
    values = [number(row[column]) for row in rows]
    if None in values:
        raise kit.FigureError(f"{study.path}: '{rows[values.index(None)][column]}' of column {column} is no number")
    return values


def style(index):
    return {"color": COLOURS[index % len(COLOURS)], "marker": MARKERS[index % len(MARKERS)]}


def new_axes(options):
    figure, axes = plt.subplots(figsize=INCHES[options.width], constrained_layout={"rect": (0, 0.045, 1, 0.955)})
    axes.grid()
    return figure, axes


def scales(axes, xs, ys):
    """Logarithmic where positive values span more than a factor of 20."""
    are_powers = min(xs) >= 1 and all(math.log2(x) == int(math.log2(x)) for x in xs)
    if min(xs) > 0 and max(xs) / min(xs) > 20:
        axes.set_xscale("log", base=2 if are_powers else 10)
        if are_powers:
            axes.xaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))
    if min(ys) > 0 and max(ys) / min(ys) > 20:
        axes.set_yscale("log")


def draw_lines(study, options):
    figure, axes = new_axes(options)
    all_x, all_y = [], []
    for index, (label, rows) in enumerate(study.series(options.by)):
        points = sorted(zip(numbers(study, rows, options.x), numbers(study, rows, options.y)))
        doubles = [x for (x, _), (after, _) in itertools.pairwise(points) if x == after]
        if doubles:
            raise kit.FigureError(f"{study.path}: {label or 'a line'} has several points at {options.x} {doubles[0]:g}; "
                                  "name what tells them apart with --by")
        xs, ys = zip(*points)
        axes.plot(xs, ys, LINES[index // len(COLOURS) % len(LINES)], label=label, markersize=4, **style(index))
        all_x += xs
        all_y += ys
    scales(axes, all_x, all_y)
    return figure, axes


def draw_bars(study, options):
    """A group for each x, and of ratios their geometric mean."""
    figure, axes = new_axes(options)
    groups = list(dict.fromkeys(row[options.x] for row in study.rows))
    series = study.series(options.by)
    values = {}
    for label, rows in series:
        for row, value in zip(rows, numbers(study, rows, options.y)):
            if (label, row[options.x]) in values:
                raise kit.FigureError(f"{study.path}: several points are {label} of {row[options.x]}; "
                                      "name what tells them apart with --by")
            values[label, row[options.x]] = value
    if options.relative_to:
        values, groups = relative(study, options, values, groups, [label for label, _ in series])
    for index, (label, _) in enumerate(series):
        places, width, _ = kit.series_places(len(groups), index, len(series))
        axes.bar(places, [values.get((label, group), math.nan) for group in groups], width, label=label,
                 color=COLOURS[index % len(COLOURS)], hatch=("", "//", "..", "xx")[index % 4], edgecolor="white", linewidth=0)
    axes.set_xticks(range(len(groups)), groups, rotation=30 if len(groups) > 4 else 0, ha="right" if len(groups) > 4 else "center")
    axes.grid(axis="x", visible=False)
    return figure, axes


def relative(study, options, values, groups, labels):
    """How many times better than one of the series, the smaller value being better."""
    if options.relative_to not in labels:
        raise kit.FigureError(f"{study.path}: no series '{options.relative_to}'; there are: {', '.join(labels)}")
    whole = [group for group in groups if all((label, group) in values for label in labels)]
    ratios = {(label, group): values[options.relative_to, group] / values[label, group] for label in labels for group in whole}
    for label in labels:
        ratios[label, kit.GMEAN] = kit.geometric_mean([ratios[label, group] for group in whole])
    return ratios, [*whole, kit.GMEAN]


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
        points = list(zip(numbers(study, rows, options.x), numbers(study, rows, options.y)))
        axes.scatter(*zip(*points), s=18, label=label, alpha=0.85, zorder=3, linewidths=0, **style(index))
        every += points
    front = front_of(every)
    axes.step(*zip(*front), where="post", color=kit.INK, linewidth=1.2, zorder=2, label=f"Pareto front, {len(front)} points")
    scales(axes, *zip(*every))
    return figure, axes


def draw_map(study, options):
    figure, axes = new_axes(options)
    columns = sorted({row[options.x] for row in study.rows}, key=lambda text: (number(text) is None, number(text), text))
    lines = sorted({row[options.y] for row in study.rows}, key=lambda text: (number(text) is None, number(text), text))
    grid = np.full((len(lines), len(columns)), math.nan)
    for row, value in zip(study.rows, numbers(study, study.rows, options.z)):
        index = lines.index(row[options.y]), columns.index(row[options.x])
        if not math.isnan(grid[index]):
            raise kit.FigureError(f"{study.path}: several points have {options.x} {row[options.x]} and {options.y} {row[options.y]}; "
                                  "sweep over these two only")
        grid[index] = value
    known = grid[~np.isnan(grid)]
    is_wide = known.min() > 0 and known.max() / known.min() > 20
    image = axes.imshow(grid, origin="lower", cmap="cividis", aspect="auto", norm=colors.LogNorm() if is_wide else None)
    axes.set_xticks(range(len(columns)), columns, rotation=30, ha="right")
    axes.set_yticks(range(len(lines)), lines)
    axes.grid(visible=False)
    figure.colorbar(image, label=options.z)
    return figure, axes


def draw_predicted(study, options):
    """Each point's simulated time beside its predicted one; how well the prediction ranks the points of a series."""
    figure, axes = new_axes(options)
    every = []
    for index, (label, rows) in enumerate(study.series(options.by)):
        predicted, simulated = numbers(study, rows, "predicted_time_s"), numbers(study, rows, "time_s")
        correlation = ranking.correlation(predicted, simulated)
        regret = simulated[predicted.index(min(predicted))] / min(simulated)
        text = "-" if correlation is None else f"{correlation:.2f}"
        axes.scatter(predicted, simulated, s=18, linewidths=0, zorder=3, **style(index),
                     label=f"{label}: rank correlation {text}, regret {regret:.3f}".lstrip(": "))
        every += zip(predicted, simulated)
    scales(axes, *zip(*every))
    axes.axline((1, 1), (2, 2), color=kit.GREY, linewidth=0.9, zorder=1)
    options.x, options.y = "predicted_time_s", "time_s"
    return figure, axes


KINDS = {"lines": (draw_lines, "xy"), "bars": (draw_bars, "xy"), "pareto": (draw_pareto, "xy"), "map": (draw_map, "xyz"),
         "predicted": (draw_predicted, "")}


def columns_of(axes, width):
    """Of a legend over axes `width` columns wide."""
    longest = max(len(label) for label in axes.get_legend_handles_labels()[1])
    return max(1, 40 * width // (longest + 8))


def draw(options):
    study = Study(options.table)
    function, needed = KINDS[options.kind]
    for name in needed:
        if getattr(options, name) is None:
            raise kit.FigureError(f"{options.kind} needs --{name} COLUMN")
        study.check(getattr(options, name))
    with plt.rc_context(kit.STYLE):
        figure, axes = function(study, options)
        axes.set_xlabel(options.x)
        ratio = options.kind == "bars" and options.relative_to
        axes.set_ylabel(f"{options.y}: times better than {options.relative_to}" if ratio else options.y)
        if options.kind != "map" and (options.by or options.kind == "pareto"):
            axes.legend(loc="lower left", bbox_to_anchor=(0, 1.01), fontsize=7, ncol=columns_of(axes, options.width))
        figure.text(0.995, 0.006, study.footer(), ha="right", va="bottom", fontsize=5.5, color="#777777")
        kit.save(figure, options.output)
        plt.close(figure)


def main(words=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("table", metavar="TABLE.csv")
    parser.add_argument("--x", metavar="COLUMN")
    parser.add_argument("--y", metavar="COLUMN")
    parser.add_argument("--z", metavar="COLUMN", help="the colour of a map")
    parser.add_argument("--by", metavar="COLUMN,...", default=[], type=lambda text: text.split(","), help="a series for each value")
    parser.add_argument("--relative-to", metavar="SERIES", help="of bars: how many times better than this series")
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
