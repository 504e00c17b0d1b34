// Between accelerators: who sent how much to whom, and how busy each link was, where it lies.

const trafficView = (run, most) => {
  if (!run.has("traffic")) return note("Nothing was sent between accelerators in this run.");
  const n = run.accelerators, [source, destination, bytes, messages] = ["source", "destination", "bytes", "messages"].map(name => run.column("traffic", name));
  const step = Math.ceil(n / 512), cells = Math.ceil(n / step), sums = new Float64Array(cells * cells), left = 44, top = 20;
  for (let row = 0; row < source.length; ++row) sums[Math.floor(source[row] / step) * cells + Math.floor(destination[row] / step)] += bytes[row];
  const side = width => Math.max(40, Math.min(width - left, 420));
  const canvas = canvasFigure("Traffic matrix: bytes from each accelerator to each other", width => side(width) + top, (context, width) => {
    const wide = side(width) / cells, colours = heatTable();
    context.clearRect(0, 0, width, side(width) + top);
    context.fillStyle = colour("panel");
    context.fillRect(left, top, side(width), side(width));
    for (let i = 0; i < cells; ++i) for (let j = 0; j < cells; ++j) {
      const value = sums[i * cells + j];
      if (!value) continue;
      context.fillStyle = colours[Math.min(100, Math.max(4, Math.round(100 * value / most)))];
      context.fillRect(left + j * wide, top + i * wide, wide - (wide > 6 ? 1 : -0.4), wide - (wide > 6 ? 1 : -0.4));
    }
    context.fillStyle = colour("soft");
    const every = Math.max(1, Math.ceil((n > 100 ? 30 : 24) / wide));
    for (let i = 0; i < cells; i += every) {
      context.textAlign = "right";
      context.fillText(String(i * step), left - 6, top + i * wide + Math.min(wide / 2 + 4, 11));
      context.textAlign = "left";
      const text = String(i * step), x = left + i * wide + 1;
      if (x + context.measureText(text).width <= width) context.fillText(text, x, top - 6);
    }
  }, (x, y) => {
    const wide = side(canvas.clientWidth) / cells, i = Math.floor((y - top) / wide), j = Math.floor((x - left) / wide);
    return i >= 0 && j >= 0 && i < cells && j < cells ? `from ${i * step} to ${j * step}\n${bytesText(sums[i * cells + j])}` : "";
  });
  const rows = [...source].map((_, row) => row).sort((a, b) => bytes[b] - bytes[a]);
  return h("figure", {}, canvas, scale("0", bytesText(most)), h("figcaption", {}, `Rows send, columns receive. ${plural(rows.length, "pair")} of accelerators exchanged ${bytesText(total(bytes))}.`),
    numbers("Traffic, the largest first", [["from", "text"], ["to", "text"], ["bytes", "number"], ["messages", "number"]], rows.slice(0, 401).map(row => [String(source[row]), String(destination[row]), bytesText(bytes[row]), countText(messages[row])])));
};
const mostTraffic = run => {
  if (!run.has("traffic")) return 0;
  const step = Math.ceil(run.accelerators / 512), sums = new Map(), [source, destination, bytes] = ["source", "destination", "bytes"].map(name => run.column("traffic", name));
  for (let row = 0; row < source.length; ++row) {
    const key = Math.floor(source[row] / step) * 4096 + Math.floor(destination[row] / step);
    sums.set(key, (sums.get(key) ?? 0) + bytes[row]);
  }
  return Math.max(...sums.values());
};

