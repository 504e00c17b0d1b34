#include "sim/model/fabric/collective/in_switch.hpp"

#include <algorithm>

#include "sim/model/fabric/collective/aggregation_tree.hpp"

namespace tessera::sim {

namespace {

/// A channel that carries one operand after another.
class Stream final {
 public:
  Stream(ChannelTiming const& timing, std::size_t buffers) : timing_{timing}, room_(buffers, 0) {}

  void next_size(std::uint32_t size) {
    if (size == size_) return;
    size_ = size;
    duration_ = tessera::detail::multiply_divide_ceil(size, timing_.ticks, timing_.units);
  }

  /// The next operand starts when it is ready, the channel is free, and there is room at its end.
  Tick start(Tick ready) {
    auto const time = std::max({ready, free_, room_[next_]});
    free_ = time + duration_;
    last_ = next_;
    next_ = next_ + 1 == room_.size() ? 0 : next_ + 1;
    ++count_.packets;
    count_.units += size_;
    count_.busy += duration_;
    return time;
  }
  /// The operand that was sent last leaves the buffer at the channel's end at `gone`.
  void give_back(Tick gone) { room_[last_] = gone + timing_.latency; }

  [[nodiscard]] Tick duration() const { return duration_; }
  [[nodiscard]] Tick latency() const { return timing_.latency; }
  [[nodiscard]] ChannelCount const& count() const { return count_; }

 private:
  ChannelTiming timing_;
  std::vector<Tick> room_;  ///< when there is room for an operand, in turns
  std::uint32_t size_ = 0;
  Tick duration_ = 0;
  Tick free_ = 0;
  std::size_t next_ = 0;  ///< where the next operand finds room
  std::size_t last_ = 0;  ///< where the last one did
  ChannelCount count_;
};

class InSwitchRun final {
 public:
  InSwitchRun(arch::Interconnect const& interconnect, CutThroughSpec const& network,
              std::vector<std::uint32_t> operands)
      : interconnect_{&interconnect},
        network_{&network},
        operands_{std::move(operands)},
        tree_{aggregation_tree(interconnect, network.channels)},
        ready_(tree_.places.size()),
        gone_(tree_.places.size()),
        starts_(tree_.places.size()) {
    auto const buffers =
        std::min<std::size_t>(std::size_t{network.buffer_packets} * network.virtual_channels,
                              std::max<std::size_t>(operands_.size(), 1));
    for (auto const& place : tree_.places) {
      auto const is_root = up_.empty();
      up_.emplace_back(is_root ? ChannelTiming{} : network.channels[place.up], buffers);
      down_.emplace_back(is_root ? ChannelTiming{} : network.channels[place.down], buffers);
    }
  }

  /// When the last endpoint has the last sum.
  Tick run() {
    for (auto const size : operands_) {
      for (auto& stream : up_) stream.next_size(size);
      for (auto& stream : down_) stream.next_size(size);
      reduce();
      multicast();
    }
    return end_;
  }

  [[nodiscard]] FabricUse use(Tick end) const {
    FabricUse use{IdVector<arch::ChannelId, ChannelCount>{interconnect_->channels().size()}, end};
    for (auto const& edge : tree_.edges) {
      use.channels[edge.up] = up_[edge.stand_in].count();
      use.channels[edge.down] = down_[edge.stand_in].count();
    }
    return use;
  }

 private:
  [[nodiscard]] bool is_endpoint(std::size_t at) const {
    return interconnect_->is_endpoint(tree_.places[at].vertex);
  }

  /// One operand from everywhere to the root: children come after their parents.
  void reduce() {
    std::fill(ready_.begin(), ready_.end(), 0);
    for (auto at = tree_.places.size() - 1; at > 0; --at) {
      auto const start = up_[at].start(ready_[at]);
      gone_[at] = start + up_[at].duration();
      auto const whole = gone_[at] + up_[at].latency();
      auto& above = ready_[tree_.places[at].parent];
      above = std::max(above, whole + network_->pipeline);
    }
  }

  /// The root's sum to everywhere; operands have left a switch when their sum has.
  void multicast() {
    auto const sums_gone = gone_;
    std::fill(gone_.begin(), gone_.end(), 0);
    for (std::size_t at = 1; at < tree_.places.size(); ++at) {
      auto const parent = tree_.places[at].parent;
      auto const start = down_[at].start(ready_to_copy(parent, at));
      starts_[at] = start;
      gone_[parent] = std::max(gone_[parent], start + down_[at].duration());
      if (is_endpoint(at)) {
        end_ = std::max(end_, start + down_[at].duration() + down_[at].latency());
      }
    }
    for (std::size_t at = 1; at < tree_.places.size(); ++at) {
      auto const parent = tree_.places[at].parent;
      up_[at].give_back(parent == 0 ? gone_[0] : sums_gone[parent]);
      if (!is_endpoint(at)) down_[at].give_back(gone_[at]);
    }
  }

  [[nodiscard]] Tick ready_to_copy(std::size_t parent, std::size_t child) const {
    if (parent == 0) return ready_[0];
    auto const taken = down_[parent].duration();
    auto const slower = network_->switching == Switching::store_and_forward
                            ? taken
                            : std::max<Tick>(0, taken - down_[child].duration());
    return starts_[parent] + down_[parent].latency() + network_->pipeline + slower;
  }

  arch::Interconnect const* interconnect_;
  CutThroughSpec const* network_;
  std::vector<std::uint32_t> operands_;  ///< sizes, in order
  AggregationTree tree_;
  std::vector<Stream> up_;    ///< by place, from it
  std::vector<Stream> down_;  ///< by place, to it
  std::vector<Tick> ready_;   ///< the operand of each place may go up
  std::vector<Tick> gone_;    ///< it has left the place
  std::vector<Tick> starts_;  ///< the sum starts towards the place
  Tick end_ = 0;
};

/// Chunks, each cut into packets: their sizes.
[[nodiscard]] std::vector<std::uint32_t> operands_of(std::vector<std::int64_t> const& chunks,
                                                     EndpointSpec const& endpoints) {
  std::vector<std::uint32_t> operands;
  for (auto const chunk : chunks) {
    auto left = static_cast<std::uint32_t>(chunk);
    EXPECTS(chunk == left, chunk);
    while (left > 0) {
      auto const part = std::min(left, endpoints.packet_bytes.value_or(left));
      operands.push_back(part + endpoints.packet_header);
      left -= part;
    }
  }
  return operands;
}

}  // namespace

bool has_tree_of_switches(arch::TopologySpec const& topology) {
  using Kind = arch::TopologySpec::Kind;
  auto const kind = topology.kind;
  return (kind == Kind::star || kind == Kind::tree || kind == Kind::fat_tree) &&
         std::all_of(topology.members.begin(), topology.members.end(), has_tree_of_switches);
}

TransferResult run_in_switch(arch::Interconnect const& interconnect, CutThroughSpec const& network,
                             EndpointSpec const& endpoints,
                             std::vector<std::int64_t> const& chunks) {
  EXPECTS(!interconnect.has_half_duplex());
  InSwitchRun run{interconnect, network, operands_of(chunks, endpoints)};
  TransferResult result;
  result.time = run.run() + endpoints.endpoint_delay;
  result.use = run.use(result.time);
  auto const ranks = static_cast<std::int64_t>(interconnect.endpoints());
  for (auto const chunk : chunks) {
    result.bytes += ranks * chunk;
    result.messages += chunk > 0 ? ranks : 0;
  }
  for (auto const& count : result.use.channels) {
    result.busiest_bytes = std::max(result.busiest_bytes, count.units);
  }
  return result;
}

}  // namespace tessera::sim
