#include "sim/probe/fabric_report.hpp"

#include <nlohmann/json.hpp>

#include "sim/terminal/table.hpp"

namespace tessera::sim {

namespace {

/// Everything but the other kinds of events.
[[nodiscard]] double joules(FabricEnergy const& energy, arch::InterconnectCounts const& counts) {
  return arch::energy_of(counts, energy.each).value();
}

[[nodiscard]] double router_joules(FabricEnergy const& energy) {
  return joules(energy, {energy.counts.flits_through_routers, 0, 0});
}
[[nodiscard]] double link_joules(FabricEnergy const& energy) {
  return joules(energy, {0, energy.counts.bits_over_links, 0});
}
[[nodiscard]] double idle_joules(FabricEnergy const& energy) {
  return joules(energy, {0, 0, energy.counts.idle_bits});
}

}  // namespace

void add_file_options(Parser& parser, FabricFiles& files) {
  parser.add_option("--links", files.links, "Write what every link carried, and how busy it was")
      ->type_name("FILE.csv");
  parser.add_option("--matrix", files.matrix, "Write who sent how much to whom")
      ->type_name("FILE.csv");
  add_overwrite_options(parser, files.overwrite);
}

std::string as_text(FabricEnergy const& energy) {
  Table table{
      {{"energy", Table::Align::left}, {""}, {"events"}, {"each"}, {"of", Table::Align::left}}};
  auto const& [counts, each] = energy;
  table.add({"routers", energy_text(router_joules(energy)),
             std::to_string(counts.flits_through_routers), energy_text(each.router_flit.value()),
             "a flit through a router"});
  table.add({"links", energy_text(link_joules(energy)), std::to_string(counts.bits_over_links),
             energy_text(each.link_bit.value()), "a bit over a link"});
  table.add({"idle links", energy_text(idle_joules(energy)), std::to_string(counts.idle_bits),
             energy_text(each.idle_bit.value()), "the time of a bit on an idle link"});
  table.add({"all", energy_text(joules(energy, counts)), "", "", ""});
  return table.text();
}

nlohmann::ordered_json as_json(FabricEnergy const& energy) {
  return {{"routers_j", router_joules(energy)},
          {"links_j", link_joules(energy)},
          {"idle_links_j", idle_joules(energy)},
          {"flits_through_routers", energy.counts.flits_through_routers},
          {"bits_over_links", energy.counts.bits_over_links},
          {"idle_bits", energy.counts.idle_bits}};
}

void write_links(FabricFiles const& files, arch::Interconnect const& interconnect,
                 FabricUse const& use, std::string const& unit) {
  auto text = "from,to,packets," + unit + ",utilisation\n";
  for (auto const id : interconnect.channels().ids()) {
    auto const& channel = interconnect.channels()[id];
    if (channel.is_internal) continue;
    auto const& count = use.channels[id];
    auto const share =
        use.end == 0 ? 0. : static_cast<double>(count.busy) / static_cast<double>(use.end);
    text += interconnect.name(channel.from) + ',' + interconnect.name(channel.to) + ',' +
            std::to_string(count.packets) + ',' + std::to_string(count.units) + ',' +
            number_text(share, 6) + '\n';
  }
  traces::write_text_file(files.links, text, files.overwrite.overwrite());
}

void write_matrix(FabricFiles const& files, std::vector<std::int64_t> const& matrix,
                  std::size_t endpoints, std::string const& unit) {
  auto text = "source,destination," + unit + '\n';
  for (std::size_t pair = 0; pair < matrix.size(); ++pair) {
    if (matrix[pair] == 0) continue;
    text += std::to_string(pair / endpoints) + ',' + std::to_string(pair % endpoints) + ',' +
            std::to_string(matrix[pair]) + '\n';
  }
  traces::write_text_file(files.matrix, text, files.overwrite.overwrite());
}

}  // namespace tessera::sim
