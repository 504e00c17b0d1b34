// Contention for the links of a grid by the messages of one list of exchanges: whether the order in which links serve them
// (sim/task/task_graph.hpp: Task::rank) is the same for messages that a symmetry of the grid maps onto each other.
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
      : topology_{topology}, grid_{grid} {}

  /// Can messages of two senders reach a link at once and be equal in all that orders them: how far
  /// and in which direction they go, and how far they have come? Where paths depend on the first
  /// two only, as nearly always, they cannot.
  [[nodiscard]] bool can_tie(std::vector<ReshardStep> const& steps);

  /// Do messages of one step share a link that go differently far, in other directions, or on the
  /// other of two paths? Where none do, reflections keep their order, although not directions.
  [[nodiscard]] bool mixes_flows(std::vector<ReshardStep> const& steps);

 private:
  using Flow = std::pair<std::size_t, arch::Turn>;  ///< displacement, and which of two paths
  using Ends = std::vector<std::pair<std::size_t, std::size_t>>;
  /// The nodes that a message passes, as they lie to its sender.
  using Path = std::vector<std::size_t>;
  /// Who sends what passes a link after so many hops, of one flow.
  using Passing = std::map<std::tuple<Flow, std::size_t, arch::LinkId>, std::size_t>;

  [[nodiscard]] std::vector<arch::Turn> turns(std::size_t from, std::size_t to) const;
  void compare(std::size_t from, std::size_t to);
  [[nodiscard]] bool meets(std::size_t from, std::size_t to, Passing& passing) const;
  [[nodiscard]] bool mixes(Ends const& ends) const;

  arch::Topology const& topology_;
  arch::Translations const& grid_;
  std::set<std::pair<std::size_t, std::size_t>> known_;  ///< ends
  std::map<Flow, Path> paths_;                           ///< the first one of each
  std::set<Flow> uneven_;                                ///< of which others take other paths
  std::map<Ends, bool> mixes_;                           ///< of steps
};

}  // namespace tessera::partition
