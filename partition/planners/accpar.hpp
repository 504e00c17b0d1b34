// AccPar's options, and what it decides at each level (accpar.cpp); `exhaustive` tries the same by enumeration.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "partition/planners/search_options.hpp"
#include "partition/price/footprint.hpp"
#include "partition/search/level_problem.hpp"
#include "partition/search/timeline_descent.hpp"

namespace tessera::partition {

/// What a level's decision depends on.
struct AccParLevelOptions {
  /// Does computation count, or only communication, as in its released solver?
  enum class Compute { counted, ignored };
  /// May the halves of a heterogeneous group have unequal shares?
  enum class Ratio { solved, equal };

  InterLayer inter_layer = InterLayer::as_evaluated;
  Compute compute = Compute::counted;
  Ratio ratio = Ratio::solved;

  [[nodiscard]] static AccParLevelOptions from(ConfigMap& options);
};

struct AccParOptions {
  /// May a half of a heterogeneous array have nothing to do?
  enum class IdleHalf { never, allowed };

  AccParLevelOptions level;
  Fit fit = Fit::reject;
  Price price = Price::sum;
  TimesOf times = TimesOf::peak;  ///< by price: timeline
  IdleHalf idle_half = IdleHalf::never;
  /// What the released solver does with a ResNet: its tables know no shortcuts, so it adds one to
  /// every `span`-th layer, by the layer's number (shortcut_search.hpp). Networks by name, with
  /// their spans.
  std::map<std::string, std::int64_t> shortcut_spans = {};

  [[nodiscard]] static AccParOptions from(ConfigMap& options);
};

/// Throws ConfigError unless every network under `shortcut_spans` is built in or among `planned`: a
/// misspelt one would be searched without its shortcuts.
void check_spans(ConfigMap& options, std::vector<std::string> const& planned);

/// n, c or k, in which ratio, least time.
[[nodiscard]] LevelProblems accpar_levels(Problem const& problem,
                                          AccParLevelOptions const& options);

/// The predicted time of a plan, in elements that the top level's links move meanwhile.
[[nodiscard]] PlanCost time_in_elements(Problem const& problem);

}  // namespace tessera::partition
