#!/usr/bin/python3
"""How well the two prices of a plan foretell its simulated step: FlexFlow's Fig. 11, with cycle-level simulation as what is measured.

    timeline_accuracy.py --tessera build/release/tessera --out DIR [--networks NAME,...] [--arrays NAME,...]

Twenty plans of each network on each array: planners', and strategies of FlexFlow's space, random ones and ones that a short search has
found. DIR/ARRAY.NETWORK.json keeps what `tessera compare --json` said, and is not made again; DIR/timeline_accuracy.png is the figure.
"""

import argparse
import json
import pathlib
import subprocess
import sys

import numpy as np

import figure_kit as kit
import ranking
from plot_axes import MARKERS
from matplotlib import pyplot as plt

NETWORKS = ("hypar/lenet-c", "hypar/alexnet", "inception-v3", "resnet-101", "rnnlm-unrolled", "nmt-unrolled")
ARRAYS = ("p100-16", "pipedream-a", "hypar-paper", "hmc-htree-16")
PLANNERS = "dp,mp,owt,hypar,accpar,optcnn,soybean,tp"
TIMES = ("--set", "planner.times=core")  # peak rates where there is no core
RANDOM = ("--set", "planner.initial=random", "--set", "planner.polish=off")
PLANS = 20
CLEAR = 0.05  # plans that simulate with less between them need not be told apart


def comparisons():
    """Command lines whose results are the twenty plans; the last one stands in for plans that an array cannot have."""
    yield ("-p", PLANNERS)
    yield ("-p", "flexflow", *RANDOM, "--set", "planner.proposals=1", "--set", "planner.seed=1,2,3,4,5,6")
    yield ("-p", "flexflow", *RANDOM, "--set", "planner.proposals=20,80,200", "--set", "planner.seed=1,2")
    yield ("-p", "flexflow", *RANDOM, "--set", "planner.proposals=1", "--set", "planner.seed=7,8,9,10")


def compared(program, array, network):
    results = []
    for arguments in comparisons():
        if len(results) >= PLANS:
            break
        command = [program, "compare", "-w", network, "-a", array, *TIMES, *arguments, "--json", "--quiet"]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        if not run.stdout:
            raise kit.FigureError(f"{' '.join(command)}: {run.stderr.strip()}")
        results += [result for result in json.loads(run.stdout)["results"] if "failure" not in result]
    return results[:PLANS]


def results_of(program, folder, array, network):
    path = folder / f"{array}.{network.replace('/', '-')}.json"
    if path.exists():
        print(f"{path} was there; without it {array} would be compared anew", file=sys.stderr)
    else:
        path.write_text(json.dumps(compared(program, array, network), indent=1), encoding="utf-8")
    return json.loads(path.read_text(encoding="utf-8"))


def kept_order(prices, simulated):
    """Of the pairs of plans that differ clearly, the part that a price puts in the same order."""
    pairs = [(i, j) for i in range(len(prices)) for j in range(len(prices)) if simulated[i] * (1 + CLEAR) < simulated[j]]
    return sum(prices[i] < prices[j] for i, j in pairs) / len(pairs) if pairs else None


class Quality:
    """Of one price on one network and array."""

    def __init__(self, prices, simulated):
        errors = np.abs(np.array(prices) / np.array(simulated) - 1)
        self.mean_error, self.most_error = float(errors.mean()), float(errors.max())
        self.correlation = ranking.correlation(prices, simulated)
        self.order = kept_order(prices, simulated)
        self.regret = simulated[int(np.argmin(prices))] / min(simulated) - 1


def qualities(results):
    simulated = [result["simulated"]["time_s"] for result in results]
    return {"timeline": Quality([result["timeline"]["time_s"] for result in results], simulated),
            "sum": Quality([result["predicted"]["time_s"] for result in results], simulated)}


def text_of(value):
    return "-" if value is None else f"{value:.2f}"


def row(array, network, results):
    cells = [array, network, str(len(results))]
    for quality in qualities(results).values():
        cells += [f"{quality.mean_error:.1%}", f"{quality.most_error:.1%}", text_of(quality.correlation),
                  text_of(quality.order), f"{quality.regret:.1%}"]
    return "| " + " | ".join(cells) + " |"


def mean_correlation(table, price):
    known = [qualities(results)[price].correlation for results in table.values()]
    known = [value for value in known if value is not None]
    return f"{np.mean(known):.2f} over {len(known)} of {len(table)}"


def draw(table, path):
    arrays = list(dict.fromkeys(array for array, _ in table))
    figure, panels = plt.subplots(2, len(arrays), figsize=(2.9 * len(arrays), 6), constrained_layout=True, squeeze=False)
    for column, array in enumerate(arrays):
        of_array = {network: results for (name, network), results in table.items() if name == array}
        for axes, price in zip(panels[:, column], ("timeline", "sum")):
            draw_panel(axes, of_array, price)
            axes.set_title(f"{array}, {price}")
    panels[0, 0].legend(fontsize=6.5)
    figure.suptitle("Price of a step over its simulated time; mean rank correlation (Spearman) of the timeline "
                    f"{mean_correlation(table, 'timeline')},\nof the sum {mean_correlation(table, 'sum')} networks on arrays; "
                    "the grey band is 30 %", fontsize=9)
    figure.savefig(path)


def draw_panel(axes, of_array, price):
    axes.axhspan(0.7, 1.3, color="#EEEEEE", zorder=0)
    axes.axhline(1, color=kit.GREY, linewidth=0.8)
    key = "timeline" if price == "timeline" else "predicted"
    for marker, colour, (network, results) in zip(MARKERS, kit.COLOURS.values(), of_array.items()):
        simulated = [result["simulated"]["time_s"] for result in results]
        axes.scatter(simulated, [result[key]["time_s"] / time for result, time in zip(results, simulated)],
                     s=13, marker=marker, color=colour, label=network, linewidths=0, zorder=3)
    axes.set_xscale("log")
    axes.set_xlabel("Simulated step [s]")
    axes.set_ylabel("Price over simulated")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tessera", required=True, help="the program")
    parser.add_argument("--out", required=True, type=pathlib.Path, help="a folder")
    parser.add_argument("--networks", default=",".join(NETWORKS))
    parser.add_argument("--arrays", default=",".join(ARRAYS))
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    table = {}
    print("| array | network | plans | timeline: mean error | most | Spearman | pairs in order | regret | "
          "sum: mean error | most | Spearman | pairs in order | regret |")
    print("|" + "---|" * 13)
    for array in given.arrays.split(","):
        for network in given.networks.split(","):
            table[array, network] = results_of(given.tessera, given.out, array, network)
            print(row(array, network, table[array, network]), flush=True)
    for price in ("timeline", "sum"):
        print(f"{price}: mean rank correlation {mean_correlation(table, price)} networks on arrays")
    plt.rcParams.update(kit.STYLE)
    draw(table, given.out / "timeline_accuracy.png")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except kit.FigureError as error:
        sys.exit(f"timeline_accuracy.py: {error}")
