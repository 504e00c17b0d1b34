// Reading of tessera.memory/1: read, derive, validate.
#include "arch/memory/dram_spec.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "arch/base/builtin_config.hpp"
#include "arch/base/config_name.hpp"
#include "arch/base/config_words.hpp"

namespace tessera::arch {

std::vector<BuiltinConfig> preset_files();  // arch/presets, by tessera_embed()

namespace {

constexpr char const* memory_schema = "tessera.memory/1";
constexpr std::int64_t most_cycles = 1'000'000;  // no JEDEC parameter comes near
constexpr std::int64_t most_banks = 64;          // of a channel: a model keeps them in one word

using Kind = AddressField::Kind;

std::vector<std::pair<std::string, DramPolicy::Page>> const pages = {
    {"open", DramPolicy::Page::open},
    {"closed", DramPolicy::Page::closed},
    {"timeout", DramPolicy::Page::timeout}};
std::vector<std::pair<std::string, DramPolicy::Scheduler>> const schedulers = {
    {"fcfs", DramPolicy::Scheduler::fcfs}, {"frfcfs", DramPolicy::Scheduler::frfcfs}};
std::vector<std::pair<std::string, DramPolicy::Queues>> const queue_kinds = {
    {"shared", DramPolicy::Queues::shared}, {"separate", DramPolicy::Queues::separate}};
std::vector<std::pair<std::string, DramPolicy::Refresh>> const refreshes = {
    {"none", DramPolicy::Refresh::none},
    {"all-bank", DramPolicy::Refresh::all_bank},
    {"per-bank", DramPolicy::Refresh::per_bank}};
std::vector<std::pair<std::string, DramPolicy::CommandBus>> const command_buses = {
    {"shared", DramPolicy::CommandBus::shared}, {"split", DramPolicy::CommandBus::split}};
std::vector<std::pair<std::string, Kind>> const field_kinds = {
    {"byte", Kind::byte},       {"column", Kind::column},
    {"channel", Kind::channel}, {"pseudo_channel", Kind::pseudo_channel},
    {"rank", Kind::rank},       {"bank_group", Kind::bank_group},
    {"bank", Kind::bank},       {"row", Kind::row}};

[[nodiscard]] std::int64_t in_range(ConfigNode const& node, std::int64_t least, std::int64_t most) {
  auto const value = node.as<std::int64_t>();
  if (value < least || value > most) {
    throw node.error(std::to_string(value) + " is not between " + std::to_string(least) + " and " +
                     std::to_string(most));
  }
  return value;
}

[[nodiscard]] std::int64_t power_of_two(ConfigMap& map, std::string const& key, std::int64_t most) {
  auto const& node = map.node(key);
  auto const value = in_range(node, 1, most);
  if ((value & (value - 1)) != 0) {
    throw node.error(std::to_string(value) + " is not a power of two (a field of an address)");
  }
  return value;
}

[[nodiscard]] DramOrganization read_organization(ConfigMap map) {
  DramOrganization it;
  map.require({"channels", "pseudo_channels", "ranks", "bank_groups", "banks", "rows", "columns",
               "bus_width", "burst_length"});
  it.channels = power_of_two(map, "channels", 4096);
  it.pseudo_channels = power_of_two(map, "pseudo_channels", 4);
  it.ranks = power_of_two(map, "ranks", 8);
  it.bank_groups = power_of_two(map, "bank_groups", most_banks);
  it.banks = power_of_two(map, "banks", most_banks);
  it.rows = power_of_two(map, "rows", 1 << 24);
  it.columns = power_of_two(map, "columns", 1 << 16);
  it.bus_width = power_of_two(map, "bus_width", 1024);
  it.burst_length = power_of_two(map, "burst_length", 64);
  if (it.burst_length < 2 || it.bus_width * it.burst_length < 8) {
    throw map.error("a burst must be two beats and a byte or more");
  }
  if (it.banks_per_channel() > most_banks) {
    throw map.error("has " + std::to_string(it.banks_per_channel()) +
                    " banks in a channel; at most " + std::to_string(most_banks) + " are modelled");
  }
  map.finish();
  return it;
}

/// Does a map say that word at that key?
[[nodiscard]] bool says(ConfigMap& map, char const* key, char const* word) {
  auto const* const node = map.find(key);
  return node != nullptr && node->kind() == ConfigNode::Kind::scalar && node->text() == word;
}

/// A value that some policies need, and others may have so that an override can choose another.
[[nodiscard]] std::int64_t value_if_given(ConfigMap& map, char const* key, std::int64_t least,
                                          std::int64_t most) {
  auto const* const node = map.find(key);
  return node == nullptr ? 0 : in_range(*node, least, most);
}

/// A timing parameter by its JEDEC name.
struct TimingKey {
  char const* name;
  std::int64_t DramTiming::*value;
  std::int64_t least;
};
constexpr std::array<TimingKey, 17> timing_keys = {{
    {"tRCD", &DramTiming::tRCD, 1},
    {"tCL", &DramTiming::tCL, 1},
    {"tCWL", &DramTiming::tCWL, 1},
    {"tBL", &DramTiming::tBL, 1},
    {"tRP", &DramTiming::tRP, 1},
    {"tRAS", &DramTiming::tRAS, 1},
    {"tRC", &DramTiming::tRC, 1},
    {"tCCD_S", &DramTiming::tCCD_S, 1},
    {"tCCD_L", &DramTiming::tCCD_L, 1},
    {"tRRD_S", &DramTiming::tRRD_S, 1},
    {"tRRD_L", &DramTiming::tRRD_L, 1},
    {"tFAW", &DramTiming::tFAW, 0},
    {"tWR", &DramTiming::tWR, 1},
    {"tWTR_S", &DramTiming::tWTR_S, 0},
    {"tWTR_L", &DramTiming::tWTR_L, 0},
    {"tRTP", &DramTiming::tRTP, 1},
    {"tRTRS", &DramTiming::tRTRS, 0},
}};

void check_timing(ConfigMap const& map, DramTiming const& t, DramOrganization const& organization) {
  if (2 * t.tBL != organization.burst_length) {
    throw map.error("tBL is not half of burst_length (two beats per clock)");
  }
  if (t.tRC < t.tRAS + t.tRP) {
    throw map.error("tRC is less than tRAS + tRP (a bank is open for tRAS and precharged for tRP)");
  }
  if (t.tRP < t.tACT) {
    throw map.error("tRP is less than tACT (a bank is precharged before it is activated)");
  }
  if (t.tCCD_L < t.tCCD_S || t.tRRD_L < t.tRRD_S || t.tWTR_L < t.tWTR_S) {
    throw map.error("an _L parameter is less than its _S one (banks of one group share more)");
  }
}

[[nodiscard]] DramTiming read_timing(ConfigMap map, DramOrganization const& organization,
                                     DramPolicy::Refresh refresh) {
  DramTiming t;
  using Refresh = DramPolicy::Refresh;
  Keys keys;
  for (auto const& key : timing_keys) keys.emplace_back(key.name);
  if (refresh != Refresh::none) keys.emplace_back("tREFI");
  if (refresh == Refresh::all_bank) keys.emplace_back("tRFC");
  if (refresh == Refresh::per_bank) keys.emplace_back("tRFCpb");
  map.require(keys, {"tRCDWR", "tACT", "tREFI", "tRFC", "tRFCpb"});
  for (auto const& key : timing_keys)
    t.*key.value = in_range(map.node(key.name), key.least, most_cycles);
  auto const* const write = map.find("tRCDWR");
  t.tRCDWR = write == nullptr ? t.tRCD : in_range(*write, 1, most_cycles);
  auto const* const activate = map.find("tACT");
  t.tACT = activate == nullptr ? 1 : in_range(*activate, 1, 8);
  t.tREFI = value_if_given(map, "tREFI", 1, most_cycles);
  t.tRFC = value_if_given(map, "tRFC", 1, most_cycles);
  t.tRFCpb = value_if_given(map, "tRFCpb", 1, most_cycles);
  check_timing(map, t, organization);
  map.finish();
  return t;
}

void read_queues(ConfigMap& map, DramPolicy& policy) {
  policy.queues = map.choice("queues", queue_kinds);
  policy.queue_depth = in_range(map.node("queue_depth"), 1, 4096);
  policy.bank_queue_depth = value_if_given(map, "bank_queue_depth", 0, 256);
  bool const separate = policy.queues == DramPolicy::Queues::separate;
  policy.high_watermark = value_if_given(map, "high_watermark", 1, 4096);
  policy.low_watermark = value_if_given(map, "low_watermark", 0, 4096);
  if (!separate) return;
  if (policy.high_watermark > policy.queue_depth || policy.low_watermark >= policy.high_watermark) {
    throw map.error("low_watermark < high_watermark <= queue_depth does not hold");
  }
  if (policy.scheduler == DramPolicy::Scheduler::fcfs) {
    throw map.node("queues").error(
        "separate queues have no common order (fcfs serves in order of arrival); use 'shared' or "
        "scheduler 'frfcfs'");
  }
}

[[nodiscard]] DramPolicy read_policy(ConfigMap map) {
  DramPolicy policy;
  Keys keys = {"page", "scheduler", "queues", "queue_depth", "refresh", "command_bus", "latency"};
  if (says(map, "page", "timeout")) keys.emplace_back("page_timeout");
  if (says(map, "scheduler", "frfcfs")) keys.emplace_back("starvation_cap");
  if (says(map, "queues", "separate")) {
    keys.insert(keys.end(), {"high_watermark", "low_watermark"});
  }
  map.require(keys, {"page_timeout", "starvation_cap", "bank_queue_depth", "high_watermark",
                     "low_watermark", "refresh_stagger"});
  policy.page = map.choice("page", pages);
  policy.page_timeout = value_if_given(map, "page_timeout", 1, most_cycles);
  policy.scheduler = map.choice("scheduler", schedulers);
  policy.starvation_cap = value_if_given(map, "starvation_cap", 1, most_cycles);
  read_queues(map, policy);
  policy.refresh = map.choice("refresh", refreshes);
  policy.refresh_stagger = value_if_given(map, "refresh_stagger", 1, most_cycles);
  policy.command_bus = map.choice("command_bus", command_buses);
  policy.latency = in_range(map.node("latency"), 0, most_cycles);
  map.finish();
  return policy;
}

/// "row: 14"
[[nodiscard]] AddressField read_field(ConfigNode const& node) {
  if (node.as_map().whole().entries().size() != 1) {
    throw node.error("is not one field and its bits, such as 'row: 14'");
  }
  auto const& [name, bits] = node.entries().front();
  for (auto const& [known, kind] : field_kinds) {
    if (name == known) return {kind, static_cast<int>(in_range(bits, 1, 40))};
  }
  std::vector<std::string> names;
  names.reserve(field_kinds.size());
  for (auto const& [known, kind] : field_kinds) names.push_back(known);
  throw node.error(unknown_name("field", name, names));
}

[[nodiscard]] int bits_of(std::int64_t count) {
  int bits = 0;
  while ((std::int64_t{1} << bits) < count) ++bits;
  return bits;
}

[[nodiscard]] std::vector<AddressField> read_address_map(ConfigNode const& node,
                                                         DramOrganization const& organization) {
  std::vector<AddressField> fields;
  for (auto const& field : node.as_list()) fields.push_back(read_field(field));
  std::array<std::pair<Kind, std::int64_t>, 8> const counts = {
      {{Kind::byte, organization.burst().value()},
       {Kind::column, organization.columns},
       {Kind::channel, organization.channels},
       {Kind::pseudo_channel, organization.pseudo_channels},
       {Kind::rank, organization.ranks},
       {Kind::bank_group, organization.bank_groups},
       {Kind::bank, organization.banks},
       {Kind::row, organization.rows}}};
  for (auto const& [kind, count] : counts) {
    int bits = 0;
    for (auto const& field : fields) bits += field.kind == kind ? field.bits : 0;
    if (bits == bits_of(count)) continue;
    throw node.error("has " + std::to_string(bits) + " bits of " +
                     field_kinds[static_cast<std::size_t>(kind)].first +
                     "; the organization needs " + std::to_string(bits_of(count)));
  }
  bool const starts_with_byte = !fields.empty() && fields.front().kind == Kind::byte &&
                                fields.front().bits == bits_of(organization.burst().value());
  if (organization.burst().value() > 1 && !starts_with_byte) {
    throw node.error("does not begin with the bytes of a burst");
  }
  return fields;
}

[[nodiscard]] DramEnergy read_dram_energy(ConfigMap map) {
  map.require({"activate", "read_bit", "write_bit", "refresh", "background"});
  auto const joules = [&](char const* key) { return map.required<Energy>(key); };
  DramEnergy energy{joules("activate"), joules("read_bit"), joules("write_bit"), joules("refresh"),
                    joules("background")};
  energy.active_background = map.optional<Energy>("active_background").value_or(energy.background);
  if (energy.active_background < energy.background) {
    throw map.node("active_background").error("is less than background");
  }
  map.finish();
  return energy;
}

[[nodiscard]] HmcInterface read_hmc(ConfigMap map) {
  HmcInterface hmc;
  map.require({"links", "lanes", "lane_rate", "link_latency", "tokens", "crossbar_clock",
               "crossbar_flits", "crossbar_cycles", "link_bit", "link_idle_bit"});
  hmc.links = power_of_two(map, "links", 8);
  hmc.lanes = power_of_two(map, "lanes", 16);
  hmc.lane_rate = positive<Bandwidth>(map, "lane_rate");
  hmc.link_latency = map.required<Time>("link_latency");
  hmc.tokens = in_range(map.node("tokens"), 17, 1024);  // the longest packet: 256 B + 1 FLIT
  hmc.crossbar_clock = positive<Frequency>(map, "crossbar_clock");
  hmc.crossbar_flits = in_range(map.node("crossbar_flits"), 1, 16);
  hmc.crossbar_cycles = in_range(map.node("crossbar_cycles"), 0, 1000);
  hmc.link_bit = map.required<Energy>("link_bit");
  hmc.link_idle_bit = map.required<Energy>("link_idle_bit");
  map.finish();
  return hmc;
}

/// Refreshes and the precharges before them have their fixed slots, which must not meet.
void derive_refresh(ConfigNode const& node, DramSpec& spec) {
  auto const& t = spec.timing;
  auto const ranks = spec.organization.all_ranks();
  if (spec.policy.refresh == DramPolicy::Refresh::none) return;
  bool const per_bank = spec.policy.refresh == DramPolicy::Refresh::per_bank;
  auto const slots = ranks * (per_bank ? spec.organization.banks_per_rank() : 1);
  auto const service = t.tRCD + t.tRCDWR + t.tRAS + t.tCWL + t.tBL + t.tWR + t.tRTP + 2 * t.tRP;
  auto& stagger = spec.policy.refresh_stagger;
  if (stagger == 0) stagger = t.tREFI / slots;
  bool const fits = stagger > t.tRP + 1 && stagger * slots <= t.tREFI &&
                    t.tREFI > (per_bank ? t.tRFCpb : t.tRFC) + service;
  if (!fits) throw node.error("tREFI leaves no time for refreshes and requests");
}

[[nodiscard]] std::vector<BuiltinConfig> memory_files() {
  return files_in("memory", preset_files());
}

}  // namespace

Bandwidth DramSpec::peak_bandwidth() const {
  auto const bits =
      organization.channels * organization.pseudo_channels * organization.bus_width * 2;
  return Bandwidth{tessera::detail::checked_multiply(bits, picoseconds_per_second) /
                   clock_period.value()};
}

double DramSpec::standby_watts() const {
  auto const ranks = organization.all_ranks() * organization.channels;
  auto const watts = (ranks * energy.background).value() / seconds(clock_period);
  if (policy.refresh == DramPolicy::Refresh::none) return watts;
  return watts + (ranks * energy.refresh).value() / seconds(clock_period * timing.tREFI);
}

Bytes DramSpec::block() const {
  std::int64_t bytes = 1;
  for (auto const& field : address_map) {
    if (field.kind != Kind::byte && field.kind != Kind::column) break;
    bytes <<= field.bits;
  }
  return Bytes{bytes};
}

DramSpec dram_from(ConfigNode const& node) {
  auto map = node.as_map();
  map.expect_schema(
      memory_schema, "a memory",
      {"name", "clock_period", "organization", "timing", "policy", "address_map", "energy"});
  DramSpec spec;
  spec.name = read_name(map.node("name"));
  spec.description = map.optional<std::string>("description", {});
  spec.clock_period = positive<Time>(map, "clock_period");
  if (spec.clock_period > Time{picoseconds_per_second}) {
    throw map.node("clock_period").error("is over 1 s (no memory is that slow)");
  }
  spec.organization = read_organization(map.node("organization").as_map());
  spec.policy = read_policy(map.node("policy").as_map());
  auto const& timing = map.node("timing");
  spec.timing = read_timing(timing.as_map(), spec.organization, spec.policy.refresh);
  spec.address_map = read_address_map(map.node("address_map"), spec.organization);
  spec.energy = read_dram_energy(map.node("energy").as_map());
  if (auto const* const hmc = map.find("hmc")) spec.hmc = read_hmc(hmc->as_map());
  map.finish();
  derive_refresh(timing, spec);
  return spec;
}

DramSpec load_dram(std::string const& name_or_path, std::vector<std::string> const& overrides) {
  return dram_from(dram_config(name_or_path, overrides));
}

ConfigNode dram_config(std::string const& name_or_path, std::vector<std::string> const& overrides) {
  return load_config({"memory", "memory", memory_files(), {}}, name_or_path, overrides);
}

std::vector<BuiltinEntry> builtin_memories() { return described_once<memory_files>(); }

}  // namespace tessera::arch
