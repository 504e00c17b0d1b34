// Contracts: always on, and they tell the values.
#include "arch/base/contract.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera {
namespace {

using testing::AllOf;
using testing::HasSubstr;

template <typename Action>
[[nodiscard]] std::string contract_message(Action const& action) {
  try {
    action();
  } catch (ContractError const& error) {
    return error.what();
  }
  return "no error";
}

TEST(Contract, ABrokenPreconditionTellsConditionPlaceAndValues) {
  int const count = 3;
  auto const message = contract_message([&] { EXPECTS(count < 3, count, "three"); });
  EXPECT_THAT(message, AllOf(HasSubstr("contract_test.cpp:"), HasSubstr("precondition"),
                             HasSubstr("count < 3"), HasSubstr("(3, three)")));
}

TEST(Contract, ABrokenGuaranteeSaysSo) {
  EXPECT_THAT(contract_message([] { ENSURES(1 > 2); }), HasSubstr("guarantee broken: 1 > 2"));
}

TEST(Contract, AKeptOneSaysNothing) {
  EXPECT_EQ(contract_message([] { EXPECTS(true, 1); }), "no error");
}

}  // namespace
}  // namespace tessera
