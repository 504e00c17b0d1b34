// Reading a map key by key, and rejecting what nobody asked for.
#include "arch/base/config.hpp"

namespace tessera {

namespace {

[[nodiscard]] std::string unknown_key(std::string const& key,
                                      std::vector<std::string> const& known) {
  if (auto const nearest = nearest_name(key, known)) {
    return "unknown key; did you mean '" + *nearest + "'?";
  }
  return known.empty() ? "unknown key" : "unknown key; known: " + joined(known);
}

}  // namespace

ConfigNode const& ConfigMap::node(std::string const& key) {
  if (auto const* const value = find(key)) return *value;
  for (auto const& [written, value] : node_->entries()) {
    bool const misspelled = asked_.count(written) == 0 && nearest_name(written, {key});
    if (misspelled) throw ConfigError(value.key_where_, value.path(), unknown_key(written, {key}));
  }
  throw error("missing key '" + key + "'");
}

ConfigNode const* ConfigMap::find(std::string const& key) {
  asked_.insert(key);
  for (auto const& [written, value] : node_->entries()) {
    if (written == key) return &value;
  }
  return nullptr;
}

void ConfigMap::finish() const {
  for (auto const& [written, value] : node_->entries()) {
    if (asked_.count(written) > 0) continue;
    throw ConfigError(value.key_where_, value.path(),
                      unknown_key(written, {asked_.begin(), asked_.end()}));
  }
}

void ConfigMap::expect_schema(std::string const& schema, std::string const& what) {
  auto const& written = node("schema");
  if (written.as<std::string>() == schema) return;
  throw written.error("is not " + what + " (expected " + in_quotes(schema) + ')');
}

}  // namespace tessera
