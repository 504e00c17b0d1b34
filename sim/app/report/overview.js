// The first screen: what came out, against what was possible, and against what was predicted.

const heading = runs => {
  const about = run => `${plural(run.about.batch, "sample")} a step on ${plural(run.accelerators, "accelerator")}` +
    `${run.steps > 1 ? `, ${run.steps} steps` : ""}; ${timeText(run.seconds)} simulated in ${countText(run.about.cycles)} cycles`;
  if (runs.length === 1) return [h("h1", {}, runs[0].title), h("p", {class: "soft"}, about(runs[0])), warning(runs[0])];
  return [h("h1", {}, "Two runs side by side"),
    runs.map(run => [h("p", {}, h("span", {class: "which"}, run.letter), h("strong", {}, run.title), h("span", {class: "soft"}, ` — ${about(run)}`)), warning(run)]),
    h("p", {class: "soft"}, differing(runs))];
};
const warning = run => run.about.complete === 1 ? null
  : h("p", {}, h("strong", {class: "worse"}, "This run stopped without progress: "), "what follows is what happened until then.");

const differing = ([a, b]) => {
  const names = ["network", "array", "planner", "batch", "steps", "accelerators", "seed", "tessera_version", "commit"];
  const found = names.filter(name => a.about[name] !== b.about[name]);
  const files = ["workload", "array", "plan"].filter(name => a.data.config?.[name] !== b.data.config?.[name]);
  if (!found.length && !files.length) return "Both are runs of the same experiment.";
  return `They differ in ${[...found.map(words), ...files.map(name => `the resolved ${name}`)].join(", ")}. Axes are common to both.`;
};

const TILES = [
  ["Throughput", run => run.speed().samples, value => [digits(value), "samples/s"], "more", run => run.speed().isSteady ? "in the steady state" : "the whole run"],
  ["Time of a step", run => run.seconds / run.steps, value => timeText(value).split(" "), "less", run => run.steps > 1 ? "on average" : `predicted ${run.about.predicted_time_s > 0 ? timeText(run.about.predicted_time_s) : "not"}`],
  ["Utilisation", run => run.peakShare(), value => [(100 * value).toFixed(1), "%"], "more",
    run => run.peaks().macs ? `of the peak, ${rateText(run.peaks().macs, "MAC/s")}` : "of the peak"],
  ["Exposed communication", run => run.exposed(), value => [(100 * value).toFixed(1), "%"], "less", () => "of the accelerators' time"],
  ["Communication", run => run.about.communication_bytes, value => bytesText(value).split(" "), "less", () => "between accelerators"],
  ["Energy", run => run.joules, value => joulesText(value).split(" "), "less",
    run => `${joulesText(run.joules / (run.about.batch * run.steps))} a sample`],
];
Run.prototype.exposed = function () {
  const all = this.shares(() => "all").get("all");
  return all && all.communication / this.seconds;
};

const tiles = runs => h("dl", {class: runs.length > 1 ? "tiles two" : "tiles"}, TILES.map(([name, value, text, wanted, remark]) => {
  const values = runs.map(value);
  const shown = (number, letter) => h("dd", {}, letter ? h("span", {class: "which"}, letter) : null,
    ...(number === undefined ? ["–"] : [text(number)[0], h("small", {}, ` ${text(number)[1]}`)]));
  const [before, after] = values;
  const isBetter = wanted === "more" ? after > before : after < before;
  const change = values.every(number => number !== undefined) && runs.length > 1 ? changeText(before, after) : "";
  return h("div", {class: "tile"}, h("dt", {}, name), values.map((number, i) => shown(number, runs[i].letter)),
    runs.length === 1 && values[0] !== undefined ? h("dd", {class: "then"}, remark(runs[0])) : null,
    values.some(number => number === undefined) ? h("dd", {class: "then"}, "not known from this file") : null,
    change ? h("dd", {class: `then ${change === "same" ? "" : isBetter ? "better" : "worse"}`}, change === "same" ? "the same in both" : `${change} from A to B`) : null);
}));

/// The time of the run as it was spent, and the least that each part of the hardware would need alone.
const boundsFigure = (run, most) => {
  const all = run.shares(() => "all").get("all"), bounds = run.bounds();
  const rows = [];
  if (all) rows.push(["simulated", all, timeText(run.seconds)]);
  if (run.about.predicted_time_s > 0) rows.push(["predicted", {predicted: run.about.predicted_time_s}]);
  for (const [name, seconds] of bounds) rows.push([`${name} bound`, {[name]: seconds}]);
  const colours = part => ({predicted: "var(--soft)", "busiest link": "var(--communication)"})[part] ?? `var(--${part})`;
  const tightest = bounds.reduce((best, bound) => bound[1] > best[1] ? bound : best, ["", 0]);
  const reading = tightest[1] > 0 ? `The run takes ${digits(run.seconds / tightest[1])} times its tightest bound, ${tightest[0]}.` : "";
  return h("figure", {}, stackedBars(`Time of the run against its bounds. ${reading}`, rows,
    {parts: [...KINDS, "predicted", "busiest link"], colours, text: timeText, most, partText: part => KIND_TEXT[part] ?? part, left: 142, right: 80}),
    h("figcaption", {}, `${reading} A bound is the least time that one part of the hardware needs for its work, if nothing else took any.`),
    numbers("Time of the run and its bounds", [["what", "text"], ["time", "number"], ["of the run", "number"], ["how it comes about", "text"]],
      [["simulated", timeText(run.seconds), "100.0 %", ""],
        ...(run.about.predicted_time_s > 0 ? [["predicted", timeText(run.about.predicted_time_s), percentText(run.about.predicted_time_s / run.seconds), "by the planner's cost model"]] : []),
        ...bounds.map(([name, seconds, what]) => [`${name} bound`, timeText(seconds), percentText(seconds / run.seconds), what])]));
};

