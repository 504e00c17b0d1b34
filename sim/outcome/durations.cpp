#include "sim/outcome/durations.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

namespace tessera::sim::outcome {

namespace {

Time latency_of(arch::MemorySpec const& memory) {
  auto const* const spec = std::get_if<arch::BandwidthMemorySpec>(&memory);
  return spec == nullptr ? Time{0} : spec->latency;
}

/// By the ratio of two times.
Time scaled(Time time, Time before, Time after) {
  if (before == after || before == Time{0}) return time;
  auto const ratio = static_cast<double>(after.value()) / static_cast<double>(before.value());
  return Time{std::llround(static_cast<double>(time.value()) * ratio)};
}

Time difference(Time later, Time earlier) { return std::max(later - earlier, Time{0}); }

}  // namespace

RecordedDurations::RecordedDurations(RerunTasks const& tasks, Faster const& faster)
    : tasks_{tasks},
      faster_{faster},
      before_{tasks.shapes().lengths()},
      after_{tasks.shapes().lengths(faster)},
      round_lengths_{faster.is(ResourceKind::links) ? tasks.rounds().times().lengths(after_)
                                                    : tasks.rounds().lengths()} {}

Service RecordedDurations::service(RerunTask const& task, Time begun) const {
  switch (task.kind) {
    case TaskKind::compute: {
      auto const served = begun + of_computation(tasks_.computation(task), task.served);
      return {served, served};
    }
    case TaskKind::load:
    case TaskKind::store: {
      auto const served = begun + of_access(task, task.served);
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
Time RecordedDurations::of_computation(RerunComputation const& computation, Time recorded) const {
  if (faster_.speed == Speed::as_it_is || faster_.is(ResourceKind::links)) return recorded;
  auto const& [has_tiles, cycles, kernels, starts, behind, most_waited, moved] = computation;
  auto const waited = std::min(most_waited, recorded);
  auto const computed = recorded - waited;
  bool const is_compute = faster_.is(ResourceKind::compute);
  if (!has_tiles) return is_compute ? faster_.of(computed) + waited : recorded;
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

Time RecordedDurations::of_access(RerunTask const& task, Time recorded) const {
  if (!faster_.is(ResourceKind::memory)) return recorded;
  auto const latency = latency_of(tasks_.blueprint().spec(task.runs_at).memory);
  auto const fixed = std::min(recorded, latency);
  return fixed + faster_.of(recorded - fixed);
}

/// What it took longer than alone shrinks as its longest serialisation does.
Time RecordedDurations::of_transfer(TaskId id, Time recorded) const {
  if (!faster_.is(ResourceKind::links)) return recorded;
  auto const shape = tasks_.shapes().of(id);
  auto const before = before_.whole[shape];
  auto const alone = std::min(recorded, before) - difference(before, after_.whole[shape]);
  return std::max(alone, Time{0}) +
         scaled(difference(recorded, before), before_.wire[shape], after_.wire[shape]);
}

/// With what others sent over the first link meanwhile.
Time RecordedDurations::of_leaving(TaskId id, Time recorded) const {
  if (!faster_.is(ResourceKind::links)) return recorded;
  auto const shape = tasks_.shapes().of(id);
  bool const is_known = before_.first[shape] > Time{0};
  auto const& before = is_known ? before_.first : before_.wire;
  auto const& after = is_known ? after_.first : after_.wire;
  return scaled(recorded, before[shape], after[shape]);
}

/// What they took longer shrinks as the longest serialisation of a round does.
Service RecordedDurations::rounds(std::uint32_t number, LastRound const& last) const {
  auto const& rounds = tasks_.rounds();
  auto const shape = rounds.times().shape(number);
  auto const begins = std::max(last.alone, last.behind);
  auto const ended = [&](Time length, Time longer, Time excess) {
    auto const least = last.alone + length + std::min(longer, Time{0});
    auto const later = scaled(excess, before_.wire[shape], after_.wire[shape]);
    return std::max(least, begins + length + later);
  };
  auto const& longer = rounds.longer(number);
  auto const& excess = rounds.excess(number);
  return {ended(round_lengths_.first[shape], longer.free, excess.free),
          ended(round_lengths_.whole[shape], longer.served, excess.served)};
}

LeastDurations::LeastDurations(RerunTasks const& tasks, Faster const& faster)
    : tasks_{tasks},
      faster_{faster},
      lengths_{tasks.shapes().lengths(faster)},
      ports_{tasks.blueprint().topology.node_names().size(), Bandwidth{0}} {
  for (auto const& link : tasks.blueprint().topology.links()) {
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
  auto const& rounds = tasks.rounds().times();
  for (std::uint32_t number = 0; number < rounds.count(); ++number) {
    of_rounds.whole[rounds.shape(number)] = of_transfer(rounds.id(number));
  }
  round_lengths_ = rounds.lengths(of_rounds);
}

Service LeastDurations::rounds(std::uint32_t number, LastRound const& last) const {
  auto const shape = tasks_.rounds().times().shape(number);
  return {last.alone + round_lengths_.first[shape], last.alone + round_lengths_.whole[shape]};
}

Cycles LeastDurations::cycles(RerunTask const& task) const {
  auto const& computation = tasks_.computation(task);
  bool const is_instant = faster_.is(ResourceKind::compute) && faster_.speed == Speed::infinite;
  auto const computed = is_instant ? Cycles{0} : computation.computed;
  auto const& clock = tasks_.blueprint().clock(task.runs_at).clock();
  auto const moved = clock.edge_at_or_after(moving(computation.moved));
  return computation.kernel_starts + std::max(computed, std::max(moved, Cycles{1}) - Cycles{1});
}

Time LeastDurations::moving(AcceleratorId accelerator, Bytes bytes) const {
  return moving(tasks_.at_peak(accelerator, bytes));
}

Time LeastDurations::moving(Time at_peak) const {
  return faster_.is(ResourceKind::memory) ? faster_.of(at_peak) : at_peak;
}

Service LeastDurations::service(RerunTask const& task, Time begun) const {
  switch (task.kind) {
    case TaskKind::compute: {
      auto const& clock = tasks_.blueprint().clock(task.runs_at).clock();
      auto const served = clock.edge(clock.edge_at_or_after(begun) + cycles(task));
      return {served, served};
    }
    case TaskKind::load:
    case TaskKind::store: {
      auto const& it = tasks_.graph().at(task.id);
      auto const served = begun + moving(it.accelerator, it.bytes) +
                          latency_of(tasks_.blueprint().spec(it.accelerator).memory);
      return {served, served};
    }
    case TaskKind::transfer:
      return {begun + lengths_.first[tasks_.shapes().of(task.id)], begun + of_transfer(task.id)};
    case TaskKind::barrier:
      break;
  }
  return {begun, begun};
}

/// Packets may take several ways at once, but all leave their accelerator.
Time LeastDurations::of_transfer(TaskId id) const {
  if (!tasks_.blueprint().array.fabric.packets) return lengths_.whole[tasks_.shapes().of(id)];
  auto const& task = tasks_.graph().at(id);
  auto const port = ports_[arch::NodeId{task.accelerator.index()}];
  return port == Bandwidth{0} ? Time{0} : bytes_of_round(task) / port;
}

}  // namespace tessera::sim::outcome
