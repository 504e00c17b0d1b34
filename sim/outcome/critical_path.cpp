#include "sim/outcome/critical_path.hpp"

#include <algorithm>
#include <map>

namespace tessera::sim::outcome {

namespace {

struct Piece {
  Time begin{0};
  Time end{0};
  TaskCopy copy;
  PathCause cause = PathCause::compute;
};

/// Walks back from the end.
class PathWalk final {
 public:
  PathWalk(Outcome const& outcome, UnitTimes& times, RecordedRounds const& rounds,
           TaskNumbers const& numbers, Waits const& waits)
      : graph_{outcome.blueprint.schedule.graph()},
        journal_{outcome.records.journal},
        blueprint_{outcome.blueprint},
        times_{times},
        rounds_{rounds},
        numbers_{numbers},
        waits_{waits} {}

  /// In order of time.
  [[nodiscard]] std::vector<Piece> pieces() {
    if (graph_.size() == 0) return {};
    auto at = journal_.end();
    for (std::optional<TaskCopy> copy = last_to_end(); copy;) {
      if (graph_.at(copy->task).kind == TaskKind::barrier) copy = waits_.last_member(*copy);
      auto const first = kept_back_by(*copy);
      auto const [from, before] = step_back(first);
      if (graph_.at(copy->task).rounds > 1) {
        add_rounds(*copy, first, from, at);
      } else {
        add_pieces(*copy, from, at);
      }
      at = from;
      copy = before;
    }
    ENSURES(at == Time{0}, at);
    std::reverse(pieces_.begin(), pieces_.end());
    return std::move(pieces_);
  }

 private:
  struct Step {
    Time from{0};                    ///< the task has the path from then on
    std::optional<TaskCopy> before;  ///< who has it until then
  };

  [[nodiscard]] TaskCopy last_to_end() const {
    std::optional<TaskCopy> last;
    for (auto const id : graph_.tasks().ids()) {
      if (journal_.completed(id) != journal_.end()) continue;
      auto const representative = graph_.at(id).accelerator.index();
      TaskCopy const copy{id, blueprint_.folding().accelerator(representative)};
      if (!last || numbers_.of(copy) < numbers_.of(*last)) last = copy;
    }
    return last.value();
  }

  /// Of a transfer of several rounds, the one in its ring whose beginning its last one waited for.
  [[nodiscard]] TaskCopy kept_back_by(TaskCopy copy) const {
    auto number = rounds_.times().number(copy.task);
    if (number == RoundTimes::none) return copy;
    for (auto steps = rounds_.last(number).waited_for; steps > 0; --steps) {
      number = rounds_.times().behind(number);
      copy = waits_.copy_of(rounds_.times().id(number), copy);
    }
    return copy;
  }

  [[nodiscard]] Step step_back(TaskCopy const& copy) const {
    auto const& time = times_.of(copy.task);
    if (time.waited()) return {time.begun, TaskCopy{*time.ahead, copy.accelerator}};
    auto const issued = *journal_.started(copy.task);
    auto const wait = waits_.before_issue(copy);
    ENSURES(wait.until == issued, copy.task, wait.until, issued);
    return {issued, wait.task};
  }

  /// The last one first.
  void add_pieces(TaskCopy const& copy, Time from, Time to) {
    auto const& time = times_.of(copy.task);
    add(copy, std::max(from, time.served), to, after_service(copy.task));
    add_service(copy, std::max(from, time.begun), std::min(to, time.served));
    add(copy, from, std::min(to, time.begun), PathCause::dispatch);
  }

  /// From the beginning of `first` to what it became of `copy`.
  void add_rounds(TaskCopy const& copy, TaskCopy const& first, Time from, Time to) {
    auto const served = times_.of(copy.task).served;
    auto const begun = times_.of(first.task).begun;
    add(copy, std::max(from, served), to, PathCause::dispatch);
    auto const since = std::max(from, begun);
    auto const until = std::min(to, served);
    auto const waited = to < served ? Time{0} : std::min(excess(copy.task), until - since);
    add(copy, since + waited, until, PathCause::communication);
    add(copy, since, since + waited, PathCause::wait);
    add(first, from, std::min(to, begun), PathCause::dispatch);
  }

