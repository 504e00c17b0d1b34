"""Searches the files that come with Tessera for keys that do nothing.

A key is dead if no setting of it that is accepted changes what any of its views prints: a number is set to twice, a tenth and a hundred
times its value, a word to every other word that the program knows in its place, a truth to the other. What is measured on the host is
left out. A key whose every other setting is refused is counted as checked: it is read, and bound to others.

    TESSERA=build/release/tessera python3 test/end_to_end/dead_keys.py [STUDY...]

runs all studies, or those whose names contain one of the words, and prints what is dead and what is only checked; dead_keys_test.py runs
some of them. Each view is a command line; a key is dead when it is so in all of its study's views.
"""

import concurrent.futures
import json
import os
import re
import sys
from decimal import Decimal

import yaml

from program import DONE, USERS_FAULT, run_program

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PRESETS = os.path.join(ROOT, "arch", "presets")
ZOO = os.path.join(ROOT, "workloads", "zoo")
HOST = {"plan_wall_s", "planner_wall_s", "simulate_wall_s", "explain_wall_s", "wall_s", "peak_rss_bytes", "version", "commit",
        "link_bandwidth"}  # only says again what the file says
SCALES = (Decimal(2), Decimal("0.1"), Decimal(100))

# Keys that may do nothing, as patterns of whole key paths, each with the reason.
EXCEPTIONS = {
    r"(.*\.)?(schema|name|description)": "says what the file is",
    r"(.*\.)?core\.(memory_bandwidth|energy\.memory(_byte)?)":
        "of a core by itself (probe compute --memory core); an array has memories of its own",
    r"(.*\.)?dram\.hmc\..*": "of the links to outside of a cube (through: links has a study of its own); else an array's cores sit on the cubes",
    r"hmc\.tokens": "these requests never run out of those of hmc-2.0; of those of hmc-2.1 they do",
    r"(.*\.)?energy\.gated_share": "of inputs that are zero, which only validate eyeriss knows",
    r"(.*\.)?(cores_per_chip|chips_per_board)": "of another view of the core (an array's view: core, chip or board)",
    r"(.*\.)?energy\.(fp32|int8)\.(multiply|add)": "of a format that the core does not compute in (format: bf16)",
    r"(.*\.)?vector\.stores": "every operation loads as much as it stores; seen with more loads than stores",
    r"(.*\.)?array\.operands": "the networks here are as fast either way",
    r"(.*\.)?timing\.tRAS": "tRC >= tRAS + tRP holds a bank back as long",
    r"(.*\.)?timing\.(tCCD_S|tRRD_S|tWTR_S)": "of another bank group; a vault has one",
    r"(.*\.)?timing\.(tRRD_L|tRTRS)": "bursts over all channels are never that close",
    r"(.*\.)?timing\.tRFCpb": "of refresh: per-bank; these refresh all banks",
    r"(.*\.)?core\.scratchpad\.banks": "a tile of these networks is never short of banks (of a core by itself it is)",
    r"memory_bandwidth": "hypar-pu waits for its memory in larger networks only (hypar/sfc)",
    r"policy\.starvation_cap": "no request waits that long",
    r"(blocks|operators)\..*(input|inputs\.[0-9]+|kind)": "joins tensors of the same shape otherwise, at the same cost",
    r"execution\.sums": "four accelerators divide all gradients of these networks",
    r"(.*\.)?policy\.command_bus": "a stream of bursts leaves its command bus free",
}


class Study:
    """The keys of one file, and the command lines that show what they do."""

    def __init__(self, name, prefix, tree, views, settings=()):
        self.name = name
        self.prefix = prefix
        self.tree = tree
        self.views = [[*view, *(word for setting in settings for word in ("--set", setting))] for view in views]

    def keys(self):
        return list(scalars(self.tree))

    def outcome(self, view, key, text):
        """What a view prints with a key set: None if that is refused."""
        return output([*view, "--set", f"{self.prefix}.{key}={text}"])

    def base(self):
        """What the views print of the file as it is; views that it cannot have (a size of requests) are dropped."""
        outputs = [output(view) for view in self.views]
        self.views = [view for view, printed in zip(self.views, outputs) if printed is not None]
        if not self.views:
            raise ValueError(f"{self.name}: refused: {outputs}")
        return [printed for printed in outputs if printed is not None]


