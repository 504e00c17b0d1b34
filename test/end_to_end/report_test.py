"""`tessera report`: what is in the page, against the run file; what is refused; and how a browser shows it."""

import base64
import json
import os
import re
import struct
import unittest
import zlib

import h5py
import numpy as np

import browser
from program import TIMEOUT, ProgramTest

DETAILED = ("-w", "hypar/lenet-c", "-a", "hmc-htree-16", "-p", "hypar", "--set", "workload.batch=32")
PIPELINE = ("-w", "hypar/lenet-c", "-a", "hypar-paper", "--set", "arch.accelerators=4", "-p", "gpipe", "--set", "planner.stages=2",
            "--set", "planner.micro_batches=4", "--steps", "2")
TORUS = ("-w", "accpar/lenet", "-a", "tpu-v3-128", "--set", "arch.accelerators=16", "--set", "workload.batch=64", "-p", "dp")
SECTIONS = ("overview", "timeline", "path", "breakdown", "pipeline", "roofline", "fabric", "energy", "plan", "provenance")


class Report(ProgramTest):
    def simulate(self, *options, name="run.h5"):
        run = self.run_program("simulate", *(options or DETAILED), "-o", name, "--quiet")
        self.assertEqual(run.returncode, 0, run.stderr)
        return h5py.File(self.path(name))

    def page(self, *runs):
        self.output_of("report", *(runs or ("run.h5",)), "-o", "report.html")
        with open(self.path("report.html"), encoding="utf-8") as file:
            return file.read()


