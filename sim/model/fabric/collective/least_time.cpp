// All ways to a destination are a tree: what holds for its root holds, one channel more, for the routers before it.
#include "sim/model/fabric/collective/least_time.hpp"

#include <algorithm>

namespace tessera::sim {

namespace {

constexpr Bytes probe_size{1 << 20};  // which of two channels is slower shows

[[nodiscard]] Tick duration(ChannelTiming const& channel, std::int64_t bytes) {
  return tessera::detail::multiply_divide_ceil(bytes, channel.ticks, channel.units);
}

/// Every router's channel towards a destination, and the routers in an order in which each comes
/// before the next one on its way.
class WaysTo final {
 public:
  explicit WaysTo(arch::Interconnect const& interconnect)
      : interconnect_{&interconnect},
        channel_(interconnect.vertices()),
        before_(interconnect.vertices()),
        has_choice_(interconnect.vertices()) {}

  void find(arch::VertexId destination) {
    auto const first = interconnect_->endpoints();
    std::fill(before_.begin(), before_.end(), 0);
    for (auto router = first; router < channel_.size(); ++router) {
      auto const hops = interconnect_->hops(arch::VertexId{router}, destination);
      channel_[router] = hops.first->channel;
      has_choice_[router] = hops.count > 1;
      ++before_[next(router)];
    }
    order_.clear();
    for (auto router = first; router < channel_.size(); ++router) {
      if (before_[router] == 0) order_.push_back(router);
    }
    for (std::size_t place = 0; place < order_.size(); ++place) {
      auto const to = next(order_[place]);
      if (to >= first && --before_[to] == 0) order_.push_back(to);
    }
  }

  [[nodiscard]] arch::ChannelId channel(std::size_t router) const { return channel_[router]; }
  [[nodiscard]] std::size_t next(std::size_t router) const {
    return interconnect_->channels()[channel_[router]].to.index();
  }
  [[nodiscard]] std::vector<std::size_t> const& order() const { return order_; }
  /// May packets leave the router another way, too?
  [[nodiscard]] bool has_choice(std::size_t router) const { return has_choice_[router]; }

 private:
  arch::Interconnect const* interconnect_;
  std::vector<arch::ChannelId> channel_;  ///< of each router
  std::vector<std::size_t> before_;       ///< of each vertex: routers that lead to it
  std::vector<std::size_t> order_;
  std::vector<bool> has_choice_;  ///< of each router
};

class LeastTime final {
 public:
  LeastTime(arch::Interconnect const& interconnect, CutThroughSpec const& network,
            EndpointSpec const& endpoints)
      : interconnect_{&interconnect},
        network_{&network},
        endpoints_{endpoints},
        tree_{interconnect},
        ways_(interconnect.endpoints() * interconnect.endpoints()) {
    for (std::size_t to = 0; to < interconnect.endpoints(); ++to) find_ways(to);
  }

  /// The longest chain of messages.
  [[nodiscard]] Tick chain(TransferGraph const& graph) {
    auto const& transfers = graph.transfers();
    auto edges = graph.edges();
    std::sort(edges.begin(), edges.end(),
              [](auto const& a, auto const& b) { return a.second < b.second; });
    std::vector<Tick> done(transfers.size(), 0);
    auto edge = edges.begin();
    Tick longest = 0;
    for (TransferId id = 0; id < transfers.size(); ++id) {
      Tick start = 0;
      for (; edge != edges.end() && edge->second == id; ++edge) {
        EXPECTS(edge->first < id, edge->first, id);
        start = std::max(start, done[edge->first]);
      }
      done[id] = start + alone(transfers[id]);
      longest = std::max(longest, done[id]);
    }
    return longest;
  }

  /// The busiest channel, or half-duplex wire, of all messages of chain().
  [[nodiscard]] Tick busiest() {
    IdVector<arch::ChannelId, std::int64_t> carried{interconnect_->channels().size()};
    for (std::size_t to = 0; to < interconnect_->endpoints(); ++to) carry(to, carried);
    Tick longest = 0;
    auto const busy = [&](arch::ChannelId id) {
      return duration(network_->channels[id], carried[id]);
    };
    for (auto const id : carried.ids()) {
      auto const shares = network_->channels[id].duplex == arch::Duplex::half;
      auto const other_way = shares ? busy(arch::Interconnect::way_back(id)) : 0;
      longest = std::max(longest, busy(id) + other_way);
    }
    return longest;
  }

 private:
  /// Between two endpoints: how fast, and how much.
  struct Way {
    Tick latency = 0;
    ChannelTiming slowest{0, 1, 0};
    std::int64_t bytes = 0;
  };

  [[nodiscard]] Way& way(std::size_t from, std::size_t to) {
    return ways_[from * interconnect_->endpoints() + to];
  }

  [[nodiscard]] Way longer(Way way, arch::ChannelId id) const {
    auto const& channel = network_->channels[id];
    way.latency += channel.latency;
    if (duration(channel, probe_size.value()) > duration(way.slowest, probe_size.value())) {
      way.slowest = channel;
    }
    return way;
  }

  /// Ways of equal cost may differ in speed: beyond a choice nothing is known.
  void find_ways(std::size_t to) {
    tree_.find(arch::VertexId{to});
    std::vector<Way> rest(interconnect_->vertices());
    for (auto it = tree_.order().rbegin(); it != tree_.order().rend(); ++it) {
      if (tree_.has_choice(*it)) continue;
      rest[*it] = longer(rest[tree_.next(*it)], tree_.channel(*it));
      rest[*it].latency += network_->pipeline;
    }
    for (std::size_t from = 0; from < interconnect_->endpoints(); ++from) {
      auto const first = interconnect_->injection(arch::VertexId{from});
      way(from, to) = longer(rest[interconnect_->channels()[first].to.index()], first);
    }
  }

  [[nodiscard]] Tick alone(Transfer const& transfer) {
    if (transfer.source == transfer.destination || transfer.bytes == 0) return 0;
    auto& it = way(transfer.source, transfer.destination);
    it.bytes += transfer.bytes;
    return it.latency + duration(it.slowest, transfer.bytes) + taking_in(endpoints_, transfer);
  }

  /// Adds what goes to a destination.
  void carry(std::size_t to, IdVector<arch::ChannelId, std::int64_t>& carried) {
    tree_.find(arch::VertexId{to});
    std::vector<std::int64_t> through(interconnect_->vertices());
    for (std::size_t from = 0; from < interconnect_->endpoints(); ++from) {
      auto const first = interconnect_->injection(arch::VertexId{from});
      carried[first] += way(from, to).bytes;
      through[interconnect_->channels()[first].to.index()] += way(from, to).bytes;
    }
    for (auto const router : tree_.order()) {
      if (tree_.has_choice(router)) continue;
      carried[tree_.channel(router)] += through[router];
      through[tree_.next(router)] += through[router];
    }
  }

  arch::Interconnect const* interconnect_;
  CutThroughSpec const* network_;
  EndpointSpec endpoints_;
  WaysTo tree_;
  std::vector<Way> ways_;  ///< source x destination
};

}  // namespace

Tick least_time(arch::Interconnect const& interconnect, CutThroughSpec const& network,
                EndpointSpec const& endpoints, TransferGraph const& graph) {
  LeastTime bound{interconnect, network, endpoints};
  auto const chain = bound.chain(graph);
  return std::max(chain, bound.busiest());
}

}  // namespace tessera::sim
