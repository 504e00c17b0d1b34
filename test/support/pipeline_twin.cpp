#include "test/support/pipeline_twin.hpp"

#include <algorithm>
#include <map>
#include <queue>
#include <set>
#include <tuple>
#include <utility>

namespace tessera::test {

namespace {

using partition::Pass;
using partition::PipelineProgram;
using partition::Slot;

/// The parts of the network, chunk by chunk and stage by stage, are numbered through.
using Part = std::int64_t;

struct Message {
  enum class Kind { activation, error, gradients };
  Kind kind = Kind::activation;
  Part part = 0;  ///< whose forward or backward pass it is for; the stage whose gradients they are
  std::int64_t micro_batch = 0;  ///< of gradients: of which update

  friend bool operator<(Message const& a, Message const& b) {
    return std::tie(a.kind, a.part, a.micro_batch) < std::tie(b.kind, b.part, b.micro_batch);
  }
};

/// Something that happens to a worker: a message arrives, or it is free again.
struct Event {
  std::int64_t time = 0;
  std::size_t worker = 0;
  std::vector<Message> messages;  ///< none: it is free

  friend bool operator>(Event const& a, Event const& b) { return a.time > b.time; }
};

/// A replica of a stage.
struct Replica {
  std::size_t stage = 0;
  std::size_t index = 0;
  std::size_t next = 0;
  bool is_busy = false;
  bool waits_for_update = false;
  std::int64_t updates = 0;                  ///< that it has come to
  std::vector<std::int64_t> tied_gradients;  ///< when those of each update were all there
  std::set<Message> inbox;
  std::set<std::pair<Part, std::int64_t>> passed_forward;
  std::set<std::pair<Part, std::int64_t>> passed_backward;
  std::vector<TimedSlot> done;
};

class Twin final {
 public:
  Twin(PipelineProgram const& program, PipelineTimes const& times)
      : program_{program}, times_{times} {
    for (std::size_t stage = 0; stage < program.shape.stages(); ++stage) {
      first_.push_back(replicas_.size());
      for (std::size_t index = 0; index < program.shape.replicas[stage]; ++index) {
        replicas_.emplace_back();
        replicas_.back().stage = stage;
        replicas_.back().index = index;
      }
    }
  }

  Timeline run() {
    for (std::size_t worker = 0; worker < replicas_.size(); ++worker) try_next(worker, 0);
    while (!events_.empty()) {
      auto const event = events_.top();
      events_.pop();
      auto& replica = replicas_[event.worker];
      if (event.messages.empty()) replica.is_busy = false;
      replica.inbox.insert(event.messages.begin(), event.messages.end());
      try_next(event.worker, event.time);
    }
    Timeline timeline(program_.shape.stages());
    for (auto& replica : replicas_) timeline[replica.stage].push_back(std::move(replica.done));
    return timeline;
  }

 private:
  [[nodiscard]] std::int64_t stages() const {
    return static_cast<std::int64_t>(program_.shape.stages());
  }

  void try_next(std::size_t worker, std::int64_t now) {
    auto& replica = replicas_[worker];
    auto const& order = program_.orders[replica.stage][replica.index];
    if (replica.is_busy || replica.waits_for_update || replica.next == order.size()) return;
    auto const& slot = order[replica.next];
    if (slot.pass == Pass::update && times_.updates == PipelineTimes::Updates::beside_passes) {
      pass_update(worker, now);
    } else if (slot.pass == Pass::update) {
      replica.waits_for_update = true;
      try_update(replica.stage, now);
    } else if (has_inputs(replica, slot) && slot.version <= version_of(replica) &&
               has_tied_updates(replica, slot)) {
      run_pass(worker, slot, now);
    }
  }

  /// An update that goes on beside passes: it is done when all replicas have come to it.
  void pass_update(std::size_t worker, std::int64_t now) {
    auto& replica = replicas_[worker];
    auto const before = version_of(replica);
    replica.done.push_back({program_.orders[replica.stage][replica.index][replica.next], now, now});
    ++replica.next;
    ++replica.updates;
    try_next(worker, now);
    if (version_of(replica) == before) return;
    auto const first = first_[replica.stage];
    for (auto other = first; other < first + program_.shape.replicas[replica.stage]; ++other) {
      try_next(other, now);
    }
  }