class Page:
    """The data of a page, unpacked as its program does."""

    def __init__(self, html):
        self.runs = json.loads(re.search(r'<script id="data" type="application/json">(.*?)</script>', html, re.S)[1])["runs"]
        self.bytes = [zlib.decompress(base64.b64decode(run["bytes"])) for run in self.runs]
        self.task_bytes = [zlib.decompress(base64.b64decode(run["tasks"]["bytes"])) for run in self.runs]

    def column(self, place, run=0):
        return place if isinstance(place, list) else self.unpacked(self.bytes[run], place)

    def task_column(self, place, run=0):
        return self.unpacked(self.task_bytes[run], place)

    def unpacked(self, stream, place):
        if place["form"] == "reals":
            return list(struct.unpack_from(f"<{place['count']}d", stream, place["offset"]))
        values, at = [], place["offset"]
        for _ in range(place["count"]):
            value = shift = 0
            while True:
                byte = stream[at]
                at += 1
                value |= (byte & 127) << shift
                shift += 7
                if byte < 128:
                    break
            values.append(-(value + 1) // 2 if value % 2 else value // 2)
        return list(np.cumsum(values)) if place["form"] == "differences" else values


class Content(Report):
    def test_it_asks_for_nothing_from_outside(self):
        self.simulate()
        html = self.page()
        without_data = re.sub(r'<script id="data".*?</script>', "", html, flags=re.S)
        self.assertEqual(re.findall(r'(?:src|href)="?(?!#|data:)[^"\s>]+', without_data), [])
        self.assertEqual(re.findall(r"url\(|@import|fetch\(|XMLHttpRequest|import\s*\(", without_data), [])
        self.assertEqual({address for address in re.findall(r"https?://[^\"'\s<]+", without_data)}, {"http://www.w3.org/2000/svg"})

    def test_tasks_are_those_of_the_run_file(self):
        run = self.simulate()
        page = Page(self.page())
        tasks = page.runs[0]["tasks"]
        columns = {name: page.task_column(place) for name, place in tasks["columns"].items()}
        found, at = [], 0
        for accelerator, unit, count in tasks["lanes"]:
            end = 0
            for i in range(at, at + count):
                begin = end + columns["gap"][i]
                self.assertGreaterEqual(begin, end)  # nothing overlaps in a lane
                end = begin + columns["length"][i]
                found.append((columns["task"][i], accelerator, begin - columns["queued"][i], end, columns["operator"][i], columns["phase"][i], columns["kind"][i],
                              columns["bytes"][i], columns["destination"][i], columns["micro_batch"][i], columns["stage"][i]))
            at += count
        names = ("task", "accelerator", "start_ps", "end_ps", "operator", "phase", "kind", "bytes", "destination", "micro_batch", "stage")
        expected = [tuple(int(task[name]) for name in names) for task in run["tasks"][:] if task["end_ps"] > task["start_ps"]]
        self.assertEqual(sorted(found), sorted(expected))
        self.assertEqual(tasks["instants"], len(run["tasks"]) - len(expected))

    def test_tables_and_attributes_are_those_of_the_run_file(self):
        run = self.simulate()
        page = Page(self.page())
        for name in ("links", "energy", "traffic", "breakdown", "stages", "critical_path", "what_if", "places", "plan", "accelerators"):
            table = page.runs[0]["tables"][name]
            self.assertEqual(table["rows"], len(run[name]))
            for column in run[name].dtype.names:
                expected = [value.decode() if isinstance(value, bytes) else value for value in run[name][column]]
                self.assertEqual(page.column(table["columns"][column]), expected, (name, column))
        for name, value in run.attrs.items():
            self.assertEqual(page.runs[0]["attributes"][name], value)
        busy, lanes = run["utilisation/busy_ps"], {f"{row['from'].decode()}>{row['to'].decode()}": row["lanes"] for row in run["links"][:]}
        scale = [1000 / busy.attrs["bin_ps"] / lanes.get(name, 1) for name in run["utilisation/resource"].asstr()[:]]
        expected = np.floor(busy[:] * np.array(scale)[:, None] + 0.5).astype(int).ravel()
        self.assertLessEqual(np.abs(np.array(page.column(page.runs[0]["utilisation"]["busy"])) - expected).max(), 1)

    def test_constants_say_where_they_are_from(self):
        self.simulate()
        sources = {(source.get("component") or source["event"], source["name"]) for source in Page(self.page()).runs[0]["hardware"]["sources"]}
        self.assertGreaterEqual(sources, {("processing-unit", "hypar-pu"), ("buffer", "hypar-pu"), ("memory", "hmc-2.1"),
                                          ("link_word", "hmc-htree-16"), ("exchange_access", "hmc-htree-16")})

    def test_the_plan_is_as_tessera_plan_shows_it(self):
        self.simulate()
        plan = Page(self.page()).runs[0]["plan"]
        lines = self.output_of("plan", *DETAILED).splitlines()
        start = next(i for i, line in enumerate(lines) if line.startswith("layer "))
        self.assertEqual([plan["titles"], *plan["rows"]], [line.split() for line in lines[start:start + 1 + len(plan["rows"])]])

    def test_the_same_run_gives_the_same_page(self):
        self.simulate()
        self.assertEqual(self.page(), self.page())

    def test_texts_cannot_end_the_data(self):
        self.simulate(*DETAILED).close()
        with h5py.File(self.path("run.h5"), "r+") as run:
            run.attrs["command_line"] = "tessera </script><script>alert(1)</script>"
        html = self.page()
        self.assertNotIn("</script><script>alert", html)
        self.assertEqual(Page(html).runs[0]["attributes"]["command_line"], "tessera </script><script>alert(1)</script>")


def luminance(colour):
    """Relative luminance of #rrggbb, as WCAG 2.2 defines it."""
    parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    return sum(weight * (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4)
               for weight, part in zip((0.2126, 0.7152, 0.0722), parts))


def contrast(one, other):
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


class Colours(Report):
    """Those of the page's style, whatever a run makes of them: WCAG 2.2 wants 4.5 to 1 of text, and 3 to 1 of graphics."""

    def setUp(self):
        super().setUp()
        self.simulate()
        html = self.page()
        self.themes = {name: dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", re.search(start + r" \{(.*?)\}", html, re.S)[1]))
                       for name, start in (("light", ":root"), ("dark", r':root\[data-theme="dark"\]'))}
        self.apart = {name: re.findall("#[0-9a-f]{6}", re.search(name + r": \[(.*?)\]", html[html.index("const APART"):])[1]) for name in self.themes}

    def test_texts_can_be_read(self):
        for theme, colours in self.themes.items():
            for text in ("ink", "soft", "accent", "good", "bad"):
                for behind in ("paper", "panel"):
                    self.assertGreaterEqual(contrast(colours[text], colours[behind]), 4.5, (theme, text, behind))
            self.assertGreaterEqual(contrast(colours["ink"], colours["grid"]), 4.5, theme)  # a button under the pointer

    def test_graphics_stand_out(self):
        for theme, colours in self.themes.items():
            names = set(colours) - {"paper", "panel", "line", "grid", "cold"}  # surfaces, rules, and what was idle
            self.assertGreaterEqual(names, {"compute", "communication", "memory", "idle", "forward", "backward_data", "update", "bubble"})
            for colour in [*(colours[name] for name in names), *self.apart[theme]]:
                for behind in ("paper", "panel"):
                    self.assertGreaterEqual(contrast(colour, colours[behind]), 3, (theme, colour, behind))


class Refused(Report):
    def test_what_is_no_run_of_tasks(self):
        self.write("text.h5", "schema: tessera.plan/1\n")
        with h5py.File(self.path("other.h5"), "w") as other:
            other["numbers"] = [1, 2, 3]
        self.simulate(*DETAILED, "--trace", "none", name="none.h5")
        self.simulate(name="cut.h5").close()
        os.truncate(self.path("cut.h5"), os.path.getsize(self.path("cut.h5")) // 2)
        self.simulate(name="schema.h5").close()
        with h5py.File(self.path("schema.h5"), "r+") as run:
            run.attrs["schema"] = "tessera.run/9"
        for name, because in (("no.h5", "No such file"), ("text.h5", "is no run file, but a tessera.plan/1"), ("other.h5", "another HDF5 file"),
                              ("none.h5", "has no tasks (it was written with --trace none)"), ("cut.h5", "cut off or damaged"),
                              ("schema.h5", "'tessera.run/9', and this program reads tessera.run/1 and tessera.run/2")):
            self.assert_refused("report", name, "-o", "report.html", because=[name, because])

    def test_more_than_two_runs(self):
        self.simulate()
        self.assert_refused("report", "run.h5", "run.h5", "run.h5", "-o", "report.html", because="one run, or two side by side; 3 are given")

    def test_a_page_replaces_only_one_of_the_same_runs(self):
        self.simulate()
        self.simulate(*DETAILED, "--set", "workload.batch=16", name="other.h5")
        self.page()
        self.page()
        self.assert_refused("report", "other.h5", "-o", "report.html", because=["report.html", "no such export of this run", "--force"])
        self.assert_refused("report", "run.h5", "-o", "run.h5", because=["run.h5", "no such export"])
        self.output_of("report", "other.h5", "-o", "report.html", "--force")


# Of every text that is seen: its contrast with what is behind it, as the Web Content Accessibility Guidelines 2.2 define it.
CONTRASTS = """
const parse = text => (text.match(/[\\d.]+/g) || []).map(Number);
const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
  .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const behind = element => {
  for (; element; element = element.parentElement) {
    const colour = parse(getComputedStyle(element).backgroundColor);
    if (colour.length === 3 || colour[3] > 0.99) return colour;
  }
  return [255, 255, 255];
};
const found = new Map(), walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  if (!walker.currentNode.textContent.trim() || !element.checkVisibility() || element.closest("script,style,.skip,#tip")) continue;
  const style = getComputedStyle(element), text = parse(element.closest("svg") ? style.fill : style.color), back = behind(element);
  const [a, b] = [light(text), light(back)].sort((x, y) => y - x);
  const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && style.fontWeight >= 700);
  const ratio = (a + 0.05) / (b + 0.05);
  if (ratio < (large ? 3 : 4.5)) found.set(`${text} on ${back}: ${ratio.toFixed(2)}`, walker.currentNode.textContent.trim().slice(0, 40));
}
return [...found];
"""

# Of every canvas that is in the page: its label and how many colours it has.
INKS = """
return [...document.querySelectorAll("canvas")].map(canvas => {
  const pixels = new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer);
  return [canvas.getAttribute("aria-label"), new Set(pixels).size];
});
"""


@unittest.skipUnless(browser.IS_HERE, browser.MISSING)
class Shown(Report):
    @classmethod
    def setUpClass(cls):
        cls.window = cls.enterClassContext(browser.Browser())

    def assert_shown(self, window):
        """Everything is drawn, nothing was asked for, nobody complains, every text can be read."""
        self.assertEqual(window.complaints(), [])
        self.assertEqual([address for address in window.requests() if not address.startswith(("file://", "data:"))], [])
        self.assertEqual(tuple(window.run("return [...document.querySelectorAll('main > section')].map(one => one.id)")), SECTIONS)
        empty = window.run("return [...document.querySelectorAll('main > section')].filter(one => !one.querySelector('svg, canvas, table, .note, dl')).map(one => one.id)")
        self.assertEqual(empty, [])
        for label, colours in window.run(INKS):
            self.assertGreater(colours, 3, label)
        self.assertEqual(window.run("return [...document.querySelectorAll('svg')].filter(one => /NaN|Infinity|undefined/.test(one.outerHTML)).length"), 0)
        self.assertEqual(window.run("return document.body.innerText.match(/NaN|Infinity|undefined|\\[object/g)"), None)
        self.assertEqual(window.run(CONTRASTS), [])
        self.assertEqual(window.run("return [...document.querySelectorAll('canvas, svg')].filter(one => !one.getAttribute('aria-label')).length"), 0)
        wide, seen = window.run("return [document.documentElement.scrollWidth, innerWidth]")
        self.assertLessEqual(wide, seen)

    def shown(self, *runs, **options):
        self.page(*runs)
        window = self.window
        window.look(**options)
        window.open(self.path("report.html"), TIMEOUT / 2)
        self.assert_shown(window)
        return window

    def test_detailed_cores_light(self):
        run = self.simulate()
        window = self.shown()
        text = window.run("return document.querySelector('.tiles').innerText")
        self.assertIn(f"{100 * run.attrs['macs'] / (16 * 12 * 14 * 250e6) / (run.attrs['time_ps'] * 1e-12):.1f} %", text)
        exposed = run["breakdown"]["communication_ps"].sum() / (16 * run.attrs["time_ps"])
        self.assertIn(f"{100 * exposed:.1f} %", text)
        path = run["critical_path"][:]
        causes = list(run["names/path_causes"].asstr()[:])
        compute = path[path["cause"] == causes.index("compute")]
        share = 100 * (compute["end_ps"] - compute["begin_ps"]).sum() / run.attrs["time_ps"]
        self.assertIn(f"compute {share:.1f} %", window.run("return document.querySelector('#path .legend').innerText"))
        self.assertEqual(window.run("return document.title"), "hypar/lenet-c on hmc-htree-16 with hypar")

    def test_of_repeats_it_says_that_others_mirror_what_is_drawn(self):
        run = self.simulate("-w", "hypar/lenet-c", "-a", "hypar-paper", "-p", "dp", "--trace", "repeats")
        mirrored = len(run["mirrors"])
        text = self.shown().run("return document.querySelector('#timeline').innerText")
        self.assertIn(f"{mirrored} accelerators whose tasks are not in the file mirror those that are drawn.", text)

    def test_what_older_files_lack_is_said(self):
        self.simulate().close()
        with h5py.File(self.path("run.h5"), "r+") as run:
            for name in ("critical_path", "what_if", "places", "plan", "accelerators", "utilisation", "traffic"):
                del run[name]
            breakdown = run["breakdown"][:]
            del run["breakdown"]
            run["breakdown"] = breakdown[["operator", "phase", "compute_ps", "memory_ps", "communication_ps", "idle_ps"]].copy()
        window = self.shown()
        text = window.run("return document.body.innerText")
        for missing in ("/critical_path", "/what_if", "/places", "/plan", "/utilisation", "macs and memory_bytes of /breakdown", "not known from this file"):
            self.assertIn(missing, text)

    def test_a_torus_dark(self):
        self.simulate(*TORUS)
        self.shown(is_dark=True)

    def test_a_pipeline_narrow(self):
        self.simulate(*PIPELINE)
        window = self.shown(width=390)
        self.assertEqual(window.run("return document.querySelectorAll('#pipeline canvas').length"), 1)

    def test_stages_were_predicted_what_they_compute(self):
        run = self.simulate(*PIPELINE, "--set", "arch.fabric.link.bandwidth=unlimited")
        window = self.shown()
        predicted = dict(window.run("return readRuns().then(([run]) => predictedLayers(run).map(([name, before]) => [name, before]))"))
        operators, breakdown = list(run["names/operators"].asstr()[:]), run["breakdown"][:]
        for name in predicted:
            computed = breakdown["compute_ps"][breakdown["operator"] == operators.index(name)].sum() * 1e-12 / 4  # accelerators
            self.assertAlmostEqual(predicted[name] / computed, 1, delta=0.01, msg=name)

    def test_labels_on_boxes_can_be_read(self):
        self.simulate()
        window = self.shown()
        colours = window.run("return [...Array(4096).keys()].map(i => [i & 15, i >> 4 & 15, i >> 8].map(part => 17 * part)).map(rgb => [rgb, inkOn(packed(rgb))])")
        for rgb, ink in colours:
            self.assertGreaterEqual(contrast("#%02x%02x%02x" % tuple(rgb), ink), 4.5, (rgb, ink))

    def test_printed_it_is_as_wide_as_paper_and_light(self):
        self.simulate()
        self.simulate(*DETAILED[:-3], "dp", *DETAILED[-2:], name="dp.h5")
        window = self.shown("dp.h5", "run.h5", is_dark=True)
        window.command("Emulation.setEmulatedMedia", {"media": "print", "features": [{"name": "prefers-color-scheme", "value": "dark"}]})
        window.run("dispatchEvent(new Event('beforeprint'))")
        widest = window.run("return Math.max(...[...document.querySelectorAll('main svg, main canvas, main table')].map(one => one.getBoundingClientRect().right))")
        self.assertLessEqual(widest, 7.47 * 96)  # A4 less its margins
        self.assertEqual(window.run("return getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
        self.assertEqual(window.run("return [...document.querySelectorAll('button, output, nav')].filter(one => one.checkVisibility()).length"), 0)
        window.run("dispatchEvent(new Event('afterprint'))")
        self.assertEqual(window.run("return document.documentElement.dataset.theme"), "dark")

    def test_two_runs_on_common_axes(self):
        self.simulate()
        self.simulate(*DETAILED[:-3], "dp", *DETAILED[-2:], name="dp.h5")
        window = self.shown("dp.h5", "run.h5")
        self.assertIn("planner", window.run("return document.getElementById('title').innerText"))
        axes = window.run("return [...document.querySelectorAll('#overview .pair figure svg')].map(one => [...one.querySelectorAll('.grid + .soft, text.soft')].map(text => text.textContent).join())")
        self.assertEqual(axes[:len(axes) // 2], axes[len(axes) // 2:])  # the figures of one run, then the other's

    def test_the_timeline_from_the_keyboard(self):
        self.simulate()
        window = self.shown()
        window.run("document.querySelector('#timeline canvas').focus()")
        output = "return document.querySelector('#timeline output').textContent"
        window.press("n")
        first = window.run(output)
        self.assertRegex(first, r"accelerator 0, compute")
        window.press("n")
        self.assertNotEqual(window.run(output), first)
        before = window.run("return document.querySelector('#timeline canvas').toDataURL()")
        window.press("+", "+")
        window.run("return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        self.assertNotEqual(window.run("return document.querySelector('#timeline canvas').toDataURL()"), before)

    def test_the_timeline_finds_tasks(self):
        run = self.simulate()
        window = self.shown()
        window.run("const box = document.querySelector('#timeline input'); box.value = 'fc1 forward'; box.dispatchEvent(new Event('input'))")
        operators, phases = (list(run[f"names/{name}"].asstr()[:]) for name in ("operators", "phases"))
        tasks = run["tasks"][:]
        expected = ((tasks["operator"] == operators.index("fc1")) & (tasks["phase"] == phases.index("forward"))).sum()
        self.assertIn(f"{expected} of {len(tasks)} match", window.run("return document.querySelector('#timeline [role=status]').textContent").replace("\u202f", ""))


if __name__ == "__main__":
    unittest.main()
