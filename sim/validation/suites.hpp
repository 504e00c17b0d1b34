// The suites of components: each reruns a model on the cases of a table in sim/validation/references.
#pragma once

#include <memory>

#include "sim/validation/suite.hpp"

namespace tessera::sim {

[[nodiscard]] std::unique_ptr<Suite> systolic_suite();
[[nodiscard]] std::unique_ptr<Suite> eyeriss_suite();
[[nodiscard]] std::unique_ptr<Suite> tpu_v3_suite();
[[nodiscard]] std::unique_ptr<Suite> fabric_suite();
[[nodiscard]] std::unique_ptr<Suite> collectives_suite();
[[nodiscard]] std::unique_ptr<Suite> soybean_suite();
[[nodiscard]] std::unique_ptr<Suite> pipedream_optimizer_suite();
[[nodiscard]] std::unique_ptr<Suite> pipedream_suite();
[[nodiscard]] std::unique_ptr<Suite> zero_bubble_suite();
[[nodiscard]] std::unique_ptr<Suite> skipping_suite();

}  // namespace tessera::sim
