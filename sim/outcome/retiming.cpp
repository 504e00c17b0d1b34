#include "sim/outcome/retiming.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "sim/outcome/free_times.hpp"
#include "sim/outcome/last_rounds.hpp"
#include "sim/outcome/link_queues.hpp"

namespace tessera::sim::outcome {

namespace {

/// As many reruns as a pass answers: 40 bytes for each end of a task.
constexpr std::size_t most_lanes = 5;
template <typename T>
using Lanes = std::array<T, most_lanes>;

/// What dispatchers hear they hear at edges of their clocks, and messages are sampled at edges, so
/// that most is counted in cycles: what an accelerator's tasks wait for, in those of its own.
class Retiming final {
 public:
  explicit Retiming(RerunTasks const& tasks)
      : tasks_{tasks},
        ends_(tasks.ends()),
        free_(tasks.units()),
        rounds_(tasks.rounds().times().count()),
        rings_(tasks.rounds().times().rings().size()),
        queues_(rounds_.empty() ? 0 : most_lanes,
                LinkQueues{tasks.blueprint().topology.links().size()}),
        carried_(tasks.leaving().size()),
        last_(tasks.graph().accelerators()) {}

  [[nodiscard]] Lanes<Time> run(std::vector<Rerun> const& reruns) {
    lanes_ = reruns.size();
    for (std::size_t lane = 0; lane < lanes_; ++lane) {
      auto const& [durations, queues] = reruns[lane];
      reruns_[lane] = {durations, &durations->round_lengths(), queues == Queues::observed};
    }
    barriers_.assign(tasks_.graph().barrier_members().size(), {});
    last_.assign(last_.size(), {});
    rounds_.assign(rounds_.size(), {});
    rings_.assign(rings_.size(), 0);
    for (auto& queues : queues_) queues.clear();
    for (std::size_t index = 0; index < tasks_.all().size(); ++index) serve(index);
    for (std::uint32_t number = 0; number < rounds_.size(); ++number) {
      static_cast<void>(completed(number));
    }
    return ends();
  }

 private:
  /// A rerun.
  struct Lane {
    Durations const* durations = nullptr;
    RoundLengths const* lengths = nullptr;
    bool observes_queues = true;
  };

  void serve(std::size_t index) {
    auto const issued = issue_of(index);
    auto const& task = tasks_.all()[index];
    if (task.kind == TaskKind::barrier) return reach(task, issued);
    if (task.rounds != RerunTask::none) return begin_rounds(task, issued);
    bool const is_transfer = task.kind == TaskKind::transfer;
    auto* const unit = task.unit != RerunTask::none ? &free_[task.unit] : nullptr;
    auto& end = ends_[task.end];
    auto* const left = task.has_leaving ? &ends_[task.end + 1] : nullptr;
    auto& last = last_[task.ends_at.index()];
    auto const& clock = clock_of(task.runs_at);
    auto const& clock_at_end = clock_of(task.ends_at);
    auto const router = is_transfer ? tasks_.router(task.runs_at) : Time{0};
    for (std::size_t lane = 0; lane < lanes_; ++lane) {
      auto const& rerun = reruns_[lane];
      auto const arrived =
          is_transfer ? arrival_at_link(clock, router, issued[lane]) : clock.arrival(issued[lane]);
      auto begun = arrived;
      auto service = rerun.durations->service(task, arrived);
      bool const waits = rerun.observes_queues && task.waits;
      if (waits) {
        begun = (*unit)[lane].take(arrived, std::max(service.free - arrived, Time{0}));
        service.free += begun - arrived;
        service.served += begun - arrived;
      }
      if (task.leaving != RerunTask::none) leave(task.leaving, lane, begun);
      end[lane] = clock_at_end.arrival_edge(service.served);
      if (left != nullptr) (*left)[lane] = clock.arrival_edge(service.free);
      if (unit != nullptr && !waits) (*unit)[lane].restart(std::max(begun, service.free));
      last[lane] = std::max(last[lane], end[lane]);
    }
  }

  /// A transfer enters its link at `begun`.
  void leave(std::uint32_t leaving, std::size_t lane, Time begun) {
    carried_[leaving][lane] =
        queues_[lane].begin(tasks_.leaving()[leaving], begun, *reruns_[lane].lengths);
  }

