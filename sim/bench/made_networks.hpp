// Networks made to be deep or wide, beyond any file of the zoo: what the time of a run grows with. Layers are small and fully connected
// (64 features, fp32), so that all of it is planning, lowering and accounts.
#pragma once

#include <string>

namespace tessera::sim {

/// The YAML of a chain of 100,000 layers.
[[nodiscard]] std::string chain_of_100000();

/// The YAML of 20,000 layers that read one tensor, and the sum of their outputs.
[[nodiscard]] std::string branches_20000();

}  // namespace tessera::sim
