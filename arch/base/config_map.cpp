// Reading a map key by key, and rejecting what nobody asked for.
#include <algorithm>

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

[[nodiscard]] std::string missing_keys(std::vector<std::string> const& keys) {
  std::string text = keys.size() == 1 ? "missing key " : "missing keys ";
  for (auto const& key : keys) text += (&key == &keys.front() ? "" : ", ") + in_quotes(key);
  return text;
}

}  // namespace

void ConfigMap::require(std::vector<std::string> const& keys,
                        std::vector<std::string> const& others) {
  std::vector<std::string> missing;
  for (auto const& key : keys) {
    if (find(key) == nullptr) missing.push_back(key);
  }
  if (missing.empty()) return;
  for (auto const& [written, value] : node_->entries()) {
    bool const is_known = asked_.count(written) > 0 ||
                          std::find(others.begin(), others.end(), written) != others.end();
    if (!is_known && nearest_name(written, missing))
      throw ConfigError(value.key_where_, value.path(), unknown_key(written, missing));
  }
  throw error(missing_keys(missing));
}

ConfigNode const& ConfigMap::node(std::string const& key) {
  require({key});
  return *find(key);
}

ConfigNode const* ConfigMap::find(std::string const& key) {
  asked_.insert(key);
  auto const& entries = node_->entries();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    auto const index = (next_ + i) % entries.size();
    if (entries[index].first != key) continue;
    next_ = index + 1;
    return &entries[index].second;
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

void ConfigMap::expect_schema(std::string const& schema, std::string const& what,
                              std::vector<std::string> keys) {
  if (auto const* const written = find("schema")) {
    if (written->as<std::string>() != schema) {
      throw written->error("is not " + what + " (expected " + in_quotes(schema) + ')');
    }
  }
  keys.insert(keys.begin(), "schema");
  require(keys);
}

}  // namespace tessera
