#include "test/support/fabric/random_traffic.hpp"

namespace tessera::test {

std::int64_t draw(Random& random, std::int64_t from, std::int64_t to) {
  return from + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(to - from + 1));
}

namespace {

constexpr arch::WireSpec wire{Bandwidth{8'000'000'000}, Time{1000}};

arch::Paths random_paths(Random& random) {
  return draw(random, 0, 1) == 0 ? arch::Paths::one : arch::Paths::equal_cost;
}

}  // namespace

arch::Interconnect interconnect_named(std::string const& name, arch::Paths paths) {
  return arch::Interconnect{arch::topology_from(name, wire), paths};
}

arch::Interconnect random_interconnect_of_routers(Random& random) {
  std::vector<std::string> const topologies = {"mesh:4x4",  "mesh:3x2",    "mesh:1", "torus:4x4",
                                               "torus:3x5", "torus:3x3x3", "ring:6", "full:4"};
  auto topology = arch::topology_from(topologies[random() % topologies.size()], wire);
  topology.port.reset();
  return arch::Interconnect{topology, random_paths(random)};
}

arch::Interconnect random_interconnect(Random& random) {
  std::vector<std::string> const topologies = {
      "mesh:4x4",  "mesh:3x2x2",  "torus:4x4",    "torus:3x5", "torus:2x2",      "ring:6",
      "ring:5",    "htree:8",     "fat-tree:2x3", "star:5",    "full:4",         "fat-tree:3x2",
      "torus:8x1", "torus:3x3x3", "htree:2",      "mesh:1",    "dragonfly:3x2x2"};
  auto const& name = topologies[random() % topologies.size()];
  return interconnect_named(name, random_paths(random));
}

std::vector<TimedPacket> random_packets(Random& random, arch::Interconnect const& interconnect,
                                        std::uint32_t count) {
  auto const last = static_cast<std::int64_t>(interconnect.endpoints()) - 1;
  auto const longest = draw(random, 1, 24);
  auto const span = draw(random, 20, 600);
  auto const has_hotspot = draw(random, 0, 3) == 0;
  std::vector<TimedPacket> packets;
  for (std::uint32_t tag = 0; tag < count; ++tag) {
    auto const when = draw(random, 0, span);
    auto const to = has_hotspot && draw(random, 0, 1) == 0 ? 0 : draw(random, 0, last);
    packets.push_back(
        {when,
         {static_cast<std::uint32_t>(draw(random, 0, last)), static_cast<std::uint32_t>(to),
          static_cast<std::uint32_t>(draw(random, 1, longest)), 0}});
  }
  std::stable_sort(packets.begin(), packets.end(),
                   [](auto const& a, auto const& b) { return a.when < b.when; });
  for (std::uint32_t tag = 0; tag < count; ++tag) packets[tag].packet.tag = tag;
  return packets;
}

}  // namespace tessera::test
