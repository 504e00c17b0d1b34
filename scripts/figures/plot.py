#!/usr/bin/python3
"""Figures from the table of any sweep (tessera sweep collect): what is asked for is said in columns of the table.

    plot.py lines  links.csv --x arch.accelerators --y time_s --by planner,workload -o times.pdf
    plot.py bars   links.csv --x workload --y time_s --by planner --relative-to dp -o speedups.pdf
    plot.py stacks links.csv --x workload --y energy --by planner --relative-to dp -o energy.pdf
    plot.py pareto links.csv --x time_s --y energy_j --by arch.accelerators -o front.png
    plot.py map    links.csv --x arch.accelerators --y workload.batch --z time_s -o map.png
    plot.py predicted links.csv --by workload -o predicted.png

The parts of a stack are columns (--y compute_s,idle_s), or energy or time: all of them. Only points that are done are drawn, and the
footer says how many are not. Numbers keep their unit: "2 Gb/s" stands at 2e9. --width 1 is a column of a paper, 2 its page.
"""

import argparse
import itertools
import math
import sys

import numpy as np
from matplotlib import colors, pyplot as plt, ticker

import figure_kit as kit
import ranking
from study_table import StudyTable, short_names
from tessera import number  # that of this checkout, which the kit found

COLOURS = (kit.BLUE, kit.VERMILION, kit.GREEN, kit.ORANGE, "#CC79A7", kit.SKY, kit.INK, kit.GREY)
MARKERS = "osD^vPX*"  # told apart without colour, too
LINES = ("-", "--", "-.", ":")
HATCHES = ("", "//", "..", "xx", "\\\\", "++", "oo", "--")
INCHES = {1: (3.5, 2.8), 2: (7.2, 3.7)}
LETTERS = {1: 58, 2: 120}  # of a legend's line
WIDE = 20  # a range over so large a factor is drawn on a logarithmic axis
STACKS = {"time": ("compute_s", "exposed_communication_s", "memory_stall_s", "idle_s")}


def style(index):
    return {"color": COLOURS[index % len(COLOURS)], "marker": MARKERS[index % len(MARKERS)]}


def bar_style(index):
    return {"color": COLOURS[index % len(COLOURS)], "hatch": HATCHES[index % len(HATCHES)], "edgecolor": "white", "linewidth": 0}


def new_axes(options):
    figure, axes = plt.subplots(figsize=INCHES[options.width], layout="constrained")
    axes.grid()
    return figure, axes


def spans(values):
    return min(values) > 0 and max(values) / min(values) > WIDE


def scale_axis(axes, name, values, unit):
    """Logarithmic over a large factor; ticks where the values are if these are few; prefixes where there is a unit."""
    axis, set_scale = getattr(axes, f"{name}axis"), getattr(axes, f"set_{name}scale")
    few = sorted(set(values)) if len(set(values)) <= 9 else []
    are_powers = min(values) >= 1 and all(math.log2(value).is_integer() for value in values)
    if spans(values):
        set_scale("log", base=2 if are_powers else 10)
    is_even = are_powers if spans(values) else len(set(np.diff(few))) == 1
    if name == "x" and few and is_even and spans(values) == are_powers:
        axis.set_major_locator(ticker.FixedLocator(few))
        axis.set_minor_locator(ticker.NullLocator())
    plain = ticker.FuncFormatter(lambda value, _: f"{value:g}")
    axis.set_major_formatter(ticker.EngFormatter(unit) if unit else plain if are_powers or not spans(values) else axis.get_major_formatter())
    axes.tick_params(axis=name, which="major", length=3)


def scale(axes, study, options, xs, ys):
    scale_axis(axes, "x", xs, study.unit(options.x))
    scale_axis(axes, "y", ys, study.unit(options.y))
    axes.set_xlabel(study.name(options.x))
    axes.set_ylabel(study.name(options.y))


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


def grouped(study, options, column):
    """What each series has in each group of x: (series, group) -> value; the series and the groups in the order of the table."""
    groups = list(dict.fromkeys(row[options.x] for row in study.rows))
    series = study.series(options.by)
    values = {}
    for label, rows in series:
        for row, value in zip(rows, study.values(rows, column)):
            if (label, row[options.x]) in values:
                raise kit.FigureError(f"{study.path}: several points are {label} of {row[options.x]}; "
                                      "name what tells them apart with --by")
            values[label, row[options.x]] = value
    return values, groups, [label for label, _ in series]


def group_axis(axes, groups, width):
    groups = short_names(groups)
    is_long = sum(len(group) + 2 for group in groups) > LETTERS[width]
    axes.set_xticks(range(len(groups)), groups, rotation=30 if is_long else 0, ha="right" if is_long else "center",
                    rotation_mode="anchor" if is_long else "default")
    axes.set_xlim(-0.6, len(groups) - 0.4)
    axes.grid(axis="x", visible=False)


def draw_bars(study, options):
    """A group for each x, and of ratios their geometric mean."""
    figure, axes = new_axes(options)
    values, groups, labels = grouped(study, options, options.y)
    if options.relative_to:
        values, groups = relative(study, options, values, groups, labels)
    is_wide = spans(list(values.values()))
    base = 1 if options.relative_to and is_wide else 0  # ratios grow from what they are relative to
    for index, label in enumerate(labels):
        places, width, _ = kit.series_places(len(groups), index, len(labels))
        axes.bar(places, [values.get((label, group), math.nan) - base for group in groups], width, bottom=base, label=label,
                 **bar_style(index))
    if options.relative_to:
        if is_wide:
            kit.factors(axes)
        axes.axhline(1, color=kit.GREY, linewidth=0.9, zorder=1)
        axes.set_ylabel(f"{study.name(options.y)}: times better than {options.relative_to}")
        kit.separate_mean(axes, groups)
    else:
        scale_axis(axes, "y", list(values.values()), study.unit(options.y))
        axes.set_ylabel(study.name(options.y))
    group_axis(axes, groups, options.width)
    axes.set_xlabel(study.name(options.x))
    return figure, axes


