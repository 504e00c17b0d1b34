// What the time of the run depends on: the critical path by cause over time, its largest parts, and what faster hardware would give.

const CAUSE_COLOURS = {compute: "compute", memory: "memory", communication: "communication", dispatch: "dispatch", wait: "wait", barrier: "barrier", bubble: "bubble"};
const causeColour = (name, i) => {
  const known = Object.keys(CAUSE_COLOURS).find(key => name.includes(key));
  return known ? colour(CAUSE_COLOURS[known]) : hueColour(i + 3);
};

const PATH_TEXT = {memory: "memory stall", wait: "waiting for links", barrier: "waiting at barriers", bubble: "pipeline bubbles"};
const causeName = (run, cause) => { const name = run.name("path_causes", cause); return PATH_TEXT[name] ?? words(name); };

/// Its pieces in order of time.
Run.prototype.path = function () {
  if (this.pieces || !this.has("critical_path")) return this.pieces;
  const columns = Object.fromEntries(["begin_ps", "end_ps", "cause", "link", "operator", "phase"].map(name => [name, this.column("critical_path", name)]));
  return this.pieces = {...columns, count: columns.begin_ps.length};
};
const linkName = (run, row) => `${run.column("links", "from")[row]} > ${run.column("links", "to")[row]}`;

/// [{what, cause, ps, count}] by cause, operator, phase and link, the longest first.
const pathParts = run => {
  const path = run.path(), parts = new Map();
  for (let i = 0; i < path.count; ++i) {
    const key = `${path.cause[i]} ${path.operator[i]} ${path.phase[i]} ${path.link[i]}`;
    let part = parts.get(key);
    if (!part) {
      const over = path.link[i] >= 0 ? ` over ${linkName(run, path.link[i])}` : "";
      parts.set(key, part = {what: `${run.name("operators", path.operator[i])} ${words(run.name("phases", path.phase[i]))}${over}`, cause: path.cause[i], ps: 0, count: 0});
    }
    part.ps += path.end_ps[i] - path.begin_ps[i];
    ++part.count;
  }
  return [...parts.values()].sort((a, b) => b.ps - a.ps);
};

const pathRibbon = (run, causes) => {
  const path = run.path(), bins = 320, span = run.horizon, shares = causes.map(() => new Float64Array(bins));
  for (let i = 0; i < path.count; ++i) {
    const at = causes.indexOf(path.cause[i]), from = path.begin_ps[i] / span * bins, to = path.end_ps[i] / span * bins;
    for (let bin = Math.floor(from); bin < Math.min(bins, Math.ceil(to)); ++bin) {
      shares[at][bin] += Math.min(to, bin + 1) - Math.max(from, bin);
    }
  }
  const left = 8, high = 56;
  const canvas = canvasFigure("Causes along the critical path over time", high + 22, (context, width) => {
    context.clearRect(0, 0, width, high + 22);
    const wide = (width - 2 * left) / bins;
    for (let bin = 0; bin < bins; ++bin) {
      let y = high;
      causes.forEach((cause, i) => {
        const tall = shares[i][bin] * high;
        context.fillStyle = causeColour(run.name("path_causes", cause), cause);
        context.fillRect(left + bin * wide, y - tall, wide + 0.6, tall);
        y -= tall;
      });
    }
    const places = ticks(0, span, timeSteps(width));
    context.fillStyle = colour("soft");
    places.forEach(place => {
      const x = left + place / span * (width - 2 * left);
      context.textAlign = x > width - 40 ? "right" : x < 20 ? "left" : "center";
      context.fillText(axisTime(place, places), x, high + 17);
    });
  }, (x, y) => {
    const bin = Math.floor((x - left) / (canvas.clientWidth - 2 * left) * bins);
    if (bin < 0 || bin >= bins || y > high) return "";
    return [`about ${psText((bin + 0.5) / bins * span)}`, ...causes.map((cause, i) => [shares[i][bin], causeName(run, cause)]).filter(([share]) => share > 0.005)
      .map(([share, name]) => `${name} ${percentText(share, 0)}`)].join("\n");
  });
  return canvas;
};