  [[nodiscard]] PathCause after_service(TaskId task) const {
    return graph_.at(task).kind == TaskKind::barrier ? PathCause::barrier : PathCause::dispatch;
  }

  void add_service(TaskCopy const& copy, Time from, Time to) {
    auto const& task = graph_.at(copy.task);
    switch (task.kind) {
      case TaskKind::compute: {
        auto const waits = to - std::min(journal_.waited(copy.task), std::max(to - from, Time{0}));
        add(copy, waits, to, PathCause::memory);
        return add(copy, from, waits, PathCause::compute);
      }
      case TaskKind::load:
      case TaskKind::store:
        return add(copy, from, to, PathCause::memory);
      case TaskKind::transfer: {
        auto const waited = to < times_.of(copy.task).served ? Time{0} : excess(copy.task);
        add(copy, from + waited, to, PathCause::communication);
        return add(copy, from, from + waited, PathCause::wait);
      }
      case TaskKind::barrier:
        add(copy, from, to, PathCause::barrier);
    }
  }

  /// How much longer than on an idle fabric a transfer took; 0 where that is not known.
  [[nodiscard]] Time excess(TaskId id) {
    auto const& task = graph_.at(id);
    auto& idle = times_.idle_transfers();
    if (!idle.is_exact(task)) return Time{0};
    auto const number = rounds_.times().number(id);
    if (number != RoundTimes::none) return std::max(rounds_.longer(number).served, Time{0});
    auto const& time = times_.of(id);
    auto const clock = blueprint_.clock(task.destination).clock();
    auto const alone = clock.edge(clock.edge_at_or_after(time.begun + idle.length(task)));
    return std::max(time.served - alone, Time{0});
  }

  /// The messages to a unit and back from the one before are one piece.
  void add(TaskCopy const& copy, Time from, Time to, PathCause cause) {
    if (from >= to) return;
    bool const continues = cause == PathCause::dispatch && !pieces_.empty() &&
                           pieces_.back().cause == cause && pieces_.back().begin == to;
    if (continues) {
      pieces_.back().begin = from;
    } else {
      pieces_.push_back({from, to, copy, cause});
    }
  }

  TaskGraph const& graph_;
  Journal const& journal_;
  Blueprint const& blueprint_;
  UnitTimes& times_;
  RecordedRounds const& rounds_;
  TaskNumbers const& numbers_;
  Waits const& waits_;
  std::vector<Piece> pieces_;
};

/// Marks bubbles, step by step.
class Bubbles final {
 public:
  explicit Bubbles(TaskGraph const& graph) : graph_{graph} {}

  void mark(std::vector<Piece>& pieces) const {
    std::map<std::int64_t, std::vector<Piece*>> steps;
    for (auto& piece : pieces) steps[passage(piece).step].push_back(&piece);
    for (auto const& [step, all] : steps) mark_step(all);
  }

 private:
  [[nodiscard]] Passage const& passage(Piece const& piece) const {
    return graph_.passage_of(piece.copy.task);
  }

  void mark_step(std::vector<Piece*> const& pieces) const {
    auto const stage = longest_stage(pieces);
    auto const is_of_it = [&](Piece const* piece) { return passage(*piece).stage == stage; };
    auto const first = std::find_if(pieces.begin(), pieces.end(), is_of_it);
    auto const last = std::find_if(pieces.rbegin(), pieces.rend(), is_of_it).base();
    for (auto piece = pieces.begin(); piece != first; ++piece) (*piece)->cause = PathCause::bubble;
    for (auto piece = last; piece != pieces.end(); ++piece) (*piece)->cause = PathCause::bubble;
  }

