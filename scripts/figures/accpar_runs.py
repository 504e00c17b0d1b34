#!/usr/bin/python3
"""Simulates what the figures of AccPar, SoyBean and the planners show, and draws them if asked to.

    accpar_runs.py --tessera build/tessera --out runs --figures speedup,types --draw

Each run is simulated once, DIR/runs/NAME.h5; DIR/fig_accpar_NAME/ has the runs of a figure (as hard links), so that
`fig_accpar_speedup.py DIR/fig_accpar_speedup/*.h5 -o fig.png` draws it. --draw does that for you.
"""

import argparse
import sys

import figure_kit as kit
import hypar_runs
from hypar_runs import Run

ARRAYS = ("accpar-paper-128", "accpar-paper-256")
EIGHT = "arch.accelerators=8"  # SoyBean's machine had eight GPUs


def run(network, planner, arch, *settings):
    words = [network.replace("/", "-"), planner, arch, *(setting.rpartition("=")[2] for setting in settings)]
    return Run(".".join(words), network, planner, settings, arch=arch)


def speedup_runs():
    return [run(network, planner, arch) for arch in ARRAYS for network in kit.ACCPAR_NETWORKS
            for planner in ("dp", "owt", "hypar", "accpar")]


def hierarchy_runs():
    return [run("accpar/vgg-19", planner, ARRAYS[0], f"arch.accelerators={2**level}")
            for planner in ("dp", "owt", "hypar", "accpar") for level in range(2, 10)]


def soybean_runs():
    return [run(network, planner, ARRAYS[0], EIGHT, f"workload.batch={batch}")
            for network in ("accpar/alexnet", "accpar/vgg-16") for planner in ("dp", "soybean")
            for batch in (64, 128, 256, 512, 1024)]


def prediction_runs():
    networks = {"hmc-htree-16": (*kit.NETWORKS, *kit.ACCPAR_NETWORKS), "tpu-v3-128": kit.ACCPAR_NETWORKS}
    return [run(network, planner, array) for array, of_array in networks.items() for network in of_array
            for planner in ("dp", "owt", "hypar", "accpar", "soybean", "optcnn")]


FIGURES = {
    "speedup": speedup_runs,
    "hierarchy": hierarchy_runs,
    "types": lambda: [run("accpar-released/alexnet", "accpar", "accpar-released")],
    "soybean": soybean_runs,
    "predicted": prediction_runs,
}


def figure_names(text):
    for name in text.split(","):
        if name not in FIGURES:
            raise argparse.ArgumentTypeError(f"{name} is not one of {', '.join(FIGURES)}")
    return text.split(",")


def main():
    parser = hypar_runs.parser_of(__doc__)
    parser.add_argument("--figures", default=list(FIGURES), metavar="NAME,...", type=figure_names,
                        help=f"of {', '.join(FIGURES)}; default: all")
    given = parser.parse_args()
    return hypar_runs.make(given, None, {f"fig_accpar_{name}": FIGURES[name]() for name in given.figures})


if __name__ == "__main__":
    sys.exit(main())
