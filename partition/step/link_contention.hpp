// Contention for the links of a grid or a tree by the messages of one list of exchanges: whether the order in which links serve them
// (sim/task/task_graph.hpp: Task::rank) is the same for messages that a symmetry of the network maps onto each other.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "arch/array/translation.hpp"
#include "partition/geometry/reshard.hpp"

namespace tessera::partition {

class LinkContention final {
 public:
  /// Both must outlive it.
  LinkContention(arch::Topology const& topology, arch::Translations const& grid)
      : topology_{topology}, grid_{grid}, is_tree_{!topology.tree().empty()} {}

  /// Along which dimensions senders differ whose messages of one step can reach a link at once and
  /// be equal in all that orders them: how far and in which direction they go, and how far they
  /// have come; their places in the list decide. And those along which a shift changes the order in
  /// which they come. In a grid paths depend on the first two only, nearly always: there are none.
  /// Accelerators of a tree share the links above them.
  [[nodiscard]] std::set<std::size_t> tied_dimensions(std::vector<ReshardStep> const& steps);

  /// Do messages of one step share a link that go differently far, in other directions, or on the
  /// other of two paths? Where none do, reflections keep their order, although not directions.
  [[nodiscard]] bool mixes_flows(std::vector<ReshardStep> const& steps);

 private:
  using Flow = std::pair<std::size_t, arch::Turn>;  ///< displacement, and which of two paths
  using Ends = std::vector<std::pair<std::size_t, std::size_t>>;
  /// The nodes that a message passes, as they lie to its sender.
  using Path = std::vector<std::size_t>;
  /// Who sends what passes a link after so many hops, of one flow, in the order of a list.
  using Passing = std::map<std::tuple<Flow, std::size_t, arch::LinkId>, std::vector<std::size_t>>;

  [[nodiscard]] std::vector<arch::Turn> turns(std::size_t from, std::size_t to) const;
  void compare(std::size_t from, std::size_t to);
  [[nodiscard]] bool can_tie(Flow const& flow) const { return is_tree_ || uneven_.count(flow) > 0; }
  [[nodiscard]] std::set<std::size_t> tied_in(Ends const& ends) const;
  [[nodiscard]] Passing passing_in(Ends const& ends) const;
  [[nodiscard]] bool keeps_order(Passing const& passing, std::size_t dimension) const;
  [[nodiscard]] bool mixes(Ends const& ends) const;

  arch::Topology const& topology_;
  arch::Translations const& grid_;
  bool is_tree_;
  std::set<std::pair<std::size_t, std::size_t>> known_;  ///< ends
  std::map<Flow, Path> paths_;                           ///< the first one of each
  std::set<Flow> uneven_;                                ///< of which others take other paths
  std::map<Ends, std::set<std::size_t>> tied_;           ///< of steps
  std::map<Ends, bool> mixes_;                           ///< of steps
};

}  // namespace tessera::partition
