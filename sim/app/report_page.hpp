// The page of `tessera report`: one file of HTML with its style, its program (sim/app/report) and the data of one run or two. It asks for
// nothing from outside, so it opens anywhere, also without a network and years later.
#pragma once

#include <string>
#include <vector>

#include "arch/base/builtin_config.hpp"
#include "sim/study/result.hpp"

namespace tessera::sim {

// Embedded (tessera_embed()).
[[nodiscard]] std::vector<BuiltinConfig> report_pages();
[[nodiscard]] std::vector<BuiltinConfig> report_styles();
[[nodiscard]] std::vector<BuiltinConfig> report_scripts();

/// What the page begins with, which tells the runs that it shows from others: their fingerprints.
[[nodiscard]] std::string report_beginning(std::vector<std::string> const& fingerprints);

/// `runs`: a document of report_data() for each.
[[nodiscard]] std::string report_page(std::vector<std::string> const& fingerprints,
                                      std::vector<Json> const& runs);

}  // namespace tessera::sim
