// A piece of hardware that a file names from the simulator's tables of contents (sim/model/array/hardware_models.hpp), and keys that only its
// model knows: it reads them when a run is built.
#pragma once

#include "arch/base/config.hpp"

namespace tessera::arch {

struct ModelChoice {
  ConfigNode name = ConfigNode::scalar("");
  ConfigNode keys = ConfigNode::map();
};

/// The keys `model` and `keys`, beside what else `map` has.
[[nodiscard]] inline ModelChoice read_model(ConfigMap& map) {
  static_cast<void>(map.required<std::string>("model"));
  ModelChoice model{map.node("model")};
  if (auto const* const keys = map.find("keys")) model.keys = keys->as_map().whole();
  return model;
}

/// {kind: model, model: ..., keys: ...}
[[nodiscard]] inline ConfigNode to_config(ModelChoice const& model) {
  return ConfigNode::map()
      .add("kind", "model")
      .add("model", model.name.text())
      .add("keys", model.keys);
}

}  // namespace tessera::arch
