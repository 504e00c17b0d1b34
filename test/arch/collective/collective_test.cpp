// Every algorithm sums every element exactly once at every member, whatever arrives early: messages are followed one by one, each with
// what its sender is sure to have by then.
#include "arch/collective/builtin_collectives.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace tessera::arch {
namespace {

using Summands = std::vector<int>;  ///< how often each rank's is in
using Kind = CollectiveKind;

/// What each message carries.
class Follower final {
 public:
  Follower(CollectiveSpec const& spec, std::uint32_t ranks)
      : spec_{spec},
        ranks_{ranks},
        pieces_{pieces_of(spec, ranks).size()},
        messages_{collective_messages(spec, ranks)},
        before_(messages_.size(), std::vector<bool>(messages_.size(), false)) {
    for (std::size_t id = 0; id < messages_.size(); ++id) {
      for (auto const earlier : messages_[id].after) {
        EXPECT_LT(earlier, id);
        EXPECT_EQ(messages_[earlier].to, messages_[id].from);
        before_[id][earlier] = true;
        for (std::size_t i = 0; i < earlier; ++i) {
          if (before_[earlier][i]) before_[id][i] = true;
        }
      }
      carried_.push_back(contents(id));
    }
  }

  /// At the end.
  [[nodiscard]] Summands held(std::uint32_t rank, std::size_t piece) const {
    std::vector<bool> const all(messages_.size(), true);
    return held(rank, piece, all);
  }

  [[nodiscard]] std::size_t pieces() const { return pieces_; }

  /// Messages to a sender that it does not wait for and that may come before it sends the same
  /// piece.
  [[nodiscard]] int races() const {
    int races = 0;
    for (std::size_t id = 0; id < messages_.size(); ++id) {
      for (std::size_t other = 0; other < messages_.size(); ++other) {
        bool const meets = messages_[other].to == messages_[id].from && other != id &&
                           share_a_piece(messages_[other], messages_[id]);
        if (meets && !before_[id][other] && !before_[other][id]) ++races;
      }
    }
    return races;
  }

  [[nodiscard]] bool rounds_rise() const {
    for (auto const& message : messages_) {
      for (auto const earlier : message.after) {
        auto const& before = messages_[earlier];
        bool const is_join = before.from == before.to;
        if (before.round + (is_join ? 0 : 1) > message.round && message.from != message.to) {
          return false;
        }
      }
    }
    return true;
  }

 private:
  static bool has(Pieces const& pieces, std::size_t piece) {
    if (piece < pieces.first) return false;
    auto const offset = piece - pieces.first;
    return offset % pieces.stride == 0 && offset / pieces.stride < pieces.count;
  }

  [[nodiscard]] bool share_a_piece(CollectiveMessage const& a, CollectiveMessage const& b) const {
    for (std::size_t piece = 0; piece < pieces_; ++piece) {
      if (has(a.pieces, piece) && has(b.pieces, piece)) return true;
    }
    return false;
  }

  [[nodiscard]] std::vector<Summands> contents(std::size_t id) const {
    std::vector<Summands> contents(pieces_, Summands(ranks_, 0));
    for (std::size_t piece = 0; piece < pieces_; ++piece) {
      if (!has(messages_[id].pieces, piece)) continue;
      contents[piece] = held(messages_[id].from, piece, before_[id]);
    }
    return contents;
  }

  /// Sums are added to what is there, copies replace it.
  [[nodiscard]] Summands held(std::uint32_t rank, std::size_t piece,
                              std::vector<bool> const& arrived) const {
    Summands held(ranks_, 0);
    if (spec_.kind != Kind::all_gather || piece % ranks_ == rank) held[rank] = 1;
    for (std::size_t id = 0; id < carried_.size(); ++id) {
      auto const& message = messages_[id];
      if (!arrived[id] || message.to != rank || !has(message.pieces, piece)) continue;
      for (std::size_t i = 0; i < held.size(); ++i) {
        held[i] = carried_[id][piece][i] + (message.reduces ? held[i] : 0);
      }
    }
    return held;
  }

