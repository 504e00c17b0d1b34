#include "test/support/fabric/in_switch_twin.hpp"

namespace tessera::test {

namespace {

constexpr sim::Tick not_yet = INT64_MAX;

}  // namespace

InSwitchTwin::InSwitchTwin(arch::Interconnect const& interconnect, sim::CutThroughSpec const& spec,
                           std::vector<std::uint32_t> operands)
    : spec_{spec},
      operands_{std::move(operands)},
      root_{interconnect.endpoints()},
      vertices_(interconnect.vertices()),
      up_(interconnect.vertices()),
      down_(interconnect.vertices()),
      missing_{interconnect.endpoints() * operands_.size()} {
  for (auto& vertex : vertices_) {
    vertex.whole.assign(operands_.size(), 0);
    vertex.sum_ready.assign(operands_.size(), not_yet);
    vertex.copy_ready.assign(operands_.size(), not_yet);
    vertex.copied.assign(operands_.size(), 0);
  }
  vertices_[root_].parent = root_;
  connect(interconnect, root_);
}

/// All that is not on the way to the root hangs below.
void InSwitchTwin::connect(arch::Interconnect const& interconnect, std::size_t vertex) {
  for (auto const id : interconnect.channels().ids()) {
    auto const& channel = interconnect.channels()[id];
    auto const other = channel.to.index();
    if (channel.from.index() != vertex) continue;
    auto& wire = other == vertices_[vertex].parent ? up_[vertex] : down_[other];
    if (vertex == root_ || other != vertices_[vertex].parent) {
      vertices_[vertex].children.push_back(other);
      vertices_[other].parent = vertex;
    }
    wire.timing = spec_.channels[id];
    wire.credits = std::int64_t{spec_.buffer_packets} * spec_.virtual_channels;
  }
  for (auto const child : vertices_[vertex].children) connect(interconnect, child);
}

sim::Tick InSwitchTwin::run() {
  sim::Tick last = 0;
  for (; missing_ > 0; ++now_) {
    auto const before = missing_;
    for (std::size_t vertex = 0; vertex < vertices_.size(); ++vertex) {
      if (vertex != root_) receive(vertex);
    }
    if (missing_ < before) last = now_;
    for (std::size_t vertex = 0; vertex < vertices_.size(); ++vertex) {
      if (vertex == root_) continue;
      send(vertex, up_[vertex], true);
      send(vertex, down_[vertex], false);
    }
  }
  return last;
}

/// What arrives at both ends of the wires between a vertex and its parent.
void InSwitchTwin::receive(std::size_t vertex) {
  auto& parent = vertices_[vertices_[vertex].parent];
  for (auto* wire : {&up_[vertex], &down_[vertex]}) {
    auto& credits = wire->credits_under_way;
    for (; !credits.empty() && credits.front() <= now_; credits.pop_front()) ++wire->credits;
  }
  auto& tails = up_[vertex].tails;
  for (; !tails.empty() && tails.front() <= now_; tails.pop_front()) {
    // A child's operands come one after another: this is the first that it has not brought.
    auto const operand = up_[vertex].received++;
    if (++parent.whole[operand] == parent.children.size()) {
      parent.sum_ready[operand] = now_ + spec_.pipeline;
    }
  }
  auto& heads = down_[vertex].heads;
  for (; !heads.empty() && heads.front() <= now_; heads.pop_front()) {
    vertices_[vertex].copy_ready[down_[vertex].received++] = now_ + spec_.pipeline;
  }
  auto& whole = down_[vertex].tails;
  for (; !whole.empty() && whole.front() <= now_; whole.pop_front()) {
    if (vertices_[vertex].children.empty()) --missing_;
  }
}

bool InSwitchTwin::may_start(std::size_t vertex, Wire const& wire, bool up) const {
  if (wire.operand == operands_.size() || wire.credits == 0) return false;
  auto const& parent = vertices_[vertex].parent;
  if (up) {
    return vertices_[vertex].children.empty() || vertices_[vertex].sum_ready[wire.operand] <= now_;
  }
  auto const& ready = parent == root_ ? vertices_[parent].sum_ready : vertices_[parent].copy_ready;
  return ready[wire.operand] <= now_;
}

/// The end of a flit, and the beginning of the next one.
void InSwitchTwin::send(std::size_t vertex, Wire& wire, bool up) {
  if (wire.is_sending && now_ == wire.next_flit) {
    if (++wire.flits == operands_[wire.operand]) {
      wire.is_sending = false;
      wire.tails.push_back(now_ + wire.timing.latency);
      left(vertex, wire.operand++, up);
    } else {
      wire.next_flit = now_ + wire.timing.ticks;
    }
  }
  if (wire.is_sending || !may_start(vertex, wire, up)) return;
  auto const ends_at_endpoint = !up && vertices_[vertex].children.empty();
  if (!ends_at_endpoint) --wire.credits;
  wire.is_sending = true;
  wire.flits = 0;
  wire.next_flit = now_ + wire.timing.ticks;
  wire.heads.push_back(now_ + wire.timing.latency);
}

/// The last flit of an operand is on the wire, and the buffers that it was in are free.
void InSwitchTwin::left(std::size_t vertex, std::size_t operand, bool up) {
  if (up) {
    give_back_operands(vertices_[vertex]);
    return;
  }
  auto& parent = vertices_[vertices_[vertex].parent];
  if (++parent.copied[operand] < parent.children.size()) return;
  if (&parent == &vertices_[root_]) {
    give_back_operands(parent);
  } else {
    auto& wire = down_[vertices_[vertex].parent];
    wire.credits_under_way.push_back(now_ + wire.timing.latency);
  }
}

void InSwitchTwin::give_back_operands(Vertex const& vertex) {
  for (auto const child : vertex.children) {
    up_[child].credits_under_way.push_back(now_ + up_[child].timing.latency);
  }
}

}  // namespace tessera::test
