// What was planned, what the run was, and how to have it again.

/// Rows that follow each other and are split alike, as one.
const alike = ({titles, rows}) => {
  const times = titles.indexOf("times"), cells = row => row.filter((_, i) => i > 0 && i !== times).join("|"), groups = [];
  for (const row of rows) {
    const last = groups[groups.length - 1], count = times > 0 ? Number(row[times].slice(1) || 1) : 1;
    if (last && cells(last.row) === cells(row)) {
      last.end = row[0];
      last.count += count;
    } else groups.push({row, end: row[0], count});
  }
  return groups.map(({row, end, count}) => row.map((cell, i) => i === 0 ? (end === cell ? cell : `${cell} to ${end}`) : i === times ? (count > 1 ? `x${count}` : "") : cell));
};

const planView = run => {
  const {plan, unreadable} = run.data;
  if (!plan) return note(unreadable ? `This version of Tessera cannot read the plan of this run (${unreadable}); its text is below.` : "This run had no plan.");
  const chip = (text, i) => ["I", "II", "III"].includes(text.split(" ")[0]) && i > 0 ? h("span", {}, h("span", {class: `chip ${text.split(" ")[0]}`}, text.split(" ")[0]), text.slice(text.split(" ")[0].length)) : text;
  const full = (rows, caption) => table(caption, plan.titles.map(title => [title, "text"]), rows.map(row => row.map(chip)));
  const groups = plan.rows ? alike(plan) : [], isShorter = groups.length < (plan.rows?.length ?? 0);
  const layers = plan.rows ? [full(groups, `How ${plan.planner} split the layers`), note(plan.legend),
    isShorter ? h("details", {}, h("summary", {}, `Every layer${plan.titles.includes("times") ? ", blocks that repeat once" : ""}`), full(plan.rows, `How ${plan.planner} split every layer`)) : null] : null;
  const folded = list => list.length > 3 ? `${list[0]} to ${list[list.length - 1]} (${list.length})` : list.join(", ");
  const stages = plan.stages && table("Stages", [["stage", "text"], ["accelerators", "text"], ["replicas", "number"], ["layers", "wrap"]],
    plan.stages.map((stage, i) => [String(i), folded(stage.accelerators), String(stage.replicas ?? 1), folded(stage.operators ?? (stage.chunks ?? []).flatMap(chunk => chunk.operators ?? chunk))]));
  return [stages, layers];
};
const planSection = runs => section("plan", "Plan", "A column for every level of the array, H1 at the top: along which dimension each layer is split there.", pair(runs, planView));

const provenanceView = run => {
  const {about, data} = run;
  const facts = [["run file", data.file], ["network", about.network], ["array", `${about.array}${data.hardware?.description ? `: ${data.hardware.description}` : ""}`], ["planner", about.planner],
    ["samples a step", countText(about.batch)], ["steps", countText(run.steps)], ["fingerprint", about.fingerprint], ["Tessera", `${about.tessera_version}, commit ${about.commit}`],
    ["host", about.host], ["seed", String(about.seed)], ["trace", about.trace], ["options", about.options]].filter(([, value]) => value);
  const copy = h("button", {type: "button", onclick: async event => {
    await navigator.clipboard?.writeText(about.command_line);
    event.target.textContent = "Copied";
  }}, "Copy");
  const config = (name, text) => text ? h("details", {}, h("summary", {}, name), h("pre", {tabindex: 0, role: "group", "aria-label": name}, text)) : null;
  return [h("dl", {class: "facts"}, facts.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
    h("p", {style: "margin:1rem 0 .4rem"}, "The command that repeats it: ", copy), h("pre", {class: "command", tabindex: 0, role: "group", "aria-label": "Command"}, about.command_line),
    config("The resolved network", data.config?.workload), config("The resolved array, every key written out", data.config?.array), config("The plan", data.config?.plan),
    data.counters?.length ? numbers("What was counted, over all accelerators", [["part", "text"], ["counter", "text"], ["value", "number"], ["unit", "text"]],
      data.counters.map(([part, name, unit, value]) => [part, words(name), countText(value), unit === "1" ? "" : unit]), "Everything that was counted") : null];
};
const provenanceSection = runs => section("provenance", "Where this is from", "Every figure of this page comes from the run file and nothing else.", pair(runs, provenanceView));
