// What figures are made of: colours, tips under the pointer, canvases that follow the page's width, bars.

const colour = name => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const KIND_TEXT = {compute: "compute", communication: "exposed communication", memory: "memory stall", idle: "idle"};
const PHASES = ["forward", "backward_data", "backward_weight", "update", "recompute"];
const phaseColour = name => PHASES.includes(name) ? colour(name) : colour("soft");
/// Colours that differ for any number of things: the first eight are those of Okabe and Ito, for all kinds of sight, as dark as
/// graphics on white have to be (WCAG 2.2: 3 to 1); the others differ by hue.
const APART = {light: ["#0072b2", "#b98000", "#009e73", "#b0528f", "#3a90cf", "#c2410c", "#7d8591", "#5c5000"],
  dark: ["#4aa8e0", "#f0b93a", "#35c493", "#e0a0c4", "#9ad4f5", "#f08a3c", "#8a94a3", "#c9b83c"]};
const hueColour = i => {
  const isDark = document.documentElement.dataset.theme === "dark", known = APART[isDark ? "dark" : "light"];
  return known[i] ?? `hsl(${(i * 137.508) % 360} 42% ${(isDark ? 62 : 50) + 8 * (i % 3 - 1)}%)`;
};
const mixed = (from, to, share) => {
  const parse = text => [1, 3, 5].map(i => parseInt(text.slice(i, i + 2), 16));
  const [a, b] = [parse(from), parse(to)];
  return `rgb(${a.map((value, i) => Math.round(value + (b[i] - value) * share)).join(" ")})`;
};
/// From cold to hot, and hotter for the last two fifths.
const heat = share => {
  const value = Math.min(1, Math.max(0, share));
  return value < 0.6 ? mixed(colour("cold"), colour("hot"), value / 0.6) : mixed(colour("hot"), colour("hotter"), (value - 0.6) / 0.4);
};
const heatTable = () => Array.from({length: 101}, (_, i) => heat(i / 100));

const tip = {
  show(event, text) {
    const box = document.getElementById("tip");
    box.textContent = text;
    box.hidden = !text;
    const left = Math.min(event.clientX + 14, innerWidth - box.offsetWidth - 8);
    const below = event.clientY + 16 + box.offsetHeight < innerHeight;
    box.style.left = `${Math.max(4, left)}px`;
    box.style.top = `${below ? event.clientY + 16 : event.clientY - box.offsetHeight - 10}px`;
  },
  hide() { document.getElementById("tip").hidden = true; },
};
const withTip = (element, text) => {
  element.addEventListener("pointermove", event => tip.show(event, typeof text === "function" ? text(event) : text));
  element.addEventListener("pointerleave", () => tip.hide());
  return element;
};

/// Everything that draws with colours or widths: drawn again when those change.
const drawings = [];
let drawnOnce = 0;
const redraw = () => { drawings.forEach(draw => draw()); drawnOnce = drawings.length; };
const drawNew = () => { while (drawnOnce < drawings.length) drawings[drawnOnce++](); };
const drawn = draw => { drawings.push(draw); return draw; };

/// A canvas as wide as its place: draw(context, width, height); `describe(x, y)` tells what is under the pointer.
const canvasFigure = (label, height, draw, describe) => {
  const canvas = h("canvas", {role: "img", "aria-label": label});
  const paint = drawn(() => {
    const width = canvas.clientWidth;
    if (!width) return;
    const tall = typeof height === "function" ? height(width) : height, ratio = devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(tall * ratio);
    canvas.style.height = `${tall}px`;
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    context.font = "12px system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif";
    draw(context, width, tall);
  });
  if (describe) {
    withTip(canvas, event => {
      const box = canvas.getBoundingClientRect();
      return describe(event.clientX - box.left, event.clientY - box.top) ?? "";
    });
  }
  canvas.paint = paint;
  return canvas;
};

