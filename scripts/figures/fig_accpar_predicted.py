#!/usr/bin/python3
"""Predicted against simulated time of every planner's plan, how far the prediction ranks plans as simulation does, and what is lost
where it does not."""

import numpy as np
from matplotlib import pyplot as plt
from matplotlib import ticker

import figure_kit as kit
import ranking
from plot_axes import MARKERS

PLANNERS = ("dp", "owt", "hypar", "accpar", "soybean", "optcnn")
ARRAYS = ("hmc-htree-16", "tpu-v3-128")


def rank_correlation(first, second):
    """Spearman's. None where no value differs from another on either side, 0 where none does on one of them."""
    if len(set(first)) == 1 and len(set(second)) == 1:
        return None
    return ranking.correlation(first, second) or 0.0


def by_network(runs):
    groups = {}
    for run in runs:
        groups.setdefault(run.network, []).append(run)
    return groups


def correlations(runs):
    """Rank correlation over the planners of each network; None where all of its plans are alike."""
    return {network: rank_correlation([run.predicted_time_s for run in group], [run.time_s for run in group])
            for network, group in by_network(runs).items()}


def regrets(runs):
    """What it costs to trust the prediction: the simulated time of the plan that is predicted to be the fastest (of equals,
    the slowest) over that of the plan that is."""
    def regret(group):
        best = min(run.predicted_time_s for run in group)
        return max(run.time_s for run in group if run.predicted_time_s == best) / min(run.time_s for run in group)

    return {network: regret(group) for network, group in by_network(runs).items()}


def count_of(networks):
    return f"{len(networks)} network{'s' if len(networks) != 1 else ''}"


def judgements(runs):
    """What the points say, in lines of text."""
    known = {network: value for network, value in correlations(runs).items() if value is not None}
    alike = sorted(set(by_network(runs)) - set(known))
    if known:
        least = min(known, key=known.get)
        yield f"rank correlation over {count_of(known)}:"
        yield f"   mean {np.mean(list(known.values())):.2f}, least {known[least]:.2f} ({least})"
    if alike:
        yield f"   not ranked, since all plans are alike: {', '.join(alike)}"
    lost = regrets(runs)
    most = max(lost, key=lost.get)
    yield f"predicted best over simulated best, {count_of(lost)}:"
    yield f"   mean {kit.geometric_mean(list(lost.values())):.3f}, most {lost[most]:.3f} ({most})"


def draw_array(axes, runs, array):
    selected = [run for planner in PLANNERS for run in runs.select(array=array, planner=planner)]
    if not selected:
        raise kit.FigureError(f"no run has array {array}; scripts/figures/accpar_runs.py makes the runs")
    for planner, marker in zip(PLANNERS, MARKERS):
        points = [run for run in selected if run.planner == planner]
        axes.scatter([run.predicted_time_s for run in points], [run.time_s for run in points], s=18, marker=marker,
                     color=kit.COLOURS[planner], label=kit.PLANNERS[planner], alpha=0.8, linewidths=0, zorder=3)
    ends = [min(run.predicted_time_s for run in selected) / 1.5, max(run.time_s for run in selected) * 1.5]
    axes.plot(ends, ends, color="#888888", linewidth=0.8, zorder=1)
    for axis, scale in ((axes.xaxis, axes.set_xscale), (axes.yaxis, axes.set_yscale)):
        scale("log")
        axis.set_major_formatter(ticker.EngFormatter(unit="s"))
    axes.grid()
    axes.set_xlabel("Predicted step")
    axes.set_ylabel("Simulated step")
    axes.set_title(array, pad=62)
    text = axes.annotate("\n".join(judgements(selected)), (0, 1), xytext=(0, 58), xycoords="axes fraction",
                         textcoords="offset points", va="top", fontsize=7.5)
    text.set_in_layout(False)  # wider than its panel


def draw(runs):
    figure, panels = plt.subplots(1, 2, figsize=(9.6, 5.2), constrained_layout={"rect": (0, 0.03, 1, 0.97)})
    for axes, array in zip(panels, ARRAYS):
        draw_array(axes, runs, array)
    panels[0].legend(loc="upper left")
    kit.footnote(figure, "Spearman's rank correlation, over the planners of each network", runs)
    return figure


if __name__ == "__main__":
    kit.main(__doc__, draw)
