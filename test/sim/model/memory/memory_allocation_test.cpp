// In the steady state nothing allocates: what a model needs, it has after it has been busy for a while.
#include <gtest/gtest.h>

#include "sim/model/memory/dram/dram_stream.hpp"
#include "sim/model/memory/hmc/hmc_cube.hpp"
#include "sim/model/memory/memory_traffic.hpp"
#include "test/support/memory/allocations.hpp"

namespace tessera::sim {

namespace {

using test::allocations;

constexpr std::size_t many = 20'000;

std::vector<TimedRequest> random_requests(arch::DramSpec const& spec) {
  MemoryTraffic traffic;
  traffic.pattern = MemoryTraffic::Pattern::random;
  traffic.requests = many;
  traffic.bytes = static_cast<std::uint64_t>(spec.block().value());
  traffic.span = static_cast<std::uint64_t>(spec.organization.capacity().value());
  traffic.read_fraction = 0.6;
  return make_requests(traffic, spec);
}

/// How often the second of two equal runs allocates.
template <typename Run>
std::size_t allocations_of_second(Run run) {
  run();
  auto const before = allocations();
  run();
  return allocations() - before;
}

TEST(SteadyState, CountsAllocations) {
  auto const before = allocations();
  void* const memory =
      ::operator new(100);  // a call: clang leaves out what `new` and vectors allocate
  EXPECT_EQ(allocations(), before + 1);
  ::operator delete(memory);
}

TEST(SteadyState, ChannelsAllocateNothing) {
  for (auto const* const scheduler : {"fcfs", "frfcfs"}) {
    auto const spec = arch::load_dram(
        "hmc-2.1", {std::string{"policy.scheduler="} + scheduler, "policy.starvation_cap=500"});
    auto const requests = random_requests(spec);
    DramStack stack{spec};
    std::vector<DramCompletion> out;
    out.reserve(many);
    std::int64_t cycle = 0;
    EXPECT_EQ(allocations_of_second([&] {
                for (auto const& it : requests) {
                  while (auto const retry = stack.offer(cycle, it.request, out)) cycle = *retry;
                  out.clear();
                }
              }),
              0U);
  }
}

TEST(SteadyState, StreamsAllocateNothing) {
  auto const spec = arch::load_dram("hmc-2.1");
  auto const requests = random_requests(spec);
  AddressMap const map{spec};
  DramStream stream{spec};
  EXPECT_EQ(allocations_of_second([&] {
              for (auto const& [it, cycle] : requests) {
                auto const at = map(it.address);
                static_cast<void>(stream.serve(0, {it.tag, it.access, at.bank, it.bursts, at.row}));
              }
            }),
            0U);
}

/// Keeps a cube busy from its links and from inside.
class CubeTraffic {
 public:
  explicit CubeTraffic(arch::DramSpec const& spec)
      : spec_{spec},
        cube_{spec, HmcCube::LocalSide::used},
        requests_{random_requests(spec)},
        tokens_(static_cast<std::size_t>(spec.hmc.value().links), spec.hmc->tokens) {
    out_.reserve(many);
  }

  void run() {
    for (std::size_t next = 0; next < requests_.size() || waiting_ > 0;) {
      while (next < requests_.size() && waiting_ < 400 && offer(next)) ++next;
      cube_.advance(now_, out_);
      for (auto const& it : out_) take(it);
      out_.clear();
      auto const wakeup = cube_.next_wakeup();
      now_ = wakeup ? *wakeup : now_ + spec_.clock_period;
    }
  }

 private:
  bool offer(std::size_t index) {
    auto const& request = requests_[index].request;
    HmcPacket packet;
    packet.address = request.address;
    packet.access = request.access;
    packet.bytes = static_cast<std::int32_t>(request.bursts * spec_.organization.burst().value());
    auto const link = index % tokens_.size();
    bool const local = index % 2 == 0;
    if (!local && tokens_[link] < packet.flits()) return false;
    if (!local) tokens_[link] -= packet.flits();
    cube_.push(now_, local ? HmcCube::Side::local : HmcCube::Side::upstream, link, packet);
    ++waiting_;
    return true;
  }

  void take(HmcCube::Output const& output) {
    if (output.packet.kind == HmcPacket::Kind::tokens) {
      tokens_[output.link] += output.packet.tokens;
    } else {
      --waiting_;
    }
  }

  arch::DramSpec const& spec_;
  HmcCube cube_;
  std::vector<TimedRequest> requests_;
  std::vector<std::int64_t> tokens_;
  std::vector<HmcCube::Output> out_;
  Time now_{0};
  std::size_t waiting_ = 0;
};

TEST(SteadyState, CubesAllocateNothing) {
  auto const spec =
      arch::load_dram("hmc-2.1", {"address_map=[{byte: 5}, {column: 1}, {channel: 5}, "
                                  "{bank: 4}, {column: 2}, {row: 16}]"});
  CubeTraffic traffic{spec};
  EXPECT_EQ(allocations_of_second([&] { traffic.run(); }), 0U);
}

}  // namespace

}  // namespace tessera::sim
