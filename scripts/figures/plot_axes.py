"""Axes of figures from sweeps: sizes, marks that differ without colour, scales, ticks and their units."""

import math

import numpy as np
from matplotlib import pyplot as plt, ticker

import figure_kit as kit
from study_table import short_names

COLOURS = (kit.BLUE, kit.VERMILION, kit.GREEN, kit.ORANGE, "#CC79A7", kit.SKY, kit.INK, kit.GREY)
MARKERS = "osD^vPX*"  # told apart without colour, too
LINES = ("-", "--", "-.", ":")
HATCHES = ("", "//", "..", "xx", "\\\\", "++", "oo", "--")
INCHES = {1: (3.5, 2.8), 2: (7.2, 3.7)}
LETTERS = {1: 58, 2: 120}  # of a legend's line
WIDE = 20  # a range over so large a factor is drawn on a logarithmic axis


def in_round(choices, index):
    """The next one for each, and one further after each round, so that no two of 64 have the same of each of two lists."""
    return choices[(index + index // len(COLOURS)) % len(choices)]


def style(index):
    return {"color": COLOURS[index % len(COLOURS)], "marker": in_round(MARKERS, index)}


def bar_style(index):
    return {"color": COLOURS[index % len(COLOURS)], "hatch": in_round(HATCHES, index), "edgecolor": "white", "linewidth": 0}


def new_axes(options):
    figure, axes = plt.subplots(figsize=INCHES[options.width], layout="constrained")
    axes.grid()
    return figure, axes


def spans(values):
    return min(values) > 0 and max(values) / min(values) > WIDE


def log_ticks(values):
    """1, 2, 5, 10, ... where powers of ten would be few."""
    return ticker.LogLocator(subs=(1, 2, 5) if max(values) / min(values) < 200 else (1,))


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
    if name == "y" and spans(values) and not are_powers:
        axis.set_major_locator(log_ticks(values))
        axis.set_minor_formatter(ticker.NullFormatter())
    plain = ticker.FuncFormatter(lambda value, _: f"{value:g}")
    axis.set_major_formatter(ticker.EngFormatter(unit) if unit else plain if are_powers or not spans(values) else axis.get_major_formatter())
    axes.tick_params(axis=name, which="major", length=3)


def scale(axes, study, options, xs, ys):
    scale_axis(axes, "x", xs, study.unit(options.x))
    scale_axis(axes, "y", ys, study.unit(options.y))
    axes.set_xlabel(study.name(options.x))
    axes.set_ylabel(study.name(options.y))


def group_axis(axes, groups, width):
    groups = short_names(groups)
    is_long = sum(len(group) + 2 for group in groups) > LETTERS[width]
    axes.set_xticks(range(len(groups)), groups, rotation=30 if is_long else 0, ha="right" if is_long else "center",
                    rotation_mode="anchor" if is_long else "default")
    axes.set_xlim(-0.6, len(groups) - 0.4)
    axes.grid(axis="x", visible=False)
