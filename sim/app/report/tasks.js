// The tasks of a run on the timeline.

/// The tasks of a run, unpacked once: lanes, boxes, and what is known of each.
Run.prototype.timeline = function () {
  if (this.laned) return this.laned;
  const {lanes, rows} = this.data.tasks;
  const gap = this.column("tasks", "gap"), length = this.column("tasks", "length");
  const begin = new Float64Array(rows), end = new Float64Array(rows), first = new Uint32Array(lanes.length + 1);
  let i = 0;
  lanes.forEach(([, , count], lane) => {
    first[lane + 1] = first[lane] + count;
    for (let before = 0; i < first[lane + 1]; ++i) {
      begin[i] = before + gap[i];
      before = end[i] = begin[i] + length[i];
    }
  });
  this.unpacked.delete("tasks/gap");
  return this.laned = {lanes, first, begin, end};
};

const taskText = (run, laned) => {
  const hasStages = run.data.plan?.stages !== undefined, of = (column, i) => run.column("tasks", column)[i];
  const isTransfer = i => run.name("task_kinds", of("kind", i)) === "transfer", hasCauses = run.data.tasks.columns.cause !== undefined;
  const name = i => `${run.name("operators", of("operator", i))} ${words(run.name("phases", of("phase", i)))}`;
  return {name, describe: (i, lane) => {
    const [accelerator, unit] = laned.lanes[lane], bytes = of("bytes", i), long = laned.end[i] - laned.begin[i];
    const lines = [name(i), `accelerator ${accelerator}, ${unit}${isTransfer(i) ? ` to accelerator ${of("destination", i)}` : ""}; task ${of("task", i)}`,
      `${psText(laned.begin[i])} to ${psText(laned.end[i])}: ${psText(long)}`];
    if (of("queued", i)) lines.push(`issued ${psText(of("queued", i))} before, when the unit was at other work`);
    if (bytes) lines.push(bytesText(bytes) + (isTransfer(i) ? `, ${bytesText(bytes / (long * 1e-12))}/s` : "") + (of("rounds", i) > 1 ? `; ${of("rounds", i)} rounds` : ""));
    if (hasStages) lines.push(`stage ${of("stage", i)}, micro-batch ${of("micro_batch", i)}`);
    if (hasCauses) lines.push(`waited last for: ${run.name("causes", of("cause", i))}; slack ${psText(of("slack", i))}`);
    return lines.join("\n");
  }};
};

const timelineView = run => {
  const {tasks, names} = run.data;
  if (!tasks.rows) return note("No task of this run took any time.");
  const laned = run.timeline(), text = taskText(run, laned);
  const phase = run.column("tasks", "phase"), later = name => { let column; return i => (column ??= run.column("tasks", name))[i]; };
  const operator = later("operator"), kind = later("kind"), stage = later("stage");  // unpacked when somebody asks
  let before = -1;
  const lanes = laned.lanes.map(([accelerator, unit], lane) => {
    const isSame = lane > 0 && laned.lanes[lane - 1][0] === accelerator && laned.lanes[lane - 1][1] === unit;
    const isFirst = accelerator !== before;
    before = accelerator;
    const isMain = unit === "compute";
    return {label: isFirst ? `${accelerator} ${unit}` : isSame ? "" : unit, group: isFirst ? String(accelerator) : "", isMain, weight: isMain ? 2 : 1, strength: isMain ? 1 : 0.62};
  });
  const places = [];  // of the phases that occur, in the legend
  for (let i = 0; i < phase.length; ++i) places[phase[i]] = 0;
  Object.keys(places).forEach((number, i) => { places[number] = i; });
  const ways = [
    ["phase", () => names.phases.map((name, i) => [words(name), phaseColour(name), i]).filter(([, , i]) => places[i] !== undefined), i => places[phase[i]]],
    ["operator", () => names.operators.map((name, i) => [name, hueColour(i)]), operator],
    ["kind of task", () => names.task_kinds.map((name, i) => [name, [colour("memory"), colour("compute"), colour("dispatch"), colour("communication"), colour("idle")][i] ?? hueColour(i)]), kind],
  ];
  if (run.data.plan?.stages) {
    ways.push(["stage", () => run.data.plan.stages.map((_, i) => [`stage ${i}`, hueColour(i)]), stage]);
  }
  const cached = new Map();
  const view = new Timeline({label: `Timeline of ${countText(tasks.rows)} tasks of ${run.title}`, lanes, first: laned.first, begin: laned.begin, end: laned.end,
    span: run.horizon, ways, describe: i => text.describe(i, view.laneOf(i)),
    text: i => {
      const key = (operator(i) * 64 + phase[i]) * 64 + kind(i);
      if (!cached.has(key)) cached.set(key, `${text.name(i)} ${run.name("task_kinds", kind(i))}`.toLowerCase());
      return cached.get(key);
    }});
  view.short = text.name;
  run.view = view;
  const mirrored = run.data.tables.mirrors?.rows;
  return [view.element,
    mirrored ? note(`${plural(mirrored, "accelerator")} whose tasks are not in the file ${mirrored === 1 ? "mirrors" : "mirror"} those that are drawn.`) : null,
    tasks.instants ? note(`${plural(tasks.instants, "task")} that took no time ${tasks.instants === 1 ? "is" : "are"} not drawn.`) : null];
};

const timelineSection = runs => section("timeline", "Timeline",
  "Every accelerator's work over time: a lane for what it computes, and as many below it, paler, as it has transfers and memory accesses of its own under way at once. Drag to move; Ctrl and the wheel, double click or + and − to zoom; Shift and the wheel for other lanes.",
  pair(runs, timelineView));
