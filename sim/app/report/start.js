// Puts the page together, and keeps it as the reader wants it: theme, width, keyboard.

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

const start = async () => {
  const began = performance.now();
  theme.listen();
  theme.apply();
  const runs = await readRuns(), main = document.getElementById("main");
  for (const run of runs) run.horizon = Math.max(...runs.map(one => one.about.time_ps));  // the end of all axes of time
  document.title = runs.map(run => run.title).join(" and ");
  document.getElementById("title").append(...heading(runs).flat(Infinity).filter(Boolean));
  main.replaceChildren();
  for (const build of sections()) {
    const made = build(runs);
    main.append(made);
    document.querySelector("nav").append(h("a", {href: `#${made.id}`}, made.querySelector("h2").textContent));
  }
  redraw();
  document.querySelector("footer").append(`Made by tessera report; the data are of ${runs.map(run => run.data.file).join(" and ")}.`);
  let width = innerWidth;
  addEventListener("resize", () => { if (innerWidth !== width) { width = innerWidth; redraw(); } });
  document.body.dataset.ready = String(Math.round(performance.now() - began));
};
