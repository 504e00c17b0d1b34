// Routes, and the search for circles of waiting.
#include "arch/interconnect/interconnect.hpp"

#include <algorithm>

#include "arch/interconnect/graph_checks.hpp"
#include "arch/interconnect/interconnect_builder.hpp"

namespace tessera::arch {

namespace {

/// Channels with their classes as vertices; an edge where a packet that holds one may want the
/// other.
class DependencyGraph final {
 public:
  explicit DependencyGraph(Interconnect const& interconnect)
      : interconnect_{&interconnect},
        classes_{interconnect.classes()},
        waits_for_(interconnect.channels().size() * classes_) {
    std::vector<bool> reached(waits_for_.size());
    for (std::size_t destination = 0; destination < interconnect.endpoints(); ++destination) {
      std::fill(reached.begin(), reached.end(), false);
      for (std::size_t source = 0; source < interconnect.endpoints(); ++source) {
        follow(interconnect.injection(VertexId{source}), 0, VertexId{destination}, reached);
      }
    }
    for (auto& list : waits_for_) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
  }

  [[nodiscard]] detail::Adjacency const& edges() const { return waits_for_; }
  [[nodiscard]] std::size_t classes() const { return classes_; }

 private:
  /// All ways to `destination` of packets that are in `channel`.
  void follow(ChannelId first, std::uint8_t first_class, VertexId destination,
              std::vector<bool>& reached) {
    std::vector<Hop> stack = {{first, first_class}};
    while (!stack.empty()) {
      auto const here = stack.back();
      stack.pop_back();
      auto const from = here.channel.index() * classes_ + here.vc_class;
      if (reached[from]) continue;
      reached[from] = true;
      auto const at = interconnect_->channels()[here.channel].to;
      if (interconnect_->is_endpoint(at)) continue;
      auto const hops = interconnect_->hops(at, destination);
      for (auto const* hop = hops.first; hop != hops.first + hops.count; ++hop) {
        auto const vc_class = interconnect_->class_after(here.channel, here.vc_class, *hop);
        waits_for_[from].push_back(hop->channel.index() * classes_ + vc_class);
        stack.push_back({hop->channel, vc_class});
      }
    }
  }

  Interconnect const* interconnect_;
  std::size_t classes_;
  detail::Adjacency waits_for_;
};

}  // namespace

Interconnect::Interconnect(TopologySpec const& topology, Paths paths) {
  InterconnectBuilder{topology, paths, *this}.build();
}

std::string Interconnect::name(VertexId vertex) const {
  return is_endpoint(vertex) ? "endpoint-" + std::to_string(vertex.index())
                             : "router-" + std::to_string(vertex.index() - endpoints_);
}

std::vector<Hop> Interconnect::route(VertexId source, VertexId destination) const {
  std::vector<Hop> route = {{injection_[source], 0}};
  while (true) {
    auto const& last = route.back();
    auto const at = channels_[last.channel].to;
    if (is_endpoint(at)) return route;
    ENSURES(route.size() <= 2 * vertices_, source, destination);
    auto hop = *hops(at, destination).first;
    hop.vc_class = class_after(last.channel, last.vc_class, hop);
    route.push_back(hop);
  }
}

std::string Interconnect::find_deadlock() const {
  DependencyGraph const graph{*this};
  std::string text;
  for (auto const vertex : detail::find_cycle(graph.edges())) {
    auto const& channel = channels_[ChannelId{vertex / graph.classes()}];
    text += (text.empty() ? "" : " waits for ") + name(channel.from) + '>' + name(channel.to) +
            " class " + std::to_string(vertex % graph.classes());
  }
  return text;
}

}  // namespace tessera::arch
