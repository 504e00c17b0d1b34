// Models that an array's file names, and who reads their keys.
#pragma once

#include <algorithm>
#include <memory>

#include "arch/base/config.hpp"
#include "arch/base/model_choice.hpp"
#include "arch/base/registry.hpp"

namespace tessera::sim {

/// A model's constructor takes its keys and what it is built with.
template <typename Interface, typename Parts>
using ModelRegistry = Registry<Interface, ConfigMap&, Parts const&>;

/// Throws ConfigError, at its place in the file, for an unknown name and for keys that the model
/// did not ask for.
template <typename Interface, typename Parts>
[[nodiscard]] std::unique_ptr<Interface> make_model(ModelRegistry<Interface, Parts> const& models,
                                                    arch::ModelChoice const& choice,
                                                    Parts const& parts) {
  auto const& name = choice.name.text();
  auto const names = models.names();
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    throw choice.name.error(unknown_name("model", name, names));
  }
  auto keys = choice.keys.as_map();
  auto model = models.make(name, keys, parts);
  keys.finish();
  return model;
}

}  // namespace tessera::sim
