// Files of requests, right and wrong.
#include "sim/probe/request_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "arch/base/config_error.hpp"

namespace tessera::sim {

namespace {

using testing::HasSubstr;

[[nodiscard]] std::vector<TimedRequest> read(std::string const& text) {
  return read_requests(text, "requests.txt", arch::load_dram("hmc-2.1"), Bytes{64});
}

TEST(RequestFile, HasAnAddressAnAccessAndAClockPerLine) {
  auto const requests = read("# a comment\n0x1A2B40 READ 3\n\n  0x40\tWRITE 3\r\n");
  ASSERT_EQ(requests.size(), 2U);
  EXPECT_EQ(requests[0].request.address, 0x1A2B40U);
  EXPECT_EQ(requests[0].request.bursts, 2);  // of 32 B
  EXPECT_EQ(requests[0].cycle, 3);
  EXPECT_EQ(requests[1].request.access, Access::write);
  EXPECT_EQ(requests[1].request.tag, 1U);
}

void expect_error(std::string const& text, std::string const& message) {
  try {
    static_cast<void>(read(text));
    ADD_FAILURE() << "no error: " << message;
  } catch (ConfigError const& error) {
    EXPECT_THAT(error.what(), HasSubstr(message));
  }
}

TEST(RequestFile, RefusesWhatIsNoRequest) {
  expect_error("", "requests.txt: has no request in it");
  expect_error("0x40 READ\n", "requests.txt:1:6: 2 words");
  expect_error("40 READ 0\n", "requests.txt:1:1: '40' is no address");
  expect_error("0x4g READ 0\n", "requests.txt:1:1: '0x4g' is no address");
  expect_error("0x40 REED 0\n", "requests.txt:1:6: unknown access 'REED'; did you mean 'READ'?");
  expect_error("0x40 READ 1.5\n", "requests.txt:1:11: '1.5' is no clock");
  expect_error("0x40 READ -1\n", "requests.txt:1:11: '-1' is no clock");
  expect_error("0x40 READ 5\n0x40 READ 4\n", "requests.txt:2:11: '4' goes back");
  expect_error("0x20 READ 5\n", "'0x20' is not a multiple of the 64 B of a request");
  expect_error("0x200000000 READ 5\n", "'0x200000000' is beyond the memory, which has 8 GiB");
}

}  // namespace

}  // namespace tessera::sim
