// Every algorithm of a collective as rounds of messages: in a round a rank sends what it received, and added to what it had, before.
#pragma once

#include <vector>

#include "arch/base/hierarchy.hpp"
#include "partition/geometry/collective.hpp"

namespace tessera::partition {

class CollectiveBuilder final {
 public:
  /// `spec` is one of `ranks` without a problem, and outlives the builder.
  CollectiveBuilder(CollectiveSpec const& spec, std::uint32_t ranks);
  /// What representatives send only (collective_messages()).
  CollectiveBuilder(CollectiveSpec const& spec, std::uint32_t ranks,
                    Representatives representatives);

  [[nodiscard]] std::vector<CollectiveMessage> build();

 private:
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

  /// Partners of one level of halves, or thirds, ... (Hierarchy).
  struct Exchange {
    std::size_t level = 0;
    std::size_t turn = 1;
  };

  [[nodiscard]] bool scatters() const { return spec_.kind != CollectiveKind::all_gather; }
  [[nodiscard]] bool gathers() const { return spec_.kind != CollectiveKind::reduce_scatter; }
  [[nodiscard]] Received nothing() const { return Received(ranks_); }
  [[nodiscard]] std::int64_t size_of(Pieces const& pieces) const;

  [[nodiscard]] Ownership owned(std::size_t offset, std::size_t unit) const;

  MessageId add(CollectiveMessage message, std::vector<MessageId> after);
  MessageId send(CollectiveMessage message, std::vector<MessageId> after = {});
  void ring(std::size_t offset, bool backwards);
  [[nodiscard]] std::vector<std::size_t> sending_places(Ring const& members);
  void pass(Ring const& members, Ownership const& owned, bool reduces, Received& received);
  [[nodiscard]] std::vector<Ring> rings(std::size_t dimension, bool backwards) const;
  void torus(std::size_t offset, bool backwards);
  [[nodiscard]] std::vector<Exchange> exchanges() const;
  [[nodiscard]] Pieces halved(std::uint32_t rank, std::size_t level) const;
  void halve();
  void tree(std::size_t first_piece, bool mirrored);
  void direct();
  void scatter(bool reduces, Received const& after);
  void join();
  void ring_all_to_all();
  void reshard();

  CollectiveSpec const& spec_;
  std::uint32_t ranks_;
  Representatives representatives_;
  Hierarchy hierarchy_;
  std::vector<std::int64_t> sizes_;  ///< of pieces
  std::uint32_t round_ = 0;          ///< the next one
  std::vector<CollectiveMessage> messages_;
  std::vector<std::size_t> places_;  ///< by rank, in the ring that it was last looked up in
};

}  // namespace tessera::partition