  /// A transfer of several rounds.
  struct Rounds {
    Lanes<Time> begins{};     ///< its first round; once those of all its ring have begun, its last
    Lanes<Cycles> left{};     ///< its sender's dispatcher is notified of the last round
    Lanes<Cycles> arrived{};  ///< its receiver's dispatcher is
    bool is_complete = false;
  };

  void begin_rounds(RerunTask const& task, Lanes<Cycles> const& issued) {
    auto& begins = rounds_[task.rounds].begins;
    auto const& clock = clock_of(task.runs_at);
    auto const router = tasks_.router(task.runs_at);
    for (std::size_t lane = 0; lane < lanes_; ++lane) {
      auto const& rerun = reruns_[lane];
      begins[lane] = arrival_at_link(clock, router, issued[lane]);
      bool const queues = rerun.observes_queues && task.leaving != RerunTask::none;
      if (queues) leave(task.leaving, lane, begins[lane]);
    }
    auto const ring = tasks_.rounds_of(task.rounds).ring;
    ++rings_[ring];
    if (have_begun(ring)) find_last(tasks_.rounds().times().rings()[ring]);
  }

  /// All transfers of a ring?
  [[nodiscard]] bool have_begun(std::uint32_t ring) const {
    return rings_[ring] == tasks_.rounds().times().rings()[ring].size();
  }

  /// Of a ring whose transfers have all begun.
  void find_last(std::vector<std::uint32_t> const& ring) {
    auto const& times = tasks_.rounds().times();
    auto const rounds = tasks_.rounds_of(ring.front()).rounds;
    members_.resize(ring.size());
    for (std::size_t lane = 0; lane < lanes_; ++lane) {
      auto const& lengths = *reruns_[lane].lengths;
      for (std::size_t i = 0; i < ring.size(); ++i) {
        members_[i] = times.member(ring[i], lengths, rounds_[ring[i]].begins[lane]);
      }
      auto const& last = LastRounds::serves(members_) ? last_rounds_.of(members_, rounds)
                                                      : last_one_by_one(ring, lane);
      for (std::size_t i = 0; i < ring.size(); ++i) rounds_[ring[i]].begins[lane] = last[i];
    }
  }

  [[nodiscard]] std::vector<Time> const& last_one_by_one(std::vector<std::uint32_t> const& ring,
                                                         std::size_t lane) {
    last_begun_.clear();
    for (auto const number : ring) last_begun_.push_back(last_of(number, lane));
    return last_begun_;
  }

  /// Of a ring whose transfers have not all begun, or whose last rounds are being looked for.
  [[nodiscard]] Time last_of(std::uint32_t number, std::size_t lane) const {
    auto const begun = [&](std::uint32_t other) { return rounds_[other].begins[lane]; };
    auto const& lengths = *reruns_[lane].lengths;
    return tasks_.rounds().times().last(number, lengths, begun).begun;
  }

  /// Requires that all transfers have begun whose beginning the last round waits for.
  Rounds const& completed(std::uint32_t number) {
    auto& rounds = rounds_[number];
    if (std::exchange(rounds.is_complete, true)) return rounds;
    auto const& transfer = tasks_.rounds_of(number);
    auto& latest = last_[transfer.receiver.index()];
    bool const is_known = have_begun(transfer.ring);
    auto const& sender = clock_of(transfer.sender);
    auto const& receiver = clock_of(transfer.receiver);
    for (std::size_t lane = 0; lane < lanes_; ++lane) {
      LastRound last{is_known ? rounds.begins[lane] : last_of(number, lane)};
      if (transfer.left_after != RerunRounds::none) {
        last.behind =
            carried_[transfer.left_after][lane] - reruns_[lane].lengths->first[transfer.shape];
      }
      auto const service = reruns_[lane].durations->rounds(number, last);
      rounds.left[lane] = sender.arrival_edge(service.free);
      rounds.arrived[lane] = receiver.arrival_edge(service.served);
      latest[lane] = std::max(latest[lane], rounds.arrived[lane]);
    }
    return rounds;
  }

