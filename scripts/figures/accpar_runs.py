#!/usr/bin/python3
"""Simulates what the figures of AccPar, SoyBean and the planners show, and draws them if asked to.

    accpar_runs.py --tessera build/tessera --out runs --figures speedup,types --draw

Each run is simulated once, DIR/runs/NAME.h5; DIR/fig_accpar_NAME/ has the runs of a figure (as hard links), so that
`fig_accpar_speedup.py DIR/fig_accpar_speedup/*.h5 -o fig.png` draws it. --draw does that for you.
"""

import argparse
import os
import pathlib
import sys

import figure_kit as kit
import hypar_runs
from hypar_runs import Failed, Run

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
    small = [run(network, planner, "hmc-htree-16") for network in
             ("hypar/sconv", "hypar/lenet-c", "hypar/cifar-c", "hypar/alexnet", "hypar/vgg-a")
             for planner in ("dp", "owt", "hypar", "accpar", "soybean", "optcnn")]
    large = [run(network, planner, "tpu-v3-128") for network in kit.ACCPAR_NETWORKS
             for planner in ("dp", "owt", "hypar", "accpar", "soybean", "optcnn")]
    return small + large


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


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tessera", required=True, metavar="PATH", help="the program")
    parser.add_argument("--out", required=True, metavar="DIR", type=pathlib.Path)
    parser.add_argument("--figures", default=list(FIGURES), metavar="NAME,...", type=figure_names,
                        help=f"of {', '.join(FIGURES)}; default: all")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count(), metavar="N", help="simulations at a time")
    parser.add_argument("--draw", action="store_true", help="draw the figures too")
    return parser.parse_args()


def main():
    given = options()
    try:
        simulator = hypar_runs.Simulator(given.tessera, None, given.out)
        runs = {run for figure in given.figures for run in FIGURES[figure]()}
        hypar_runs.simulate_all(simulator, sorted(runs, key=lambda run: run.name), given.jobs)
        for figure in given.figures:
            name = f"fig_accpar_{figure}"
            links = hypar_runs.collect(simulator, given.out / name, FIGURES[figure]())
            print(hypar_runs.draw(given.out, name, links) if given.draw else given.out / name)
    except (Failed, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
