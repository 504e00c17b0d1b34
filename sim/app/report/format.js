// Numbers as people write them, and elements of the page.

const prefixed = (value, unit, prefixes) => {
  if (!value) return `0 ${unit}`;
  const size = Math.abs(value);
  const [factor, prefix] = prefixes.find(([least]) => size >= least * 0.99995) ?? prefixes[prefixes.length - 1];
  return `${digits(value / factor)} ${prefix}${unit}`;
};
/// Four significant digits, never an exponent.
const digits = value => {
  const size = Math.abs(value);
  if (size >= 999.95) return countText(value);
  return value.toPrecision(4);
};
const LARGE = [[1e18, "E"], [1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""]];
const SMALL = [[1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"], [1e-12, "p"]];
const timeText = seconds => prefixed(seconds, "s", SMALL);
const psText = ps => timeText(ps * 1e-12);
const bytesText = bytes => prefixed(bytes, "B", LARGE);
const joulesText = joules => prefixed(joules, "J", [[1e3, "k"], ...SMALL]);
const bitsText = bits => bits > 9e18 ? "unlimited" : prefixed(bits, "b/s", LARGE);
const macsText = macs => prefixed(macs, "MAC", LARGE);
const rateText = (value, unit) => prefixed(value, unit, LARGE);
const percentText = (share, decimals = 1) => `${(100 * share).toFixed(decimals)} %`;
const COUNT = new Intl.NumberFormat("en");
const countText = count => COUNT.format(Math.round(count)).replaceAll(",", "\u202f");
const plural = (count, noun) => `${countText(count)} ${noun}${count === 1 ? "" : "s"}`;
const words = name => name.replaceAll("_", " ");
/// "+3.1 %" of a change from one number to another.
const changeText = (before, after) => {
  if (!before) return "";
  const change = after / before - 1;
  if (Math.abs(change) < 0.0005) return "same";
  if (change > 9) return `×\u202f${digits(after / before)}`;
  return `${change > 0 ? "+" : "−"}${percentText(Math.abs(change))}`;
};

/// An element: attributes, then texts and elements in it.
const h = (tag, attributes = {}, ...content) => fill(document.createElement(tag), attributes, content);
const s = (tag, attributes = {}, ...content) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, content);
const fill = (element, attributes, content) => {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...content.flat(Infinity).filter(part => part !== null && part !== undefined && part !== false));
  return element;
};

/// A table that can be scrolled; columns: [title, "text", "wrap" or "number"]; cells: texts or elements.
const table = (caption, columns, rows) => {
  const cell = (part, i) => {
    const kind = columns[i][1] === "number" ? undefined : columns[i][1] === "wrap" ? "text wrap" : "text";
    return i === 0 ? h("th", {scope: "row", class: kind}, part) : h("td", {class: kind}, part);
  };
  return h("div", {class: "scroll", tabindex: 0, role: "group", "aria-label": caption},
    h("table", {}, h("caption", {}, caption),
      h("thead", {}, h("tr", {}, columns.map(([title, kind]) => h("th", {scope: "col", class: kind === "number" ? undefined : "text"}, title)))),
      h("tbody", {}, rows.map(row => h("tr", {}, row.map(cell))))));
};
/// What is folded away: made when somebody opens it, or when all the rest of the page is drawn.
const unopened = new Set();
const folded = (attributes, summary, build) => {
  const details = h("details", attributes, h("summary", {}, summary));
  const open = () => { if (unopened.delete(open)) fill(details, {}, [build()]); };
  unopened.add(open);
  details.addEventListener("toggle", open);
  return details;
};
/// The numbers of a figure, for readers who want them and for those who cannot see it.
const numbers = (caption, columns, rows, summary = "Numbers") => {
  const most = 400;
  const shown = rows.slice(0, most);
  return folded({class: "numbers"}, summary, () => [table(caption, columns, shown),
    rows.length > most ? h("p", {class: "note"}, `The first ${most} of ${countText(rows.length)}; tessera export --csv writes all.`) : null]);
};
const note = text => h("p", {class: "note"}, text);
const legend = entries => h("ul", {class: "legend"}, entries.map(([colour, text]) => h("li", {}, h("i", {style: `background:${colour}`}), text)));
const scale = (from, to) => h("p", {class: "scale"}, from, h("i", {}), to);
