// "Did you mean": the nearest of the known names, for every error about an unknown one.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tessera {

/// The known name with the fewest edits (insert, delete, replace, swap of neighbours; upper and
/// lower case count as equal) from `name`; none when nothing is close enough to be a slip of the
/// keyboard (more than a third of the letters differ). Ties: the first.
[[nodiscard]] std::optional<std::string> nearest_name(std::string const& name,
                                                      std::vector<std::string> const& known);

/// "unknown planner 'hypr'; did you mean 'hypar'? known: dp, mp, owt, hypar". Of more than twelve
/// known names the five nearest: "known: ... and 27 more", and after that where all are listed, as
/// in "; see tessera list networks", if anywhere.
[[nodiscard]] std::string unknown_name(std::string const& kind, std::string const& name,
                                       std::vector<std::string> const& known,
                                       std::string const& listing = {});

/// "dp, mp, owt"
[[nodiscard]] std::string joined(std::vector<std::string> const& names);

}  // namespace tessera
