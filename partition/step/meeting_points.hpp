// Who meets at a link, of the messages of one list of exchanges in a grid: whether what tells whose turn it is (sim/task/task_graph.hpp:
// Task::rank) tells it of equals, too.
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

class MeetingPoints final {
 public:
  /// Both must outlive it.
  MeetingPoints(arch::Topology const& topology, arch::Translations const& grid)
      : topology_{topology}, grid_{grid} {}

  /// Can messages of two senders meet at a link and be equal in all by which it tells whose turn it
  /// is: how far and in which direction they go, and how far they have come? Where ways depend on
  /// the first two only, as nearly always, they cannot.
  [[nodiscard]] bool are_of_equals(std::vector<ReshardStep> const& steps);

  /// Do messages of one step pass the same link that go differently far, in other directions, or
  /// another of two ways? Where none do, reflections keep whose turn it is, although they do not
  /// keep directions.
  [[nodiscard]] bool are_of_others(std::vector<ReshardStep> const& steps);

 private:
  using Flow = std::pair<std::size_t, arch::Turn>;  ///< displacement, and which of two ways
  using Ends = std::vector<std::pair<std::size_t, std::size_t>>;
  /// The nodes that a message passes, as they lie to its sender.
  using Way = std::vector<std::size_t>;
  /// Who sends what passes a link after so many hops, of one flow.
  using Passing = std::map<std::tuple<Flow, std::size_t, arch::LinkId>, std::size_t>;

  [[nodiscard]] std::vector<arch::Turn> turns(std::size_t from, std::size_t to) const;
  void compare(std::size_t from, std::size_t to);
  [[nodiscard]] bool meets(std::size_t from, std::size_t to, Passing& passing) const;
  [[nodiscard]] bool mixes(Ends const& ends) const;

  arch::Topology const& topology_;
  arch::Translations const& grid_;
  std::set<std::pair<std::size_t, std::size_t>> known_;  ///< ends
  std::map<Flow, Way> ways_;                             ///< the first one of each
  std::set<Flow> uneven_;                                ///< of which others take other ways
  std::map<Ends, bool> mixes_;                           ///< of steps
};

}  // namespace tessera::partition
