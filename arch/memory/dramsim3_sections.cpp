#include "arch/memory/dramsim3_sections.hpp"

#include <map>

namespace tessera::arch::detail {

namespace {

[[nodiscard]] int bits_of(ConfigNode const& node, std::int64_t value) {
  int bits = 0;
  while ((std::int64_t{1} << bits) < value) ++bits;
  if (std::int64_t{1} << bits == value) return bits;
  throw node.error(std::to_string(value) + " is not a power of two (it is a field of an address)");
}

}  // namespace

std::vector<AddressField> dramsim3_address_map(ConfigNode const& node,
                                               DramOrganization const& organization) {
  using Kind = AddressField::Kind;
  auto const& text = node.text();
  std::map<std::string, std::pair<Kind, std::int64_t>> fields = {
      {"ch", {Kind::channel, organization.channels}},
      {"ra", {Kind::rank, organization.ranks}},
      {"bg", {Kind::bank_group, organization.bank_groups}},
      {"ba", {Kind::bank, organization.banks}},
      {"ro", {Kind::row, organization.rows}},
      {"co", {Kind::column, organization.columns}}};
  if (text.size() != 12) throw node.error("is not six fields of two letters, such as rocorabgbach");
  std::vector<AddressField> map = {{Kind::byte, bits_of(node, organization.burst().value())}};
  for (std::size_t at = text.size(); at > 0; at -= 2) {
    auto const name = text.substr(at - 2, 2);
    auto const field = fields.find(name);
    if (field == fields.end()) {
      throw node.error(in_quotes(name) +
                       " is no field or stands twice; fields: ch, ra, bg, ba, ro, co");
    }
    auto const [kind, size] = field->second;
    fields.erase(field);
    if (size > 1) map.push_back({kind, bits_of(node, size)});
  }
  return map;
}

DramEnergy dramsim3_energy(ConfigMap& power, DramSpec const& spec) {
  auto const& t = spec.timing;
  auto const volts = power.required<double>("VDD");
  auto const current = [&](char const* key) { return power.required<double>(key); };
  auto const active = current("IDD3N");
  auto const standby = current("IDD2N");
  auto const clock = seconds(spec.clock_period);
  auto const joules = [&](double milliampere_clocks) {
    return Energy{volts * milliampere_clocks * 1e-3 * clock};
  };
  auto const bits = static_cast<double>(spec.organization.burst().value() * 8);
  auto const burst = static_cast<double>(t.tBL) / bits;
  auto const row = current("IDD0") * static_cast<double>(t.tRC) -
                   active * static_cast<double>(t.tRAS) - standby * static_cast<double>(t.tRP);
  DramEnergy energy;
  energy.activate = joules(row);
  energy.read_bit = joules((current("IDD4R") - active) * burst);
  energy.write_bit = joules((current("IDD4W") - active) * burst);
  energy.refresh = joules((current("IDD5AB") - active) * static_cast<double>(t.tRFC));
  energy.background = joules(standby);
  energy.active_background = joules(active);
  if (active < standby) {
    throw power.node("IDD3N").error("an open row would give energy: less than IDD2N");
  }
  if (!(row >= 0)) throw power.node("IDD0").error("an activate would give energy");
  return energy;
}

}  // namespace tessera::arch::detail
