// Steps of a picosecond.
#include "sim/host/instant.hpp"

#include <string>

#include "arch/base/config.hpp"

namespace tessera::sim::host {

Instant arrival(Instant now, Time at, std::int64_t steps) {
  EXPECTS(at >= now.time, at, now.time);
  if (at > now.time) return at;
  EXPECTS(steps > steps_without && "a message takes time", at);
  if (now.step + 1 < steps) return {at, now.step + 1};
  throw ConfigError({}, "arch.accelerator.dispatch",
                    "lets " + std::to_string(steps) + " messages follow each other at " +
                        to_text(at) + " without time going by (no more can be told apart); give " +
                        "it a latency of 1");
}

}  // namespace tessera::sim::host
