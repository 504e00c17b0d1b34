#include "partition/geometry/equal_rounds.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace tessera::partition {

namespace {

/// Numbers of exchanges since the first round of their collective.
using Numbers = std::vector<std::size_t>;

/// For each exchange of a round the one of the round before that brings what it sends.
using Behind = Numbers;

/// One step after the other.
class EqualRounds final {
 public:
  explicit EqualRounds(std::vector<ReshardStep> const& steps) : steps_{steps} {}

  [[nodiscard]] std::vector<ReshardStep> merged() && {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (!steps_[i].is_later_round && !steps_[i].exchanges.empty()) begin();
      if (auto const behind = repeated(i)) {
        repeat(*behind);
      } else {
        append(steps_[i]);
      }
    }
    return std::move(merged_);
  }

 private:
  /// A collective.
  void begin() {
    numbers_.clear();
    last_ = first_ = 0;
    exchanges_ = 0;
  }

  void append(ReshardStep step) {
    last_ = first_ = numbers_.size();
    for (auto& exchange : step.exchanges) {
      for (auto& before : exchange.after) before = numbers_[before];
      std::sort(exchange.after.begin(), exchange.after.end());
      auto const last = std::unique(exchange.after.begin(), exchange.after.end());
      exchange.after.erase(last, exchange.after.end());
      numbers_.push_back(exchanges_++);
    }
    merged_.push_back(std::move(step));
  }

  void repeat(Behind const& behind) {
    auto& step = merged_.back();
    ++step.rounds;
    step.behind = behind;
    last_ = numbers_.size();
    for (std::size_t i = 0; i < behind.size(); ++i) numbers_.push_back(numbers_[first_ + i]);
  }

  /// Does a step repeat what was appended last?
  [[nodiscard]] std::optional<Behind> repeated(std::size_t index) const {
    auto const& step = steps_[index];
    if (!step.is_later_round || merged_.empty() || step.exchanges.empty()) return std::nullopt;
    auto const& before = merged_.back();
    bool const is_alike = before.exchanges.size() == step.exchanges.size() &&
                          before.reduces == step.reduces && before.level == step.level;
    if (!is_alike) return std::nullopt;
    Behind behind;
    for (std::size_t i = 0; i < step.exchanges.size(); ++i) {
      auto const brings = brought(step.exchanges[i], before.exchanges[i]);
      if (!brings) return std::nullopt;
      behind.push_back(*brings);
    }
    bool const goes_on = before.rounds == 1 || before.behind == behind;
    return goes_on && is_permutation(behind) ? std::optional{behind} : std::nullopt;
  }

  /// Which exchange of the round before brings what `exchange` sends, if it repeats `first`.
  [[nodiscard]] std::optional<std::size_t> brought(Exchange const& exchange,
                                                   Exchange const& first) const {
    bool const is_same = exchange.from == first.from && exchange.to == first.to &&
                         exchange.elements == first.elements;
    if (!is_same) return std::nullopt;
    std::optional<std::size_t> brings;
    for (auto const number : exchange.after) {
      if (number >= last_) {
        if (brings) return std::nullopt;
        brings = number - last_;
      } else if (!std::binary_search(first.after.begin(), first.after.end(), numbers_[number])) {
        return std::nullopt;
      }
    }
    return brings;
  }

  [[nodiscard]] static bool is_permutation(Behind const& behind) {
    std::vector<bool> is_there(behind.size(), false);
    for (auto const place : behind) is_there[place] = true;
    return std::find(is_there.begin(), is_there.end(), false) == is_there.end();
  }

  std::vector<ReshardStep> const& steps_;
  std::vector<ReshardStep> merged_;
  Numbers numbers_;            ///< by number before, after merging
  std::size_t first_ = 0;      ///< number before of the first exchange of what was appended last
  std::size_t last_ = 0;       ///< and of its last round
  std::size_t exchanges_ = 0;  ///< after merging
};

}  // namespace

std::vector<ReshardStep> merge_equal_rounds(std::vector<ReshardStep> const& steps) {
  return EqualRounds{steps}.merged();
}

}  // namespace tessera::partition
