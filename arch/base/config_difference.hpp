// Where two configurations differ.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "arch/base/config.hpp"

namespace tessera {

/// The first place, in the order of `one`, where two configurations do not say the same:
/// "accelerators is '4' there, '64' here". The order of a map's keys means nothing, nor do the keys
/// of the root that are `ignored`. None when they are alike.
[[nodiscard]] std::optional<std::string> difference(ConfigNode const& there, ConfigNode const& here,
                                                    std::set<std::string> const& ignored = {});

}  // namespace tessera
