// The address map: every burst has one place, and neighbours lie where the fields say.
#include "sim/model/memory/dram/address_map.hpp"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

namespace tessera::sim {

namespace {

TEST(AddressMap, SendsConsecutiveBlocksOfHmcToVaultsThenBanks) {
  AddressMap const map{arch::load_dram("hmc-2.1")};
  EXPECT_EQ(map(0).channel, 0U);
  EXPECT_EQ(map(255).channel, 0U);
  EXPECT_EQ(map(224).column, 7U);
  EXPECT_EQ(map(256).channel, 1U);
  EXPECT_EQ(map(256 * 32).channel, 0U);
  EXPECT_EQ(map(256 * 32).bank, 1U);
  EXPECT_EQ(map(256 * 32 * 16).row, 1U);
}

TEST(AddressMap, JoinsThePartsOfASplitField) {
  AddressMap const map{arch::load_dram(
      "hmc-2.1",
      {"address_map=[{byte: 5}, {column: 1}, {channel: 5}, {column: 2}, {bank: 4}, {row: 16}]"})};
  EXPECT_EQ(map(32).column, 1U);
  EXPECT_EQ(map(64 * 32).column, 2U);
  EXPECT_EQ(map(64 * 32 * 4).bank, 1U);
}

TEST(AddressMap, GivesEveryBurstItsOwnPlace) {
  // Small enough to visit every burst: 2 pseudo channels x 2 ranks x 2 groups x 2 banks x 8 rows.
  auto spec = arch::load_dram("hbm2");
  spec.organization = {2, 2, 2, 2, 2, 8, 4, 64, 4};
  using Kind = arch::AddressField::Kind;
  spec.address_map = {{Kind::byte, 5}, {Kind::pseudo_channel, 1}, {Kind::column, 1},
                      {Kind::bank, 1}, {Kind::channel, 1},        {Kind::row, 3},
                      {Kind::rank, 1}, {Kind::column, 1},         {Kind::bank_group, 1}};
  AddressMap const map{spec};
  std::set<std::tuple<std::uint32_t, std::uint16_t, std::uint32_t, std::uint32_t>> places;
  auto const bursts = static_cast<std::uint64_t>(spec.organization.capacity().value()) / 32;
  for (std::uint64_t i = 0; i < bursts; ++i) {
    auto const [channel, bank, row, column] = map(32 * i);
    EXPECT_LT(bank, spec.organization.banks_per_channel());
    places.emplace(channel, bank, row, column);
  }
  EXPECT_EQ(places.size(), bursts);
}

}  // namespace

}  // namespace tessera::sim
