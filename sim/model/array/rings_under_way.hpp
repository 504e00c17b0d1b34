// Rings whose transfers have all been issued: their rounds are carried apart from other messages.
//
// For example eight accelerators, each of which sends a transfer of 31 rounds to the next one: 248
// messages. Once all eight have been issued, what happens next follows from them alone, but for
// other messages on their links: interfaces are notified of last rounds only. So the fabric gives
// these rounds away. They are carried in one loop, and no sooner than need be: when another message
// is to go over one of their links, or a last round may come to a link; then the ring returns to
// the fabric. Rings with a link in common are carried in the same loop, in the order in which the
// fabric would carry them; others do not depend on each other, and go on as rings like them did
// before (ring_courses.hpp).
//
// Leaves to the fabric: last rounds; rings of which not all has been issued (issued_ring.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "sim/model/array/ring_courses.hpp"

namespace tessera::sim {

class RingsUnderWay final {
 public:
  /// `interfaces` by AcceleratorId. All must outlive it.
  RingsUnderWay(TaskGraph const& graph, std::vector<NetworkInterface*> interfaces,
                arch::Topology const& topology, MessageFabric& fabric);

  /// The interface that sends a transfer has been notified of its issue.
  void issued(TaskId transfer);
  /// Takes out of the fabric the rings that are complete since the last time. False if there are
  /// none.
  [[nodiscard]] bool take_over();

  /// When give_back() is to be called, before anything else that happens then; never if there are
  /// no rings.
  [[nodiscard]] Tick next_time() const { return due_.empty() ? never : due_.begin()->first; }
  /// Gives the fabric the rings that may come to a last round at next_time().
  void give_back();

  /// Carries the rounds that come before `next`, a message of the fabric, on its link.
  void carry_before(MessageFabric::Waiting const& next);

 private:
  using Rounds = std::vector<RingRound>;
  struct Ring {
    IssuedRing::Pointer issued;
    Tick due = never;  ///< none of its rounds comes to a link as the last one before
  };
  /// Rings that are carried together.
  struct Loop {
    std::vector<Ring> rings;
    RingRounds rounds;
    Tick due = never;  ///< the first of its rings
  };
  /// A transfer of a ring that is to be taken over.
  struct Sought {
    TaskId transfer;
    std::size_t ring = 0;
    IssuedRing::Member* member = nullptr;

    [[nodiscard]] bool operator<(Sought const& other) const { return transfer < other.transfer; }
  };
  using LoopIndex = std::uint32_t;
  /// Of a link.
  struct Owner {
    LoopIndex loop = 0;         ///< if there are
    std::uint32_t senders = 0;  ///< members of its rings that send over the link
  };

  [[nodiscard]] bool is_complete(TaskId transfer) const;
  void add(IssuedRing::Pointer ring, Rounds const& rounds);
  [[nodiscard]] LoopIndex loop_for(IssuedRing const& ring);
  void merge(LoopIndex from, LoopIndex to);
  void set_due(LoopIndex index, Tick due);
  [[nodiscard]] bool is_alone(Loop const& loop) const;
  [[nodiscard]] bool leaves(Loop& loop, Ring& ring);
  void put_back(Rounds const& rounds);
  [[nodiscard]] static bool have_left(Rounds const& rounds, std::uint32_t least);
  [[nodiscard]] static Tick due_of(Rounds const& rounds);

  TaskGraph const& graph_;
  std::vector<NetworkInterface*> interfaces_;
  MessageFabric& fabric_;
  std::vector<TaskId> complete_;  ///< a transfer of each ring that has not been taken over
  std::vector<Sought> sought_;    ///< by transfer, while take_over() looks for their rounds
  std::vector<Loop> loops_;
  std::vector<LoopIndex> unused_;  ///< in it
  IdVector<arch::LinkId, Owner> owners_;
  std::set<std::pair<Tick, LoopIndex>> due_;  ///< of loops with rings
  RingCourses courses_;
};

}  // namespace tessera::sim