  CollectiveSpec spec_;
  std::uint32_t ranks_;
  std::size_t pieces_;
  std::vector<CollectiveMessage> messages_;
  std::vector<std::vector<bool>> before_;  ///< by message: those that it comes after
  std::vector<std::vector<Summands>> carried_;
};

CollectiveSpec spec_of(Kind kind, std::string const& algorithm, std::uint32_t ranks) {
  CollectiveSpec spec;
  spec.kind = kind;
  spec.algorithm = builtin_collective(algorithm);
  spec.size = 1000;
  spec.chunks = 3;
  spec.shape = {ranks};
  for (std::uint32_t const extent : {2U, 3U, 4U}) {
    if (ranks % extent == 0 && ranks > extent) spec.shape = {extent, ranks / extent};
  }
  return spec;
}

TEST(Collective, EveryElementIsSummedExactlyOnceAtEveryMember) {
  for (std::uint32_t const ranks : {2U, 3U, 4U, 5U, 6U, 8U, 9U, 12U, 16U}) {
    for (auto const& [name, algorithm] : all_of(builtin_collectives())) {
      for (auto const kind : {Kind::all_reduce, Kind::reduce_scatter, Kind::all_gather}) {
        if (algorithm->adds_in_switches() || !algorithm->makes(kind)) continue;
        SCOPED_TRACE(name + " of " + std::to_string(ranks));
        Follower const followed{spec_of(kind, name, ranks), ranks};
        EXPECT_EQ(followed.races(), 0);
        EXPECT_TRUE(followed.rounds_rise());
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
          for (std::size_t piece = 0; piece < followed.pieces(); ++piece) {
            auto const owner = static_cast<std::uint32_t>(piece % ranks);
            if (kind == Kind::reduce_scatter && owner != rank) continue;
            Summands expected(ranks, kind == Kind::all_gather ? 0 : 1);
            expected[owner < ranks && kind == Kind::all_gather ? owner : 0] = 1;
            EXPECT_EQ(followed.held(rank, piece), expected) << rank << ' ' << piece;
          }
        }
      }
    }
  }
}

TEST(Collective, BlocksOfAnySizeAddUp) {
  for (auto const& [name, algorithm] : all_of(builtin_collectives())) {
    if (!algorithm->makes(Kind::all_gather)) continue;
    auto spec = spec_of(Kind::all_gather, name, 6);
    spec.blocks = {5, 0, 1, 7, 2, 10};
    spec.size = 25;
    std::vector<std::int64_t> received(6, 0);
    for (auto const& message : collective_messages(spec, 6)) received[message.to] += message.size;
    for (std::size_t rank = 0; rank < 6; ++rank) {
      EXPECT_EQ(received[rank], 25 - spec.blocks[rank]) << name;
    }
  }
}

TEST(Collective, PiecesOfAPaddedVectorAreEqual) {
  for (auto const& [name, algorithm] : all_of(builtin_collectives())) {
    if (!algorithm->makes(Kind::all_reduce)) continue;
    auto spec = spec_of(Kind::all_reduce, name, 6);
    auto const count = static_cast<std::int64_t>(pieces_of(spec, 6).size());
    for (std::int64_t const size : {1, 5, 24, 25, 1000}) {
      spec.size = size_in(SumPieces::padded, size, count);
      EXPECT_GE(spec.size, size);
      EXPECT_LT(spec.size, size + count);
      for (auto const piece : pieces_of(spec, 6)) EXPECT_EQ(piece, spec.size / count) << name;
      EXPECT_EQ(size_in(SumPieces::exact, size, count), size);
    }
  }
}

TEST(Collective, WhatHasNoMeaningIsNamed) {
  auto const problem = [](Kind kind, std::string const& algorithm, std::uint32_t ranks) {
    auto spec = spec_of(kind, algorithm, ranks);
    spec.shape.clear();
    return collective_problem(spec, ranks);
  };
  EXPECT_NE(problem(Kind::broadcast, "ring", 4), "");
  EXPECT_NE(problem(Kind::all_reduce, "torus", 4), "");
  EXPECT_NE(problem(Kind::all_reduce, "ring", 1), "");
  EXPECT_NE(problem(Kind::reshard, "ring", 4), "");
  EXPECT_NE(problem(Kind::reshard, "direct", 4), "");  // of whom?
  EXPECT_EQ(problem(Kind::all_reduce, "ring", 5), "");
  EXPECT_EQ(problem(Kind::all_reduce, "halving-doubling", 12), "");  // in thirds, too
}

}  // namespace
}  // namespace tessera::arch
