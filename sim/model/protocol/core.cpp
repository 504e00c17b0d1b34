// Writing a core's state in canonical form.
#include "sim/model/protocol/core.hpp"

#include <numeric>

namespace tessera::sim {

void StateWriter::put_phase(Clock const& clock, Time now) {
  put(now.value() % edge_pattern(clock).value());
}

Time edge_pattern(Clock const& clock) {
  return Time{picoseconds_per_second / std::gcd(clock.frequency().value(), picoseconds_per_second)};
}

}  // namespace tessera::sim
