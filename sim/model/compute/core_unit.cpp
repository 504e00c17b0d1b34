// Tile programs, one after another.
#include "sim/model/compute/core_unit.hpp"

#include <algorithm>
#include <utility>

namespace tessera::sim {

CoreUnit::CoreUnit(arch::CoreSpec const& core, ProcessingUnitParts const& parts)
    : ProcessingUnit{parts.clock, parts.schedule.graph()},
      core_{core},
      programs_{parts.programs},
      memo_{parts.memo},
      memory_{parts.memory},
      kernels_{parts.memory.kernels()},
      utilisation_{parts.utilisation},
      graph_{parts.schedule.graph()},
      engine_{clock(), parts.memory, parts.utilisation} {
  auto* const calm = parts.memory.calm();
  if (!memo_.is_used() || calm == nullptr) return;
  repeater_.emplace(engine_, clock(), *calm, parts.utilisation, memo_.steps(core));
}

CoreUnit::Result CoreUnit::compute(Task const& task, Cycles first) {
  auto const& program = programs_.program(core_, graph_, task);
  auto const asked = clock().edge(first);
  auto const refreshes = kernels_ == nullptr ? Time{0} : kernels_->begin_task(asked);
  auto const start = clock().edge(first + clock().cycles_of(refreshes));
  auto outcome = run(task, program, start);
  outcome.waited += start - asked;
  auto const end = std::max(outcome.end, clock().edge(first + Cycles{1}));
  counters_.count(task, outcome, program.cost());
  return {end, outcome.waited};
}

TileEngine::Outcome CoreUnit::run(Task const& task, TileProgram const& program, Time start) {
  auto const addresses = graph_.operands(task.operands);
  if (!memo_.is_used()) return work_out(program, addresses, start);
  write_state(program, addresses, start);
  auto const& from = state_.words();
  if (auto const* const known = memo_.find(program, from)) return repeat(*known, start);
  if (!memo_.is_worth_recording(from)) return work_out(program, addresses, start);
  return run_and_record(program, addresses, start);
}

TileEngine::Outcome CoreUnit::work_out(TileProgram const& program,
                                       TileEngine::Addresses const& addresses, Time start) {
  if (!repeater_) return engine_.run(program, addresses, start);
  auto const before = repeater_->repeated_tiles();
  auto const outcome = repeater_->run(program, addresses, start);
  memo_.count_repeated_steps(repeater_->repeated_tiles() - before);
  return outcome;
}

/// All that its course depends on.
void CoreUnit::write_state(TileProgram const& program, TileEngine::Addresses const& addresses,
                           Time start) {
  state_.restart();
  if (kernels_ != nullptr) {
    auto const reach = programs_.totals(program).reach;
    std::array<KernelMemory::Region, 3> operands;
    for (std::size_t i = 0; i < reach.size(); ++i) operands.at(i) = {addresses[i], reach[i]};
    return kernels_->write_layout(operands, state_);
  }
  for (auto const address : addresses) state_.put(address.value());
  state_.put_phase(clock(), start);
  memory_.serialize(start, state_);
}

/// From the state that is written.
TileEngine::Outcome CoreUnit::run_and_record(TileProgram const& program,
                                             TileEngine::Addresses const& addresses, Time start) {
  utilisation_.record();
  memory_.record(start);
  PhaseMemo::Record record;
  record.start = start;
  record.outcome = work_out(program, addresses, start);
  record.unit = utilisation_.take_record();
  record.memory = memory_.take_record();
  auto const outcome = record.outcome;
  if (record.memory) memo_.add(program, state_.words(), std::move(record));
  return outcome;
}

TileEngine::Outcome CoreUnit::repeat(PhaseMemo::Record const& record, Time start) {
  auto const by = start - record.start;
  auto outcome = record.outcome;
  // Kernels in phase last so many cycles, which are a picosecond longer or shorter elsewhere.
  auto const length =
      clock().edge_at_or_after(record.outcome.end) - clock().edge_at_or_after(record.start);
  outcome.end = clock().edge(clock().edge_at_or_after(start) + length);
  outcome.waited += outcome.end - (record.outcome.end + by);
  utilisation_.add(record.unit, by);
  memory_.repeat(*record.memory, record.start, start);
  memo_.count_repeated(outcome.tiles);
  return outcome;
}

}  // namespace tessera::sim
