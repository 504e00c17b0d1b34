// Where the energy went, and where every constant is from.

const energyView = (run, most) => {
  if (!run.has("energy")) return note("This run file has no energies.");
  const [component, event, count, each, totals] = ["component", "event", "count", "each_j", "total_j"].map(name => run.column("energy", name));
  const order = [...component].map((_, i) => i).sort((a, b) => totals[b] - totals[a]), names = [...new Set(component)];
  names.sort((a, b) => sumBy(component, totals, b) - sumBy(component, totals, a));
  const events = [...new Set(order.filter(i => totals[i] > 0).map(i => words(event[i])))];
  const rows = names.map(name => {
    const values = {};
    component.forEach((own, i) => { if (own === name) values[words(event[i])] = (values[words(event[i])] ?? 0) + totals[i]; });
    const sum = sumBy(component, totals, name);
    return [name, values, `${joulesText(sum)}  ${percentText(sum / run.joules)}`];
  });
  const sources = run.data.hardware?.sources ?? [];
  const source = i => {
    const own = sources.filter(one => one.event === event[i]), found = own.length ? own : sources.filter(one => one.component === component[i]);
    return found.map(one => `${one.name}${one.description ? `: ${one.description}` : ""}`).join("; ") || "config/array of the run file";
  };
  return h("figure", {}, stackedBars("Energy by component and event", rows, {parts: events, colours: name => hueColour(events.indexOf(name)), text: joulesText, most, left: 120, right: 124}),
    legend(events.slice(0, 12).map((name, i) => [hueColour(i), name])),
    numbers("Energy by component and event, with what an event costs and where that is from", [["component", "text"], ["event", "text"], ["count", "number"], ["each", "number"], ["total", "number"], ["of all", "number"], ["source of the constant", "wrap"]],
      order.map(i => [component[i], words(event[i]), countText(count[i]), joulesText(each[i]), joulesText(totals[i]), percentText(run.joules ? totals[i] / run.joules : 0), source(i)]), "Numbers, and where every constant is from"));
};
const sumBy = (keys, values, wanted) => keys.reduce((sum, key, i) => key === wanted ? sum + values[i] : sum, 0);
const energySection = runs => {
  const most = Math.max(...runs.filter(run => run.has("energy")).flatMap(run => {
    const component = run.column("energy", "component"), totals = run.column("energy", "total_j");
    return [...new Set(component)].map(name => sumBy(component, totals, name));
  }), 0);
  return section("energy", "Energy", "Events that were counted, times what each costs.", pair(runs, run => energyView(run, most)));
};