/// Places for labels between `least` and `most`: at most `wanted` steps of 1, 2 or 5 times a power of ten, or one.
const ticks = (least, most, wanted) => {
  const rough = (most - least) / wanted;
  if (!(rough > 0)) return [least];
  const power = 10 ** Math.floor(Math.log10(rough)), steps = [0.5, 1, 2, 5, 10].map(factor => factor * power), next = steps.findIndex(value => value >= rough * 0.999);
  const step = steps[next] <= most - least ? steps[next] : steps[next - 1];
  const places = [];
  for (let i = Math.ceil(least / step - 1e-9); i * step <= most * (1 + 1e-9); ++i) places.push(i * step);
  return places;
};

/// Steps of an axis of time that is so wide.
const timeSteps = width => Math.max(4, Math.floor(width / 100));

/// A label of an axis: no digits that say nothing.
const tickText = (text, value) => text(value).replace(/(\.\d*?)0+(?=\D|$)/, "$1").replace(/\.(?=\D|$)/, "");

/// A drawing of its place's width, in which a unit is a pixel: build(width) returns [height, elements].
const svgFigure = (label, build, widest = 900) => {
  const svg = s("svg", {role: "img", "aria-label": label});
  drawn(() => {
    const width = Math.min(widest, svg.parentElement?.clientWidth ?? 0);
    if (!width) return;
    const [height, elements] = build(width);
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.style.width = `${width}px`;
    svg.replaceChildren(...elements.flat(Infinity).filter(Boolean));
  });
  return svg;
};

/// Bars of stacked parts, one below another: rows [[name, {part: value}, remark]], those without a name close below the one before;
/// `most`: the end of the axis.
const stackedBars = (label, rows, {parts, colours, text, most, partText = part => part, left = 120, right = 120, high = 24}) => svgFigure(label, width => {
  const gap = Math.round(high / 6), top = 4, bottom = 24, apart = rows.some(([name]) => name === "") ? 7 : 0;
  const before = rows.map((_, i) => rows.slice(1, i + 1).filter(([name]) => name !== "").length * apart), last = before.length ? before[before.length - 1] : 0;
  const tall = top + rows.length * high + last + bottom;
  const start = width < 420 ? Math.min(left, 104) : left, stop = width - right;
  const end = most || 1, x = value => start + value / end * (stop - start);
  const room = Math.floor((start - 8) / 7), short = name => name.length > room ? `${name.slice(0, room - 1)}…` : name;
  const axis = ticks(0, end, Math.max(2, Math.floor((stop - start) / 60))).map(place => [
    s("line", {class: "grid", x1: x(place), x2: x(place), y1: top - 2, y2: tall - bottom}),
    s("text", {class: "soft", x: x(place), y: tall - 7, "text-anchor": "middle"}, tickText(text, place))]);
  const bars = rows.map(([name, values, remark], i) => {
    const y = top + i * high + before[i], boxes = [];
    let at = 0;
    for (const part of parts) {
      const value = values[part] ?? 0;
      if (value <= 0) continue;
      boxes.push(withTip(s("rect", {x: x(at), y: y + gap, width: Math.max(0.4, x(at + value) - x(at)), height: high - 2 * gap, style: `fill:${colours(part)}`}),
        `${name}\n${partText(part)}: ${text(value)}`));
      at += value;
    }
    return [s("text", {x: start - 8, y: y + high / 2 + 4, "text-anchor": "end"}, short(name)), boxes, s("text", {x: x(at) + 6, y: y + high / 2 + 4, style: "white-space:pre"}, remark ?? text(at))];
  });
  return [tall, [axis, bars]];
});

const sharedLegend = () => legend(KINDS.map(kind => [`var(--${kind})`, KIND_TEXT[kind]]));

/// A section of the page; `lead` says in a sentence what is seen.
const section = (id, title, lead, ...content) => {
  const head = h("h2", {id: `${id}-title`}, title);
  return h("section", {id, "aria-labelledby": `${id}-title`}, head, lead ? h("p", {class: "lead"}, lead) : null, ...content);
};
/// The same for each run, beside each other.
const pair = (runs, view) => h("div", {class: runs.length > 1 ? "pair two" : "pair"}, runs.map(run => h("div", {},
  runs.length > 1 ? h("h3", {}, h("span", {class: "which"}, run.letter), run.title) : null, view(run))));
