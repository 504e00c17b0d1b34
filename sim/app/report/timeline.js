// Boxes in lanes over time, as many as there are: what is narrower than a pixel is drawn as the share of the pixel that is busy, found
// by halving and by sums over the boxes before, so that a drawing costs lanes times pixels and not boxes.

/// lanes: [{label, group}]; of box i: begin[i], end[i] [ps]; first[l] to first[l + 1] are those of lane l, in order of time;
/// colours(): for each way of colouring, [names, of(i)]; describe(i), label(i): texts; matches(i, words): for the search.
class Timeline {
  constructor({label, lanes, first, begin, end, span, ways, describe, text, laneHeight}) {
    Object.assign(this, {label, lanes, first, begin, end, span, ways, describe, text});
    this.busy = new Float64Array(begin.length + 1);  // of all boxes before
    for (let i = 0; i < begin.length; ++i) this.busy[i + 1] = this.busy[i] + end[i] - begin[i];
    this.from = 0;
    this.to = span;
    this.wanted = laneHeight ?? 18;
    this.way = 0;
    this.left = 78;
    this.axis = 22;
    this.selected = -1;
    this.found = null;
    const [most, main] = [lanes, lanes.filter(lane => lane.isMain)].map(all => all.reduce((sum, lane) => sum + (lane.weight ?? 1), 0));
    this.build(main > 0 && main < most);
    this.lay(main > 0 && most > 520);
  }
  /// Which lanes are seen: all, or where those are too many for the page the main ones.
  lay(isMainOnly) {
    this.isMainOnly = isMainOnly;
    this.edges = [0];  // of the lanes, from the top, in units of a lane's height; what is not seen has none
    this.lanes.forEach((lane, l) => this.edges.push(this.edges[l] + (isMainOnly && !lane.isMain ? 0 : lane.weight ?? 1)));
    this.units = this.edges[this.lanes.length];
    this.least = Math.min(this.wanted, Math.max(0.8, 520 / this.units));
    this.laneHeight = this.least;
    this.top = 0;  // the first unit that is seen
    this.choice.value = isMainOnly ? "main" : "all";
  }
  get tall() { return Math.round(Math.min(560, this.units * this.laneHeight)) + this.axis; }
  get seen() { return (this.tall - this.axis) / this.laneHeight; }

  build(hasChoice) {
    const button = (text, title, act) => h("button", {type: "button", title, onclick: act}, text);
    this.output = h("output", {"aria-live": "polite"}, "Point at a box, or move to the drawing with Tab and press N for the next one.");
    this.search = h("input", {type: "search", placeholder: "operator, phase, kind …", oninput: () => this.find(this.search.value)});
    this.search.addEventListener("keydown", event => { if (event.key === "Enter") this.step(event.shiftKey ? -1 : 1, true); });
    this.choice = h("select", {onchange: event => { this.lay(event.target.value === "main"); this.paint(); }}, h("option", {value: "all"}, "all lanes"), h("option", {value: "main"}, "computation only"));
    const colouring = h("select", {onchange: event => { this.way = Number(event.target.value); this.paint(); }},
      this.ways.map(([name], i) => h("option", {value: i}, name)));
    this.matches = h("span", {class: "soft", role: "status"});
    this.canvas = canvasFigure(this.label, () => this.tall, (context, width) => this.draw(context, width), (x, y) => this.under(x, y));
    this.canvas.tabIndex = 0;
    this.canvas.classList.add("drag");
    this.canvas.setAttribute("aria-description", "Arrows move, plus and minus zoom, 0 shows all, N and P go to the next and the previous box, up and down to another lane.");
    this.key = h("div", {});
    this.element = h("div", {class: "timeline"}, h("div", {class: "tools"},
      button("+", "Zoom in (+)", () => this.zoom(0.5)), button("−", "Zoom out (−)", () => this.zoom(2)), button("All", "The whole run (0)", () => this.show(0, this.span)),
      button("Taller", "Taller lanes", () => this.grow(1.6)), button("Flatter", "Flatter lanes", () => this.grow(1 / 1.6)),
      this.ways.length > 1 ? h("label", {}, "Colour by", colouring) : null, hasChoice ? h("label", {}, "Show", this.choice) : null, h("label", {}, "Find", this.search), this.matches),
    this.canvas, this.key, this.output);
    this.listen();
  }
  paint() { this.canvas.paint(); }

