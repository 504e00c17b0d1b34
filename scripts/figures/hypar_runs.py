#!/usr/bin/python3
"""Simulates what HyPar's figures show, and draws them if asked to.

    hypar_runs.py --tessera build/tessera --out runs --figures 6,8 --draw

Each run is simulated once, DIR/runs/NAME.h5; DIR/fig_hypar_N/ has the runs of figure N (as hard links), so that
`fig_hypar_6.py DIR/fig_hypar_6/*.h5 -o fig.png` draws it. --draw does that for you: DIR/fig_hypar_6.png.
"""

import argparse
import concurrent.futures
import dataclasses
import itertools
import os
import pathlib
import subprocess
import sys

import yaml

HERE = pathlib.Path(__file__).resolve().parent
NETWORKS = ["sfc", "sconv", "lenet-c", "cifar-c", "alexnet", "vgg-a", "vgg-b", "vgg-c", "vgg-d", "vgg-e"]
FIGURES = range(5, 14)
PATTERNS = ["".join(letters) for letters in itertools.product("nc", repeat=4)]  # n = data, c = model parallelism


class Failed(Exception):
    """What tessera said."""


@dataclasses.dataclass(frozen=True)
class Run:
    """One run: a planner's plan, or HyPar's plan with other splits for some operators at some levels."""

    name: str
    workload: str
    planner: str
    settings: tuple = ()
    edit: tuple = ()  # (operator, level from 0, letter) ...
    arch: str | None = None  # the simulator's, if none


def planned(network, planner, accelerators=16, topology="htree"):
    settings = (f"arch.accelerators={accelerators}", f"arch.fabric.topology={topology}")
    own = HERE / f"workloads/{network}.yaml"
    workload = str(own) if own.exists() else f"hypar/{network}"
    return Run(f"{network}.{planner}.{accelerators}.{topology}", workload, planner, settings)


def explored(network, name, edit):
    return Run(f"{network}.explored.{name}", f"hypar/{network}", "explored", edit=tuple(edit))


def explored_levels(levels, operators):
    """Lenet-c with every pattern over the operators at each of two levels."""
    for patterns in itertools.product(PATTERNS, PATTERNS):
        yield explored("lenet-c", "-".join(patterns), (
            (operator, level - 1, letter)
            for level, pattern in zip(levels, patterns) for operator, letter in zip(operators, pattern)))


def explored_operators(operators):
    """VGG-A with every pattern over the levels for each of two operators."""
    for patterns in itertools.product(PATTERNS, PATTERNS):
        yield explored("vgg-a", "-".join(patterns), (
            (operator, level, letter)
            for operator, pattern in zip(operators, patterns) for level, letter in enumerate(pattern)))


def runs_of(figure):
    """What figure `figure` needs."""
    if figure == 5:
        return [planned(network, "hypar") for network in NETWORKS]
    if figure in (6, 7, 8):
        return [planned(network, planner) for network in NETWORKS for planner in ("dp", "mp", "hypar")]
    if figure == 9:
        return [planned("lenet-c", "dp"), planned("lenet-c", "hypar"),
                *explored_levels((1, 4), ("conv1", "conv2", "fc1", "fc2"))]
    if figure == 10:
        return [planned("vgg-a", "dp"), planned("vgg-a", "hypar"), *explored_operators(("conv5_2", "fc1"))]
    if figure == 11:
        return [planned("vgg-e", planner, 2**level) for planner in ("dp", "hypar") for level in range(7)]
    if figure == 12:
        return [run for network in NETWORKS for run in
                (planned(network, "dp"), planned(network, "hypar"), planned(network, "hypar", topology="torus"))]
    return [planned(network, planner, 2**level) for network in ("vgg-e-conv5", "vgg-e-fc3")
            for planner in ("owt", "hypar") for level in (2, 3, 4)]


