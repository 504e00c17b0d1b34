// Turns field lists into JSON.
#include "sim/study/result.hpp"

#include <type_traits>

#include <nlohmann/json.hpp>

namespace tessera::sim {

namespace {

template <typename T>
constexpr bool is_plain = std::is_arithmetic_v<T> || std::is_same_v<T, std::string>;

template <typename T>
std::enable_if_t<is_plain<T>, Json> write(T const& value) {
  return value;
}
template <typename T>
std::enable_if_t<!is_plain<T>, Json> write(T const& value);

template <typename T>
Json write(Named<T> const& items);
template <typename T>
Json write(std::vector<T> const& items);

template <typename T>
void add(Json& json, char const* key, T const& field) {
  json[key] = write(field);
}
template <typename T>
void add(Json& json, char const* key, std::optional<T> const& field) {
  if (field) json[key] = write(*field);
}

/// Appends to the object: looking for each name would take a time quadratic in layers.
template <typename T>
Json write(Named<T> const& items) {
  auto json = Json::object();
  auto& members = json.get_ref<Json::object_t&>();
  for (auto const& [name, item] : items) members.emplace_back(name, write(item));
  return json;
}

template <typename T>
Json write(std::vector<T> const& items) {
  auto json = Json::array();
  for (auto const& item : items) json.push_back(write(item));
  return json;
}

template <typename T>
std::enable_if_t<!is_plain<T>, Json> write(T const& value) {
  auto json = Json::object();
  T::each_field(value, [&](char const* key, auto const& field) { add(json, key, field); });
  return json;
}

}  // namespace

Json to_json(Result const& result) { return write(result); }
Json to_json(Details const& details) { return write(details); }
Json to_json(Predicted const& predicted) { return write(predicted); }
Json to_json(TimelineTimes const& timeline) { return write(timeline); }
Json to_json(MemoryUse const& memory) { return write(memory); }
Json to_json(LinkBandwidth const& bandwidth) { return write(bandwidth); }
Json to_json(std::vector<Level> const& levels) { return write(levels); }

std::string document(Json const& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tessera::sim