/// The links on the drawn topology; the two ways of a link lie beside each other.
const linkMap = (run, most) => {
  const [from, to, use, bytes] = ["from", "to", "utilisation", "bytes"].map(name => run.column("links", name));
  const [names, xs, ys] = ["name", "x", "y"].map(name => run.column("places", name)), at = new Map(names.map((name, i) => [name, i]));
  const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)], pad = run.isPlane ? 40 : 26;
  const shape = (y1 - y0 || 1) / (x1 - x0 || 1);
  const high = width => Math.round(Math.min(440, Math.max(170, (width - 2 * pad) * shape + 2 * pad)));
  let lines = [];
  const canvas = canvasFigure("Links on the drawn topology, by how busy they were", high, (context, width, tall) => {
    const scale_ = Math.min((width - 2 * pad) / (x1 - x0 || 1), (tall - 2 * pad) / (y1 - y0 || 1)), isWide = y1 === y0 || shape < 0.5;
    const sx = isWide ? (width - 2 * pad) / (x1 - x0 || 1) : scale_, sy = isWide ? (tall - 2 * pad) / (y1 - y0 || 1) : scale_;
    const place = i => [width / 2 + (xs[i] - (x0 + x1) / 2) * sx, tall / 2 + (ys[i] - (y0 + y1) / 2) * sy];
    context.clearRect(0, 0, width, tall);
    const colours = heatTable(), unit = Math.min(sx, sy), order = [...use].map((_, i) => i).sort((a, b) => use[a] - use[b]);
    lines = [];
    for (const i of order) {
      if (!at.has(from[i]) || !at.has(to[i])) continue;
      const a = place(at.get(from[i])), b = place(at.get(to[i])), long = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
      const isSpan = run.isPlane && long > 1.6 * Math.max(sx, sy);  // it goes round: bent past what is between
      const [nx, ny] = [-(b[1] - a[1]) / long, (b[0] - a[0]) / long], aside = Math.min(3, unit / 8), bend = isSpan ? Math.min(24, 0.45 * unit + 0.04 * long) : 0;
      const [ax, ay, bx, by] = [a[0] + nx * aside, a[1] + ny * aside, b[0] + nx * aside, b[1] + ny * aside], mx = (ax + bx) / 2 + nx * bend * 2, my = (ay + by) / 2 + ny * bend * 2;
      context.strokeStyle = colours[Math.min(100, Math.max(10, Math.round(100 * use[i] / (most || 1))))];
      context.lineWidth = Math.max(0.8, Math.min(6, unit / 5) * Math.min(1, 0.25 + 0.75 * use[i] / (most || 1)));
      context.beginPath();
      context.moveTo(ax, ay);
      if (bend) context.quadraticCurveTo(mx, my, bx, by); else context.lineTo(bx, by);
      context.stroke();
      lines.push([i, ax, ay, bend ? (ax + 2 * mx + bx) / 4 : (ax + bx) / 2, bend ? (ay + 2 * my + by) / 4 : (ay + by) / 2, bx, by]);
    }
    const radius = Math.max(1.5, Math.min(9, unit / 4)), labels = names.map(name => name.startsWith("accelerator") ? name.split("-").pop() : "");
    const high = Math.min(10, 10 * (2 * radius - 2) / (6.2 * Math.max(...labels.map(label => label.length))));  // of a label that fits into its circle
    names.forEach((name, i) => {
      const [x, y] = place(i), isEnd = labels[i] !== "";
      context.beginPath();
      context.arc(x, y, isEnd ? radius : radius * 0.7, 0, 7);
      context.fillStyle = colour(isEnd ? "panel" : "paper");
      context.strokeStyle = colour("soft");
      context.lineWidth = 1;
      context.fill();
      context.stroke();
      if (high < 7 || !isEnd) return;
      context.fillStyle = colour("ink");
      context.textAlign = "center";
      context.font = `${high}px system-ui, sans-serif`;
      context.fillText(labels[i], x, y + 0.35 * high);
    });
  }, (x, y) => {
    let best = 10, found = -1;
    const near = (px, py, qx, qy) => {
      const dx = qx - px, dy = qy - py, t = Math.max(0, Math.min(1, ((x - px) * dx + (y - py) * dy) / (dx * dx + dy * dy || 1)));
      return Math.hypot(x - px - t * dx, y - py - t * dy);
    };
    for (const [i, ax, ay, mx, my, bx, by] of lines) {
      const away = Math.min(near(ax, ay, mx, my), near(mx, my, bx, by));
      if (away < best) { best = away; found = i; }
    }
    return found < 0 ? "" : `${linkName(run, found)}\n${percentText(use[found])} busy, ${bytesText(bytes[found])}`;
  });
  return canvas;
};

const linkView = (run, most) => {
  if (!run.has("links")) return note("The array of this run has no links.");
  const [from, to, use, bytes, lanes, bandwidth, messages] = ["from", "to", "utilisation", "bytes", "lanes", "lane_bandwidth", "messages"].map(name => run.column("links", name));
  run.isPlane = run.data.tables.links.rows > 0 && run.column("links", "level").every(level => level === 0);
  const order = [...use].map((_, i) => i).sort((a, b) => use[b] - use[a]);
  const mean = total(use) / use.length, busiest = order[0];
  const caption = `${plural(use.length, "one-way link")}, ${percentText(mean, 2)} busy on average; the busiest, ${linkName(run, busiest)}, ${percentText(use[busiest], 2)}.`;
  const rows = order.slice(0, 401).map(i => [linkName(run, i), percentText(use[i], 2), bytesText(bytes[i]), countText(messages[i]), `${lanes[i] > 1 ? `${lanes[i]} × ` : ""}${bitsText(bandwidth[i])}`]);
  return h("figure", {}, run.has("places") ? [linkMap(run, most), scale("idle", `${percentText(most, 2)} busy`)] : note("This run file does not say where nodes lie (its table /places), so links are listed, not drawn; a newer version of Tessera writes it."),
    h("figcaption", {}, caption), run.has("places") ? null : table("The busiest links", LINK_COLUMNS, rows.slice(0, 12)), numbers("Links, the busiest first", LINK_COLUMNS, rows));
};
const LINK_COLUMNS = [["link", "text"], ["busy", "number"], ["carried", "number"], ["messages", "number"], ["bandwidth", "number"]];

const linksOverTime = runs => pair(runs, run => {
  const rows = heatRows(run, name => name.includes(">"));
  if (!rows.length) return null;
  const most = 64, busiest = [...rows].sort((a, b) => meanBusy(run, b) - meanBusy(run, a)).slice(0, most).filter(row => meanBusy(run, row) > 0);
  if (!busiest.length) return note("No link carried anything.");
  return h("figure", {}, heatMap(run, "How busy links were over time", busiest, name => ""), scale("idle", "busy all the time"),
    h("figcaption", {}, `${busiest.length < rows.length ? `The busiest ${busiest.length} of ${plural(rows.length, "link")}` : `All ${plural(rows.length, "link")}`}, the busiest at the top; point at one for its name.`));
});

const fabricSection = runs => {
  const most = Math.max(...runs.map(mostTraffic)), busiest = Math.max(...runs.map(run => run.has("links") ? run.column("links", "utilisation").reduce((a, b) => Math.max(a, b), 0) : 0));
  return section("fabric", "Traffic and links", "What accelerators sent each other, and how busy the links between them were.",
    h("div", {class: runs.length > 1 ? "" : "halves"}, h("div", {}, h("h3", {}, "Who sent how much to whom"), pair(runs, run => trafficView(run, most))),
      h("div", {style: runs.length > 1 ? "margin-top:1.8rem" : ""}, h("h3", {}, "Links where they lie"), pair(runs, run => linkView(run, busiest)))),
    h("h3", {style: "margin-top:1.8rem"}, "Links over time"), linksOverTime(runs));
};
