// Writing a core's state in canonical form.
#include "sim/model/protocol/core.hpp"

namespace tessera::sim {

void StateWriter::put_phase(Clock const& clock, Time now) {
  put(now.value() % clock.pattern().value());
}

}  // namespace tessera::sim