def output(arguments):
    run = run_program(*arguments, "--json", "--quiet")
    if run.returncode == USERS_FAULT:
        return None
    if run.returncode != DONE:
        raise ValueError(f"exit {run.returncode}: {' '.join(arguments)}\n{run.stderr}")
    return without_host(json.loads(run.stdout))


def without_host(tree):
    if isinstance(tree, dict):
        return {key: without_host(value) for key, value in tree.items() if key not in HOST}
    return [without_host(item) for item in tree] if isinstance(tree, list) else tree


def scalars(tree, path=""):
    """Key paths with what stands there: "fabric.link.bandwidth", "1 Gb/s"."""
    if not isinstance(tree, (dict, list)):
        yield path, tree
        return
    for key, value in tree.items() if isinstance(tree, dict) else enumerate(tree):
        yield from scalars(value, f"{path}.{key}" if path else str(key))


def written(value):
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)


def scaled(text):
    """The number at the beginning of a text times each scale; of a zero, some that are not."""
    number = re.match(r"-?[0-9.]+(e[-+]?[0-9]+)?", text)
    unit = text[number.end():]
    value = Decimal(number[0])
    results = [value * scale for scale in SCALES] if value else [Decimal(1), Decimal(10), Decimal(1000)]
    is_count = unit == "" and value == value.to_integral()
    for result in results:
        if is_count and result != result.to_integral():
            result = max(Decimal(1), result.to_integral())
        if result != value:
            yield f"{result.normalize():f}{unit}"


def words_for(study, key, word):
    """Every other word that the program knows in the place of one, as its error lists them."""
    run = run_program(*study.views[0], "--set", f"{study.prefix}.{key}=no-such-word")
    known = re.search(r"known: ([^;\n]*)", run.stderr)
    return [name for name in known[1].split(", ") if name != word] if known else [word + "x"]


def settings_of(study, key, value):
    text = written(value)
    if isinstance(value, bool):
        return [written(not value)]
    if re.match(r"-?[0-9]", text):
        return list(scaled(text))
    return words_for(study, key, text)


def verdict(study, base, key, value):
    """"alive", "dead" or "checked"."""
    is_accepted = False
    for text in settings_of(study, key, value):
        for view, before in zip(study.views, base):
            after = study.outcome(view, key, text)
            if after is None:
                continue
            if after != before:
                return "alive"
            is_accepted = True
    return "dead" if is_accepted else "checked"


def reason(key):
    return next((why for pattern, why in EXCEPTIONS.items() if re.fullmatch(pattern, key)), None)


def judge(study, keys=None, workers=1):
    """The verdict on each of a study's keys (those of `keys`, if given), by key path."""
    base = study.base()
    chosen = [(key, value) for key, value in study.keys() if keys is None or key in keys]
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        verdicts = pool.map(lambda item: verdict(study, base, *item), chosen)
        return {key: found for (key, _), found in zip(chosen, verdicts)}


def read(folder, name):
    with open(os.path.join(folder, name + ".yaml"), encoding="utf-8") as file:
        return yaml.safe_load(file)


def expanded(tree):
    """An array's file with its cores and memories in the places of their names."""
    if isinstance(tree, list):
        return [expanded(item) for item in tree]
    if not isinstance(tree, dict):
        return tree
    folders = {"core": "cores", "dram": "memory"}
    return {key: read(os.path.join(PRESETS, folders[key]), value) if key in folders and isinstance(value, str)
            else expanded(value) for key, value in tree.items()}


# Few enough requests at once that a change of the links is felt.
OVER_LINKS = {"through": "links", "outstanding": 8}

