#include "workloads/load.hpp"

#include "arch/base/builtin_config.hpp"
#include "workloads/network_builder.hpp"
#include "workloads/network_reader.hpp"

namespace tessera::workloads {

std::vector<BuiltinConfig> zoo_files();  // generated from workloads/zoo by tessera_embed()

Network load(std::string const& name_or_path, std::vector<std::string> const& overrides) {
  return network_from(network_config(name_or_path, overrides));
}

ConfigNode network_config(std::string const& name_or_path,
                          std::vector<std::string> const& overrides) {
  return load_config({"network", "workload", zoo_files(), {}, "tessera list networks"},
                     name_or_path, overrides);
}

Network network_from(ConfigNode const& node) { return NetworkBuilder{read_network(node)}.build(); }

Network with_batch(Network const& network, std::int64_t batch) {
  if (batch == network.batch()) return network;
  auto config = read_config_text(network.source_text(), network.name());
  config.override_key("batch", std::to_string(batch), network.name());
  return network_from(config);
}

std::vector<BuiltinEntry> builtin_networks() {
  static auto const entries = described(zoo_files());  // reads every file: once
  return entries;
}

}  // namespace tessera::workloads
