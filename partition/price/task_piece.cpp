#include "partition/price/task_piece.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "partition/price/work.hpp"

namespace tessera::partition {

using workloads::Operator;
using workloads::PerDim;
using workloads::Phase;

namespace {

Time const shortest{1};

Time in_picoseconds(double seconds) { return Time{std::llround(seconds * 1e12)}; }

/// What an accelerator has of an operator's loop nest in a phase; of an update, of the weights.
PerDim<std::int64_t> part_of(Tiling const& tiling, workloads::OperatorId id, Operator const& op,
                             Phase phase, std::size_t position) {
  auto part = op.extents;
  for (auto const& split : tiling.splits(id, phase)) {
    if (!split || (phase == Phase::update && !op.weight->axis_of(split->dim))) continue;
    part[split->dim] = tiling.loop_extent(id, split->dim, position, phase);
  }
  return part;
}

Holders all_positions(Stage const& stage) { return everybody(stage.mesh.devices.size()); }

/// A piece that grows by messages.
class PieceBuilder final {
 public:
  using Done = TaskPiece::Done;
  using Index = TaskPiece::Index;

  PieceBuilder(arch::Topology const& topology, Lanes const& lanes, Bytes element_size, bool in_turn)
      : topology_{topology}, lanes_{lanes}, element_size_{element_size}, in_turn_{in_turn} {}

  [[nodiscard]] TaskPiece take() { return std::move(piece_); }

  void begin_at(std::vector<std::size_t> const& devices) {
    for (auto const device : devices) piece_.done[device] = {{}, {device}};
  }

  /// Only these have what is made.
  void end_at(std::vector<std::size_t> const& devices) {
    std::map<std::size_t, Done> kept;
    for (auto const device : devices) kept[device] = std::move(piece_.done[device]);
    piece_.done = std::move(kept);
  }

  /// In a round of a collective exchanges wait for some of earlier rounds, in any other step for
  /// all that their senders have received. `devices`: of positions.
  void exchange(std::vector<ReshardStep> const& steps, std::vector<std::size_t> const& devices) {
    std::map<std::size_t, Done> first_round;
    std::vector<Done> arrived;  // by exchange, since the first round
    for (auto const& step : steps) {
      if (!step.is_later_round) {
        first_round = piece_.done;
        arrived.clear();
      }
      auto next = piece_.done;
      for (auto const& exchange : step.exchanges) {
        auto const from = devices[exchange.from];
        auto const to = devices[exchange.to];
        auto operands = in_turn_ ? piece_.done[from] : first_round[from];
        if (!in_turn_) {
          for (auto const earlier : exchange.after) add_to(operands, arrived[earlier]);
        }
        arrived.push_back(message(from, to, element_size_ * exchange.elements.value(), operands));
        add_to(next[to], arrived.back());
      }
      piece_.done = std::move(next);
      take_turns();
    }
  }

  /// Each lane once, as long as all that it carries takes; then everybody has all of it.
  void sum(std::vector<ReshardStep> const& steps, std::vector<std::size_t> const& devices) {
    auto const groups = groups_of(steps, devices.size());
    for (auto const& members : groups) {
      if (members.size() > 1) sum_of(members, steps, devices);
    }
    take_turns();
  }

  Index task(Time time, std::optional<std::size_t> resource, Done after) {
    piece_.tasks.push_back({time, resource, std::move(after.after), std::move(after.operands_of)});
    return static_cast<Index>(piece_.tasks.size() - 1);
  }

  Done& done_at(std::size_t device) { return piece_.done[device]; }

  /// Everybody goes on when all are done.
  void take_turns() {
    if (!in_turn_ || piece_.tasks.empty()) return;
    Done all;
    for (auto const& [device, done] : piece_.done) add_to(all, done);
    Done const turn{{task(Time{0}, std::nullopt, std::move(all))}, {}};
    for (auto& [device, done] : piece_.done) done = turn;
  }

 private:
  /// What lanes carry in one step or in all: their bytes, and who sends them.
  struct Load {
    Time time{0};
    std::vector<std::size_t> senders;
  };
  using Loads = std::map<std::size_t, Load>;  ///< by resource

  template <typename T>
  static void unite(std::vector<T>& all, std::vector<T> const& more) {
    all.insert(all.end(), more.begin(), more.end());
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
  }

  static void add_to(Done& done, Done const& more) {
    unite(done.after, more.after);
    unite(done.operands_of, more.operands_of);
  }

  /// Positions that exchange with each other, directly or not.
  static std::vector<std::vector<std::size_t>> groups_of(std::vector<ReshardStep> const& steps,
                                                         std::size_t positions) {
    std::vector<std::size_t> group(positions);
    std::iota(group.begin(), group.end(), std::size_t{0});
    auto const root = [&](std::size_t it) {
      while (group[it] != it) it = group[it];
      return it;
    };
    for (auto const& step : steps) {
      for (auto const& exchange : step.exchanges) group[root(exchange.from)] = root(exchange.to);
    }
    std::vector<std::vector<std::size_t>> members(positions);
    for (std::size_t it = 0; it < positions; ++it) members[root(it)].push_back(it);
    return members;
  }

