#!/usr/bin/python3
"""Checks that what sim/model has is what arrays run: every function of it is entered by some `simulate`, run to its end.

Builds the program with gcc's counters (build/entered), simulates RUNS below, and asks gcov which functions of sim/model were never
entered. A function is a place in a file: of a template any instance counts, and code that is compiled into no program is not seen. What
no run enters must be named in NOT_ENTERED with its reason; a name there that a run enters, or that is no function, is to be deleted.
Files that no array can have, and why, are those of check_models.py.

Prints one line per violation, "file:line: problem", and exits with 1 when there is one. It takes minutes: by hand, or at night.
"""

import argparse
import collections
import concurrent.futures
import fnmatch
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

import check_models

MODELS = check_models.MODELS
ROOT = pathlib.Path(__file__).resolve().parent.parent

IN_PHASE = "-w hypar/lenet-c -a hmc-htree-16 -p hypar --set workload.batch=8 --set arch.accelerators=4"
CUBES = IN_PHASE + " --set arch.execution.kernels=free"
HBM = CUBES + " --set arch.accelerator.memory.dram=hbm2"
POLICY = " --set arch.accelerator.memory.dram.policy."
PACKETS = ("{clock: 1 GHz, topology: {kind: mesh, shape: [2, 2], link: {bandwidth: 240 Gb/s, latency: 11 ns}}, packet: 1 KiB, "
           "flit: 64 B, router: {pipeline: 3 ns, virtual_channels: 2, buffer_packets: 4}}")
EQUAL_PATHS = PACKETS.replace("kind: mesh, shape: [2, 2]", "kind: torus, shape: [4, 2]").replace("buffer_packets: 4",
                                                                                                "buffer_packets: 4, paths: equal-cost")
MESH_16 = PACKETS.replace("shape: [2, 2]", "shape: [4, 4]")
MEMORY_OF_KEYS = (" --set 'arch.accelerator.memory={kind: model, model: read-write, capacity: 8 GiB, keys: {read_bandwidth: 8 GB/s, "
                  "write_bandwidth: 1 GB/s, latency: 300 ns}}'")
MEMORY_OF_A_RATE = " --set 'arch.accelerator.memory={kind: bandwidth, bandwidth: 8 GB/s, latency: 300 ns, capacity: 8 GiB}'"
RATE_UNIT = (" --set 'arch.accelerator.processing_unit={kind: mac-rate, macs_per_cycle: 168, mac_count: output-map, update: charged}' "
             "--set 'arch.accelerator.clock=250 MHz' --set 'arch.energy.multiply=3.7 pJ' --set 'arch.energy.buffer_access=5 pJ'")
THROUGH_MEMORY = " --set 'arch.accelerator.transfers={path: through-memory, block: 4 KiB}'"
ON_PACKETS = f" --set 'arch.fabric={PACKETS}'"
OUT = " -o run.h5 --modules --layers"
ALL_OUT = " --trace commands" + OUT
PAPER = "-w hypar/lenet-c -a hypar-paper -p hypar"