  [[nodiscard]] MessageClock const& clock_of(AcceleratorId accelerator) const {
    return tasks_.blueprint().clock(accelerator);
  }

  void reach(RerunTask const& member, Lanes<Cycles> const& issued) {
    auto& reached = barriers_[member.end];
    auto const& clock = clock_of(member.runs_at);
    for (std::size_t lane = 0; lane < lanes_; ++lane) {
      reached[lane] = std::max(reached[lane], clock.arrival(issued[lane]));
    }
  }

  /// The edge at or after it.
  [[nodiscard]] Lanes<Cycles> issue_of(std::size_t index) {
    using Kind = RerunTasks::Before::Kind;
    Lanes<Cycles> issued{};
    auto const* const end = tasks_.before_end(index);
    for (auto const* it = tasks_.before_begin(index); it != end; ++it) {
      switch (it->kind()) {
        case Kind::end:
          await(ends_[it->number()], issued);
          break;
        case Kind::barrier:
          await(barriers_[it->number()], clock_of(tasks_.all()[index].runs_at).clock(), issued);
          break;
        case Kind::rounds:
          await(completed(it->number()).arrived, issued);
          break;
        case Kind::rounds_left:
          await(completed(it->number()).left, issued);
      }
    }
    return issued;
  }

  /// In all lanes, used or not: a fixed number of them takes no loop.
  static void await(Lanes<Cycles> const& released, Lanes<Cycles>& issued) {
    for (std::size_t lane = 0; lane < most_lanes; ++lane) {
      issued[lane] = std::max(issued[lane], released[lane]);
    }
  }

  void await(Lanes<Time> const& reached, Clock const& clock, Lanes<Cycles>& issued) const {
    for (std::size_t lane = 0; lane < lanes_; ++lane) {
      auto const released = reached[lane] + tasks_.blueprint().hop_latency();
      issued[lane] = std::max(issued[lane], clock.edge_at_or_after(released));
    }
  }

  [[nodiscard]] Lanes<Time> ends() const {
    Lanes<Time> ends{};
    for (std::size_t lane = 0; lane < lanes_; ++lane) {
      auto& end = ends[lane];
      for (std::size_t index = 0; index < last_.size(); ++index) {
        auto const& clock = clock_of(AcceleratorId{index}).clock();
        end = std::max(end, clock.edge(last_[index][lane]));
      }
      for (auto const& reached : barriers_) {
        end = std::max(end, reached[lane] + tasks_.blueprint().hop_latency());
      }
    }
    return ends;
  }

  RerunTasks const& tasks_;
  std::size_t lanes_ = 0;  ///< of this pass
  Lanes<Lane> reruns_;
  std::vector<Lanes<Cycles>> ends_;     ///< a dispatcher hears then; known before others ask
  std::vector<Lanes<FreeTimes>> free_;  ///< by unit; begins anew with its first task
  std::vector<Rounds> rounds_;          ///< by number
  std::vector<std::size_t> rings_;      ///< by ring: how many of its transfers have begun
  std::vector<RingMember> members_;     ///< of a ring
  std::vector<Time> last_begun_;        ///< likewise
  LastRounds last_rounds_;
  std::vector<LinkQueues> queues_;     ///< by lane
  std::vector<Lanes<Time>> carried_;   ///< by RerunTask::leaving: its link has
  std::vector<Lanes<Time>> barriers_;  ///< when the last member so far has reached it
  std::vector<Lanes<Cycles>> last_;    ///< by accelerator: what its dispatcher hears last
};

}  // namespace

std::vector<Time> ends_of(RerunTasks const& tasks, std::vector<Rerun> const& reruns) {
  std::vector<Time> ends;
  Retiming retiming{tasks};
  for (auto from = reruns.begin(); from != reruns.end();) {
    auto const left = static_cast<std::size_t>(reruns.end() - from);
    auto const to = from + static_cast<std::ptrdiff_t>(std::min(left, most_lanes));
    auto const lanes = retiming.run({from, to});
    ends.insert(ends.end(), lanes.begin(), lanes.begin() + (to - from));
    from = to;
  }
  return ends;
}

}  // namespace tessera::sim::outcome