# Small convolutions and fully connected layers, large ones, and what has more to do than products.
NETWORKS = (("hypar/lenet-c", 64), ("accpar/vgg-11", 8), ("bert-base", 4))


def array_study(name, networks=NETWORKS, memory=None):
    """On four accelerators, unless a topology has its shape: on one, links and exchanges do nothing. `memory`: keys of it beside the file's."""
    tree = expanded(read(PRESETS, name))
    if memory:
        tree["accelerator"]["memory"].update(memory)
        tree["execution"]["kernels"] = "free"  # those in phase have their memory to themselves
    tree.pop("planner", None)  # planner_studies()
    has_shape = "shape" in tree["fabric"]["topology"] if isinstance(tree["fabric"]["topology"], dict) else False
    sizes = [] if has_shape else ["arch.accelerators=4"] + [f"arch.groups.{i}.count=2" for i in range(len(tree.get("groups", [])))]
    views = [["simulate", "-w", network, "-p", "hypar", "-a", name, "--set", f"workload.batch={batch}"] for network, batch in networks]
    more = [f"arch.accelerator.memory.{key}={value}" for key, value in (memory or {}).items()]
    more += ["arch.execution.kernels=free"] if memory else []
    return Study(f"array {name}" + ("".join(f", {setting}" for setting in more)), "arch", tree, views, sizes + more)


def planner_studies():
    """The options of each planner; `fit` where memories are too small for the cheapest plan."""
    def study(planner, array, networks, *settings, **options):
        views = [["plan", "-w", network, "-p", planner, "-a", array, *settings] for network in networks]
        return Study(f"planner {planner} on {array}", "planner", options, views)

    few = ("--set", "workload.batch=64", "--set", "planner.proposals=20")
    unpolished = (*few, "--set", "planner.polish=off")
    tables = {"inter_layer": "printed", "compute": "counted", "ratio": "solved"}
    return [
        study("hypar", "hypar-paper", ["hypar/lenet-c", "hypar/vgg-a"], inter_layer="as_evaluated"),
        study("accpar", "accpar-paper-256", ["accpar/alexnet", "accpar/resnet-18"], **tables),
        study("accpar", "accpar-released", ["accpar-released/resnet18"], shortcut_spans={"accpar-released/resnet18": 2}),
        study("exhaustive", "hypar-paper", ["hypar/lenet-c"], oracle_of="hypar", inter_layer="as_evaluated"),
        study("soybean", "hypar-paper", ["hypar/lenet-c", "accpar/resnet-18"], errors="free"),
        study("tofu", "hypar-paper", ["hypar/lenet-c", "accpar/resnet-18"], coarsening="element_wise"),
        study("pipedream", "hypar-paper", ["hypar/vgg-a", "rnnlm"], rule="paper", straight=False, machines="all",
              activation_compression_ratio=1, memory="250 MB", micro_batches=16, schedule="pipedream"),
        study("gpipe", "hypar-paper", ["hypar/lenet-c"], stages=4, micro_batches=64,
              activations="stored", imbalance=0.1),
        study("pipedream-2bw", "hypar-paper", ["hypar/lenet-c"], depth=2, width=2, micro_batches=16,
              activations="stored"),
        study("gnmt-expert", "hypar-paper", ["gnmt-16"], node_size=8),
        study("megatron", "hypar-paper", ["bert-355m"], stages=2, chunks=2, micro_batches=8, tensor=2, activations="stored"),
        study("megatron", "hypar-paper", ["bert-355m"], "--set", "planner.stages=1", node_size=1),
        study("tp", "hypar-paper", ["bert-355m"], tensor=4),
        study("tp", "tpu-v3-128", ["bert-355m"], "--set", "planner.tensor=8", "--set", "planner.fit=ignore", groups="block"),
        study("optcnn", "hypar-paper", ["accpar/resnet-18"], "--set", "arch.execution.overlap=communication", price="sum"),
        study("flexflow", "p100-16", ["rnnlm-unrolled"], *unpolished, initial="random", seed=1, proposals=20, beta=0.1,
              patience=0.5, devices="runs", propagation=0.25, together=0.5),
        study("flexflow", "p100-16", ["rnnlm-unrolled"], *unpolished, "--set", "planner.initial=random",
              beta_relative=30),
        study("flexflow", "p100-16", ["rnnlm-unrolled"], *few, polish="on"),
        study("colocrl", "p100-16", ["rnnlm-unrolled"], "--set", "workload.batch=64", rounds=3, samples=4, rate=5, seed=1),
        study("hypar", "hypar-paper", ["hypar/vgg-a"], "--set", "arch.accelerator.memory.capacity=300 MB", fit="ignore"),
    ]


