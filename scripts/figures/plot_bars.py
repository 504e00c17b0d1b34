"""Bars side by side and on top of each other, in groups."""

import math

import numpy as np

import figure_kit as kit
from plot_axes import bar_style, group_axis, new_axes, scale_axis, spans

STACKS = {"time": ("compute_s", "exposed_communication_s", "memory_stall_s", "idle_s")}


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
    axes.use_sticky_edges = False  # bars begin where others end; the names above them need room
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
