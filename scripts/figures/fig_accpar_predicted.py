#!/usr/bin/python3
"""Predicted against simulated time of every planner's plan, and how far the prediction ranks plans as simulation does."""

import numpy as np
from matplotlib import pyplot as plt
from matplotlib import ticker

import figure_kit as kit

PLANNERS = ("dp", "owt", "hypar", "accpar", "soybean", "optcnn")
ARRAYS = ("hmc-htree-16", "tpu-v3-128")


def ranks(values):
    """1 for the smallest; equal values share the mean of their ranks."""
    values = np.asarray(values)
    return np.array([np.mean(np.flatnonzero(np.sort(values) == value)) + 1 for value in values])


def rank_correlation(first, second):
    """Spearman's: the correlation of the ranks; 1 where all of them are equal on both sides."""
    first, second = ranks(first), ranks(second)
    if np.ptp(first) == 0 or np.ptp(second) == 0:
        return 1.0 if np.ptp(first) == np.ptp(second) else 0.0
    return float(np.corrcoef(first, second)[0, 1])


def of_networks(runs):
    """Rank correlation over the planners of each network."""
    by_network = {}
    for run in runs:
        by_network.setdefault(run.network, []).append(run)
    return {network: rank_correlation([run.predicted_time_s for run in group], [run.time_s for run in group])
            for network, group in by_network.items()}


def draw_array(axes, runs, array):
    selected = [run for planner in PLANNERS for run in runs.select(array=array, planner=planner)]
    if not selected:
        raise kit.FigureError(f"no run has array {array}; scripts/figures/accpar_runs.py makes the runs")
    for planner in PLANNERS:
        points = [run for run in selected if run.planner == planner]
        axes.scatter([run.predicted_time_s for run in points], [run.time_s for run in points], s=18,
                     color=kit.COLOURS[planner], label=kit.PLANNERS[planner], alpha=0.8, linewidths=0, zorder=3)
    ends = [min(run.predicted_time_s for run in selected) / 1.5, max(run.time_s for run in selected) * 1.5]
    axes.plot(ends, ends, color="#888888", linewidth=0.8, zorder=1)
    for axis, scale in ((axes.xaxis, axes.set_xscale), (axes.yaxis, axes.set_yscale)):
        scale("log")
        axis.set_major_formatter(ticker.EngFormatter(unit="s"))
    axes.grid()
    axes.set_xlabel("Predicted step")
    axes.set_ylabel("Simulated step")
    correlations = of_networks(selected)
    worst = min(correlations, key=correlations.get)
    mean = np.mean(list(correlations.values()))
    axes.set_title(f"{array}: rank correlation {mean:.2f}\n(mean of {len(correlations)} networks; "
                   f"least {correlations[worst]:.2f}, {kit.group_names([worst])[0]})")


def draw(runs):
    figure, panels = plt.subplots(1, 2, figsize=(9.6, 4.6), constrained_layout={"rect": (0, 0.03, 1, 0.97)})
    for axes, array in zip(panels, ARRAYS):
        draw_array(axes, runs, array)
    panels[0].legend(loc="upper left")
    kit.footnote(figure, "Spearman's, over the planners of each network", runs)
    return figure


if __name__ == "__main__":
    kit.main(__doc__, draw)
