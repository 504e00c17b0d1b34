// The memory behind a TLM-2.0 socket answers when `probe memory` says, request by request; and it keeps the base protocol.
#define SC_INCLUDE_DYNAMIC_PROCESSES  // the initiator spawns processes

#include "sim/shell/tlm/tlm_memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <stdexcept>

#include "sim/model/memory/closed_loop.hpp"
#include "sim/model/memory/hmc/hmc_host.hpp"
#include "sim/model/memory/request_port.hpp"
#include "test/sim/shell/tlm/example/initiator.hpp"

/// libsystemc asks for one; tests have a main of their own.
int sc_main(int /*argc*/, char* /*argv*/[]) { return 1; }

namespace tessera::sim {
namespace {

using Through = TlmMemory::Through;

sc_core::sc_time ps(std::int64_t count) { return {static_cast<double>(count), sc_core::SC_PS}; }

struct Case {
  std::string memory;
  Through through = Through::local;
  bool is_loosely_timed = false;
  std::vector<std::string> overrides = {};
};

/// Random and sequential runs, reads and writes.
std::vector<TimedRequest> mixed_requests(arch::DramSpec const& spec) {
  MemoryTraffic traffic;
  traffic.requests = 800;
  traffic.bytes = traffic.stride = static_cast<std::uint64_t>(largest_request(spec).value());
  traffic.span = static_cast<std::uint64_t>(spec.organization.capacity().value());
  traffic.read_fraction = 0.7;
  auto requests = make_requests(traffic, spec);
  traffic.pattern = MemoryTraffic::Pattern::random;
  for (auto const& request : make_requests(traffic, spec)) requests.push_back(request);
  for (std::size_t index = 0; index < requests.size(); ++index) requests[index].request.tag = index;
  return requests;
}

/// What `tessera probe memory` runs.
MemoryRun probed(arch::DramSpec const& spec, std::vector<TimedRequest> const& requests,
                 Case const& it) {
  if (it.through == Through::links) {
    return run_host(spec, requests,
                    {HmcCube::Side::upstream, it.is_loosely_timed ? std::size_t{1} : 512, 1});
  }
  return closed_loop(spec, requests,
                     {static_cast<int>(spec.organization.channels),
                      it.is_loosely_timed ? std::size_t{1} : SIZE_MAX,
                      {}});
}

class TlmLatency : public testing::TestWithParam<Case> {};

TEST_P(TlmLatency, OfEveryRequestIsThatOfTheProbe) {
  auto const& it = GetParam();
  auto const spec = arch::load_dram(it.memory, it.overrides);
  auto const timed = mixed_requests(spec);
  std::vector<example::Request> requests;
  for (auto const& [request, cycle] : timed) {
    requests.push_back({request.address, request.access == Access::write});
  }
  TlmMemory memory{"memory", {it.memory, it.overrides, it.through}};
  example::Rule rule;
  rule.is_loosely_timed = it.is_loosely_timed;
  rule.bytes = static_cast<unsigned>(memory.block());
  if (it.through == Through::local) rule.pause = memory.clock_period();
  example::Initiator initiator{"initiator", requests, rule};
  initiator.socket.bind(memory.socket);
  sc_core::sc_start();

  auto const run = probed(spec, timed, it);
  auto read = run.read_latency.begin();
  auto written = run.write_latency.begin();
  for (std::size_t i = 0; i < requests.size(); ++i) {
    auto const expected = requests[i].writes ? *written++ : *read++;
    ASSERT_EQ(initiator.latencies[i], ps(expected.value())) << i;
  }
  EXPECT_EQ(initiator.answered, requests.size());
  auto const last = *std::max_element(initiator.responses.begin(), initiator.responses.end());
  EXPECT_EQ(last, ps(run.finished.value()));
  EXPECT_EQ(memory.counts().activates, run.dram.activates);
  EXPECT_EQ(memory.counts().bursts_read, run.dram.reads);
  EXPECT_EQ(memory.counts().link_flits, run.link_flits);
}

INSTANTIATE_TEST_SUITE_P(
    Tlm, TlmLatency,
    testing::Values(Case{"hmc-2.1"}, Case{"hmc-2.1", Through::local, true},
                    Case{"hmc-2.1", Through::links}, Case{"hmc-2.1", Through::links, true},
                    Case{"hmc-2.0", Through::links, false, {"policy.page=open"}}, Case{"hbm2"},
                    Case{"hbm2", Through::local, true}, Case{"tpu-v3"},
                    Case{"hbm1", Through::local, false, {"policy.queue_depth=2"}}));

using Socket = tlm_utils::simple_initiator_socket<sc_core::sc_module>;

struct Caller final : sc_core::sc_module {
  explicit Caller(sc_core::sc_module_name const& name) : sc_module{name} {}
  Socket socket{"socket"};
};

/// Runs `body` as a process of a platform with nothing but this memory.
void with_memory(TlmMemory::Settings const& settings,
                 std::function<void(TlmMemory&, Socket&)> const& body) {
  TlmMemory memory{"memory", settings};
  Caller caller{"caller"};
  caller.socket.bind(memory.socket);
  sc_core::sc_spawn([&] { body(memory, caller.socket); }, "body");
  sc_core::sc_start();
}

/// Lets END_RESP come late.
TEST(TlmMemory, ResponsesWaitForTheEndOfTheOneBefore) {
  TlmMemory memory{"memory", {"hmc-2.1", {}, Through::links}};
  example::Rule rule;
  rule.bytes = 256;
  rule.response_time = ps(7'000);
  std::vector<example::Request> requests;
  for (std::uint64_t i = 0; i < 300; ++i) requests.push_back({i * 256, i % 3 == 0});
  example::Initiator initiator{"initiator", requests, rule};
  initiator.socket.bind(memory.socket);
  sc_core::sc_start();
  EXPECT_EQ(initiator.answered, requests.size());
  auto times = initiator.responses;
  std::sort(times.begin(), times.end());
  for (std::size_t i = 1; i < times.size(); ++i) ASSERT_GE(times[i] - times[i - 1], ps(7'000)) << i;
}

class TestPayload final : public tlm::tlm_generic_payload {
 public:
  TestPayload(tlm::tlm_command command, std::uint64_t address, unsigned char* data, unsigned size) {
    set_command(command);
    set_address(address);
    set_data_ptr(data);
    set_data_length(size);
    set_streaming_width(size);
  }
};

TEST(TlmMemory, KeepsWhatIsWrittenAndCutsLongTransactions) {
  std::array<unsigned char, 10'000> written{}, read{}, seen{};
  for (std::size_t i = 0; i < written.size(); ++i)
    written[i] = static_cast<unsigned char>(i * 7 + 1);
  bool is_done = false;
  with_memory({"hbm2"}, [&](TlmMemory& memory, Socket& socket) {
    auto delay = ps(1'234);  // late in a clock
    TestPayload write(tlm::TLM_WRITE_COMMAND, 4'001, written.data(), 10'000);
    socket->b_transport(write, delay);
    EXPECT_EQ(write.get_response_status(), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(delay, sc_core::SC_ZERO_TIME);
    auto const after = sc_core::sc_time_stamp();
    EXPECT_EQ(after % memory.clock_period(), sc_core::SC_ZERO_TIME);
    TestPayload fetch(tlm::TLM_READ_COMMAND, 4'001, read.data(), 10'000);
    socket->b_transport(fetch, delay);
    TestPayload peek(tlm::TLM_READ_COMMAND, 4'001, seen.data(), 10'000);
    EXPECT_EQ(socket->transport_dbg(peek), 10'000U);
    // Bytes 4001 to 14000, in bursts of 64 bytes: 62 to 218.
    auto const burst =
        static_cast<std::uint64_t>(arch::load_dram("hbm2").organization.burst().value());
    auto const bursts = static_cast<std::int64_t>((14'000 / burst) - (4'001 / burst) + 1);
    EXPECT_EQ(memory.counts().bursts_written, bursts);
    EXPECT_EQ(memory.counts().bursts_read, bursts);
    is_done = true;
  });
  EXPECT_TRUE(is_done);
  EXPECT_EQ(read, written);
  EXPECT_EQ(seen, written);
}

TEST(TlmMemory, RefusesWhatItCannotServeWithTheStandardsStatus) {
  bool is_done = false;
  with_memory({"hmc-2.1"}, [&](TlmMemory& memory, Socket& socket) {
    std::array<unsigned char, 64> data{};
    auto const status_of = [&](tlm::tlm_generic_payload& sent) {
      auto delay = sc_core::SC_ZERO_TIME;
      socket->b_transport(sent, delay);
      return sent.get_response_status();
    };
    TestPayload payload(tlm::TLM_READ_COMMAND, memory.capacity() - 63, data.data(), 64);
    EXPECT_EQ(status_of(payload), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    payload.set_address(memory.capacity() - 64);
    EXPECT_EQ(status_of(payload), tlm::TLM_OK_RESPONSE);
    payload.set_streaming_width(32);
    EXPECT_EQ(status_of(payload), tlm::TLM_BURST_ERROR_RESPONSE);
    payload.set_streaming_width(64);
    payload.set_byte_enable_ptr(data.data());
    EXPECT_EQ(status_of(payload), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    payload.set_byte_enable_ptr(nullptr);
    payload.set_command(tlm::TLM_IGNORE_COMMAND);
    EXPECT_EQ(status_of(payload), tlm::TLM_COMMAND_ERROR_RESPONSE);
    is_done = true;
  });
  EXPECT_TRUE(is_done);
}

TEST(TlmMemory, ThrowsWhereThereIsNoSuchMemoryOrNoLinks) {
  EXPECT_THROW((TlmMemory{"none", {"hmc-9"}}), std::runtime_error);
  EXPECT_THROW((TlmMemory{"no_links", {"hbm2", {}, Through::links}}), std::runtime_error);
  EXPECT_THROW((TlmMemory{"no_key", {"hbm2", {"policy.pages=open"}}}), std::runtime_error);
}

}  // namespace
}  // namespace tessera::sim
