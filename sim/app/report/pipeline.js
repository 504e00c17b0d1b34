// Stages over time: what the first accelerator of each computes, consecutive work on one micro-batch and phase as one box,
// with gaps in it that nobody could see.

const pipelineBoxes = run => {
  const laned = run.timeline(), kind = run.column("tasks", "kind"), phase = run.column("tasks", "phase"), batch = run.column("tasks", "micro_batch");
  const stage = run.column("stages", "stage"), accelerator = run.column("stages", "accelerator"), firsts = new Map();
  stage.forEach((number, row) => { if (!firsts.has(number)) firsts.set(number, accelerator[row]); });
  const compute = run.data.names.task_kinds.indexOf("compute"), boxes = {begin: [], end: [], phase: [], batch: []}, first = [0], unseen = run.about.time_ps / 20000;
  const numbers = [...firsts.keys()].sort((a, b) => a - b);
  for (const number of numbers) {
    const start = boxes.begin.length;
    laned.lanes.forEach(([own, unit], lane) => {
      if (own !== firsts.get(number) || unit !== "compute") return;
      for (let i = laned.first[lane]; i < laned.first[lane + 1]; ++i) {
        const last = boxes.begin.length - 1;
        if (kind[i] !== compute) continue;
        if (last >= start && boxes.phase[last] === phase[i] && boxes.batch[last] === batch[i] && laned.begin[i] - boxes.end[last] < unseen) { boxes.end[last] = laned.end[i]; continue; }
        boxes.begin.push(laned.begin[i]); boxes.end.push(laned.end[i]); boxes.phase.push(phase[i]); boxes.batch.push(batch[i]);
      }
    });
    first.push(boxes.begin.length);
  }
  return {...boxes, first, numbers, firsts};
};

const stageTable = run => {
  const rows = new Map();
  const [stage, begin, end, compute, bubble, flight, versions] = ["stage", "begin_ps", "end_ps", "compute_ps", "bubble_ps", "in_flight", "versions"].map(name => run.column("stages", name));
  stage.forEach((number, row) => {
    if (!rows.has(number)) rows.set(number, {count: 0, span: 0, compute: 0, bubble: 0, flight: 0, versions: 0});
    const own = rows.get(number);
    ++own.count;
    own.span += end[row] - begin[row];
    own.compute += compute[row];
    own.bubble += bubble[row];
    own.flight = Math.max(own.flight, flight[row]);
    own.versions = Math.max(own.versions, versions[row]);
  });
  return table("Stages, of an accelerator on average", [["stage", "text"], ["accelerators", "number"], ["first to last work", "number"], ["compute", "number"], ["bubbles", "number"], ["of it", "number"], ["in flight", "number"], ["versions", "number"]],
    [...rows].map(([number, own]) => [String(number), countText(own.count), psText(own.span / own.count), psText(own.compute / own.count), psText(own.bubble / own.count), percentText(own.bubble / own.span), countText(own.flight), countText(own.versions)]));
};

const pipelineView = run => {
  if (!run.data.plan?.stages || !run.has("stages")) return note("The plan of this run has no stages: all accelerators work on all layers.");
  const boxes = pipelineBoxes(run), names = run.data.names.phases;
  const used = [...new Set(boxes.phase)].sort((a, b) => a - b), places = new Map(used.map((number, i) => [number, i]));
  const view = new Timeline({label: `Pipeline of ${boxes.numbers.length} stages over time`, lanes: boxes.numbers.map(number => ({label: `stage ${number}`, group: `stage ${number}`})),
    first: boxes.first, begin: boxes.begin, end: boxes.end, span: run.horizon, laneHeight: 26,
    ways: [["phase", () => used.map(number => [words(names[number]), phaseColour(names[number])]), i => places.get(boxes.phase[i])]],
    describe: i => `micro-batch ${boxes.batch[i]}, ${words(names[boxes.phase[i]])}\nstage ${boxes.numbers[view.laneOf(i)]}, on accelerator ${boxes.firsts.get(boxes.numbers[view.laneOf(i)])}\n${psText(boxes.begin[i])} to ${psText(boxes.end[i])}: ${psText(boxes.end[i] - boxes.begin[i])}`,
    text: i => `${boxes.batch[i]} ${names[boxes.phase[i]]}`});
  view.short = i => String(boxes.batch[i]);
  const schedule = run.data.plan.schedule;
  return [schedule ? h("p", {class: "note"}, `Schedule ${schedule.kind}, ${plural(schedule.micro_batches, "micro-batch").replace("batchs", "batches")} a step. Boxes are numbered by micro-batch.`) : null, view.element, stageTable(run)];
};
const pipelineSection = runs => runs.every(run => !run.data.plan?.stages) ? section("pipeline", "Pipeline", null, pair(runs, pipelineView))
  : section("pipeline", "Pipeline", "The stages of the plan, from the first to the last: the gaps are bubbles.", pair(runs, pipelineView));