def relative(study, options, values, groups, labels):
    """How many times better than one of the series, the smaller value being better."""
    check_series(study, options, labels)
    whole = [group for group in groups if all((label, group) in values for label in labels)]
    ratios = {(label, group): values[options.relative_to, group] / values[label, group] for label in labels for group in whole}
    for label in labels:
        ratios[label, kit.GMEAN] = kit.geometric_mean([ratios[label, group] for group in whole])
    return ratios, [*whole, kit.GMEAN]


def check_series(study, options, labels):
    if options.relative_to not in labels:
        raise kit.FigureError(f"{study.path}: no series '{options.relative_to}'; there are: {', '.join(labels)}")


def parts_of(study, choice):
    """The columns of a stack."""
    if choice == "energy":
        parts = [column for column in study.rows[0] if column.startswith("energy_") and column not in ("energy_j", "energy_efficiency")]
        parts = [part for part in parts if all(row[part] for row in study.rows)]
        if not parts:
            raise kit.FigureError(f"{study.path}: no columns of energy by component; collect the table again")
        return parts
    return list(STACKS.get(choice, choice.split(",")))


def draw_stacks(study, options):
    """A bar for each series of a group, its name above it, made of parts."""
    figure, axes = new_axes(options)
    parts = parts_of(study, options.y)
    tables = [grouped(study, options, part) for part in parts]
    _, groups, labels = tables[0]
    divisors = {group: 1 for group in groups}
    if options.relative_to:
        check_series(study, options, labels)
        groups = [group for group in groups if (options.relative_to, group) in tables[0][0]]
        divisors = {group: sum(values[options.relative_to, group] for values, _, _ in tables) for group in groups}
    for index, label in enumerate(labels):
        places, width, _ = kit.series_places(len(groups), index, len(labels))
        places = [place + 0.13 * width / 0.68 for place in places]  # nothing stands beside them
        tops = np.zeros(len(groups))
        for part, (values, _, _) in enumerate(tables):
            heights = np.array([values.get((label, group), math.nan) / divisors[group] for group in groups])
            axes.bar(places, heights, width, bottom=tops, label=study.name(parts[part].removeprefix("energy_")) if index == 0 else None, **bar_style(part))
            tops = tops + heights
        for place, top in zip(places, tops):
            if not math.isnan(top) and label:
                kit.label_bar(axes, place, top, label, kit.INK, rotation=90, fontsize=6)
    axes.margins(y=0.25)
    axes.set_ylim(bottom=0)
    units = {study.unit(part) for part in parts}
    if options.relative_to:
        axes.set_ylabel(f"{options.y if options.y in ('energy', 'time') else 'sum'} relative to {options.relative_to}")
    else:
        scale_axis(axes, "y", [0, 1], next(iter(units)) if len(units) == 1 else "")
        axes.set_ylabel(options.y if options.y in ("energy", "time") else "sum")
    group_axis(axes, groups, options.width)
    axes.set_xlabel(study.name(options.x))
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
    axes.step(*zip(*front), where="post", color=kit.INK, linewidth=1.2, zorder=2, label=f"Pareto front, {len(front)} points")
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
    figure.colorbar(image, label=study.name(options.z), format=ticker.EngFormatter(study.unit(options.z)))
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


KINDS = {"lines": (draw_lines, "xy"), "bars": (draw_bars, "xy"), "stacks": (draw_stacks, "x"), "pareto": (draw_pareto, "xy"),
         "map": (draw_map, "xyz"), "predicted": (draw_predicted, "")}


def add_legend(figure, axes, options):
    """Above the axes, in as many columns as there is room for; the figure grows by lines beyond the second."""
    _, labels = axes.get_legend_handles_labels()
    if not labels or labels == [""]:
        return
    title = ", ".join(options.by) if options.kind != "stacks" else ""
    columns = max(1, min(len(labels), LETTERS[options.width] // (max(map(len, labels)) + 6)))
    lines = math.ceil(len(labels) / columns) + bool(title)
    width, height = INCHES[options.width]
    figure.set_size_inches(width, height + 0.15 * max(0, lines - 2))
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1.01), fontsize=7, ncol=columns, title=title or None, title_fontsize=7,
                alignment="left")


def draw(options):
    study = StudyTable(options.table)
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
        band = 0.16 / figure.get_size_inches()[1]  # of the footer
        figure.get_layout_engine().set(rect=(0, band, 1, 1 - band))
        figure.text(0.995, 0.006, study.footer(), ha="right", va="bottom", fontsize=5.5, color="#777777")
        kit.save(figure, options.output)
        plt.close(figure)


def main(words=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("table", metavar="TABLE.csv")
    parser.add_argument("--x", metavar="COLUMN")
    parser.add_argument("--y", metavar="COLUMN", help="of stacks: energy, time, or columns with commas between them")
    parser.add_argument("--z", metavar="COLUMN", help="the colour of a map")
    parser.add_argument("--by", metavar="COLUMN,...", default=[], type=lambda text: text.split(","), help="a series for each value")
    parser.add_argument("--relative-to", metavar="SERIES", help="of bars: how many times better than this series; of stacks: its share")
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
