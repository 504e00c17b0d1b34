#include "sim/validation/pipedream_profiles.hpp"

#include "sim/import/pipedream_profile.hpp"
#include "sim/validation/suite.hpp"
#include "workloads/load.hpp"

namespace tessera::sim {

namespace {

/// Samples of a measured minibatch: what divides the sizes of the profile's activations.
std::int64_t measured_batch(std::string const& model) {
  if (model == "gnmt" || model == "gnmt_large") return 64;
  return model == "alexnet" ? 256 : 128;
}

}  // namespace

ProfiledNetwork profiled_network(std::string const& model) {
  return profiled_network(model, measured_batch(model));
}

ProfiledNetwork profiled_network(std::string const& model, std::int64_t batch) {
  auto const profile = read_pipedream_tables(reference_table("pipedream/" + model + ".nodes"),
                                             reference_table("pipedream/" + model + ".edges"));
  auto imported = import_pipedream(profile, model, measured_batch(model));
  imported.network.override_key("batch", std::to_string(batch), "batch");
  return {workloads::network_from(imported.network),
          arch::ProfileUnitSpec{arch::profile_from(imported.times)}};
}

}  // namespace tessera::sim
