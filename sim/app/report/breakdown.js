// Where the accelerators' time went: by phase, by layer, and by accelerator over time.

const byPhase = runs => {
  const groups = runs.map(run => run.shares((_, phase) => run.name("phases", phase)));
  const most = Math.max(...groups.flatMap(group => [...group.values()].map(sumOf)), 0);
  return pair(runs, run => {
    const group = groups[runs.indexOf(run)];
    if (!group.size) return note("This run file says nothing of where the time went (its table /breakdown is empty).");
    const rows = [...group].filter(([, shares]) => sumOf(shares) > 0).map(([name, shares]) => [words(name), shares, `${timeText(sumOf(shares))}  ${percentText(sumOf(shares) / run.seconds)}`]);
    return h("figure", {}, stackedBars("Time by phase", rows, {parts: KINDS, colours: kind => `var(--${kind})`, text: timeText, most, partText: kind => KIND_TEXT[kind], left: 120, right: 132}), sharedLegend());
  });
};

const layerRows = run => [...run.shares(operator => run.name("operators", operator))];
const byLayer = runs => {
  const shown = 14, all = runs.map(layerRows);
  const most = Math.max(...all.flat().map(([, shares]) => sumOf(shares)), 0);
  return pair(runs, run => {
    const rows = all[runs.indexOf(run)];
    if (!rows.length) return null;
    const longest = [...rows].sort((a, b) => sumOf(b[1]) - sumOf(a[1])).slice(0, shown);
    const cells = ([name, shares]) => [name, timeText(sumOf(shares)), percentText(sumOf(shares) / run.seconds), ...KINDS.map(kind => timeText(shares[kind]))];
    return [h("figure", {}, stackedBars("Time of the longest layers", longest.map(([name, shares]) => [name, shares, `${timeText(sumOf(shares))}  ${percentText(sumOf(shares) / run.seconds)}`]),
      {parts: KINDS, colours: kind => `var(--${kind})`, text: timeText, most, partText: kind => KIND_TEXT[kind], left: 120, right: 132}), sharedLegend()),
    numbers("Time of every layer, of an accelerator on average", [["layer", "text"], ["time", "number"], ["of the run", "number"], ...KINDS.map(kind => [KIND_TEXT[kind], "number"])],
      rows.map(cells), rows.length > shown ? `All ${rows.length} layers` : "Numbers")];
  });
};

/// Rows of "accelerator-3.processing-unit" and the like: busy shares by bin.
const heatRows = (run, wanted) => {
  const {utilisation} = run.data;
  if (!utilisation) return [];
  if (!run.busyShares) run.busyShares = unpack(run.bytes, utilisation.busy);
  return utilisation.resources.map((name, row) => ({name, row})).filter(({name}) => wanted(name))
    .map(({name, row}) => ({name, busy: run.busyShares.subarray(row * utilisation.bins, (row + 1) * utilisation.bins)}));
};
const heatMap = (run, label, rows, rowName) => {
  const {bin_ps: bin, bins} = run.data.utilisation, left = 64, axis = 22;
  const tall = Math.min(360, Math.max(60, rows.length * 14));
  const canvas = canvasFigure(label, tall + axis, (context, width) => {
    const colours = heatTable(), high = tall / rows.length, scale = (width - left) / run.horizon;
    context.clearRect(0, 0, width, tall + axis);
    let shade = -1;
    const step = Math.max(1, Math.floor(1 / high));  // rows that share a pixel
    for (let row = 0; row < rows.length; row += step) {
      for (let i = 0; i < bins; ++i) {
        let most = 0;
        for (let near = row; near < Math.min(rows.length, row + step); ++near) most = Math.max(most, rows[near].busy[i]);
        const next = Math.min(100, Math.round(most / 10));
        if (next !== shade) context.fillStyle = colours[shade = next];
        const x = left + i * bin * scale;
        context.fillRect(x, row * high, Math.min(bin * scale, width - x) + 0.5, high * step + (high < 4 ? 0.5 : -0.6));
      }
    }
    context.fillStyle = colour("soft");
    context.textAlign = "right";
    const every = Math.max(1, Math.ceil(13 / high));
    rows.forEach(({name}, i) => { if (i % every === 0) context.fillText(rowName(name), left - 7, Math.max(10, i * high + Math.min(high / 2 + 4, 11))); });
    const places = ticks(0, run.horizon, timeSteps(width - left));
    places.forEach(place => {
      const x = left + place * scale;
      context.textAlign = x > width - 40 ? "right" : x < left + 20 ? "left" : "center";
      context.fillText(axisTime(place, places), x, tall + 17);
    });
  }, (x, y) => {
    const row = rows[Math.floor(y / tall * rows.length)], i = Math.floor((x - left) / (canvas.clientWidth - left) * run.horizon / bin);
    return row && x >= left && i < bins && y < tall ? `${row.name}\n${psText(i * bin)} to ${psText((i + 1) * bin)}: ${(row.busy[i] / 10).toFixed(1)} % busy` : "";
  });
  return canvas;
};
const meanBusy = (run, row) => total(row.busy) / 1000 * run.data.utilisation.bin_ps / run.about.time_ps;
const balance = (run, rows) => {
  const means = rows.map(row => meanBusy(run, row)), most = Math.max(...means), mean = total(means) / means.length;
  if (most - Math.min(...means) < 0.0005) return `${percentText(mean)} busy on average, all alike.`;
  return `${percentText(mean)} busy on average, from ${percentText(Math.min(...means))} to ${percentText(most)}; the busiest does ${percentText(most / mean - 1)} more than the average.`;
};
const acceleratorOf = name => name.slice("accelerator-".length).split(".")[0];
const unitsOverTime = (part, title) => runs => pair(runs, run => {
  const rows = heatRows(run, name => name.startsWith("accelerator-") && name.endsWith(`.${part}`));
  if (!rows.length) return note(`This run file does not say how busy each ${title} was over time (its table /utilisation).`);
  if (rows.every(row => total(row.busy) === 0)) return note(`No ${title} was ever busy for as long as a thousandth of a bin: ${part === "memory" ? "the array's memories take no time." : "nothing was computed."}`);
  return h("figure", {}, heatMap(run, `How busy each ${title} was over time`, rows, acceleratorOf), scale("idle", "busy all the time"),
    h("figcaption", {}, balance(run, rows)),
    numbers(`How busy each ${title} was`, [["accelerator", "text"], ["busy", "number"]], rows.map(row => [acceleratorOf(row.name), percentText(meanBusy(run, row))])));
});

const breakdownSection = runs => section("breakdown", "Where the time went",
  "Of an accelerator on average: its processing unit computed, or waited for others' data (exposed communication), for its memory, or for others to be done.",
  h("div", {class: runs.length > 1 ? "" : "halves"}, h("div", {}, h("h3", {}, "By phase"), byPhase(runs)),
    h("div", {style: runs.length > 1 ? "margin-top:1.8rem" : ""}, h("h3", {}, "By layer"), byLayer(runs))),
  h("h3", {style: "margin-top:1.8rem"}, "Processing units over time"), unitsOverTime("processing-unit", "processing unit")(runs),
  h("h3", {style: "margin-top:1.8rem"}, "Memories over time"), unitsOverTime("memory", "memory")(runs));
