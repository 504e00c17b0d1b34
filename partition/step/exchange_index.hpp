// A list of exchanges by number, and by step and sender: what it takes to say that a permutation of accelerators maps the list onto
// itself, and to leave out all but what representatives send.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "arch/base/folding.hpp"
#include "partition/geometry/reshard.hpp"

namespace tessera::partition {

/// Exchanges are numbered from the first step of the list on (Exchange::after counts from the first
/// round of its collective). Those that an accelerator sends in a step have places in their order.
class ExchangeIndex final {
 public:
  /// `steps` must outlive the index.
  ExchangeIndex(std::vector<ReshardStep> const& steps, std::size_t accelerators);

  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] Exchange const& at(std::size_t number) const { return *entries_[number].exchange; }
  /// What it waits for, by number.
  [[nodiscard]] std::vector<std::size_t> after(std::size_t number) const;
  /// In a step of several rounds: the one that brings what it sends in the next round.
  [[nodiscard]] std::optional<std::size_t> behind(std::size_t number) const;

  /// The exchange of the same step and place that another sender has.
  [[nodiscard]] std::optional<std::size_t> counterpart(std::size_t number,
                                                       std::size_t sender) const;

  /// Of a step, the number of its first exchange.
  [[nodiscard]] std::size_t first_of(std::size_t step) const { return first_[step]; }
  /// The number of the first exchange since the first round of its collective.
  [[nodiscard]] std::size_t first_of_collective(std::size_t number) const {
    return entries_[number].first_of_collective;
  }

 private:
  struct Entry {
    Exchange const* exchange = nullptr;
    std::size_t step = 0;
    std::size_t place = 0;  ///< among those of its sender in the step
    std::size_t first_of_collective = 0;
  };

  void add_step(std::size_t step, std::size_t first_of_collective);

  std::vector<ReshardStep> const* steps_;
  std::size_t accelerators_;
  std::vector<Entry> entries_;
  std::vector<std::size_t> first_;      ///< by step
  std::vector<std::size_t> starts_;     ///< by step and sender: where its exchanges begin in order_
  std::vector<std::size_t> by_sender_;  ///< numbers, step by step, sender by sender
};

/// Does a permutation of the accelerators map each exchange onto one of the same step, place and
/// size, which waits for what the permutation makes of what it waits for, from round to round, too?
[[nodiscard]] bool maps_onto_itself(ExchangeIndex const& exchanges,
                                    std::vector<std::size_t> const& permutation);

/// What representatives send, of a trivial folding all, with numbers of such exchanges only: an
/// exchange that waits for one that a copy sends waits for that of its representative. Requires
/// that the folding's permutations map the list onto itself, and that no step has several rounds
/// yet (merge_equal_rounds()).
[[nodiscard]] std::vector<ReshardStep> sent_by_representatives(std::vector<ReshardStep> steps,
                                                               Folding const& folding);

}  // namespace tessera::partition
