// Keeping records within bounds.
#include "sim/model/compute/phase_memo.hpp"

#include <utility>

#include "arch/base/hash.hpp"

namespace tessera::sim {

bool PhaseMemo::is_worth_recording(State const& from) {
  if (++missed_ <= most_missed) return true;
  if (seen_.size() > most_seen) seen_.clear();
  return !seen_.insert(hash_of(from)).second;
}

void PhaseMemo::add(TileProgram const& program, State from, Record record) {
  intervals_ += record.unit.all().size() + record.memory->size();
  if (intervals_ > most_intervals) {
    records_.clear();
    intervals_ = record.unit.all().size() + record.memory->size();
  }
  records_[&program].insert_or_assign(std::move(from), std::move(record));
}

void PhaseMemo::forget() {
  records_.clear();
  intervals_ = 0;
}

}  // namespace tessera::sim
