// Reading and writing of tessera.profile/1.
#include "arch/accelerator/profile_spec.hpp"

#include <cmath>

#include "arch/base/config_name.hpp"
#include "arch/base/nearest_name.hpp"

namespace tessera::arch {

std::vector<BuiltinConfig> preset_files();  // arch/presets, by tessera_embed()

namespace {

constexpr char const* schema = "tessera.profile/1";
constexpr std::int64_t most_samples = std::int64_t{1} << 40;
constexpr Time longest{3600 * picoseconds_per_second};  ///< of a phase; keeps products in range

[[nodiscard]] std::vector<BuiltinConfig> profile_files() {
  return files_in("profiles", preset_files());
}

[[nodiscard]] Time read_time(ConfigNode const& node) {
  auto const time = node.as<Time>();
  if (time > longest) throw node.error("is over an hour (no operator takes that long)");
  return time;
}

[[nodiscard]] std::variant<Time, BackwardTimes> read_backward(ConfigMap& map) {
  auto const* const joint = map.find("backward");
  if (joint == nullptr) {
    return BackwardTimes{read_time(map.node("backward_data")),
                         read_time(map.node("backward_weight"))};
  }
  for (auto const* const key : {"backward_data", "backward_weight"}) {
    if (auto const* const node = map.find(key)) {
      throw node->error("is a part of 'backward', which is given, too; write one or the other");
    }
  }
  return read_time(*joint);
}

[[nodiscard]] OperatorProfile read_operator(ConfigMap& map) {
  OperatorProfile profile;
  profile.forward = read_time(map.node("forward"));
  profile.backward = read_backward(map);
  if (auto const* const update = map.find("update")) profile.update = read_time(*update);
  profile.output = map.optional<Bytes>("output");
  return profile;
}

[[nodiscard]] std::int64_t read_batch(ConfigMap& map) {
  auto const batch = map.required<std::int64_t>("batch");
  if (batch < 1 || batch > most_samples) throw map.node("batch").error("must be from 1 to 2^40");
  return batch;
}

[[nodiscard]] ConfigNode config_of(std::string const& name, OperatorProfile const& profile) {
  auto node = ConfigNode::map();
  node.add("name", name).add("forward", to_text(profile.forward));
  if (auto const* const joint = std::get_if<Time>(&profile.backward)) {
    node.add("backward", to_text(*joint));
  } else {
    auto const& apart = std::get<BackwardTimes>(profile.backward);
    node.add("backward_data", to_text(apart.data)).add("backward_weight", to_text(apart.weight));
  }
  if (profile.update > Time{0}) node.add("update", to_text(profile.update));
  if (profile.output) node.add("output", to_text(*profile.output));
  return node;
}

}  // namespace

OperatorProfile const& ProfileSpec::of(std::string const& operator_name) const {
  auto const found = operators.find(operator_name);
  if (found != operators.end()) return found->second;
  std::vector<std::string> known;
  for (auto const& entry : operators) known.push_back(entry.first);
  auto const nearest = nearest_name(operator_name, known);
  throw ConfigError{where, key_path,
                    "has no operator " + in_quotes(operator_name) +
                        " (the network has; a time cannot be guessed); " +
                        (nearest ? "the nearest name is " + in_quotes(*nearest)
                                 : "use the profile of that network")};
}

std::array<Time, 4> ProfileSpec::phase_times(std::string const& operator_name,
                                             bool has_backward_data,
                                             bool has_backward_weight) const {
  auto const& profile = of(operator_name);
  auto const* const joint = std::get_if<Time>(&profile.backward);
  if (joint == nullptr) {
    auto const& apart = std::get<BackwardTimes>(profile.backward);
    return {profile.forward, apart.data, apart.weight, profile.update};
  }
  auto data = has_backward_data ? *joint : Time{0};
  if (has_backward_data && has_backward_weight) {
    data = Time{std::llround(backward_data_share * static_cast<double>(joint->value()))};
  }
  return {profile.forward, data, *joint - data, profile.update};
}

ConfigNode profile_config(std::string const& name_or_path,
                          std::vector<std::string> const& overrides) {
  return load_config({"profile", "profile", profile_files(), {}}, name_or_path, overrides);
}

ProfileSpec profile_from(ConfigNode const& node) {
  auto map = node.as_map();
  map.expect_schema(schema, "a profile");
  ProfileSpec spec;
  spec.name = read_name(map.node("name"));
  spec.description = map.optional<std::string>("description", {});
  spec.batch = read_batch(map);
  spec.backward_data_share = map.optional("backward_data_share", spec.backward_data_share);
  if (!(spec.backward_data_share >= 0 && spec.backward_data_share <= 1)) {
    throw map.node("backward_data_share").error("must be from 0 to 1");
  }
  auto const& operators = map.node("operators");
  spec.where = operators.where();
  spec.key_path = operators.path();
  for (auto const& entry : operators.as_list()) {
    auto keys = entry.as_map();
    auto const name = keys.required<std::string>("name");
    if (!spec.operators.emplace(name, read_operator(keys)).second) {
      throw keys.node("name").error("a second operator " + in_quotes(name));
    }
    keys.finish();
  }
  if (spec.operators.empty()) throw operators.error("a profile needs at least one operator");
  map.finish();
  return spec;
}

ConfigNode to_config(ProfileSpec const& spec) {
  auto operators = ConfigNode::list();
  for (auto const& [name, profile] : spec.operators) operators.append(config_of(name, profile));
  auto node = ConfigNode::map();
  node.add("schema", schema).add("name", spec.name);
  if (!spec.description.empty()) node.add("description", spec.description);
  return node.add("batch", std::to_string(spec.batch))
      .add("backward_data_share", to_text(spec.backward_data_share))
      .add("operators", std::move(operators));
}

std::vector<BuiltinEntry> builtin_profiles() { return described_once<profile_files>(); }

}  // namespace tessera::arch
