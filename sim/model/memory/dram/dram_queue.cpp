// Two intrusive lists over one array of places.
#include "sim/model/memory/dram/dram_queue.hpp"

#include <algorithm>

namespace tessera::sim {

DramQueue::DramQueue(std::size_t places, std::size_t bank_places, std::size_t banks)
    : entries_(places + bank_places * banks),
      banks_(banks),
      places_{places},
      bank_places_{bank_places} {
  EXPECTS(!entries_.empty() && entries_.size() < none && banks <= 64, places, bank_places, banks);
  for (std::size_t place = entries_.size(); place-- > 0;) {
    entries_[place].next = free_;
    free_ = static_cast<Place>(place);
  }
}

void DramQueue::push(std::int64_t arrival, std::uint64_t age, DramRequest const& request,
                     bool is_hit) {
  EXPECTS(!is_full(), size_);
  insert({request, arrival, age}, is_hit);
}

void DramQueue::take_from(DramQueue& other, Place place) {
  auto const& [request, arrival, age, next, previous, next_of, previous_of] = other.entries_[place];
  insert({request, arrival, age}, other.oldest_hit(request.bank, request.access) == place);
  other.remove(place);
}

void DramQueue::insert(Entry const& entry, bool is_hit) {
  EXPECTS(free_ != none, size_);
  auto const place = free_;
  free_ = entries_[place].next;
  entries_[place] = entry;
  link(place);
  link_in_bank(place);
  auto const& request = entry.request;
  auto& bank = banks_[request.bank];
  auto& hit = bank.hits[index_of(request.access)];
  if (is_hit && (hit == none || entry.age < entries_[hit].age)) hit = place;
  occupied_.insert(request.bank);
  ++size_;
  if (bank.size++ >= bank_places_) ++shared_;
}

/// Behind all that are older.
void DramQueue::link(Place place) {
  auto& entry = entries_[place];
  auto before = youngest_;
  while (before != none && entries_[before].age > entry.age) before = entries_[before].previous;
  entry.previous = before;
  entry.next = before == none ? oldest_ : entries_[before].next;
  (before == none ? oldest_ : entries_[before].next) = place;
  (entry.next == none ? youngest_ : entries_[entry.next].previous) = place;
}

void DramQueue::link_in_bank(Place place) {
  auto& entry = entries_[place];
  auto& bank = banks_[entry.request.bank];
  auto before = bank.last;
  while (before != none && entries_[before].age > entry.age) {
    before = entries_[before].previous_of_bank;
  }
  entry.previous_of_bank = before;
  entry.next_of_bank = before == none ? bank.first : entries_[before].next_of_bank;
  (before == none ? bank.first : entries_[before].next_of_bank) = place;
  (entry.next_of_bank == none ? bank.last : entries_[entry.next_of_bank].previous_of_bank) = place;
}

bool DramQueue::served(Place place) {
  auto& request = entries_[place].request;
  if (--request.bursts > 0) return false;
  remove(place);
  return true;
}

void DramQueue::remove(Place place) {
  auto& entry = entries_[place];
  auto& bank = banks_[entry.request.bank];
  auto const& request = entry.request;
  auto& hit = bank.hits[index_of(request.access)];
  if (hit == place) hit = find(entry.next_of_bank, request.access, request.row);
  (entry.previous == none ? oldest_ : entries_[entry.previous].next) = entry.next;
  (entry.next == none ? youngest_ : entries_[entry.next].previous) = entry.previous;
  auto const before = entry.previous_of_bank;
  auto const after = entry.next_of_bank;
  (before == none ? bank.first : entries_[before].next_of_bank) = after;
  (after == none ? bank.last : entries_[after].previous_of_bank) = before;
  if (bank.first == none) occupied_.erase(entry.request.bank);
  entry.next = free_;
  free_ = place;
  --size_;
  if (bank.size-- > bank_places_) --shared_;
}

DramQueue::Place DramQueue::find(Place from, Access access, std::uint32_t row) const {
  auto const fits = [&](DramRequest const& it) { return it.row == row && it.access == access; };
  while (from != none && !fits(entries_[from].request)) from = entries_[from].next_of_bank;
  return from;
}

void DramQueue::row_opened(std::size_t bank, std::uint32_t row) {
  for (auto const access : {Access::read, Access::write}) {
    banks_[bank].hits[index_of(access)] = find(banks_[bank].first, access, row);
  }
}

void DramQueue::serialize(std::int64_t now, std::uint64_t age_of_next, StateWriter& out) const {
  out.put(static_cast<std::int64_t>(size_));
  for (Place place = oldest_; place != none; place = entries_[place].next) {
    auto const& [request, arrival, age, next, previous, next_of, previous_of] = entries_[place];
    out.put(request.access == Access::write ? 1 : 0);
    out.put(request.bank);
    out.put(request.bursts);
    out.put(request.row);
    out.put(now - arrival);
    out.put(static_cast<std::int64_t>(age_of_next > age ? age_of_next - age : 0));
  }
}

void DramQueue::shift(std::int64_t by) {
  for (auto& entry : entries_) entry.arrival += by;
}

}  // namespace tessera::sim
