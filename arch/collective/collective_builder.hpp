// What algorithms of collectives are made of: rounds of messages, in which a rank sends what it received, and added to what it had,
// before.
#pragma once

#include <vector>

#include "arch/base/hierarchy.hpp"
#include "arch/collective/collective.hpp"

namespace tessera::arch {

class CollectiveBuilder final {
 public:
  using MessageId = std::size_t;
  /// Messages to each rank: what it waits for before it goes on.
  using Received = std::vector<std::vector<MessageId>>;
  /// Ranks in the order in which they pass on.
  using Ring = std::vector<std::uint32_t>;

  /// Which pieces belong to a rank: from `offset` on, those whose number is the rank's modulo the
  /// number of `sizes`, which are those of all that belongs to it.
  struct Ownership {
    std::size_t offset = 0;
    std::vector<std::int64_t> sizes;
  };

  /// A pass round a ring.
  struct Pass {
    bool reduces = false;
    std::uint32_t first_round = 0;
  };

  /// Which level of groups exchanges first when it is summed; gathers go the other way.
  enum class Halving { outermost_first, innermost_first };

  /// `spec` outlives the builder. Of rings only what representatives send (collective_messages()).
  CollectiveBuilder(CollectiveSpec const& spec, std::uint32_t ranks,
                    Representatives representatives);

  [[nodiscard]] CollectiveSpec const& spec() const { return spec_; }
  [[nodiscard]] std::uint32_t ranks() const { return ranks_; }
  [[nodiscard]] bool scatters() const { return spec_.kind != CollectiveKind::all_gather; }
  [[nodiscard]] bool gathers() const { return spec_.kind != CollectiveKind::reduce_scatter; }
  [[nodiscard]] Received nothing() const { return Received(ranks_); }
  [[nodiscard]] Ownership owned(std::size_t offset, std::size_t unit) const;

  /// A message after others, of its size or, if it names pieces, of theirs.
  MessageId send(CollectiveMessage message, std::vector<MessageId> after = {});

  /// One pass round a ring: a round less than it has members. Adds to `received`.
  void pass(Ring const& members, Ownership const& owned, Pass const& pass, Received& received);

  /// The pieces from `offset` on, round all ranks.
  void ring(std::size_t offset, bool backwards);

  /// Partners of one level of halves, or thirds, ... (Hierarchy) after another.
  void halve(Halving halving);

  /// Chunks from `first_piece` on, one after another, up and down a binary tree of ranks in heap
  /// order; mirrored: counted from the last one.
  void tree(std::size_t first_piece, bool mirrored);

  [[nodiscard]] std::vector<CollectiveMessage> take() { return std::move(messages_); }

 private:
  /// Partners of one level.
  struct Exchange {
    std::size_t level = 0;
    std::size_t turn = 1;
  };

  MessageId add(CollectiveMessage message, std::vector<MessageId> after);
  [[nodiscard]] std::int64_t size_of(Pieces const& pieces) const;
  [[nodiscard]] std::vector<std::size_t> sending_places(Ring const& members);
  [[nodiscard]] std::vector<Exchange> exchanges(Halving halving) const;
  [[nodiscard]] Pieces halved(std::uint32_t rank, std::size_t level, Halving halving) const;

  CollectiveSpec const& spec_;
  std::uint32_t ranks_;
  Representatives representatives_;
  Hierarchy hierarchy_;
  std::vector<std::int64_t> sizes_;  ///< of pieces
  std::vector<CollectiveMessage> messages_;
  std::vector<std::size_t> places_;  ///< by rank, in the ring that it was last looked up in
};

}  // namespace tessera::arch
