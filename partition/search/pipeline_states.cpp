// Down-closed sets as rows of bits.
#include "partition/search/pipeline_states.hpp"

#include <algorithm>
#include <bitset>
#include <numeric>
#include <set>

#include "arch/base/config_error.hpp"
#include "arch/base/contract.hpp"
#include "workloads/graph_view.hpp"

namespace tessera::partition {

namespace {

/// A set of nodes, 64 to a word.
class NodeSet final {
 public:
  explicit NodeSet(std::size_t nodes) : words_((nodes + 63) / 64) {}

  void insert(std::size_t node) { words_[node / 64] |= bit(node); }
  void insert(NodeSet const& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  }
  [[nodiscard]] bool contains(std::size_t node) const {
    return (words_[node / 64] & bit(node)) != 0;
  }
  [[nodiscard]] bool contains(NodeSet const& other) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if ((other.words_[i] & ~words_[i]) != 0) return false;
    }
    return true;
  }
  [[nodiscard]] std::size_t size() const {
    std::size_t nodes = 0;
    for (auto const word : words_) nodes += std::bitset<64>{word}.count();
    return nodes;
  }
  friend bool operator<(NodeSet const& a, NodeSet const& b) { return a.words_ < b.words_; }

 private:
  [[nodiscard]] static std::uint64_t bit(std::size_t node) { return std::uint64_t{1} << node % 64; }

  std::vector<std::uint64_t> words_;
};

class StateSearch final {
 public:
  StateSearch(PipelineGraph const& graph, std::size_t most)
      : graph_{graph}, most_{most}, readers_(size()), sources_of_(size()) {
    EXPECTS(size() > 0, size());
    for (auto const& [from, to] : graph.edges) {
      readers_[from].push_back(to);
      sources_of_[to].push_back(from);
    }
    find_closures();
  }

  std::vector<PipelineState> states() {
    visit_all();
    std::stable_sort(found_.begin(), found_.end(),
                     [](Found const& a, Found const& b) { return a.size < b.size; });
    std::vector<PipelineState> states;
    states.reserve(found_.size());
    for (auto const& [set, size] : found_) states.push_back(summed(set));
    auto const order = by_compute(states);
    for (std::size_t j = 0; j < states.size(); ++j) {
      states[j].predecessors = subsets(j, order);
      for (auto const k : states[j].predecessors) {
        states[j].depth = std::max(states[j].depth, states[k].depth + 1);
      }
    }
    return states;
  }

 private:
  struct Found {
    NodeSet set;
    std::size_t size;  ///< nodes
  };

  [[nodiscard]] std::size_t size() const { return graph_.nodes.size(); }

