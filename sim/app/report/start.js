// Puts the page together, the first screen first, and keeps it as the reader wants it: theme, width, keyboard.

// A function: the files of this program are joined in the order of their names.
const sections = () => [overview, timelineSection, pathSection, breakdownSection, pipelineSection, rooflineSection, fabricSection, energySection, planSection, provenanceSection];

const theme = {
  choices: ["system", "light", "dark"],
  choice: "system",
  dark: matchMedia("(prefers-color-scheme: dark)"),
  apply() {
    const isDark = this.choice === "dark" || (this.choice === "system" && this.dark.matches);
    document.documentElement.dataset.theme = isDark ? "dark" : "light";
    document.getElementById("theme").textContent = `Theme: ${this.choice}`;
    redraw();
  },
  listen() {
    this.dark.addEventListener("change", () => this.apply());
    document.getElementById("theme").addEventListener("click", () => {
      this.choice = this.choices[(this.choices.indexOf(this.choice) + 1) % this.choices.length];
      this.apply();
    });
    addEventListener("beforeprint", () => { Object.assign(document.documentElement.dataset, {theme: "light", paper: "portrait"}); redraw(); });
    addEventListener("afterprint", () => { delete document.documentElement.dataset.paper; this.apply(); });
  },
};

/// The browser has put on the screen what is in the page; a page that nobody sees has no frames.
const shown = () => new Promise(done => { requestAnimationFrame(() => setTimeout(done)); setTimeout(done, 500); });
/// Milliseconds since the page was asked for.
const since = () => String(Math.round(performance.now()));

const start = async () => {
  theme.listen();
  theme.apply();
  const runs = await readRuns(), main = document.getElementById("main");
  for (const run of runs) run.horizon = Math.max(...runs.map(one => one.about.time_ps));  // the end of all axes of time
  document.title = runs.map(run => run.title).join(" and ");
  document.getElementById("title").append(...heading(runs).flat(Infinity).filter(Boolean));
  const status = document.getElementById("status");
  for (const build of sections()) {
    if (build !== overview && !runs[0].taskBytes) await Promise.all(runs.map(run => run.unpackTasks()));
    const made = build(runs);
    status.before(made);
    document.querySelector("nav").append(h("a", {href: `#${made.id}`}, made.querySelector("h2").textContent));
    drawNew();
    if (build !== overview && build !== timelineSection) continue;  // what fills the first screens
    await shown();
    document.body.dataset.first ??= since();
  }
  status.remove();
  for (const build of unopened) build();
  document.querySelector("footer").append(`Made by tessera report; the data are of ${runs.map(run => run.data.file).join(" and ")}.`);
  let width = innerWidth;
  addEventListener("resize", () => { if (innerWidth !== width) { width = innerWidth; redraw(); } });
  document.body.dataset.ready = since();
};