  /// Of several, the first.
  [[nodiscard]] std::size_t longest_stage(std::vector<Piece*> const& pieces) const {
    std::map<std::size_t, Time> sums;
    for (auto const* const piece : pieces) {
      sums[passage(*piece).stage] += piece->end - piece->begin;
    }
    auto const longest = std::max_element(
        sums.begin(), sums.end(), [](auto const& a, auto const& b) { return a.second < b.second; });
    return longest->first;
  }

  TaskGraph const& graph_;
};

/// The narrowest link of a transfer's way in the whole array, by bandwidth and then by name.
class NarrowestLinks final {
 public:
  explicit NarrowestLinks(Blueprint const& blueprint)
      : topology_{blueprint.array}, receivers_{blueprint} {}

  [[nodiscard]] std::int64_t of(Task const& transfer, std::size_t sender) {
    auto const receiver = receivers_.of(transfer, sender);
    auto const [known, is_new] = known_.try_emplace({sender, receiver}, -1);
    if (is_new) known->second = find(arch::NodeId{sender}, arch::NodeId{receiver});
    return known->second;
  }

 private:
  [[nodiscard]] std::int64_t find(arch::NodeId sender, arch::NodeId receiver) const {
    auto links = topology_.route(sender, receiver, arch::Turn::positive);
    if (topology_.has_two_ways(sender, receiver)) {
      auto const other = topology_.route(sender, receiver, arch::Turn::negative);
      links.insert(links.end(), other.begin(), other.end());
    }
    if (links.empty()) return -1;
    auto const narrowest =
        std::min_element(links.begin(), links.end(), [this](arch::LinkId a, arch::LinkId b) {
          auto const& one = topology_.links()[a];
          auto const& other = topology_.links()[b];
          return std::tie(one.lane_bandwidth, one.name) <
                 std::tie(other.lane_bandwidth, other.name);
        });
    return static_cast<std::int64_t>(narrowest->index());
  }

  arch::Topology topology_;
  Receivers receivers_;
  std::map<std::pair<std::size_t, std::size_t>, std::int64_t> known_;
};

bool has_stages(TaskGraph const& graph) {
  return std::any_of(graph.passages().begin(), graph.passages().end(),
                     [](Passage const& passage) { return passage.stage > 0; });
}

}  // namespace

std::vector<std::string> const& path_cause_names() {
  static std::vector<std::string> const names{"compute",  "memory",  "communication", "wait",
                                              "dispatch", "barrier", "bubble"};
  return names;
}

std::vector<traces::PathEntry> critical_path(Outcome const& outcome, UnitTimes& times,
                                             RecordedRounds const& rounds,
                                             TaskNumbers const& numbers, Waits const& waits) {
  auto const& graph = outcome.blueprint.schedule.graph();
  auto pieces = PathWalk{outcome, times, rounds, numbers, waits}.pieces();
  if (has_stages(graph)) Bubbles{graph}.mark(pieces);
  NarrowestLinks links{outcome.blueprint};
  std::vector<traces::PathEntry> path;
  path.reserve(pieces.size());
  for (auto const& piece : pieces) {
    auto const& task = graph.at(piece.copy.task);
    traces::PathEntry entry;
    entry.begin = piece.begin;
    entry.end = piece.end;
    entry.task = numbers.of(piece.copy);
    entry.cause = static_cast<std::uint8_t>(piece.cause);
    bool const is_sent = piece.cause == PathCause::communication || piece.cause == PathCause::wait;
    if (is_sent) entry.link = links.of(task, piece.copy.accelerator);
    entry.op = static_cast<std::uint32_t>(task.op.index());
    entry.phase = static_cast<std::uint8_t>(task.phase);
    entry.accelerator = static_cast<std::uint32_t>(piece.copy.accelerator);
    path.push_back(entry);
  }
  return path;
}

}  // namespace tessera::sim::outcome