  listen() {
    const {canvas} = this;
    canvas.addEventListener("wheel", event => {
      if (!event.ctrlKey && !event.shiftKey && !event.altKey && document.activeElement !== canvas) return;  // the page scrolls
      event.preventDefault();
      const at = (event.offsetX - this.left) / (canvas.clientWidth - this.left);
      const delta = event.deltaY || event.deltaX;
      if (event.shiftKey) this.scroll(Math.sign(delta) * Math.max(1, this.seen / 8));
      else this.zoom(delta < 0 ? 0.8 : 1.25, Math.min(1, Math.max(0, at)));
    }, {passive: false});
    let held = null;
    canvas.addEventListener("pointerdown", event => {
      held = {x: event.clientX, y: event.clientY, from: this.from, to: this.to, top: this.top, moved: false};
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", event => {
      if (!held) return;
      const dx = held.x - event.clientX, dy = held.y - event.clientY;
      if (Math.abs(dx) + Math.abs(dy) > 3) held.moved = true;
      this.top = this.within(held.top + dy / this.laneHeight);
      const shift = dx / (canvas.clientWidth - this.left) * (held.to - held.from);
      this.show(held.from + shift, held.to + shift);
    });
    canvas.addEventListener("pointerup", event => {
      if (held && !held.moved) this.select(this.boxAt(event.offsetX, event.offsetY));
      held = null;
    });
    canvas.addEventListener("dblclick", event => this.zoom(0.25, (event.offsetX - this.left) / (canvas.clientWidth - this.left)));
    const keys = {ArrowLeft: () => this.move(-0.2), ArrowRight: () => this.move(0.2), ArrowUp: () => this.otherLane(-1), ArrowDown: () => this.otherLane(1),
      "+": () => this.zoom(0.5), "=": () => this.zoom(0.5), "-": () => this.zoom(2), 0: () => this.show(0, this.span), n: () => this.step(1), p: () => this.step(-1)};
    canvas.addEventListener("keydown", event => {
      const act = keys[event.key] ?? keys[event.key.toLowerCase()];
      if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      act();
    });
  }