# What `simulate` is called with, each a system that differs from those before it.
RUNS = (
    PAPER + OUT,
    PAPER + " --no-fast-forward --no-symmetry --module-order reverse --shuffle-same-time 3",
    PAPER + " --host engine --set arch.fabric.topology=torus --set arch.execution.overlap=communication --steps 4",
    "-w hypar/lenet-c -a test/end_to_end/mutated/array.yaml -p dp --set workload.batch=8",
    "-w hypar/lenet-c -a eyeriss -p dp --set workload.batch=4" + OUT,
    "-w hypar/lenet-c -a tpu-v3-128 -p dp --set workload.batch=16 --set arch.accelerators=4" + ALL_OUT,
    "-w hypar/lenet-c -a tpu-v2v3-256 -p dp --set workload.batch=64 --set arch.accelerators=8 --set arch.groups.0.count=4 "
    "--set arch.groups.1.count=4",
    "-w accpar/lenet -a accpar-released -p accpar",
    # Accelerators of tables of contents.
    PAPER + MEMORY_OF_KEYS + " --set 'arch.accelerator.processing_unit={kind: model, model: launched, macs_per_cycle: 168, "
                             "keys: {launch: 100}}'",
    PAPER + MEMORY_OF_A_RATE,
    CUBES + MEMORY_OF_KEYS,
    CUBES + MEMORY_OF_A_RATE,
    CUBES + " --set 'arch.accelerator.memory={kind: ideal, capacity: 8 GB}'",
    # Cubes, from the logic layer and over their links; vaults in closed form and request by request.
    IN_PHASE + OUT,
    IN_PHASE + " --no-fast-forward",
    CUBES + ALL_OUT,
    CUBES + " --no-fast-forward",
    CUBES + " --set arch.accelerator.memory.through=links" + ALL_OUT,
    CUBES + " --set arch.accelerator.memory.through=links --no-fast-forward",
    CUBES + POLICY + "scheduler=frfcfs" + POLICY + "starvation_cap=300",
    CUBES + " --set arch.accelerator.memory.dram=hmc-2.0 --set arch.accelerator.memory.through=links" + THROUGH_MEMORY,
    CUBES + THROUGH_MEMORY + ALL_OUT,
    # Whole tensors at a time, in DRAM.
    CUBES + RATE_UNIT,
    CUBES + RATE_UNIT + " --set arch.accelerator.memory.through=links",
    CUBES.replace("lenet-c", "vgg-a") + RATE_UNIT,
    # Steps that repeat in a memory that chooses among requests.
    CUBES + POLICY + "scheduler=frfcfs" + POLICY + "starvation_cap=300" + POLICY + "refresh=none --steps 3 "
                                                                                  "--set arch.execution.overlap=none",
    # HBM under each policy.
    HBM + ALL_OUT,
    HBM + POLICY + "page=closed",
    HBM + POLICY + "page=timeout" + POLICY + "page_timeout=100" + POLICY + "scheduler=frfcfs" + POLICY + "starvation_cap=300",
    HBM + POLICY + "page=closed" + POLICY + "scheduler=frfcfs" + POLICY + "starvation_cap=300" + THROUGH_MEMORY,
    HBM + POLICY + "page=open" + POLICY + "refresh=none",
    HBM + POLICY + "refresh=per-bank --set arch.accelerator.memory.dram.timing.tRFCpb=100",
    HBM + " --set arch.accelerator.memory.dram.organization.ranks=2 --set 'arch.accelerator.memory.dram.address_map=[{byte: 5}, "
          "{channel: 4}, {bank_group: 2}, {column: 5}, {bank: 2}, {rank: 1}, {row: 15}]'" + ALL_OUT,
    HBM + POLICY + "scheduler=frfcfs" + POLICY + "starvation_cap=300 --no-fast-forward" + THROUGH_MEMORY,
    *(CUBES + f" --set arch.accelerator.memory.dram=peers/{name}" + more
      for name in ("dramsim3-hbm2-8gb", "dramsim3-hmc-4gb", "ramulator-pim-hmc-4gb", "ramulator1-hbm-4gb", "ramulator2-hbm2-8gb")
      for more in ("", " --no-fast-forward")),
    # Networks by each switching.
    *(CUBES + ON_PACKETS + f" --set arch.fabric.switching={switching}" + more
      for switching in ("message", "cut-through", "store-and-forward", "wormhole") for more in (ALL_OUT, " --no-fast-forward")),
    CUBES + ON_PACKETS + " --set 'arch.fabric.switching={kind: model, model: circuit, keys: {setup: 20 ns}}'",
    CUBES + ON_PACKETS + " --set arch.fabric.router.arbitration=oldest-first --set arch.fabric.switching=wormhole",
    CUBES + ON_PACKETS + " --set arch.fabric.router.arbitration=oldest-first",
    *(CUBES + f" --set 'arch.fabric={EQUAL_PATHS}' --set arch.accelerators=8 --set arch.fabric.switching={switching}"
      for switching in ("cut-through", "wormhole")),
    f"-w hypar/lenet-c -a hmc-htree-16 -p mp --set workload.batch=16 --set 'arch.fabric={MESH_16}' --set arch.fabric.switching=wormhole "
    "--set arch.fabric.router.arbitration=oldest-first --set arch.execution.collectives=direct",
    # Collectives of whole groups.
    *(CUBES + " --set arch.fabric.topology=torus --set arch.execution.collectives=" + name
      for name in ("ring", "bidirectional", "halving-doubling", "double-tree", "torus", "direct", "auto")),
    CUBES.replace("hypar --set", "dp --set") + " --set arch.fabric.topology=torus --set arch.execution.collectives=ring "
                                               "--set arch.execution.overlap=communication" + THROUGH_MEMORY,
    # Pipelines, on accelerators of a rate, measured and in detail.
    "-w hypar/lenet-c -a hypar-paper --set arch.accelerators=4 -p gpipe --set planner.stages=2" + OUT,
    "-w hypar/lenet-c -a hypar-paper --set arch.accelerators=4 -p pipedream --steps 4 --set arch.execution.overlap=communication",
    "-w hypar/lenet-c -a hmc-htree-16 --set arch.accelerators=4 --set workload.batch=16 -p gpipe --set planner.stages=2 --steps 4",
    "-w hypar/lenet-c -a tpu-v3-128 --set arch.accelerators=4 --set workload.batch=16 -p pipedream-2bw --steps 4",
    "-w hypar/lenet-c -a pipedream-a -p pipedream --set workload.batch=64",
    "-w hypar/lenet-c -a k80-64 -p dp --set workload.batch=64 --set "
    "arch.accelerator.processing_unit='{kind: profile, times: test/end_to_end/mutated/profile.yaml}'",
    # Planners that ask what a core would take, and parts without work.
    "-w hypar/lenet-c -a tpu-v3-128 -p auto --set workload.batch=16 --set arch.accelerators=4 --set planner.budget=3",
    "-w hypar/lenet-c -a hmc-htree-16 -p auto --set workload.batch=16 --set arch.accelerators=4 --set planner.budget=3",
    "-w rnnlm -a tpu-v3-128 -p auto --set workload.batch=2 --set arch.accelerators=2 --set planner.budget=1",
    "-w hypar/lenet-c -a hmc-htree-16 -p mp --set workload.batch=16",
    # Other layers than convolutions.
    "-w accpar/resnet-18 -a tpu-v3-128 --set arch.accelerators=2 --set workload.batch=4 -p dp",
    "-w bert-base -a tpu-v3-128 --set arch.accelerators=4 --set workload.batch=4 -p tp",
    "-w bert-base -a eyeriss --set workload.batch=1 -p dp",
    "-w rnnlm -a hmc-htree-16 --set arch.accelerators=2 --set workload.batch=2 -p dp",
    "-w rnnlm-unrolled -a hypar-paper --set arch.accelerators=4 --set workload.batch=4 -p dp",
)

