// What this binary was built from: the version and the commit, for --version and for every run file.
#pragma once

namespace tessera::sim {

/// The project's version: "0.1.0".
[[nodiscard]] char const* version();

/// The commit that was built, 40 hexadecimal digits, with "-dirty" behind it when tracked files
/// differed from it; "unknown" outside a git checkout.
[[nodiscard]] char const* commit();

}  // namespace tessera::sim