  [[nodiscard]] static std::vector<std::size_t> by_compute(
      std::vector<PipelineState> const& states) {
    std::vector<std::size_t> order(states.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&states](std::size_t a, std::size_t b) {
      return states[a].compute_s < states[b].compute_s;
    });
    return order;
  }

  /// The proper ones of a state, in an order.
  [[nodiscard]] std::vector<std::size_t> subsets(std::size_t state,
                                                 std::vector<std::size_t> const& order) const {
    auto const& [set, size] = found_[state];
    std::vector<std::size_t> subsets;
    subsets.reserve(state);
    for (auto const k : order) {
      bool const is_smaller = found_[k].size < size;
      if (is_smaller && set.contains(found_[k].set)) subsets.push_back(k);
    }
    return subsets;
  }

  void find_closures() {
    auto const sorted = workloads::topological_sort(sources_of_);
    EXPECTS(sorted.cycle.empty(), sorted.cycle.size());
    closures_.assign(size(), NodeSet{size()});
    for (auto const node : sorted.order) {
      closures_[node].insert(node);
      for (auto const source : sources_of_[node]) closures_[node].insert(closures_[source]);
    }
  }

  /// Breadth first.
  void visit_all() {
    visit(closures_[next_source(NodeSet{size()})]);
    for (std::size_t i = 0; i < found_.size(); ++i) {
      auto const set = found_[i].set;  // a copy: found_ grows
      bool is_last = true;
      for (std::size_t node = 0; node < size(); ++node) {
        if (set.contains(node) || !reads(node, set)) continue;
        visit(joined(set, node));
        is_last = false;
      }
      auto const source = is_last ? next_source(set) : size();
      if (source < size()) visit(joined(set, source));
    }
  }

  [[nodiscard]] bool reads(std::size_t node, NodeSet const& set) const {
    auto const& sources = sources_of_[node];
    return std::any_of(sources.begin(), sources.end(),
                       [&set](std::size_t source) { return set.contains(source); });
  }

  /// The first node outside that depends on none; size() if there is none.
  [[nodiscard]] std::size_t next_source(NodeSet const& set) const {
    std::size_t node = 0;
    while (node < size() && (set.contains(node) || !sources_of_[node].empty())) ++node;
    return node;
  }

  [[nodiscard]] NodeSet joined(NodeSet set, std::size_t node) const {
    set.insert(closures_[node]);
    return set;
  }

  void visit(NodeSet const& set) {
    if (!known_.insert(set).second) return;
    found_.push_back({set, set.size()});
    if (found_.size() <= most_) return;
    throw ConfigError{{},
                      "workload",
                      "a pipeline can be cut in more than " + std::to_string(most_) +
                          " ways here (every antichain of the operators is one); use a network "
                          "with fewer parallel branches, or join their operators"};
  }

  [[nodiscard]] PipelineState summed(NodeSet const& set) const {
    PipelineState state;
    auto const antichain = antichain_of(set);
    for (std::size_t node = 0; node < size(); ++node) {
      if (!set.contains(node)) continue;
      auto const& summand = graph_.nodes[node];
      state.nodes.push_back(node);
      state.compute_s += summand.compute_s;
      state.activation_bytes += summand.activation_bytes;
      state.parameter_bytes += summand.parameter_bytes;
      if (is_read_outside(node, set)) state.crossing_bytes += summand.activation_bytes;
      if (is_joined_to(antichain, node)) state.antichain_bytes += summand.activation_bytes;
    }
    return state;
  }

  [[nodiscard]] std::vector<std::size_t> antichain_of(NodeSet const& set) const {
    std::vector<std::size_t> antichain;
    for (std::size_t node = 0; node < size(); ++node) {
      auto const& readers = readers_[node];
      bool const is_maximal =
          set.contains(node) && std::none_of(readers.begin(), readers.end(),
                                             [&](auto reader) { return set.contains(reader); });
      if (is_maximal) antichain.push_back(node);
    }
    return antichain;
  }

  [[nodiscard]] bool is_read_outside(std::size_t node, NodeSet const& set) const {
    auto const& readers = readers_[node];
    return std::any_of(readers.begin(), readers.end(),
                       [&set](std::size_t reader) { return !set.contains(reader); });
  }

  /// A member, or what PipeDream joins to the antichain (PipelineState::antichain_bytes).
  [[nodiscard]] bool is_joined_to(std::vector<std::size_t> const& antichain,
                                  std::size_t node) const {
    return std::any_of(antichain.begin(), antichain.end(), [&](std::size_t member) {
      auto const& needed = closures_[member];
      return node == member || (needed.contains(node) && is_read_outside(node, needed));
    });
  }

  PipelineGraph const& graph_;
  std::size_t most_;
  std::vector<std::vector<std::size_t>> readers_;     ///< of each node's output
  std::vector<std::vector<std::size_t>> sources_of_;  ///< nodes that a node reads
  std::vector<NodeSet> closures_;                     ///< a node and all that it depends on
  std::vector<Found> found_;                          ///< breadth first, then by size
  std::set<NodeSet> known_;
};

}  // namespace

std::vector<PipelineState> pipeline_states(PipelineGraph const& graph, std::size_t most) {
  return StateSearch{graph, most}.states();
}

}  // namespace tessera::partition