  [[nodiscard]] bool is_tied(Part part) const {
    return std::count(times_.tied.begin(), times_.tied.end(), part) > 0;
  }

  /// After a pass that made gradients: were they the last of tied weights before an update, they
  /// are exchanged with those of each other stage as soon as that has its own, too.
  void exchange_gradients(Replica& replica, Slot const& slot, std::int64_t end) {
    if (!is_tied(part_of(replica, slot))) return;
    auto const& order = program_.orders[replica.stage][replica.index];
    for (auto next = replica.next + 1; order[next].pass != Pass::update; ++next) {
      auto const pass = order[next].pass;
      bool const makes_gradients = pass == Pass::backward || pass == Pass::backward_weight;
      if (makes_gradients && is_tied(part_of(replica, order[next]))) return;
    }
    replica.tied_gradients.push_back(end);
    auto const version = replica.tied_gradients.size();
    for (auto const stage : program_.shape.tied_to(replica.stage)) {
      auto const& theirs = replicas_[first_[stage]].tied_gradients;
      if (theirs.size() < version) continue;
      auto const arrival = std::max(end, theirs[version - 1]) + times_.transfer;
      exchange(replica.stage, stage, static_cast<std::int64_t>(version), arrival);
    }
  }

  void exchange(std::size_t a, std::size_t b, std::int64_t version, std::int64_t arrival) {
    auto const send = [&](std::size_t from, std::size_t to) {
      Message const gradients{Message::Kind::gradients, static_cast<Part>(from), version};
      events_.push({arrival, first_[to], {gradients}});
    };
    send(a, b);
    send(b, a);
  }

  /// The newest weights of its stage.
  [[nodiscard]] std::int64_t version_of(Replica const& replica) const {
    auto const first = first_[replica.stage];
    auto newest = replica.updates;
    for (auto other = first; other < first + program_.shape.replicas[replica.stage]; ++other) {
      newest = std::min(newest, replicas_[other].updates);
    }
    return newest;
  }

  /// Of weights tied to those of the pass; such stages have one replica here.
  [[nodiscard]] bool has_tied_updates(Replica const& replica, Slot const& slot) const {
    if (slot.version == 0 || !is_tied(part_of(replica, slot))) return true;
    auto const tied = program_.shape.tied_to(replica.stage);
    return std::all_of(tied.begin(), tied.end(), [&](std::size_t stage) {
      return replica.inbox.count(
                 {Message::Kind::gradients, static_cast<Part>(stage), slot.version}) > 0;
    });
  }

  [[nodiscard]] Part part_of(Replica const& replica, Slot const& slot) const {
    return slot.chunk * stages() + static_cast<Part>(replica.stage);
  }

  [[nodiscard]] bool has_inputs(Replica const& replica, Slot const& slot) const {
    auto const part = part_of(replica, slot);
    auto const b = slot.micro_batch;
    if (slot.pass == Pass::forward) {
      return part == 0 || replica.inbox.count({Message::Kind::activation, part, b}) > 0;
    }
    if (slot.pass == Pass::backward_weight) return replica.passed_backward.count({part, b}) > 0;
    auto const is_last = part + 1 == stages() * program_.shape.chunks;
    return replica.passed_forward.count({part, b}) > 0 &&
           (is_last || replica.inbox.count({Message::Kind::error, part, b}) > 0);
  }

  [[nodiscard]] std::int64_t time_of(Replica const& replica, Pass pass) const {
    auto const& times = times_.stages[replica.stage];
    switch (pass) {
      case Pass::forward:
        return times.forward;
      case Pass::backward:
        return times.backward_data + times.backward_weight;
      case Pass::backward_data:
        return times.backward_data;
      case Pass::backward_weight:
        return times.backward_weight;
      case Pass::update:
        break;
    }
    return times.update;
  }