const predictedTotals = run => {
  const {about} = run;
  const rows = [["time", about.predicted_time_s, run.seconds, timeText], ["communication", about.predicted_communication_bytes, about.communication_bytes, bytesText],
    ["energy", about.predicted_energy_j, run.joules, joulesText]].filter(([, before]) => before > 0);
  if (!rows.length) return note("The plan of this run has no prediction.");
  return table("Predicted and simulated, of the whole run", [["of the run", "text"], ["predicted", "number"], ["simulated", "number"], ["difference", "number"]],
    rows.map(([name, before, after, text]) => [name, text(before), text(after), changeText(before, after)]));
};

/// The share of the array that a micro-batch of an operator keeps busy: all of it, or a replica of the operator's stage.
const workingShares = run => {
  const shares = new Map();
  for (const stage of run.data.plan?.stages ?? []) {
    const share = stage.accelerators.length / (stage.replicas ?? 1) / run.accelerators;
    (stage.operators ?? (stage.chunks ?? []).flatMap(chunk => chunk.operators ?? chunk)).forEach(name => shares.set(name, share));
  }
  return shares;
};

/// Seconds of an accelerator, on average, by operator: [name, predicted, simulated]. The run file has predictions of stages for one
/// micro-batch after another.
const predictedLayers = run => {
  if (!run.has("plan", "predicted_time_s")) return undefined;
  const predicted = new Map(), operators = run.column("plan", "operator"), times = run.column("plan", "predicted_time_s");
  const nameOf = operator => typeof operator === "string" ? operator : run.name("operators", operator), shares = workingShares(run);
  operators.forEach((operator, row) => {
    const name = nameOf(operator);
    predicted.set(name, (predicted.get(name) ?? 0) + times[row] * (shares.get(name) ?? 1));
  });
  const simulated = run.shares(operator => run.name("operators", operator));
  return [...predicted].map(([name, time]) => [name, time, simulated.has(name) ? sumOf(simulated.get(name)) : 0]);
};
const predictedFigure = (run, most) => {
  const layers = predictedLayers(run);
  if (!layers) return [predictedTotals(run), note("This run file has no predictions by layer (its table /plan); a newer version of Tessera writes them.")];
  const longest = [...layers].sort((a, b) => Math.max(b[1], b[2]) - Math.max(a[1], a[2])).slice(0, 6);
  const rows = longest.flatMap(([name, before, after]) => [[name, {predicted: before}, timeText(before)], ["", {simulated: after}, `${timeText(after)}  ${changeText(before, after)}`]]);
  return [predictedTotals(run), h("figure", {style: "margin-top:.8rem"}, stackedBars("Predicted and simulated time of the longest layers", rows,
    {parts: ["predicted", "simulated"], colours: part => part === "predicted" ? "var(--soft)" : "var(--compute)", text: timeText, most, left: 110, right: 130, high: 18}),
  legend([["var(--soft)", "predicted"], ["var(--compute)", "simulated"]]),
  numbers("Predicted and simulated time of every layer", [["layer", "text"], ["predicted", "number"], ["simulated", "number"], ["difference", "number"]],
    layers.map(([name, before, after]) => [name, timeText(before), timeText(after), changeText(before, after)]), "All layers"))];
};

const overview = runs => {
  const most = Math.max(...runs.flatMap(run => [run.seconds, run.about.predicted_time_s || 0, ...run.bounds().map(bound => bound[1])]));
  const layers = runs.flatMap(run => predictedLayers(run) ?? []);
  const longest = Math.max(0, ...layers.flatMap(layer => [layer[1], layer[2]]));
  return section("overview", "At a glance", null, tiles(runs), h("div", {style: "height:1.6rem"}),
    pair(runs, run => h("div", {class: runs.length > 1 ? "" : "halves"},
      h("div", {}, h("h3", {}, "Against what was possible"), boundsFigure(run, most), sharedLegend()),
      h("div", {style: runs.length > 1 ? "margin-top:1.6rem" : ""}, h("h3", {}, "Against what was predicted"), predictedFigure(run, longest)))));
};
