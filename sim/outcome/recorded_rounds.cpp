#include "sim/outcome/recorded_rounds.hpp"

namespace tessera::sim::outcome {

RecordedRounds::RecordedRounds(Blueprint const& blueprint, UnitTimes& times)
    : rounds_{blueprint, times.transfer_shapes(), times.idle_transfers()},
      lengths_{rounds_.lengths(times.transfer_shapes().lengths())} {
  for (std::uint32_t number = 0; number < rounds_.count(); ++number) {
    auto const begun = [&](std::uint32_t other) { return times.of(rounds_.id(other)).begun; };
    auto const& last = last_.emplace_back(rounds_.last(number, lengths_, begun));
    auto const& time = times.of(rounds_.id(number));
    auto const shape = rounds_.shape(number);
    excess_.push_back({time.free - (last.begun + lengths_.first[shape]),
                       time.served - (last.begun + lengths_.whole[shape])});
  }
}

}  // namespace tessera::sim::outcome
