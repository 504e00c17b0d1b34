#include "sim/model/fabric/packet/wake_queue.hpp"

#include "arch/base/contract.hpp"

namespace tessera::sim {

namespace {

[[nodiscard]] std::size_t lowest_bit(std::uint64_t word) {
  return static_cast<std::size_t>(__builtin_ctzll(word));
}

[[nodiscard]] std::size_t highest_bit(std::uint64_t word) {
  return 63 - static_cast<std::size_t>(__builtin_clzll(word));
}

}  // namespace

WakeQueue::WakeQueue(std::size_t sleepers)
    : first_(levels * slots, none),
      time_(sleepers, never),
      next_(sleepers, none),
      previous_(sleepers, none),
      slot_(sleepers, 0) {}

inline void WakeQueue::insert(std::uint32_t sleeper) {
  auto const time = static_cast<std::uint64_t>(time_[sleeper]);
  auto const differs = time ^ static_cast<std::uint64_t>(now_);
  auto const level = differs < slots ? 0 : highest_bit(differs) / bits;
  auto const place = (time >> (level * bits)) % slots;
  auto const slot = level * slots + place;
  occupied_[level] |= std::uint64_t{1} << place;
  occupied_levels_ |= 1U << level;
  next_[sleeper] = first_[slot];
  previous_[sleeper] = none;
  if (first_[slot] != none) previous_[first_[slot]] = sleeper;
  first_[slot] = sleeper;
  slot_[sleeper] = static_cast<std::uint16_t>(slot);
}

inline void WakeQueue::remove(std::uint32_t sleeper) {
  auto const slot = slot_[sleeper];
  auto const next = next_[sleeper];
  auto const previous = previous_[sleeper];
  if (next != none) previous_[next] = previous;
  if (previous != none) {
    next_[previous] = next;
    return;
  }
  first_[slot] = next;
  if (next != none) return;
  auto const level = slot / slots;
  occupied_[level] &= ~(std::uint64_t{1} << (slot % slots));
  if (occupied_[level] == 0) occupied_levels_ &= ~(1U << level);
}

void WakeQueue::set(std::uint32_t sleeper, Tick time) {
  EXPECTS(time >= now_, time, now_);
  if (time_[sleeper] != never) {
    remove(sleeper);
    if (time_[sleeper] == known_next_) next_is_known_ = false;
  }
  time_[sleeper] = time;
  if (time == never) return;
  insert(sleeper);
  if (time <= known_next_) {
    known_next_ = time;
    next_is_known_ = true;
  }
}

/// Moves the earliest slot of a level to the levels below; now becomes the time it begins at.
void WakeQueue::spread(std::size_t level) {
  auto const place = lowest_bit(occupied_[level]);
  auto const shift = level * bits;
  auto const above =
      shift + bits >= 64 ? 0 : static_cast<std::uint64_t>(now_) >> (shift + bits) << (shift + bits);
  now_ = static_cast<Tick>(above | (static_cast<std::uint64_t>(place) << shift));
  auto sleeper = first_[level * slots + place];
  first_[level * slots + place] = none;
  occupied_[level] &= ~(std::uint64_t{1} << place);
  if (occupied_[level] == 0) occupied_levels_ &= ~(1U << level);
  while (sleeper != none) {
    auto const next = next_[sleeper];
    insert(sleeper);
    sleeper = next;
  }
}

inline std::uint32_t WakeQueue::first_of_earliest_slot() const {
  auto const level = lowest_bit(occupied_levels_);
  return first_[level * slots + lowest_bit(occupied_[level])];
}

Tick WakeQueue::find_next_time() const {
  if (occupied_levels_ == 0) return never;
  // Look without moving: time must not pass before someone wakes.
  auto earliest = never;
  for (auto it = first_of_earliest_slot(); it != none; it = next_[it]) {
    if (time_[it] < earliest) earliest = time_[it];
  }
  return earliest;
}

std::uint32_t WakeQueue::pop() {
  EXPECTS(occupied_levels_ != 0, now_);
  auto sleeper = first_of_earliest_slot();
  while ((occupied_levels_ & 1U) == 0 && next_[sleeper] != none) {
    spread(lowest_bit(occupied_levels_));
    sleeper = first_of_earliest_slot();
  }
  // Alone in its slot it is the next one: all others of its level differ from it there, too.
  now_ = time_[sleeper];
  remove(sleeper);
  time_[sleeper] = never;
  next_is_known_ = false;
  return sleeper;
}

}  // namespace tessera::sim