class Simulator:
    def __init__(self, tessera, arch, directory):
        self.tessera = tessera
        self.arch = arch
        self.runs = directory / "runs"
        self.plans = directory / "plans"
        for folder in (self.runs, self.plans):
            folder.mkdir(parents=True, exist_ok=True)
        self.base_plans = {}

    def call(self, command, run, *more):
        settings = itertools.chain.from_iterable(("--set", setting) for setting in run.settings)
        arguments = [self.tessera, command, "-w", run.workload, "-a", run.arch or self.arch, *settings, *map(str, more)]
        try:
            done = subprocess.run(arguments, capture_output=True, text=True, check=False)
        except OSError as error:
            raise Failed(f"cannot run {self.tessera}: {error.strerror}") from error
        if done.returncode:
            raise Failed(f"{' '.join(map(str, arguments))}\n{done.stderr.strip()}")

    def prepare(self, runs):
        """HyPar's own plans, for the runs that edit them."""
        for workload in {run.workload for run in runs if run.edit}:
            path = self.plans / f"{workload.replace('/', '-')}.yaml"
            self.call("plan", Run("", workload, "hypar"), "-p", "hypar", "-o", path)
            self.base_plans[workload] = yaml.safe_load(path.read_text())

    def edited_plan(self, run):
        base = self.base_plans[run.workload]
        splits = {operator: list(letters) for operator, letters in base["operators"].items()}
        for operator, level, letter in run.edit:
            splits[operator][level] = letter
        plan = {**base, "planner": run.planner, "operators": splits}
        plan.pop("predicted", None)  # it was another plan's
        path = self.plans / f"{run.name}.yaml"
        path.write_text(yaml.safe_dump(plan, sort_keys=False))
        return path

    def simulate(self, run):
        plan = ("--plan", self.edited_plan(run)) if run.edit else ("-p", run.planner)
        self.call("simulate", run, *plan, "-o", self.path(run), "--trace", "none", "--quiet")

    def path(self, run):
        return self.runs / f"{run.name}.h5"


def simulate_all(simulator, runs, jobs):
    simulator.prepare(runs)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        pending = [pool.submit(simulator.simulate, run) for run in runs]
        try:
            for count, done in enumerate(concurrent.futures.as_completed(pending), 1):
                done.result()
                if sys.stderr.isatty():
                    print(f"\r{count}/{len(runs)} runs", end="", file=sys.stderr, flush=True)
        except Failed:
            pool.shutdown(cancel_futures=True)
            raise
    if sys.stderr.isatty():
        print(file=sys.stderr)


def collect(simulator, folder, runs):
    """Links a figure's runs into its folder, and returns them."""
    folder.mkdir(exist_ok=True)
    links = []
    for run in runs:
        link = folder / f"{run.name}.h5"
        link.unlink(missing_ok=True)
        os.link(simulator.path(run), link)
        links.append(link)
    return links


def draw(directory, name, links):
    output = directory / f"{name}.png"
    done = subprocess.run([HERE / f"{name}.py", *links, "-o", output], capture_output=True, text=True,
                          check=False)
    if done.returncode:
        raise Failed(done.stderr.strip())
    return output


def figure_numbers(text):
    numbers = text.split(",")
    for number in numbers:
        if number not in map(str, FIGURES):
            raise argparse.ArgumentTypeError(f"{number} is not one of {FIGURES[0]} to {FIGURES[-1]}")
    return sorted({int(number) for number in numbers})


def parser_of(description):
    """What the runs of all figures have in common."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tessera", required=True, metavar="PATH", help="the program")
    parser.add_argument("--out", required=True, metavar="DIR", type=pathlib.Path)
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count(), metavar="N", help="simulations at a time")
    parser.add_argument("--draw", action="store_true", help="draw the figures too")
    return parser


def make(given, arch, figures):
    """Simulates, collects and perhaps draws the figures, {name: [runs]}; answers the exit code. `arch`: of runs without one."""
    try:
        simulator = Simulator(given.tessera, arch, given.out)
        runs = {run for of_figure in figures.values() for run in of_figure}
        simulate_all(simulator, sorted(runs, key=lambda run: run.name), given.jobs)
        for name, of_figure in figures.items():
            links = collect(simulator, given.out / name, of_figure)
            print(draw(given.out, name, links) if given.draw else given.out / name)
    except (Failed, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def main():
    parser = parser_of(__doc__)
    parser.add_argument("--figures", default=list(FIGURES), metavar="N,...", type=figure_numbers,
                        help="of 5 to 13; default: all")
    parser.add_argument("-a", "--arch", default="hypar-paper", metavar="ARRAY", help="default: %(default)s")
    given = parser.parse_args()
    return make(given, given.arch, {f"fig_hypar_{figure}": runs_of(figure) for figure in given.figures})


if __name__ == "__main__":
    sys.exit(main())
