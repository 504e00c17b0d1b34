// The cores of a machine under their names, for whatever is read from them after a run.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/model/core.hpp"

namespace tessera::sim {

struct Resource {
  enum class Kind {
    dispatcher,
    processing_unit,
    memory,
    network_interface,
    router,
    link,
    synchronizer
  };

  Kind kind = Kind::dispatcher;
  std::string name;  ///< "accelerator-3.memory"
  Core const* core = nullptr;
  std::int64_t lanes = 1;      ///< how many things it does at once; over 1 for links only
  std::string histogram = {};  ///< in Records::utilisation; empty: it has none

  /// The value of one of its statistics; 0 if it has none of that name.
  [[nodiscard]] std::int64_t statistic(std::string_view statistic_name) const;
};

/// The sum of a statistic over all resources of a kind.
[[nodiscard]] std::int64_t total(std::vector<Resource> const& resources, Resource::Kind kind,
                                 std::string_view statistic);

}  // namespace tessera::sim