MOST_SECONDS = 600  # of a run

# Functions that no run enters, as patterns of their names by file (`*` for any), each with its reason.
FABRIC = MODELS + "fabric/"
MEMORY = MODELS + "memory/"
DEADLOCK = "names what a run that stands still waits for; every run above ends"
TRAFFIC = "traffic of load_test.hpp, in place of accelerators"
PROBE_COUNTS = "counts of a network by itself; an array has them of its links"
ADDS = "the tree of in_switch.hpp: no array's switches add"
ONE_SIZE = ("a faster way of CutThroughNetwork for packets of one size counted in flits, held equal to it by a test; an array's messages "
            "end in smaller packets, and its wires take picoseconds that no flit divides")
HALF_DUPLEX = "links that carry one way at a time are for probes; arrays refuse them"
FLITS = "networks in flits and cycles, for probes and suites; an array's are in picoseconds"
BY_ITSELF = "a memory by itself, for sim/shell/tlm and requests of a probe; an array's memories drive the channels"
CHAIN = "cubes behind one another, for hmc_host.hpp; an array's cubes have hosts of their own"
NO_REPEAT = "what memories that repeat nothing are never asked"
NOT_ENTERED = (
    (MODELS + "array/array_cores.cpp", "*::waits_for*", DEADLOCK),
    (MODELS + "array/message_core.cpp", "*::wake(*{lambda()#1}*", "when others wake, for cores that work ahead; none of those hosted there does"),
    (MODELS + "array/message_core.hpp", "*::statistics() const", "every core has it; arrays ask for those of a link or a router"),
    *((MODELS + "control/dispatcher.cpp", f"*::{name}*", DEADLOCK) for name in ("is_done", "waits_for", "describe_wait", "describe_unmet")),
    (MODELS + "control/synchronizer.cpp", "*::waits_for*", DEADLOCK),
    (MODELS + "record/activity_meter.hpp", "*::is_outstanding(*", DEADLOCK),
    (MODELS + "compute/compute_cost.cpp", "*::utilisation(*", "a column of probe compute"),
    (MODELS + "compute/step_memo.cpp", "*::clear()", "makes room when more is remembered than small systems have"),
    (MODELS + "compute/step_repeater.cpp", "*::reaches_end(*", "tiles at the last blocks of a memory, which small systems do not fill"),
    (MODELS + "protocol/core.hpp", "*::Core::kind()*", "the word for models that others add"),
    (MODELS + "record/busy_histogram.cpp", "*::total()*", "what tests hold against the counters of a unit"),
    (FABRIC + "collective/aggregation_tree.cpp", "*", ADDS),
    (FABRIC + "collective/transfer_graph.hpp", "*", "messages for collective_run.hpp; an array's are tasks"),
    (FABRIC + "message_fabric.hpp", "*::statistics() const", "of all together, for the core that has it"),
    *((FABRIC + f"packet/{network}_network.hpp", f"*::{name}(*", PROBE_COUNTS)
      for network in ("circuit", "cut_through", "wormhole") for name in ("count", "sent", "delivered")),
    (FABRIC + "packet/cut_through_network.hpp", "*::way_back(*", HALF_DUPLEX),
    (FABRIC + "packet/cut_through_wire.cpp", "*", HALF_DUPLEX),
    (FABRIC + "packet/fabric_packet.cpp", "*::clocked_timing(*", FLITS),
    *((FABRIC + "packet/make_network.cpp", f"*::{name}(*", FLITS)
      for name in ("clocked_network", "cycle_seconds", "make_clocked_network", "make_cut_through_network")),
    *((FABRIC + f"packet/synthetic_traffic.{part}", "*", TRAFFIC) for part in ("cpp", "hpp")),
    *((FABRIC + f"packet/{file}", "*", ONE_SIZE) for file in ("uniform_layout.cpp", "uniform_network.cpp", "uniform_network.hpp")),
    (MEMORY + "cube_memory.cpp", "*::serialize(*", NO_REPEAT),
    (MEMORY + "memory.hpp", "*::Memory::repeat(*", NO_REPEAT),
    (MEMORY + "memory.cpp", "*::Memory::call_through(*", "refuses channels of a memory that simulates none"),
    (MEMORY + "dram/dram_repeater.cpp", "*::serve_stream(*lambda*", "long streams over maps that turn too seldom to remember"),
    (MEMORY + "dram/dram_stream_skip.cpp", "*::skip_along_row(*", "long streams over maps that stay in a row"),
    (MEMORY + "dram/dram_stack.cpp", "*", BY_ITSELF),
    (MEMORY + "dram/refresh_calendar.hpp", "*::period()*", "what a move in time is a multiple of, for tests"),
    (MEMORY + "dram/slot_calendar.hpp", "*::grow()", "commands further ahead than any memory's timing above needs"),
    (MEMORY + "hmc/hmc_cube.cpp", "*::advance_downstream(*lambda*", CHAIN),
    (MEMORY + "hmc/hmc_link.hpp", "*::is_waiting()*", CHAIN),
    *((MEMORY + "request_port.cpp", f"*{name}*", BY_ITSELF) for name in ("LocalPort::", "make_local_port(", "make_link_port(")),
    (MEMORY + "request_port.hpp", "*::link_flits()*", BY_ITSELF),
)