  /// The lane at a unit.
  laneAt(unit) {
    let low = 0, high = this.lanes.length;
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if (this.edges[middle] <= unit) low = middle; else high = middle;
    }
    return low;
  }
  yOf(lane) { return (this.edges[lane] - this.top) * this.laneHeight; }
  highOf(lane) { return (this.edges[lane + 1] - this.edges[lane]) * this.laneHeight; }
  within(top) { return Math.min(Math.max(0, top), Math.max(0, this.units - this.seen)); }
  scroll(lanes) { this.top = this.within(this.top + lanes); this.paint(); }
  grow(factor) {
    this.laneHeight = Math.min(40, Math.max(this.least, this.laneHeight * factor));
    this.scroll(0);
  }
  show(from, to) {
    const wide = Math.min(this.span, Math.max(to - from, 10));
    this.from = Math.min(Math.max(0, from), this.span - wide);
    this.to = this.from + wide;
    if (this.pending) return;
    this.pending = requestAnimationFrame(() => { this.pending = 0; this.paint(); });
  }
  zoom(factor, at = 0.5) {
    const wide = (this.to - this.from) * factor, middle = this.from + at * (this.to - this.from);
    this.show(middle - at * wide, middle + (1 - at) * wide);
  }
  move(share) { const shift = share * (this.to - this.from); this.show(this.from + shift, this.to + shift); }

  /// The first box of a lane that ends after `time`.
  after(lane, time) {
    let low = this.first[lane], high = this.first[lane + 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.end[middle] <= time) low = middle + 1; else high = middle;
    }
    return low;
  }
  boxAt(x, y) {
    const unit = this.top + y / this.laneHeight, lane = this.laneAt(unit);
    if (x < this.left || unit >= this.units || y > this.tall - this.axis) return -1;
    const scale = (this.to - this.from) / (this.canvas.clientWidth - this.left);
    const time = this.from + (x - this.left) * scale, i = this.after(lane, time - scale);
    return i < this.first[lane + 1] && this.begin[i] <= time + scale ? i : -1;
  }
  under(x, y) { const i = this.boxAt(x, y); return i < 0 ? "" : this.describe(i); }

  laneOf(i) {
    let low = 0, high = this.lanes.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.first[middle] <= i) low = middle; else high = middle - 1;
    }
    return low;
  }
  select(i) {
    this.selected = i;
    this.output.textContent = i < 0 ? "" : this.describe(i).replaceAll("\n", " · ");
    if (i >= 0) this.reveal(i); else this.paint();
  }
  reveal(i) {
    const lane = this.laneOf(i), wide = this.to - this.from;
    if (this.highOf(lane) === 0) this.lay(false);
    const unit = this.edges[lane];
    if (unit < this.top || unit + 1 > this.top + this.seen) this.top = this.within(unit - this.seen / 2);
    const isSeen = this.begin[i] >= this.from && this.end[i] <= this.to;
    if (!isSeen) this.show((this.begin[i] + this.end[i] - wide) / 2, (this.begin[i] + this.end[i] + wide) / 2);
    this.paint();
  }
  step(by, isSearch = false) {
    const count = this.begin.length;
    if (!count) return;
    let i = this.selected < 0 ? (by > 0 ? this.after(0, this.from) - 1 : 0) : this.selected;
    for (let tries = 0; tries < count; ++tries) {
      i = (i + by + count) % count;
      if (!this.found || this.found[i]) return this.select(i);
    }
    if (isSearch) this.output.textContent = "Nothing of that kind.";
  }
  otherLane(by) {
    let lane = this.selected < 0 ? this.laneAt(this.top) : this.laneOf(this.selected) + by;
    while (lane >= 0 && lane < this.lanes.length && this.highOf(lane) === 0) lane += by;
    if (lane < 0 || lane >= this.lanes.length) return;
    const time = this.selected < 0 ? this.from : this.begin[this.selected];
    this.select(Math.min(this.after(lane, time), this.first[lane + 1] - 1));
  }
  /// All words must be in a box's text.
  find(wanted) {
    const parts = wanted.toLowerCase().split(/\s+/).filter(Boolean);
    if (!parts.length) { this.found = null; this.matches.textContent = ""; return this.paint(); }
    const known = new Map();  // a text is looked at once
    this.found = new Uint8Array(this.begin.length);
    let count = 0;
    for (let i = 0; i < this.begin.length; ++i) {
      const text = this.text(i);
      let is = known.get(text);
      if (is === undefined) known.set(text, is = parts.every(part => text.includes(part)));
      if (is) { this.found[i] = 1; ++count; }
    }
    this.matches.textContent = `${countText(count)} of ${countText(this.begin.length)} match`;
    this.paint();
  }

  /// Boxes are painted point by point, which is a hundred times as quick as to ask the canvas for a million rectangles.
  draw(context, width) {
    const ratio = devicePixelRatio || 1, bottom = this.tall - this.axis, [, names, of] = this.ways[this.way], known = names();
    const places = ticks(this.from, this.to, timeSteps(width - this.left));
    const wide = Math.max(1, Math.round((width - this.left) * ratio)), high = Math.max(1, Math.round(bottom * ratio)), scale = wide / (this.to - this.from);
    const image = context.createImageData(wide, high), points = new Uint32Array(image.data.buffer);
    const paint = {points, wide, high, ratio, scale, of, shades: shadesOf(context, known.map(([, value]) => value)), texts: []};
    points.fill(packed(rgbOf(context, colour("panel"))));
    const line = packed(rgbOf(context, colour("line"))), column = x => { for (let at = x; at < points.length; at += wide) points[at] = line; };
    places.map(place => Math.round((place - this.from) * scale)).filter(x => x < wide).forEach(column);
    this.key.replaceChildren(known.length <= 12 ? legend(known.map(([text, value]) => [value, text])) : "");
    this.dim = Number(colour("dim"));
    const first = this.laneAt(this.top), last = this.laneAt(Math.min(this.top + this.seen, this.units) - 1e-9) + 1;
    for (let lane = first; lane < last; ++lane) {
      const y = Math.round(this.yOf(lane) * ratio);
      if (this.highOf(lane) === 0) continue;
      const isBorder = lane > 0 && this.lanes[lane].group !== "" && this.units / this.lanes.length * this.laneHeight > 2 && y > 0 && y < high;
      if (isBorder) points.fill(line, (y - 1) * wide, y * wide);
      this.paintLane(paint, lane);
    }
    context.clearRect(0, 0, width, this.tall);
    context.putImageData(image, Math.round(this.left * ratio), 0);
    paint.texts.forEach(text => this.drawText(context, ...text));
    this.drawAxis(context, width, bottom, places);
    this.drawLabels(context, bottom, first, last);
    if (this.selected >= 0) this.drawSelected(context, (width - this.left) / (this.to - this.from));
  }
  paintLane(paint, lane) {
    const {begin, end, busy, from} = this, {points, wide, ratio, scale, shades, of} = paint;
    const tall = this.highOf(lane) * ratio, top = this.yOf(lane) * ratio, strength = this.lanes[lane].strength ?? 1, stop = this.first[lane + 1];
    const y0 = Math.max(0, Math.round(top)), y1 = Math.min(paint.high, Math.max(y0 + 1, Math.round(top + tall) - (tall >= 6 ? 1 : 0)));
    const fill = (x0, x1, shade) => { for (let y = y0; y < y1; ++y) points.fill(shade, y * wide + x0, y * wide + x1); };
    for (let i = this.after(lane, from); i < stop && begin[i] < this.to;) {
      const x = (begin[i] - from) * scale, long = (end[i] - begin[i]) * scale, isDim = this.found && !this.found[i];
      if (long >= 1) {
        const x0 = Math.max(0, Math.round(x)), x1 = Math.min(wide, Math.round(x + long) - (long >= 5 ? ratio : 0));
        const shade = shades[of(i)][Math.round(SHADES * (isDim ? this.dim : strength))];
        fill(x0, Math.max(x1, x0 + 1), shade);
        if (long > 46 * ratio && tall > 13 * ratio) paint.texts.push([i, shade, this.left + x0 / ratio, top / ratio, this.left + x1 / ratio, tall / ratio]);
        ++i;
        continue;
      }
      const past = Math.max(i + 1, Math.min(this.after(lane, from + (Math.floor(x) + 1) / scale), stop));
      const share = Math.min(1, (busy[past] - busy[i]) * scale), x0 = Math.max(0, Math.floor(x));
      const seen = isDim && !this.anyFound(i, past) ? this.dim * share : strength * Math.max(0.18, share);
      fill(x0, x0 + 1, shades[of(i)][Math.round(SHADES * seen)]);
      i = past;
    }
  }
  anyFound(from, to) {
    for (let i = from; i < to; ++i) if (this.found[i]) return true;
    return false;
  }
  drawText(context, i, shade, x, y, end, high) {
    const text = this.short ? this.short(i) : this.describe(i).split("\n")[0];
    const room = Math.floor((end - x - 8) / 6.4);
    if (room < 3) return;
    context.fillStyle = inkOn(shade);
    context.fillText(text.length > room ? `${text.slice(0, room - 1)}…` : text, x + 4, y + high / 2 + 4);
  }
  drawAxis(context, width, bottom, places) {
    const scale = (width - this.left) / (this.to - this.from);
    for (const place of places) {
      const x = this.left + (place - this.from) * scale;
      context.fillStyle = colour("line");
      context.fillRect(Math.round(x), bottom, 1, 4);
      context.fillStyle = colour("soft");
      context.textAlign = x > width - 40 ? "right" : x < this.left + 20 ? "left" : "center";
      context.fillText(axisTime(place, places), x, bottom + 17);
    }
    context.textAlign = "left";
  }
  drawLabels(context, bottom, first, last) {
    context.fillStyle = colour("soft");
    context.textAlign = "right";
    let before = -20;
    for (let lane = first; lane < last; ++lane) {
      if (this.highOf(lane) === 0) continue;
      const y = this.yOf(lane) + Math.min(this.highOf(lane), 16) / 2 + 4;
      const text = this.laneHeight >= 11 ? this.lanes[lane].label : this.lanes[lane].group;
      if (text === "" || y - before < 13 || y > bottom) continue;
      context.fillText(text, this.left - 7, Math.max(10, y));
      before = y;
    }
    context.textAlign = "left";
  }
  drawSelected(context, scale) {
    const i = this.selected, lane = this.laneOf(i), y = this.yOf(lane);
    const x = this.left + (this.begin[i] - this.from) * scale, wide = Math.max(3, (this.end[i] - this.begin[i]) * scale);
    context.strokeStyle = colour("ink");
    context.lineWidth = 2;
    context.strokeRect(Math.max(this.left, x), Math.max(1, y), wide, Math.max(4, this.highOf(lane)));
  }
}
/// A colour of a style as red, green and blue; and as a point of an image.
const rgbOf = (context, style) => {
  context.fillStyle = style;
  return [1, 3, 5].map(i => parseInt(context.fillStyle.slice(i, i + 2), 16));
};
const packed = ([red, green, blue]) => (255 << 24 | blue << 16 | green << 8 | red) >>> 0;
/// Black or white, whichever is read better on a point of an image: at a contrast of 4.58 at least (WCAG 2.2).
const inkOn = point => {
  const parts = [point & 255, point >> 8 & 255, point >> 16 & 255].map(value => value / 255).map(value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2] > 0.179 ? "#000000" : "#ffffff";
};
const SHADES = 32;
/// Each colour on the panel, from nothing to all of it.
const shadesOf = (context, styles) => {
  const panel = rgbOf(context, colour("panel"));
  return styles.map(style => {
    const own = rgbOf(context, style);
    return Array.from({length: SHADES + 1}, (_, i) => packed(own.map((value, part) => Math.round(panel[part] + (value - panel[part]) * i / SHADES))));
  });
};
/// As many digits as neighbouring labels need.
const axisTime = (place, places) => {
  const step = places.length > 1 ? places[1] - places[0] : place || 1, size = Math.max(...places.map(Math.abs), 1);
  const [factor, unit] = [[1e12, "s"], [1e9, "ms"], [1e6, "µs"], [1e3, "ns"], [1, "ps"]].find(([least]) => size >= least) ?? [1, "ps"];
  const decimals = Math.min(6, Math.max(0, Math.ceil(-Math.log10(step / factor) - 1e-9)));
  return `${(place / factor).toFixed(decimals)} ${unit}`;
};
