// The data of the page: JSON, and for each run two compressed streams of columns (sim/export/column_pack.hpp): of its tables, which
// the first screen is made of, and of its tasks, which may be millions and are unpacked when the first screen is there.

/// What atob makes of text, as bytes; in browsers from 2025 on at once, and not letter by letter.
const fromBase64 = text => Uint8Array.fromBase64 ? Uint8Array.fromBase64(text) : Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
const bytesOf = async text => {
  const stream = new Blob([fromBase64(text)]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
};

/// A column as numbers. Doubles hold whole numbers up to 2^53 exactly: 9007 seconds in picoseconds.
const unpack = (bytes, {form, offset, count}) => {
  const values = new Float64Array(count);
  if (form === "reals") {
    const view = new DataView(bytes.buffer, bytes.byteOffset + offset);
    for (let i = 0; i < count; ++i) values[i] = view.getFloat64(8 * i, true);
    return values;
  }
  const differences = form === "differences";
  let at = offset, before = 0;
  for (let i = 0; i < count; ++i) {
    let byte = bytes[at++], sign = byte & 1, half = (byte & 127) >> 1;  // the sign is the lowest bit
    for (let factor = 64; byte > 127; factor *= 128) {
      byte = bytes[at++];
      half += (byte & 127) * factor;
    }
    const value = sign ? -half - 1 : half;
    values[i] = differences ? before += value : value;
  }
  return values;
};

const total = values => values.reduce((sum, value) => sum + value, 0);

/// What all views ask of a run.
class Run {
  constructor(data, bytes, letter) {
    Object.assign(this, {data, bytes, letter});
    const about = this.about = data.attributes;
    this.title = `${about.network} on ${about.array} with ${about.planner}`;
    this.seconds = about.time_ps * 1e-12;
    this.accelerators = about.accelerators;
    this.steps = about.steps ?? 1;
    this.unpacked = new Map();
    this.joules = this.has("energy") ? total(this.column("energy", "total_j")) : undefined;
  }
  has(name, column) {
    const table = this.data.tables[name];
    return table !== undefined && table.rows > 0 && (column === undefined || table.columns[column] !== undefined);
  }
  async unpackTasks() {
    this.taskBytes = await bytesOf(this.data.tasks.bytes);
    this.data.tasks.bytes = "";
  }
  rows(name) { return this.data.tables[name]?.rows ?? 0; }
  column(name, column) {
    const place = (name === "tasks" ? this.data.tasks : this.data.tables[name]).columns[column];
    if (Array.isArray(place)) return place;
    const key = `${name}/${column}`;
    if (!this.unpacked.has(key)) this.unpacked.set(key, unpack(name === "tasks" ? this.taskBytes : this.bytes, place));
    return this.unpacked.get(key);
  }
  name(kind, number) { return this.data.names[kind]?.[number] ?? `${kind} ${number}`; }

  /// Samples per second, of the steady state where there is one.
  speed() {
    const {batch, period_ps: period, period_micro_batches: microBatches} = this.about;
    if (!period) return {samples: batch * this.steps / this.seconds, isSteady: false};
    const ofStep = this.data.plan?.schedule?.micro_batches ?? 1;
    return {samples: batch * microBatches / ofStep / (period * 1e-12), isSteady: true};
  }
  counted(part, name) {
    return (this.data.counters ?? []).filter(entry => entry[0] === part && entry[1] === name).reduce((sum, entry) => sum + entry[3], 0);
  }
  memoryBytes() { return this.counted("memory", "bytes_read") + this.counted("memory", "bytes_written"); }

  /// The least time that parts of the hardware need for what the run did, in seconds.
  bounds() {
    const bounds = [], {macs: peak, memory} = this.peaks();
    if (peak) bounds.push(["compute", this.about.macs / peak, "all multiply-accumulates, on all processing units at their peak"]);
    if (memory) bounds.push(["memory", this.memoryBytes() / memory, "all bytes read and written, over all memories at their peak"]);
    if (this.has("links")) {
      const busy = this.column("links", "busy_ps"), lanes = this.column("links", "lanes");
      bounds.push(["busiest link", 1e-12 * busy.reduce((most, value, i) => Math.max(most, value / Math.max(1, lanes[i])), 0), "what it carried, over all of its lanes"]);
    }
    return bounds;
  }
  /// Of all accelerators together: multiply-accumulates and bytes of memory a second; none where one has no peak, or no limit.
  peaks() {
    if (!this.has("accelerators")) return {};
    const sum = name => { const values = this.column("accelerators", name); return values.every(value => value > 0) ? total(values) : undefined; };
    const bits = sum("peak_memory_bandwidth");
    return {macs: sum("peak_macs_per_s"), memory: bits && bits / 8};
  }
  peakShare() {
    const peak = this.peaks().macs;
    return peak ? this.about.macs / peak / this.seconds : undefined;
  }

  /// Seconds of an accelerator, on average: {compute, communication, memory, idle}, by what `key` says of a row.
  shares(key) {
    const groups = new Map();
    if (!this.has("breakdown")) return groups;
    const columns = KINDS.map(kind => this.column("breakdown", `${kind}_ps`));
    const operators = this.column("breakdown", "operator"), phases = this.column("breakdown", "phase");
    for (let row = 0; row < operators.length; ++row) {
      const name = key(operators[row], phases[row]);
      if (!groups.has(name)) groups.set(name, Object.fromEntries(KINDS.map(kind => [kind, 0])));
      KINDS.forEach((kind, i) => groups.get(name)[kind] += columns[i][row] * 1e-12 / this.accelerators);
    }
    return groups;
  }
}
const KINDS = ["compute", "communication", "memory", "idle"];
const sumOf = shares => KINDS.reduce((sum, kind) => sum + shares[kind], 0);

const readRuns = async () => {
  const document_ = JSON.parse(document.getElementById("data").textContent);
  const runs = [];
  for (const [i, data] of document_.runs.entries()) {
    runs.push(new Run(data, await bytesOf(data.bytes), document_.runs.length > 1 ? "AB"[i] : ""));
    data.bytes = "";
  }
  return runs;
};
