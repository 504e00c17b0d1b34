// Key by key, in the order of the presets. The names are those of dram_spec.cpp; a test reads back what is written.
#include "arch/memory/dram_writer.hpp"

#include <string>

namespace tessera::arch {

namespace {

using Policy = DramPolicy;

[[nodiscard]] ConfigNode organization_of(DramOrganization const& it) {
  auto node = ConfigNode::map();
  auto const add = [&](char const* key, std::int64_t value) {
    node.add(key, std::to_string(value));
  };
  add("channels", it.channels);
  add("pseudo_channels", it.pseudo_channels);
  add("ranks", it.ranks);
  add("bank_groups", it.bank_groups);
  add("banks", it.banks);
  add("rows", it.rows);
  add("columns", it.columns);
  add("bus_width", it.bus_width);
  add("burst_length", it.burst_length);
  return node;
}

[[nodiscard]] ConfigNode timing_of(DramTiming const& it) {
  auto node = ConfigNode::map();
  auto const add = [&](char const* key, std::int64_t value) {
    node.add(key, std::to_string(value));
  };
  add("tRCD", it.tRCD);
  if (it.tRCDWR != it.tRCD) add("tRCDWR", it.tRCDWR);
  if (it.tACT != 1) add("tACT", it.tACT);
  add("tCL", it.tCL);
  add("tCWL", it.tCWL);
  add("tBL", it.tBL);
  add("tRP", it.tRP);
  add("tRAS", it.tRAS);
  add("tRC", it.tRC);
  add("tCCD_S", it.tCCD_S);
  add("tCCD_L", it.tCCD_L);
  add("tRRD_S", it.tRRD_S);
  add("tRRD_L", it.tRRD_L);
  add("tFAW", it.tFAW);
  add("tWR", it.tWR);
  add("tWTR_S", it.tWTR_S);
  add("tWTR_L", it.tWTR_L);
  add("tRTP", it.tRTP);
  add("tRTRS", it.tRTRS);
  if (it.tREFI > 0) add("tREFI", it.tREFI);
  if (it.tRFC > 0) add("tRFC", it.tRFC);
  if (it.tRFCpb > 0) add("tRFCpb", it.tRFCpb);
  return node;
}

[[nodiscard]] char const* name(Policy::Page page) {
  switch (page) {
    case Policy::Page::open:
      return "open";
    case Policy::Page::closed:
      return "closed";
    case Policy::Page::timeout:
      break;
  }
  return "timeout";
}

[[nodiscard]] char const* name(Policy::Refresh refresh) {
  switch (refresh) {
    case Policy::Refresh::none:
      return "none";
    case Policy::Refresh::all_bank:
      return "all-bank";
    case Policy::Refresh::per_bank:
      break;
  }
  return "per-bank";
}

[[nodiscard]] ConfigNode policy_of(Policy const& it) {
  auto node = ConfigNode::map();
  auto const add_if_given = [&](char const* key, std::int64_t value) {
    if (value > 0) node.add(key, std::to_string(value));
  };
  node.add("page", name(it.page));
  add_if_given("page_timeout", it.page_timeout);
  node.add("scheduler", it.scheduler == Policy::Scheduler::fcfs ? "fcfs" : "frfcfs");
  add_if_given("starvation_cap", it.starvation_cap);
  node.add("queues", it.queues == Policy::Queues::shared ? "shared" : "separate");
  node.add("queue_depth", std::to_string(it.queue_depth));
  add_if_given("bank_queue_depth", it.bank_queue_depth);
  add_if_given("high_watermark", it.high_watermark);
  if (it.high_watermark > 0) node.add("low_watermark", std::to_string(it.low_watermark));
  node.add("refresh", name(it.refresh));
  add_if_given("refresh_stagger", it.refresh_stagger);
  node.add("command_bus", it.command_bus == Policy::CommandBus::shared ? "shared" : "split");
  node.add("latency", std::to_string(it.latency));
  return node;
}

[[nodiscard]] char const* name(AddressField::Kind kind) {
  switch (kind) {
    case AddressField::Kind::byte:
      return "byte";
    case AddressField::Kind::column:
      return "column";
    case AddressField::Kind::channel:
      return "channel";
    case AddressField::Kind::pseudo_channel:
      return "pseudo_channel";
    case AddressField::Kind::rank:
      return "rank";
    case AddressField::Kind::bank_group:
      return "bank_group";
    case AddressField::Kind::bank:
      return "bank";
    case AddressField::Kind::row:
      break;
  }
  return "row";
}

[[nodiscard]] ConfigNode address_map_of(std::vector<AddressField> const& fields) {
  auto node = ConfigNode::list();
  for (auto const& [kind, bits] : fields) {
    node.append(ConfigNode::map().add(name(kind), std::to_string(bits)));
  }
  return node;
}

[[nodiscard]] ConfigNode energy_of(DramEnergy const& it) {
  auto node = ConfigNode::map();
  node.add("activate", to_text(it.activate));
  node.add("read_bit", to_text(it.read_bit));
  node.add("write_bit", to_text(it.write_bit));
  node.add("refresh", to_text(it.refresh));
  node.add("background", to_text(it.background));
  node.add("active_background", to_text(it.active_background));
  return node;
}

[[nodiscard]] ConfigNode hmc_of(HmcInterface const& it) {
  auto node = ConfigNode::map();
  node.add("links", std::to_string(it.links));
  node.add("lanes", std::to_string(it.lanes));
  node.add("lane_rate", to_text(it.lane_rate));
  node.add("link_latency", to_text(it.link_latency));
  node.add("tokens", std::to_string(it.tokens));
  node.add("crossbar_clock", to_text(it.crossbar_clock));
  node.add("crossbar_flits", std::to_string(it.crossbar_flits));
  node.add("crossbar_cycles", std::to_string(it.crossbar_cycles));
  node.add("link_bit", to_text(it.link_bit));
  node.add("link_idle_bit", to_text(it.link_idle_bit));
  return node;
}

}  // namespace

ConfigNode to_config(DramSpec const& spec) {
  auto node = ConfigNode::map();
  node.add("schema", "tessera.memory/1");
  node.add("name", spec.name);
  if (!spec.description.empty()) node.add("description", spec.description);
  node.add("clock_period", to_text(spec.clock_period));
  node.add("organization", organization_of(spec.organization));
  node.add("timing", timing_of(spec.timing));
  node.add("policy", policy_of(spec.policy));
  node.add("address_map", address_map_of(spec.address_map));
  node.add("energy", energy_of(spec.energy));
  if (spec.hmc) node.add("hmc", hmc_of(*spec.hmc));
  return node;
}

}  // namespace tessera::arch