  void sum_of(std::vector<std::size_t> const& members, std::vector<ReshardStep> const& steps,
              std::vector<std::size_t> const& devices) {
    std::vector<bool> is_member(devices.size());
    for (auto const member : members) is_member[member] = true;
    Loads all;
    Time alone{0};
    for (auto const& step : steps) alone += add_step(all, step, is_member, devices);
    Done carried;
    Time longest{0};
    for (auto& [resource, load] : all) {
      longest = std::max(longest, load.time);
      unite(load.senders, {});
      carried.after.push_back(task(load.time, resource, {{}, std::move(load.senders)}));
    }
    auto const rest = alone > longest ? alone - longest : Time{0};
    Done const summed{{task(rest, std::nullopt, std::move(carried))}, {}};
    for (auto const member : members) piece_.done[devices[member]] = summed;
  }

  /// Returns what the step takes on an idle fabric.
  Time add_step(Loads& all, ReshardStep const& step, std::vector<bool> const& is_member,
                std::vector<std::size_t> const& devices) const {
    Loads loads;
    Time latency{0};
    for (auto const& exchange : step.exchanges) {
      if (!is_member[exchange.from]) continue;
      auto const size = element_size_ * exchange.elements.value();
      auto const from = devices[exchange.from];
      auto const to = devices[exchange.to];
      latency = std::max(latency, on_path(from, to, size, [&](std::size_t lane, Time time) {
                           loads[lane].time += time;
                           loads[lane].senders.push_back(from);
                         }));
    }
    Time longest{0};
    for (auto& [lane, load] : loads) {
      longest = std::max(longest, load.time);
      all[lane].time += load.time;
      auto& senders = all[lane].senders;
      senders.insert(senders.end(), load.senders.begin(), load.senders.end());
    }
    return longest + latency;
  }

  /// Visits every lane with the time that it takes there, and returns the latency of the path.
  template <typename Visit>
  Time on_path(std::size_t from, std::size_t to, Bytes size, Visit visit) const {
    arch::NodeId const source{from};
    Time latency{0};
    for (auto const& part : topology_.cut(source, arch::NodeId{to}, size)) {
      if (part.size == Bytes{0}) continue;
      Time of_path{0};
      for (auto const link : topology_.route(source, arch::NodeId{to}, part.turn)) {
        auto const& wire = topology_.links()[link];
        auto const cores = topology_.accelerators();
        visit(cores + lanes_.of(link, source), std::max(shortest, part.size / wire.lane_bandwidth));
        of_path += wire.latency;
      }
      latency = std::max(latency, of_path);
    }
    return latency;
  }

  /// When it has arrived; without a size when it could be sent.
  [[nodiscard]] Done message(std::size_t from, std::size_t to, Bytes size, Done const& operands) {
    Done on_links;
    auto const latency = on_path(from, to, size, [&](std::size_t lane, Time time) {
      on_links.after.push_back(task(time, lane, operands));
    });
    if (on_links.after.empty()) return operands;
    return {{task(std::max(shortest, latency), std::nullopt, std::move(on_links))}, {}};
  }

  arch::Topology const& topology_;
  Lanes const& lanes_;
  Bytes element_size_;
  bool in_turn_;
  TaskPiece piece_;
};

}  // namespace

Lanes::Lanes(arch::Topology const& topology) : topology_{&topology} {
  for (auto const& link : topology.links()) {
    first_.push_back(count_);
    count_ += static_cast<std::size_t>(link.lanes);
  }
}

PieceMaker::PieceMaker(Problem const& problem, OperatorTimes const& times)
    : problem_{problem}, times_{&times}, topology_{problem.array}, lanes_{topology_} {}

std::size_t PieceMaker::cores() const { return topology_.accelerators(); }

bool PieceMaker::takes_turns() const {
  return problem_.array.execution.overlap == arch::ExecutionSpec::Overlap::none;
}

TaskPiece PieceMaker::computation(Action const& action, Stage const& stage,
                                  Tiling const& tiling) const {
  PieceBuilder build{topology_, lanes_, problem_.network.element_size(), takes_turns()};
  auto const& op = problem_.network.at(action.op);
  for (auto const position : all_positions(stage)) {
    auto const device = stage.mesh.devices[position];
    auto const part = part_of(tiling, action.op, op, action.phase, position);
    auto const time =
        in_picoseconds((*times_)(problem_.array.accelerator(device), op, action.phase, part));
    auto const core = time < shortest ? std::nullopt : std::optional{device};
    build.done_at(device).after = {build.task(time, core, {{}, {device}})};
  }
  build.take_turns();
  return build.take();
}

TaskPiece PieceMaker::conversion(Conversion const& conversion, Stage const& stage,
                                 Tiling const& tiling) const {
  PieceBuilder build{topology_, lanes_, problem_.network.element_size(), takes_turns()};
  auto const& devices = stage.mesh.devices;
  build.begin_at(devices);
  auto const steps = exchanges_of(tiling, conversion, all_positions(stage), Waits::left_out);
  if (conversion.kind == Conversion::Kind::gradient_sum) {
    build.sum(steps, devices);
  } else {
    build.exchange(steps, devices);
  }
  return build.take();
}

TaskPiece PieceMaker::crossing(Conversion const& conversion, MeshHolders const& senders,
                               MeshHolders const& receivers) const {
  PieceBuilder build{topology_, lanes_, problem_.network.element_size(), takes_turns()};
  auto const crossing =
      crossing_of(problem_.array.hierarchy(), conversion, senders, receivers, Waits::left_out);
  auto const all = everybody(cores());
  build.begin_at(senders.mesh.devices);
  build.exchange(crossing.before, all);
  if (!crossing.across.empty()) build.exchange({{0, false, crossing.across}}, all);
  build.end_at(receivers.mesh.devices);
  build.exchange(crossing.after, all);
  return build.take();
}

}  // namespace tessera::partition
