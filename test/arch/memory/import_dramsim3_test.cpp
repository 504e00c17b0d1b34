// Configurations of DRAMsim3, written here from its figures, against the memories that were written by hand for the same figures.
#include "arch/memory/import_dramsim3.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "arch/base/ini.hpp"
#include "arch/memory/dram_writer.hpp"
#include "test/support/files.hpp"

namespace tessera::arch {

namespace {

using testing::HasSubstr;

constexpr char const* hmc = R"([hmc]
num_links = 4
link_width = 16
link_speed = 15000
block_size = 64
xbar_queue_depth = 6

[dram_structure]
protocol = HMC
bankgroups = 1
banks_per_group = 16
rows = 65536
columns = 64
device_width = 32

[timing]
tCK = 0.8
CL = 17
CWL = 17
tRCD = 17
tRP = 17
tRAS = 34
tRFC = 420
tREFI = 9364; clocks
tRRD_S = 4
tRRD_L = 4
tWTR_S = 3
tWTR_L = 3
tFAW = 27
tWR = 17
tCCD_S = 6
tCCD_L = 6
tRTP_L = 8
tRTP_S = 8
tRTRS = 0
tXP = 8

[power]
VDD = 1.2
IDD0 = 25
IDD2N = 19
IDD3N = 21
IDD4W = 61
IDD4R = 64
IDD5AB = 150

[system]
channel_size = 256
channels = 16
bus_width = 32
address_mapping = rocorabgbach
queue_structure = PER_BANK
row_buf_policy = CLOSE_PAGE
cmd_queue_size = 8
trans_queue_size = 32
unified_queue = True
)";

/// An HBM2 stack of eight channels.
std::string const hbm2 = test::read_file(TESSERA_DRAMSIM3_HBM2);

[[nodiscard]] ImportedDram import(std::string const& text, std::string const& name = "test") {
  return import_dramsim3(read_ini_text(text, "test.ini"), name);
}

[[nodiscard]] std::string with(std::string text, std::string const& before,
                               std::string const& after) {
  auto const at = text.find(before);
  EXPECT_NE(at, std::string::npos) << before;
  return text.replace(at, before.size(), after);
}

/// Everything but name and description; energies are sums in another order, so they are rounded.
[[nodiscard]] std::string content(DramSpec spec) {
  spec.name = "test";
  spec.description.clear();
  auto& energy = spec.energy;
  for (auto* const it : {&energy.activate, &energy.read_bit, &energy.write_bit, &energy.refresh,
                         &energy.background, &energy.active_background}) {
    *it = Energy{static_cast<double>(static_cast<std::int64_t>(it->value() * 1e18 + 0.5)) * 1e-18};
  }
  return write_config(to_config(spec));
}

TEST(ImportDramsim3, GivesTheMemoriesThatWereWrittenByHand) {
  EXPECT_EQ(content(import(hmc).spec), content(load_dram("peers/dramsim3-hmc-4gb")));
  EXPECT_EQ(content(import(hbm2).spec), content(load_dram("peers/dramsim3-hbm2-8gb")));
}

TEST(ImportDramsim3, EnergiesAreJoulesWhateverTheClock) {
  // (They were volts times milliamperes times clocks: half of it for HBM1's clocks of 2 ns, and 1.25 times too much for HMC's of 0.8.)
  auto const slow = with(hbm2, "tCK = 1", "tCK = 2");
  auto const fast = import(hbm2).spec.energy;
  auto const energy = import(slow).spec.energy;
  EXPECT_DOUBLE_EQ(energy.activate.value(), 2 * fast.activate.value());
  EXPECT_DOUBLE_EQ(energy.read_bit.value(), 2 * fast.read_bit.value());
  EXPECT_DOUBLE_EQ(energy.refresh.value(), 2 * fast.refresh.value());
  // 1.2 V * 40 mA * 2 ns
  EXPECT_DOUBLE_EQ(energy.background.value(), 96e-12);
}

TEST(ImportDramsim3, LinksFollowTheFile) {
  auto const hmc_of = [](char const* speed) {
    return *import(with(hmc, "link_speed = 15000", speed)).spec.hmc;
  };
  EXPECT_EQ(hmc_of("link_speed = 25000").lane_rate, Bandwidth{25'000'000'000});
  EXPECT_EQ(import(with(hmc, "num_links = 4", "num_links = 2")).spec.hmc->links, 2);
}

TEST(ImportDramsim3, WritesAMemoryThatLoadsAndTellsWhatDiffers) {
  auto const imported = import(hbm2, "stack");
  auto const text = imported.text();
  auto const again = dram_from(read_config_text(text, "memory.yaml"));
  EXPECT_EQ(again.name, "stack");
  EXPECT_EQ(content(again), content(imported.spec));
  EXPECT_THAT(text, HasSubstr("# - [timing] tRTRS is not given: 2, DRAMsim3's default."));
  EXPECT_THAT(import(hbm2 + std::string{"[thermal]\nmat_dim_x = 512\n"}).text(),
              HasSubstr("[thermal] thermal: not used (not modelled)."));
  EXPECT_THAT(text, HasSubstr("# - [other] output_level: not used (reports of DRAMsim3)."));
}

TEST(ImportDramsim3, TakesSeveralRanksAndOrdersFieldsAsTheyAreWritten) {
  auto const text = with(with(hbm2, "channel_size = 1024", "channel_size = 2048"), "rorabgbachco",
                         "chrobgbacora");
  auto const spec = import(text).spec;
  EXPECT_EQ(spec.organization.ranks, 2);
  EXPECT_EQ(spec.address_map.at(1).kind, AddressField::Kind::rank);
  EXPECT_EQ(spec.address_map.back().kind, AddressField::Kind::channel);
}

void expect_error(std::string const& before, std::string const& after, std::string const& message) {
  try {
    static_cast<void>(import(with(hmc, before, after)));
    ADD_FAILURE() << "no error: " << message;
  } catch (ConfigError const& error) {
    EXPECT_THAT(error.what(), HasSubstr(message));
  }
}

TEST(ImportDramsim3, NamesWhatItCannotMap) {
  expect_error("tXP = 8", "tRSA = 8", "test.ini:36:1: timing.tRSA: unknown key; did you mean");
  expect_error("tRAS = 34", "tRSA = 34", "test.ini:22:1: timing.tRSA");
  expect_error("tRAS = 34\n", "", "timing: ");
  expect_error("= HMC", "= GDDR6", "test.ini:9:1: dram_structure.protocol: unknown protocol");
  expect_error("PER_BANK", "PER_RANK", "system.queue_structure: 'PER_RANK' cannot be imported");
  expect_error("trans_queue_size = 32", "trans_queue_size = 32\nenable_self_refresh = True",
               "system.enable_self_refresh: 'True' cannot be imported");
  expect_error("rocorabgbach", "rocorabgbabg", "'bg' is no field or stands twice");
  expect_error("channel_size = 256", "channel_size = 200", "whole number of ranks of 256 MiB");
  expect_error("tCK = 0.8", "tCK = 0.8333", "timing.tCK: is not a whole number of picoseconds");
  expect_error("tFAW = 27", "tFAW = 27.5", "timing.tFAW");
  expect_error("link_speed = 15000", "link_speed = 15000000000000000", "hmc.link_speed: is over");
  expect_error("num_links = 4", "num_links = 3", "gives no memory: hmc.links");
  expect_error("tREFI = 9364", "tREFI = 300", "gives no memory: timing: tREFI leaves no time");
}

void expect_ini_error(std::string const& text, std::string const& message) {
  try {
    static_cast<void>(read_ini_text(text, "test.ini"));
    ADD_FAILURE() << "no error: " << message;
  } catch (ConfigError const& error) {
    EXPECT_THAT(error.what(), HasSubstr(message));
  }
}

TEST(Ini, RefusesWhatIsNeitherSectionNorKey) {
  expect_ini_error("", "test.ini: is empty");
  expect_ini_error("a = 1\n", "test.ini:1:1: a: a key before the first section");
  expect_ini_error("[s]\n  word\n", "test.ini:2:3: s: 'word' is neither");
  expect_ini_error("[s]\na = ; nothing\n", "test.ini:2:1: s: a key without a value");
  expect_ini_error("[s]\na = 1\na = 2\n", "test.ini:3:1: s.a: a second time this key");
  expect_ini_error("[s]\n[s]\n", "test.ini:2:1: s: a second section of this name");
  expect_ini_error("[s\n", "test.ini:1:1: a section without its ']'");
}

}  // namespace

}  // namespace tessera::arch
