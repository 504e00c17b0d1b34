// A request moves at most once: from the queue of its kind to those that have begun.
#include "sim/model/memory/dram/dram_queues.hpp"

#include <algorithm>

namespace tessera::sim {

namespace {

// Begun at a bank: one that its row was opened for, an old read and an old write that were served before it, and a read and a write
// that have sent some of their bursts.
constexpr std::int64_t most_begun = 5;

[[nodiscard]] DramQueue queue_for(arch::DramPolicy const& policy, std::size_t banks) {
  bool const is_shared = policy.queues == arch::DramPolicy::Queues::shared;
  auto const bank_places = is_shared ? policy.bank_queue_depth : 0;
  return {static_cast<std::size_t>(policy.queue_depth), static_cast<std::size_t>(bank_places),
          banks};
}

[[nodiscard]] DramQueue queue_of_begun(arch::DramPolicy const& policy, std::size_t banks) {
  return {0, static_cast<std::size_t>(std::max(policy.bank_queue_depth, most_begun)), banks};
}

}  // namespace

DramQueues::DramQueues(arch::DramPolicy const& policy, std::size_t banks)
    : policy_{policy},
      is_separate_{policy.queues == arch::DramPolicy::Queues::separate},
      has_bank_queues_{is_separate_ && policy.bank_queue_depth > 0},
      queues_{queue_for(policy, banks), queue_for(policy, banks), queue_of_begun(policy, banks)} {}

DramQueues::Slot DramQueues::older(DramQueue::Place of_begun, DramQueue::Place of_counting) const {
  if (of_begun == DramQueue::none) return {served_, of_counting};
  bool const is_older = of_counting == DramQueue::none ||
                        queues_[begun][of_begun].age < queues_[served_][of_counting].age;
  return is_older ? Slot{begun, of_begun} : Slot{served_, of_counting};
}

DramQueues::Slot DramQueues::oldest() const {
  auto const& ahead = queues_[begun];
  return older(ahead.oldest(), has_bank_queues_ ? DramQueue::none : queues_[served_].oldest());
}

DramQueues::Slot DramQueues::first_of(std::size_t bank) const {
  auto const ahead = queues_[begun].oldest_of(bank);
  if (ahead != DramQueue::none || has_bank_queues_) return {begun, ahead};
  return {served_, queues_[served_].oldest_of(bank)};
}

DramQueues::Slot DramQueues::oldest_hit(std::size_t bank, Access access) const {
  return older(queues_[begun].oldest_hit(bank, access),
               has_bank_queues_ ? DramQueue::none : queues_[served_].oldest_hit(bank, access));
}

BankSet DramQueues::push(std::int64_t arrival, std::uint64_t age, DramRequest const& request,
                         bool is_hit) {
  auto const index = queue_of(request.access);
  auto& queue = queues_[index];
  bool const counts = index == served_ && !has_bank_queues_;
  bool const is_first = queue.oldest_of(request.bank) == DramQueue::none;
  bool const is_first_hit =
      is_hit && queue.oldest_hit(request.bank, request.access) == DramQueue::none;
  queue.push(arrival, age, request, is_hit);
  auto const changed = counts && (is_first || is_first_hit) ? BankSet{request.bank} : BankSet{};
  return is_separate_ ? settle(changed | fill(request.bank)) : changed;
}

BankSet DramQueues::activated(Slot slot) {
  BankSet const changed{queues_[slot.queue][slot.place].request.bank};
  if (!is_separate_ || slot.queue == begun) return changed;
  begin(slot);
  return settle(changed);
}

BankSet DramQueues::served(Slot slot) {
  auto const bank = queues_[slot.queue][slot.place].request.bank;
  bool const is_last = queues_[slot.queue].served(slot.place);
  if (!is_separate_) return BankSet{bank};
  if (!is_last && slot.queue != begun) begin(slot);
  return settle(BankSet{bank} | fill(bank));
}

void DramQueues::begin(Slot slot) {
  queues_[begun].take_from(queues_[slot.queue], slot.place);
  if (slot.queue == 1) --writes_left_;
}

bool DramQueues::may_fill(std::size_t bank) const {
  bool const has_free =
      static_cast<std::int64_t>(queues_[begun].size_of(bank)) < policy_.bank_queue_depth;
  return has_free && (served_ == 0 || writes_left_ > 0);
}

BankSet DramQueues::fill(std::size_t bank) {
  BankSet changed;
  auto const& queue = queues_[served_];
  while (has_bank_queues_ && queue.size_of(bank) > 0 && may_fill(bank)) {
    begin({served_, queue.oldest_of(bank)});
    changed.insert(bank);
  }
  return changed;
}

BankSet DramQueues::fill_banks() {
  BankSet changed;
  auto const& queue = queues_[served_];
  for (auto place = queue.oldest(); has_bank_queues_ && place != DramQueue::none;) {
    Slot const slot{served_, place};
    place = queue.next(place);
    auto const bank = queue[slot.place].request.bank;
    if (!may_fill(bank)) continue;
    begin(slot);
    changed.insert(bank);
  }
  return changed;
}

/// Serves the other queue where it is its turn.
BankSet DramQueues::settle(BankSet changed) {
  while (has_other_mode()) {
    changed = changed | counting().banks();
    served_ = served_ == 0 ? 1 : 0;
    auto const writes = static_cast<std::int64_t>(queues_[1].size());
    writes_left_ = writes > policy_.low_watermark ? writes - policy_.low_watermark : writes;
    changed = changed | counting().banks() | fill_banks();
  }
  return changed;
}

bool DramQueues::has_other_mode() const {
  auto const waiting = static_cast<std::int64_t>(queues_[1].size());
  bool const has_reads = !queues_[0].is_empty();
  if (served_ == 1 && has_bank_queues_) return waiting == 0 || writes_left_ == 0;
  if (served_ == 1) return waiting == 0 || (waiting <= policy_.low_watermark && has_reads);
  bool const is_all_there_is = !has_reads && (!has_bank_queues_ || queues_[begun].is_empty());
  return waiting >= policy_.high_watermark || (is_all_there_is && waiting > 0);
}

void DramQueues::serialize(std::int64_t now, std::uint64_t age_of_next, StateWriter& out) const {
  for (auto const& queue : queues_) queue.serialize(now, is_separate_ ? age_of_next : 0, out);
  out.put(served_);
  out.put(has_bank_queues_ && served_ == 1 ? writes_left_ : 0);
}

void DramQueues::shift(std::int64_t by) {
  for (auto& queue : queues_) queue.shift(by);
}

}  // namespace tessera::sim
