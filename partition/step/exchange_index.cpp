// Counting sort by sender, step by step.
#include "partition/step/exchange_index.hpp"

#include <algorithm>
#include <numeric>

namespace tessera::partition {

ExchangeIndex::ExchangeIndex(std::vector<ReshardStep> const& steps, std::size_t accelerators)
    : steps_{&steps}, accelerators_{accelerators} {
  std::size_t first_of_collective = 0;
  for (std::size_t step = 0; step < steps.size(); ++step) {
    // Steps without exchanges are no rounds (as TaskGraphBuilder has it).
    bool const begins = !steps[step].is_later_round && !steps[step].exchanges.empty();
    if (begins) first_of_collective = entries_.size();
    add_step(step, first_of_collective);
  }
}

void ExchangeIndex::add_step(std::size_t step, std::size_t first_of_collective) {
  auto const& exchanges = (*steps_)[step].exchanges;
  auto const first = entries_.size();
  first_.push_back(first);
  std::vector<std::size_t> starts(accelerators_ + 1, 0);
  for (auto const& exchange : exchanges) {
    auto& count = starts.at(exchange.from + 1);
    entries_.push_back({&exchange, step, count++, first_of_collective});
  }
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  by_sender_.resize(entries_.size());
  for (auto number = first; number < entries_.size(); ++number) {
    auto const& [exchange, in_step, place, of_collective] = entries_[number];
    by_sender_[first + starts[exchange->from] + place] = number;
  }
  for (auto& start : starts) start += first;
  starts_.insert(starts_.end(), starts.begin(), starts.end());
}

std::vector<std::size_t> ExchangeIndex::after(std::size_t number) const {
  auto numbers = at(number).after;
  for (auto& other : numbers) other += first_of_collective(number);
  return numbers;
}

std::optional<std::size_t> ExchangeIndex::behind(std::size_t number) const {
  auto const step = entries_[number].step;
  auto const& behind = (*steps_)[step].behind;
  if (behind.empty()) return std::nullopt;
  return first_of(step) + behind[number - first_of(step)];
}

std::optional<std::size_t> ExchangeIndex::counterpart(std::size_t number,
                                                      std::size_t sender) const {
  auto const& entry = entries_[number];
  auto const row = entry.step * (accelerators_ + 1) + sender;
  auto const found = starts_[row] + entry.place;
  if (found >= starts_[row + 1]) return std::nullopt;
  return by_sender_[found];
}

bool maps_onto_itself(ExchangeIndex const& exchanges, std::vector<std::size_t> const& permutation) {
  auto const image = [&](std::size_t number) {
    return exchanges.counterpart(number, permutation[exchanges.at(number).from]);
  };
  for (std::size_t number = 0; number < exchanges.size(); ++number) {
    auto const& exchange = exchanges.at(number);
    auto const found = image(number);
    if (!found) return false;
    auto const& other = exchanges.at(*found);
    if (other.to != permutation[exchange.to] || other.elements != exchange.elements) return false;
    if (other.after.size() != exchange.after.size()) return false;
    auto waits_for = exchanges.after(*found);
    std::vector<std::size_t> expected;
    for (auto const earlier : exchanges.after(number)) expected.push_back(image(earlier).value());
    std::sort(waits_for.begin(), waits_for.end());
    std::sort(expected.begin(), expected.end());
    if (waits_for != expected) return false;
    auto const behind = exchanges.behind(number);
    if (behind && exchanges.behind(*found) != image(*behind)) return false;
  }
  return true;
}

std::vector<ReshardStep> sent_by_representatives(std::vector<ReshardStep> steps,
                                                 Folding const& folding) {
  if (folding.is_trivial()) return steps;
  auto const whole = steps;
  ExchangeIndex const exchanges{whole, folding.accelerators()};
  auto const representative = [&](std::size_t accelerator) {
    return folding.accelerator(folding.representative(accelerator));
  };
  std::vector<std::size_t> numbers(exchanges.size());  ///< in the list that is left
  std::size_t next = 0;
  for (std::size_t step = 0; step < steps.size(); ++step) {
    EXPECTS(steps[step].rounds == 1, step, steps[step].rounds);
    auto const all = std::exchange(steps[step].exchanges, {});
    for (std::size_t i = 0; i < all.size(); ++i) {
      auto const number = exchanges.first_of(step) + i;
      if (number == exchanges.first_of_collective(number)) next = 0;
      if (representative(all[i].from) != all[i].from) continue;
      numbers[number] = next++;
      auto& left = steps[step].exchanges.emplace_back(all[i]);
      left.after.clear();
      for (auto const earlier : exchanges.after(number)) {
        auto const sender = representative(exchanges.at(earlier).from);
        left.after.push_back(numbers[exchanges.counterpart(earlier, sender).value()]);
      }
    }
  }
  return steps;
}

}  // namespace tessera::partition