def core_study(name):
    views = [["probe", "compute", "--core", name, "-w", network, "--batch", str(batch), "--phase", "all", "--memory", "core"]
             for network, batch in NETWORKS]
    return Study(f"core {name}", "core", read(os.path.join(PRESETS, "cores"), name), views)


def memory_study(name):
    probe = ["probe", "memory", "-a", name, "--requests", "3000", "--read-fraction", "0.6"]
    tree = read(os.path.join(PRESETS, "memory"), name)
    views = [[*probe, "--pattern", "random"], [*probe, "--pattern", "sequential", "--interval", "40"],
             [*probe, "--pattern", "random", "--bytes", "256"]]
    if "hmc" in tree:
        views.append([*probe, "--pattern", "random", "--through", "links"])
    return Study(f"memory {name}", "memory", tree, views)


def fabric_study(name):
    probe = ["probe", "fabric", "-a", name, "--warm-up", "2000", "--cycles", "5000"]
    return Study(f"fabric {name}", "fabric", read(os.path.join(PRESETS, "fabrics"), name),
                 [[*probe, "--rate", "0.3"], [*probe, "--rate", "0.9"]])


def network_study(name, batch):
    """An edit of a network often breaks it; what is accepted has to be seen."""
    view = ["simulate", "-w", name, "-a", "hypar-paper", "-p", "hypar", "--set", "arch.accelerators=4",
            "--set", f"workload.batch={batch}"]
    return Study(f"network {name}", "workload", read(ZOO, name), [view])


def files(*folder):
    path = os.path.join(*folder)
    return sorted(name[:-len(".yaml")] for name in os.listdir(path) if name.endswith(".yaml"))


def all_studies():
    arrays = [array_study(name) for name in files(PRESETS)] + [array_study("hmc-htree-16", memory=OVER_LINKS)]
    cores = [core_study(name) for name in files(PRESETS, "cores")]
    memories = [memory_study(name) for name in files(PRESETS, "memory")]
    memories += [memory_study(f"peers/{name}") for name in files(PRESETS, "memory", "peers")]
    fabrics = [fabric_study(name) for name in files(PRESETS, "fabrics")]
    networks = [network_study(*network) for network in (
        *NETWORKS, ("hypar/cifar-c", 16), ("accpar-released/vgg11", 16), ("accpar/resnet-18", 4), ("rnnlm", 4), ("bert-base", 4), ("inception-v3", 4))]
    return arrays + planner_studies() + cores + memories + fabrics + networks


def main(words):
    counts = {"alive": 0, "dead": 0, "checked": 0}
    unexpected = 0
    for study in all_studies():
        if words and not any(word in study.name for word in words):
            continue
        found = judge(study, workers=os.cpu_count())
        for key, what in found.items():
            counts[what] += 1
            if what == "alive":
                continue
            why = reason(key)
            unexpected += what == "dead" and why is None
            print(f"{study.name}: {what}: {key}" + (f" ({why})" if why else ""))
        print(f"{study.name}: {len(found)} keys", flush=True)
    print(", ".join(f"{count} {what}" for what, count in counts.items()) + f"; {unexpected} dead without a reason")
    return 1 if unexpected else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
