// What each layer attained of the peak and of the memory's bandwidth, by how many multiply-accumulates it does per byte.

/// Of every operator and phase that computes: {name, phase, intensity [MAC/B], rate [MAC/s], seconds}, of all accelerators together.
const rooflinePoints = run => {
  const [operators, phases, macs, bytes, compute, memory] = ["operator", "phase", "macs", "memory_bytes", "compute_ps", "memory_ps"].map(name => run.column("breakdown", name));
  const points = [];
  for (let row = 0; row < operators.length; ++row) {
    const seconds = (compute[row] + memory[row]) * 1e-12 / run.accelerators;
    if (!(macs[row] > 0 && bytes[row] > 0 && seconds > 0)) continue;
    points.push({name: `${run.name("operators", operators[row])} ${words(run.name("phases", phases[row]))}`, phase: run.name("phases", phases[row]),
      intensity: macs[row] / bytes[row], rate: macs[row] / seconds, seconds});
  }
  return points;
};

const rooflineFigure = (run, points, limits) => svgFigure("Roofline: attained rate of each layer and phase", width => {
  const {macs: peak, memory: bandwidth} = run.peaks();
  const tall = 380, left = 76, right = 16, top = 18, bottom = 44, [x0, x1, y0, y1] = limits;
  const x = value => left + (Math.log10(value) - x0) / (x1 - x0) * (width - left - right);
  const y = value => tall - bottom - (Math.log10(value) - y0) / (y1 - y0) * (tall - top - bottom);
  const decades = (from, to) => Array.from({length: to - from + 1}, (_, i) => 10 ** (from + i));
  const middle = (top + tall - bottom) / 2;
  const axes = [decades(x0, x1).map(place => [s("line", {class: "grid", x1: x(place), x2: x(place), y1: top, y2: tall - bottom}), s("text", {class: "soft", x: x(place), y: tall - bottom + 17, "text-anchor": "middle"}, place < 1 ? String(Number(place.toPrecision(1))) : tickText(value => prefixed(value, "", LARGE), place))]),
    decades(y0, y1).map(place => [s("line", {class: "grid", x1: left, x2: width - right, y1: y(place), y2: y(place)}), s("text", {class: "soft", x: left - 8, y: y(place) + 4, "text-anchor": "end"}, tickText(value => prefixed(value, "", LARGE), place))]),
    s("text", {class: "soft", x: (left + width - right) / 2, y: tall - 6, "text-anchor": "middle"}, "multiply-accumulates per byte of memory traffic"),
    s("text", {class: "soft", x: 14, y: middle, "text-anchor": "middle", transform: `rotate(-90 14 ${middle})`}, "MAC/s of the whole array")];
  const longest = Math.max(...points.map(point => point.seconds));
  const dots = [...points].sort((a, b) => b.seconds - a.seconds).map(point => withTip(
    s("circle", {cx: x(point.intensity), cy: y(point.rate), r: 3 + 7 * Math.sqrt(point.seconds / longest), style: `fill:var(--${PHASES.includes(point.phase) ? point.phase : "soft"});fill-opacity:.72;stroke:var(--paper);stroke-width:1`}),
    `${point.name}\n${digits(point.intensity)} MAC/B, ${rateText(point.rate, "MAC/s")}${peak ? ` (${percentText(point.rate / peak)} of the peak)` : ""}\n${timeText(point.seconds)} of computing and waiting for memory`));
  const [lines, labels] = peak ? roofs(peak, bandwidth, limits, x, y) : [[], []];
  return [tall, [axes, lines, dots, labels]];
}, 760);

/// The flat roof of the units, and the slope of the memories as far as it is below: lines and labels.
const roofs = (peak, bandwidth, [x0, x1, y0], x, y) => {
  const first = 10 ** x0, last = 10 ** x1, start = bandwidth ? Math.max(first, 10 ** y0 / bandwidth) : first;
  const roof = at => Math.min(peak, (bandwidth ?? Infinity) * at), ridge = Math.min(last, Math.max(start, bandwidth ? peak / bandwidth : start));
  const line = s("path", {d: `M${x(start)} ${y(roof(start))}L${x(ridge)} ${y(roof(ridge))}L${x(last)} ${y(roof(last))}`, style: "fill:none;stroke:var(--ink);stroke-width:1.5"});
  const flat = ridge < last ? s("text", {class: "over", x: x(last), y: y(peak) - 13, "text-anchor": "end"}, `peak ${rateText(peak, "MAC/s")}`) : null;
  if (!bandwidth || x(ridge) - x(start) < 40) return [line, [flat]];
  const at = Math.sqrt(start * ridge), angle = -Math.atan2(y(roof(start)) - y(roof(ridge)), x(ridge) - x(start)) * 180 / Math.PI;
  return [line, [flat, s("text", {class: "over", x: x(at), y: y(roof(at)) - 7, "text-anchor": "middle", transform: `rotate(${angle} ${x(at)} ${y(roof(at))})`}, `memory ${rateText(bandwidth, "B/s")}`)]];
};

const rooflineSection = runs => {
  const all = runs.map(run => run.has("breakdown", "memory_bytes") ? rooflinePoints(run) : undefined), points = all.flatMap(own => own ?? []);
  const logs = (key, extra) => [...points.map(point => point[key]), ...extra].filter(value => value > 0).map(Math.log10);
  const peaks = runs.map(run => run.peaks());
  const xs = logs("intensity", peaks.map(own => own.macs / own.memory / 4).filter(Number.isFinite)), ys = logs("rate", peaks.map(own => own.macs ?? 0));
  const limits = [Math.floor(Math.min(...xs)), Math.ceil(Math.max(...xs) + 0.05), Math.floor(Math.min(...ys)), Math.ceil(Math.max(...ys) + 0.02)];
  return section("roofline", "Roofline", "What each layer and phase attained, against what processing units and memories can do at most. A larger dot took longer; below the slope it is the memory that limits, below the flat part the units.",
    pair(runs, run => {
      const own = all[runs.indexOf(run)];
      if (!own) return note("This run file does not say what each layer computed and moved (columns macs and memory_bytes of /breakdown); a newer version of Tessera writes them.");
      if (!own.length) return note("No layer of this run moved bytes to or from its memory: the array's memories are ideal.");
      return h("figure", {}, rooflineFigure(run, own, limits), legend([...new Set(own.map(point => point.phase))].map(name => [`var(--${name})`, words(name)])),
        numbers("What each layer and phase attained", [["layer and phase", "text"], ["MAC/B", "number"], ["attained", "number"], ["of the peak", "number"], ["time", "number"]],
          own.map(point => [point.name, digits(point.intensity), rateText(point.rate, "MAC/s"), run.peaks().macs ? percentText(point.rate / run.peaks().macs) : "–", timeText(point.seconds)])));
    }));
};
