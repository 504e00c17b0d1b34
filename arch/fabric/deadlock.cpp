// The search for circles of waiting, in the channel-dependency graph of Dally and Seitz, "Deadlock-free message routing in
// multiprocessor interconnection networks", IEEE Trans. Computers 36(5), 1987.
#include <algorithm>

#include "arch/base/contract.hpp"
#include "arch/fabric/graph_checks.hpp"
#include "arch/fabric/interconnect.hpp"

namespace tessera::arch {

namespace {

constexpr std::size_t most_named = 4;                       ///< channels of a circle
constexpr std::int64_t most_steps = std::int64_t{1} << 23;  ///< seconds

enum class Search : std::uint8_t { whole, limited };

/// Virtual channels as vertices; an edge where a packet that holds one may want the other.
class DependencyGraph final {
 public:
  /// Where there are fewer virtual channels than a channel's classes, classes share them.
  DependencyGraph(Interconnect const& interconnect, std::int64_t virtual_channels, Search search)
      : interconnect_{&interconnect},
        virtual_channels_{static_cast<std::size_t>(virtual_channels)},
        classes_{interconnect.classes()},
        waits_for_(interconnect.channels().size() * classes_) {
    std::vector<bool> reached(waits_for_.size());
    for (std::size_t destination = 0; destination < interconnect.endpoints(); ++destination) {
      if (search == Search::limited && steps_ > most_steps) break;
      std::fill(reached.begin(), reached.end(), false);
      for (std::size_t source = 0; source < interconnect.endpoints(); ++source) {
        follow(interconnect.injection(VertexId{source}), VertexId{destination}, reached);
      }
    }
    for (auto& list : waits_for_) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
  }

  [[nodiscard]] std::vector<std::size_t> cycle() const { return detail::find_cycle(waits_for_); }

  /// "router-0>router-1", and which of its virtual channels where it has several.
  [[nodiscard]] std::string name(std::size_t vertex) const {
    auto const& channel = interconnect_->channels()[ChannelId{vertex / classes_}];
    auto const text = interconnect_->name(channel.from) + '>' + interconnect_->name(channel.to);
    auto const several = std::min<std::size_t>(channel.classes, virtual_channels_) > 1;
    return text + (several ? " class " + std::to_string(vertex % classes_) : "");
  }

 private:
  [[nodiscard]] std::size_t vertex(Hop const& hop) const {
    auto const classes = std::size_t{interconnect_->channels()[hop.channel].classes};
    auto const shared = std::min(classes, virtual_channels_);
    return hop.channel.index() * classes_ + hop.vc_class * shared / classes;
  }

  /// All ways to `destination` of packets that are in `first`.
  void follow(ChannelId first, VertexId destination, std::vector<bool>& reached) {
    std::vector<Hop> stack = {{first, 0}};
    while (!stack.empty()) {
      auto const here = stack.back();
      stack.pop_back();
      auto const state = here.channel.index() * classes_ + here.vc_class;
      if (reached[state]) continue;
      reached[state] = true;
      ++steps_;
      auto const at = interconnect_->channels()[here.channel].to;
      if (interconnect_->is_endpoint(at)) continue;
      auto const hops = interconnect_->hops(at, destination);
      for (auto const* hop = hops.first; hop != hops.first + hops.count; ++hop) {
        Hop const next{hop->channel, interconnect_->class_after(here.channel, here.vc_class, *hop)};
        waits_for_[vertex(here)].push_back(vertex(next));
        stack.push_back(next);
      }
    }
  }

  Interconnect const* interconnect_;
  std::size_t virtual_channels_;
  std::size_t classes_;
  detail::Adjacency waits_for_;
  std::int64_t steps_ = 0;
};

[[nodiscard]] std::string text_of(DependencyGraph const& graph) {
  auto const cycle = graph.cycle();
  if (cycle.empty()) return {};
  auto const is_long = cycle.size() > most_named;
  auto const named = is_long ? most_named - 1 : cycle.size();
  std::string text;
  for (std::size_t place = 0; place < named; ++place) {
    text += graph.name(cycle[place]) + " waits for ";
  }
  if (is_long) {
    text += std::to_string(cycle.size() - named) + " more, the last of which waits for ";
  }
  return text + graph.name(cycle.front());
}

}  // namespace

std::string Interconnect::find_deadlock() const {
  return text_of(DependencyGraph{*this, classes(), Search::whole});
}

std::string Interconnect::find_deadlock(std::int64_t virtual_channels) const {
  EXPECTS(virtual_channels > 0, virtual_channels);
  return text_of(DependencyGraph{*this, virtual_channels, Search::limited});
}

}  // namespace tessera::arch
