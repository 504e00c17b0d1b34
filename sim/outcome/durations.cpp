#include "sim/outcome/durations.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

#include "sim/outcome/accelerator_summary.hpp"

namespace tessera::sim::outcome {

namespace {

Time latency_of(arch::MemorySpec const& memory) {
  auto const* const spec = std::get_if<arch::BandwidthMemorySpec>(&memory);
  return spec == nullptr ? Time{0} : spec->latency;
}

bool has_tiles(arch::AcceleratorSpec const& accelerator) {
  return std::holds_alternative<arch::CoreUnitSpec>(accelerator.processing_unit);
}

/// By the ratio of two times.
Time scaled(Time time, Time before, Time after) {
  if (before == after || before == Time{0}) return time;
  auto const ratio = static_cast<double>(after.value()) / static_cast<double>(before.value());
  return Time{std::llround(static_cast<double>(time.value()) * ratio)};
}

Time difference(Time later, Time earlier) { return std::max(later - earlier, Time{0}); }

}  // namespace

RecordedDurations::RecordedDurations(Outcome const& outcome, TransferShapes const& shapes,
                                     RecordedRounds const& rounds, Faster const& faster)
    : graph_{outcome.blueprint.schedule.graph()},
      journal_{outcome.records.journal},
      outcome_{outcome},
      shapes_{shapes},
      rounds_{rounds},
      faster_{faster},
      before_{shapes.lengths()},
      after_{shapes.lengths(faster)},
      round_lengths_{faster.is(ResourceKind::links) ? rounds.times().lengths(after_)
                                                    : rounds.lengths()} {}

Service RecordedDurations::service(RerunTask const& task, Time begun) const {
  switch (task.kind) {
    case TaskKind::compute: {
      auto const served = begun + of_computation(task.id, task.served);
      return {served, served};
    }
    case TaskKind::load:
    case TaskKind::store: {
      auto const served = begun + of_access(task.id, task.served);
      return {difference(served, task.served - task.free), served};
    }
    case TaskKind::transfer:
      return {begun + of_leaving(task.id, task.free), begun + of_transfer(task.id, task.served)};
    case TaskKind::barrier:
      break;
  }
  return {begun, begun};
}

/// Where tiles take longer to move than to compute, computing shows behind the last loads of
/// kernels only; elsewhere moving shows as far as the arrays waited for it. Kernels take as long to
/// start whatever is faster.
Time RecordedDurations::of_computation(TaskId id, Time recorded) const {
  if (faster_.is(ResourceKind::links)) return recorded;
  auto const accelerator = graph_.at(id).accelerator;
  auto const& spec = outcome_.blueprint.spec(accelerator);
  auto const waited = std::min(journal_.waited(id), recorded);
  auto const computed = recorded - waited;
  bool const is_compute = faster_.is(ResourceKind::compute);
  if (!has_tiles(spec)) return is_compute ? faster_.of(computed) + waited : recorded;
  auto const& work = outcome_.work[id];
  auto const& clock = outcome_.blueprint.clock(accelerator).clock();
  auto const starts = clock.length(work.kernel_starts);
  auto const behind = clock.length(work.behind_loads);
  auto const peak = peak_of(spec.memory);
  auto const moved = peak ? work.memory / *peak : Time{0};
  bool const streams = moved > computed;
  if (is_compute) {
    auto const faster = streams ? difference(recorded, behind) + faster_.of(behind)
                                : std::max(faster_.of(computed) + waited, starts + moved);
    return std::min(recorded, faster);
  }
  auto const moving = streams ? behind + faster_.of(difference(recorded, starts + behind))
                              : computed + faster_.of(difference(waited, starts));
  return std::min(recorded, starts + std::max(computed, moving));
}

Time RecordedDurations::of_access(TaskId id, Time recorded) const {
  if (!faster_.is(ResourceKind::memory)) return recorded;
  auto const fixed =
      std::min(recorded, latency_of(outcome_.blueprint.spec(graph_.at(id).accelerator).memory));
  return fixed + faster_.of(recorded - fixed);
}

/// What it took longer than alone shrinks as its longest serialisation does.
Time RecordedDurations::of_transfer(TaskId id, Time recorded) const {
  if (!faster_.is(ResourceKind::links)) return recorded;
  auto const shape = shapes_.of(id);
  auto const before = before_.whole[shape];
  auto const alone = std::min(recorded, before) - difference(before, after_.whole[shape]);
  return std::max(alone, Time{0}) +
         scaled(difference(recorded, before), before_.wire[shape], after_.wire[shape]);
}

/// With what others sent over the first link meanwhile.
Time RecordedDurations::of_leaving(TaskId id, Time recorded) const {
  if (!faster_.is(ResourceKind::links)) return recorded;
  auto const shape = shapes_.of(id);
  bool const is_known = before_.first[shape] > Time{0};
  auto const& before = is_known ? before_.first : before_.wire;
  auto const& after = is_known ? after_.first : after_.wire;
  return scaled(recorded, before[shape], after[shape]);
}

/// What they took longer shrinks as the longest serialisation of a round does.
Service RecordedDurations::rounds(std::uint32_t number, LastRound const& last) const {
  auto const shape = rounds_.times().shape(number);
  auto const begins = std::max(last.alone, last.behind);
  auto const ended = [&](Time length, Time longer, Time excess) {
    auto const least = last.alone + length + std::min(longer, Time{0});
    auto const later = scaled(excess, before_.wire[shape], after_.wire[shape]);
    return std::max(least, begins + length + later);
  };
  auto const& longer = rounds_.longer(number);
  auto const& excess = rounds_.excess(number);
  return {ended(round_lengths_.first[shape], longer.free, excess.free),
          ended(round_lengths_.whole[shape], longer.served, excess.served)};
}

LeastDurations::LeastDurations(Outcome const& outcome, UnitTimes const& times,
                               RoundTimes const& rounds, Faster const& faster)
    : graph_{outcome.blueprint.schedule.graph()},
      blueprint_{outcome.blueprint},
      outcome_{outcome},
      times_{times},
      shapes_{times.transfer_shapes()},
      rounds_{rounds},
      faster_{faster},
      lengths_{shapes_.lengths(faster)},
      ports_{blueprint_.topology.node_names().size(), Bandwidth{0}} {
  for (auto const& link : blueprint_.topology.links()) {
    auto& port = ports_[link.from];
    // A sum that cannot be counted is as good as none: the bound stays one from below.
    auto const countable = (unlimited_bandwidth - port).value() / link.lanes;
    bool const is_unlimited =
        link.lane_bandwidth.value() >= countable ||
        (faster_.resources.has_links_of(link.level) && faster_.speed == Speed::infinite);
    if (is_unlimited || port == unlimited_bandwidth) {
      port = unlimited_bandwidth;
    } else {
      port += link.lane_bandwidth * link.lanes;
    }
  }
  auto of_rounds = lengths_;
  for (std::uint32_t number = 0; number < rounds_.count(); ++number) {
    of_rounds.whole[rounds_.shape(number)] = of_transfer(rounds_.id(number));
  }
  round_lengths_ = rounds_.lengths(of_rounds);
}

Service LeastDurations::rounds(std::uint32_t number, LastRound const& last) const {
  auto const shape = rounds_.shape(number);
  return {last.alone + round_lengths_.first[shape], last.alone + round_lengths_.whole[shape]};
}

Cycles LeastDurations::cycles(TaskId id) const {
  auto const& task = graph_.at(id);
  auto const& spec = blueprint_.spec(task.accelerator);
  auto const clock = blueprint_.clock(task.accelerator).clock();
  auto const& time = times_.of(id);
  auto const& work = outcome_.work[id];
  auto computed = has_tiles(spec)
                      ? work.computed
                      : clock.edge_at_or_after(time.served) - clock.edge_at_or_after(time.begun);
  if (faster_.is(ResourceKind::compute) && faster_.speed == Speed::infinite) computed = Cycles{0};
  auto const moved = clock.edge_at_or_after(moving(task.accelerator, work.memory));
  return work.kernel_starts + std::max(computed, std::max(moved, Cycles{1}) - Cycles{1});
}

Time LeastDurations::moving(AcceleratorId accelerator, Bytes bytes) const {
  auto const peak = peak_of(blueprint_.spec(accelerator).memory);
  if (!peak) return Time{0};
  auto const time = bytes / *peak;
  return faster_.is(ResourceKind::memory) ? faster_.of(time) : time;
}

Service LeastDurations::service(RerunTask const& task, Time begun) const {
  switch (task.kind) {
    case TaskKind::compute: {
      auto const& clock = blueprint_.clock(task.runs_at).clock();
      auto const served = clock.edge(clock.edge_at_or_after(begun) + cycles(task.id));
      return {served, served};
    }
    case TaskKind::load:
    case TaskKind::store: {
      auto const& it = graph_.at(task.id);
      auto const served = begun + moving(it.accelerator, it.bytes) +
                          latency_of(blueprint_.spec(it.accelerator).memory);
      return {served, served};
    }
    case TaskKind::transfer:
      return {begun + lengths_.first[shapes_.of(task.id)], begun + of_transfer(task.id)};
    case TaskKind::barrier:
      break;
  }
  return {begun, begun};
}

/// Packets may take several ways at once, but all leave their accelerator.
Time LeastDurations::of_transfer(TaskId id) const {
  if (!blueprint_.array.fabric.packets) return lengths_.whole[shapes_.of(id)];
  auto const& task = graph_.at(id);
  auto const port = ports_[arch::NodeId{task.accelerator.index()}];
  return port == Bandwidth{0} ? Time{0} : bytes_of_round(task) / port;
}

}  // namespace tessera::sim::outcome