# A simulation is a child process that ends by _exit, which writes no counters of its own accord.
DUMP = 'void __gcov_dump(void); void __real__exit(int); void __wrap__exit(int code) { __gcov_dump(); __real__exit(code); }\n'


def configure(root, build, *options):
    """The preset coverage, of programs that write their counters however they end."""
    build.mkdir(parents=True, exist_ok=True)
    dump = build / "dump.o"
    subprocess.run(["gcc", "-x", "c", "-c", "-o", dump, "-"], input=DUMP, text=True, check=True)
    subprocess.run(["cmake", "--preset", "coverage", "-B", build, f"-DCMAKE_EXE_LINKER_FLAGS={dump} -Wl,--wrap=_exit", *options],
                   cwd=root, check=True, stdout=subprocess.DEVNULL)


def built(root, build):
    """The program with counters."""
    configure(root, build, "-DTESSERA_UNITY=ON", "-DTESSERA_BUILD_TESTS=OFF")
    subprocess.run(["cmake", "--build", build, "--parallel", str(os.cpu_count()), "--target", "tessera"], cwd=root, check=True,
                   stdout=subprocess.DEVNULL)
    return build / "tessera"


def simulate(root, program, run):
    """What went wrong with a run, or nothing."""
    words = shlex.split(run.replace("test/end_to_end", str(root / "test" / "end_to_end")))
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run([program, "simulate", *words, "--quiet"], cwd=folder, capture_output=True, text=True, check=False,
                                  timeout=MOST_SECONDS)
        except subprocess.TimeoutExpired:
            return f"scripts/check_entered.py:1: `tessera simulate {run}` had not ended after {MOST_SECONDS} s"
    return f"scripts/check_entered.py:1: `tessera simulate {run}` failed: {done.stderr.strip()}" if done.returncode else None