  void run_pass(std::size_t worker, Slot const& slot, std::int64_t now) {
    auto& replica = replicas_[worker];
    auto const part = part_of(replica, slot);
    auto const end = now + time_of(replica, slot.pass);
    if (slot.pass == Pass::forward) {
      replica.passed_forward.insert({part, slot.micro_batch});
      occupy(worker, slot, now, end,
             send(worker, {Message::Kind::activation, part + 1, slot.micro_batch}, end));
    } else if (slot.pass == Pass::backward_weight) {
      exchange_gradients(replica, slot, end);
      occupy(worker, slot, now, end, end);
    } else {
      replica.passed_backward.insert({part, slot.micro_batch});
      if (slot.pass == Pass::backward) exchange_gradients(replica, slot, end);
      occupy(worker, slot, now, end,
             send(worker, {Message::Kind::error, part - 1, slot.micro_batch}, end));
    }
  }

  /// When the sender may go on. A message is there at once where it has not far to go.
  std::int64_t send(std::size_t worker, Message const& message, std::int64_t now) {
    if (message.part < 0 || message.part == stages() * program_.shape.chunks) return now;
    auto const stage = static_cast<std::size_t>(message.part % stages());
    auto const receiver = first_[stage] + static_cast<std::size_t>(message.micro_batch) %
                                              program_.shape.replicas[stage];
    if (stage == replicas_[worker].stage) {
      events_.push({now, receiver, {message}});
      return now;
    }
    auto& free = link_free_[{worker, receiver}];
    auto const left = free = std::max(free, now) + times_.leaving;
    events_.push({left + times_.transfer, receiver, {message}});
    using Transfers = PipelineTimes::Transfers;
    if (times_.transfers == Transfers::beside_computation) return now;
    return times_.transfers == Transfers::before_computation ? left + times_.transfer : left;
  }

  void occupy(std::size_t worker, Slot const& slot, std::int64_t begin, std::int64_t end,
              std::int64_t free) {
    auto& replica = replicas_[worker];
    replica.done.push_back({slot, begin, end});
    replica.is_busy = true;
    ++replica.next;
    if (slot.pass == Pass::update) ++replica.updates;
    events_.push({free, worker, {}});
  }

  /// All replicas of a stage begin an update when the last of them has come to it.
  void try_update(std::size_t stage, std::int64_t now) {
    auto const begin = first_[stage];
    auto const end = begin + program_.shape.replicas[stage];
    for (auto worker = begin; worker < end; ++worker) {
      if (!replicas_[worker].waits_for_update) return;
    }
    for (auto worker = begin; worker < end; ++worker) {
      auto& replica = replicas_[worker];
      replica.waits_for_update = false;
      auto const done = now + time_of(replica, Pass::update);
      occupy(worker, program_.orders[stage][replica.index][replica.next], now, done, done);
    }
  }

  PipelineProgram const& program_;
  PipelineTimes const& times_;
  std::vector<Replica> replicas_;
  std::vector<std::size_t> first_;                                         // replica of each stage
  std::map<std::pair<std::size_t, std::size_t>, std::int64_t> link_free_;  // from worker to worker
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
};

}  // namespace

Timeline run_pipeline(PipelineProgram const& program, PipelineTimes const& times) {
  return Twin{program, times}.run();
}

std::int64_t makespan(Timeline const& timeline) {
  std::int64_t begin = timeline.front().front().front().begin;
  std::int64_t end = begin;
  for (auto const& stage : timeline) {
    for (auto const& slots : stage) {
      begin = std::min(begin, slots.front().begin);
      end = std::max(end, slots.back().end);
    }
  }
  return end - begin;
}

std::int64_t longest_span(Timeline const& timeline) {
  std::int64_t longest = 0;
  for (auto const& stage : timeline) {
    for (auto const& slots : stage) {
      longest = std::max(longest, slots.back().end - slots.front().begin);
    }
  }
  return longest;
}

}  // namespace tessera::test