const pathView = run => {
  if (!run.has("critical_path")) return note("This run file has no critical path (its table /critical_path); a newer version of Tessera writes it.");
  const parts = pathParts(run), all = run.about.time_ps, sums = new Map();
  parts.forEach(part => sums.set(part.cause, (sums.get(part.cause) ?? 0) + part.ps));
  const causes = [...sums.keys()].sort((a, b) => sums.get(b) - sums.get(a)), name = cause => causeName(run, cause);
  const ribbon = pathRibbon(run, causes);
  const colourBox = cause => h("i", {style: `display:inline-block;width:.75em;height:.75em;border-radius:.15em;margin-right:.45em;background:${causeColour(run.name("path_causes", cause), cause)}`});
  const first = parts[0];
  return [h("figure", {}, ribbon, legend(causes.map(cause => [causeColour(run.name("path_causes", cause), cause), `${name(cause)} ${percentText(sums.get(cause) / all)}`])),
    h("figcaption", {}, `The largest part: ${name(first.cause)} of ${first.what || "no task"}, ${percentText(first.ps / all)} of the time.`)),
  h("div", {style: "height:.8rem"}),
  table("The largest parts of the critical path", [["cause", "text"], ["of", "wrap"], ["time", "number"], ["of the run", "number"], ["segments", "number"]],
    parts.slice(0, 10).map(part => [h("span", {}, colourBox(part.cause), name(part.cause)), part.what, psText(part.ps), percentText(part.ps / all), countText(part.count)])),
  parts.length > 10 ? numbers("All parts of the critical path", [["cause", "text"], ["of", "wrap"], ["time", "number"], ["of the run", "number"], ["segments", "number"]],
    parts.map(part => [name(part.cause), part.what, psText(part.ps), percentText(part.ps / all), countText(part.count)]), `All ${countText(parts.length)} parts`) : null];
};

/// Each class of hardware: the run as it was, twice as fast, without limit, and the bound that nothing beats.
const whatIfView = run => {
  if (!run.has("what_if")) return note("This run file has no estimates for faster hardware (its table /what_if); a newer version of Tessera writes them.");
  const resources = run.column("what_if", "resource"), all = run.about.time_ps;
  const [bound, twice, infinite] = ["bound_ps", "estimate_2x_ps", "estimate_infinite_ps"].map(name => run.column("what_if", name));
  const svg = svgFigure("Time of the run if one class of hardware were faster", width => {
    const left = Math.min(170, width * 0.32), right = 30, high = 28, top = 6, tall = top + resources.length * high + 24, x = value => left + value / (run.horizon) * (width - left - right);
    const axis = ticks(0, run.horizon, timeSteps(width - left)).map(place => [s("line", {class: "grid", x1: x(place), x2: x(place), y1: top, y2: tall - 22}),
      s("text", {class: "soft", x: x(place), y: tall - 6, "text-anchor": "middle"}, tickText(psText, place))]);
    const marks = [...resources].map((resource, i) => {
      const y = top + i * high + high / 2;
      return [s("text", {x: left - 10, y: y + 4, "text-anchor": "end"}, words(resource)), s("line", {x1: x(bound[i]), x2: x(all), y1: y, y2: y, style: "stroke:var(--line);stroke-width:3"}),
        withTip(s("line", {x1: x(bound[i]), x2: x(bound[i]), y1: y - 8, y2: y + 8, style: "stroke:var(--soft);stroke-width:2"}), `${words(resource)}: no faster than ${psText(bound[i])}`),
        withTip(s("circle", {cx: x(twice[i]), cy: y, r: 5, style: "fill:var(--compute)"}), `${words(resource)} twice as fast: about ${psText(twice[i])} (${changeText(all, twice[i])})`),
        withTip(s("circle", {cx: x(infinite[i]), cy: y, r: 4.5, style: "fill:var(--paper);stroke:var(--communication);stroke-width:2"}), `${words(resource)} without limit: about ${psText(infinite[i])} (${changeText(all, infinite[i])})`)];
    });
    return [tall, [axis, s("line", {x1: x(all), x2: x(all), y1: top, y2: tall - 22, style: "stroke:var(--ink);stroke-width:1.5;stroke-dasharray:3 2"}), marks]];
  });
  return [h("figure", {}, svg, legend([["var(--compute)", "twice as fast (estimate)"], ["var(--communication)", "without limit (estimate)"], ["var(--soft)", "bound: never below"], ["var(--ink)", "as it was"]])),
    numbers("Time of the run if one class of hardware were faster", [["faster", "text"], ["twice (estimate)", "number"], ["without limit (estimate)", "number"], ["bound", "number"]],
      [...resources].map((resource, i) => [words(resource), `${psText(twice[i])} (${changeText(all, twice[i])})`, `${psText(infinite[i])} (${changeText(all, infinite[i])})`, psText(bound[i])]))];
};

const pathSection = runs => section("path", "Critical path",
  "From the end of the run back to its beginning, always to what was waited for last: what lies on this path is what takes the time. Shortening anything else does not help.",
  pair(runs, pathView), h("h3", {style: "margin-top:1.8rem"}, "What faster hardware would give"), pair(runs, whatIfView));
