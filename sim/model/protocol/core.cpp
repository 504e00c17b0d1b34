// Writing a core's state in canonical form.
#include "sim/model/protocol/core.hpp"

#include <numeric>

namespace tessera::sim {

void StateWriter::put(Message const& message) {
  auto const put_id = [this](auto id) { put(static_cast<std::int64_t>(id.index())); };
  put(static_cast<std::int64_t>(message.kind));
  put(static_cast<std::int64_t>(message.rank));
  put_id(message.task);
  put_id(message.barrier);
  put_id(message.source);
  put_id(message.destination);
  put(static_cast<std::int64_t>(message.turn));
  put(message.parts);
  put(message.bytes.value());
  put(message.tail.value());
}

void StateWriter::put_phase(Clock const& clock, Time now) {
  put(now.value() % edge_pattern(clock).value());
}

Time edge_pattern(Clock const& clock) {
  return Time{picoseconds_per_second / std::gcd(clock.frequency().value(), picoseconds_per_second)};
}

}  // namespace tessera::sim
