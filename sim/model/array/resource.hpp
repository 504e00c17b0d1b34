// The resources of a machine under their names, with the counters of the cores that stand for them, for whatever is read after a run.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/model/protocol/core.hpp"

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
  std::string name;                                    ///< "accelerator-3.memory"
  std::vector<Statistic> const* statistics = nullptr;  ///< its core's
  std::int64_t lanes = 1;      ///< how many things it does at once; over 1 for links only
  std::string histogram = {};  ///< the core's, in Records::utilisation; empty: it has none
  /// How many of what its core counted once happened here (folded arrays): equals use a switch or a
  /// link side by side.
  std::int64_t times = 1;

  /// The value of one of its statistics, of all `times`; 0 if it has none of that name.
  [[nodiscard]] std::int64_t statistic(std::string_view statistic_name) const;
};

/// The sum of a statistic over all resources of a kind.
[[nodiscard]] std::int64_t total(std::vector<Resource> const& resources, Resource::Kind kind,
                                 std::string_view statistic);

}  // namespace tessera::sim
