// Where tensors begin.
#include "arch/memory/dram_stripe.hpp"

#include <gtest/gtest.h>

namespace tessera::arch {
namespace {

TEST(DramStripe, IsABlockOnEveryChannel) {
  EXPECT_EQ(stripe_of(load_dram("hmc-2.1")), Bytes{256 * 32});
  EXPECT_EQ(stripe_of(load_dram("tpu-v3")), Bytes{32 * 64});
}

TEST(DramStripe, TensorsBeginBehindARowOfEachBankGroup) {
  EXPECT_EQ(tensor_alignment(load_dram("tpu-v3")), Bytes{32 * 64} * (4 * 32));
  // From one block to the next it comes to another bank.
  EXPECT_EQ(tensor_alignment(load_dram("hmc-2.1")), stripe_of(load_dram("hmc-2.1")));
}

TEST(DramStripe, WithoutBanksBelowTheRowsTensorsBeginAtStripes) {
  auto const spec = load_dram("tpu-v3", {"address_map=[{byte: 5}, {channel: 6}, {bank_group: 2}, "
                                         "{bank: 2}, {column: 5}, {row: 15}]"});
  EXPECT_EQ(tensor_alignment(spec), stripe_of(spec));
}

TEST(DramStripe, TheSameBanksComeAgainBelowTheHighestBitsOfTheRow) {
  EXPECT_EQ(bank_period(load_dram("tpu-v3")), tensor_alignment(load_dram("tpu-v3")) * 4);
  auto const apart = load_dram("tpu-v3", {"address_map=[{byte: 5}, {channel: 6}, {row: 3}, "
                                          "{bank_group: 2}, {bank: 2}, {column: 5}, {row: 12}]"});
  EXPECT_EQ(bank_period(apart), bank_period(load_dram("tpu-v3")) * 8);
  auto const spec = load_dram("tpu-v3", {"address_map=[{byte: 5}, {channel: 6}, {column: 5}, "
                                         "{row: 15}, {bank_group: 2}, {bank: 2}]"});
  EXPECT_EQ(bank_period(spec), tensor_alignment(spec));
}

}  // namespace
}  // namespace tessera::arch