def is_of_no_array(path):
    """The .cpp beside a header counts as the header."""
    return pathlib.PurePath(path).with_suffix(".hpp").as_posix() in check_models.EXCEPTIONS


def functions_of(documents, root):
    """How often each function of sim/model was entered: {(file, line, name): times}. `documents`: of gcov, one a compiled file."""
    entered, names = collections.Counter(), {}
    for document in documents:
        for file in document["files"]:
            path = os.path.relpath(os.path.join(document["current_working_directory"], file["file"]), root)
            if not path.startswith(MODELS):
                continue
            for function in file["functions"]:
                place = path, function["start_line"], function["start_column"]
                entered[place] += function["execution_count"]
                names.setdefault(place, function["demangled_name"])
    return {(path, line, names[path, line, column]): times for (path, line, column), times in entered.items()}


def counted(build):
    """gcov's documents of all that was compiled, run or not."""
    for notes in sorted(build.rglob("*.gcno")):
        done = subprocess.run(["gcov", "--json-format", "--stdout", "--demangled-names", notes], cwd=build, capture_output=True,
                              text=True, check=True)
        yield from (json.loads(line) for line in done.stdout.splitlines() if line)


def problems_of(functions, not_entered):
    """`not_entered`: (file, pattern of a name, reason)."""
    problems, used, wrong = [], set(), set()
    for (path, line, name), times in sorted(functions.items()):
        matching = [entry for entry in not_entered if path == entry[0] and fnmatch.fnmatchcase(name, entry[1])]
        (wrong if times else used).update(matching)
        if not times and not matching and not is_of_no_array(path):
            problems.append(f"{path}:{line}: no simulate enters {name}; add a run to scripts/check_entered.py, delete the function, "
                            "or give the reason there")
    for entry in not_entered:
        if entry in wrong:
            problems.append(f"scripts/check_entered.py:1: {entry[1]} of {entry[0]} is entered; delete its reason, or narrow it")
        elif entry not in used:
            problems.append(f"scripts/check_entered.py:1: {entry[1]} of {entry[0]} is no function; delete its reason")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at once (default: one a processor)")
    parser.add_argument("--configure", type=pathlib.Path, metavar="FOLDER",
                        help="only make FOLDER ready to build all programs with counters, which they write however they end")
    options = parser.parse_args()
    if options.configure:
        configure(ROOT, options.configure.resolve())
        return 0
    build = ROOT / "build" / "entered"
    program = built(ROOT, build)
    for counts in build.rglob("*.gcda"):
        counts.unlink()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        failed = [problem for problem in pool.map(lambda run: simulate(ROOT, program, run), RUNS) if problem]
    functions = functions_of(counted(build), ROOT)
    problems = failed + problems_of(functions, NOT_ENTERED)
    print("\n".join(problems or [f"check_entered: {len(RUNS)} runs enter {sum(map(bool, functions.values()))} of {len(functions)} "
                                 f"functions of {MODELS}, the others have a reason"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
