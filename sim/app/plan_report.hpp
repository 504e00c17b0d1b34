// The reports of `tessera plan`, for people and for scripts.
#pragma once

#include <string>

#include "sim/study/experiment.hpp"

namespace tessera::sim {

[[nodiscard]] std::string plan_report(Experiment const& experiment, Solved const& solved);

/// A document of schema tessera.plan-report/1.
[[nodiscard]] std::string plan_json(Experiment const& experiment, Solved const& solved);

}  // namespace tessera::sim
