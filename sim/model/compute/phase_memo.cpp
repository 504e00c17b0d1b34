// Keeping records within bounds.
#include "sim/model/compute/phase_memo.hpp"

namespace tessera::sim {

bool PhaseMemo::is_worth_recording(Key const& key) {
  if (++missed_ <= most_missed) return true;
  if (seen_.size() > most_seen) seen_.clear();
  return !seen_.insert(hash_of(key.state)).second;
}

void PhaseMemo::add(Key key, Record record) {
  intervals_ += record.unit.all().size() + record.memory->size();
  if (intervals_ > most_intervals) {
    records_.clear();
    intervals_ = record.unit.all().size() + record.memory->size();
  }
  records_.insert_or_assign(std::move(key), std::move(record));
}

}  // namespace tessera::sim
