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
  using Flow = std::pair<std::size_t, arch::Turn>;  ///< displacement, and which of two paths
  /// Who sends what passes a link after so many hops, of one flow, in the order of a list.
  using Passing = std::map<std::tuple<Flow, std::size_t, arch::LinkId>, std::vector<std::size_t>>;

 public:
  /// Both must outlive it.
  LinkContention(arch::Topology const& topology, arch::Translations const& grid)
      : topology_{topology},
        grid_{grid},
        has_switches_{!topology.passes_through(arch::NodeId{0})} {}

  /// Whose messages of one step can reach a link at once and are equal in all that orders them: how
  /// far and in which direction they go, and how far they have come; their places in the list
  /// decide. In a grid paths depend on the first two only, nearly always: there are none.
  /// Accelerators of a tree share the links above them.
  struct Ties {
    std::set<std::size_t> dimensions;          ///< along which their senders differ
    std::vector<Passing const*> out_of_order;  ///< of steps; valid as long as the contention
  };
  /// Of the messages of a list.
  [[nodiscard]] Ties ties(std::vector<ReshardStep> const& steps);

  /// Does a map that takes the list onto itself, along dimensions in which those who tie do not
  /// differ, leave them in their order?
  [[nodiscard]] bool keeps_order(Ties const& ties, std::vector<std::size_t> const& map) const;

  /// Does a map take the messages of a list to such that go as far in the same directions?
  [[nodiscard]] bool keeps_displacements(std::vector<ReshardStep> const& steps,
                                         std::vector<std::size_t> const& map) const;

  /// Do messages of one step share a link that go differently far, in other directions, or on the
  /// other of two paths? Where none do, reflections keep their order, although not directions.
  [[nodiscard]] bool mixes_flows(std::vector<ReshardStep> const& steps);

 private:
  using Ends = std::vector<std::pair<std::size_t, std::size_t>>;
  /// The nodes that a message passes, as they lie to its sender.
  using Path = std::vector<std::size_t>;
  struct TiesOfStep {
    std::set<std::size_t> dimensions;  ///< in which those who tie differ
    Passing out_of_order;              ///< who tie, unless all come in the order of their numbers
  };

  [[nodiscard]] std::vector<arch::Turn> turns(std::size_t from, std::size_t to) const;
  void compare(std::size_t from, std::size_t to);
  [[nodiscard]] bool can_tie(Flow const& flow) const {
    return has_switches_ || uneven_.count(flow) > 0;
  }
  [[nodiscard]] TiesOfStep ties_in(Ends const& ends) const;
  [[nodiscard]] Passing passing_in(Ends const& ends) const;
  [[nodiscard]] bool keeps_order(Passing const& passing, std::vector<std::size_t> const& map) const;
  [[nodiscard]] bool mixes(Ends const& ends) const;

  arch::Topology const& topology_;
  arch::Translations const& grid_;
  bool has_switches_;
  std::set<std::pair<std::size_t, std::size_t>> known_;  ///< ends
  std::map<Flow, Path> paths_;                           ///< the first one of each
  std::set<Flow> uneven_;                                ///< of which others take other paths
  std::map<Ends, TiesOfStep> ties_;                      ///< of steps
  std::map<Ends, bool> mixes_;                           ///< of steps
};

}  // namespace tessera::partition
