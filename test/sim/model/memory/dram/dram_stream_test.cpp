// Long walks: skipped or not, the same.
#include "sim/model/memory/dram/dram_stream.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "sim/model/memory/dram/address_map.hpp"
#include "test/support/memory/traffic.hpp"

namespace tessera::test {

namespace {

using sim::Access;
using sim::DramCompletion;
using sim::DramStream;
using sim::DramWalk;

void expect_equal(DramCompletion const& a, DramCompletion const& b) {
  EXPECT_EQ(a.tag, b.tag);
  EXPECT_EQ(a.issued, b.issued);
  EXPECT_EQ(a.done, b.done);
}

/// A piece of a walk.
struct Piece {
  std::int64_t cycle = 0;
  Access access = Access::read;
  std::uint16_t bursts = 1;
  std::uint64_t first = 0;
  std::uint64_t count = 1;
};

/// Serves it both ways; what follows must find the channel in the same state.
void serve_both(DramStream& whole, DramStream& single, arch::DramSpec const& spec,
                Piece const& piece) {
  DramWalk const walk{spec, piece.access, piece.bursts};
  DramCompletion last;
  for (std::uint64_t i = 0; i < piece.count; ++i) {
    last = single.serve(piece.cycle, walk(piece.first + i));
  }
  expect_equal(whole.serve_stream(piece.cycle, walk, piece.first, piece.count), last);
  EXPECT_TRUE(whole.statistics() == single.statistics());
}

Piece random_piece(arch::DramSpec const& spec, std::mt19937_64& generator) {
  auto const below = [&](std::uint64_t bound) { return generator() % bound; };
  std::uint16_t bursts = 1;
  while (2 * bursts * spec.organization.burst().value() <= spec.block().value() && below(3) > 0) {
    bursts = static_cast<std::uint16_t>(2 * bursts);
  }
  Piece piece{0, below(2) == 0 ? Access::read : Access::write, bursts, 0, 1 + below(20'000)};
  DramWalk const walk{spec, piece.access, bursts};
  piece.first = below(walk.blocks());
  if (below(2) == 0) piece.first -= piece.first % walk.period();
  if (below(4) == 0) piece.first = walk.blocks() - 1 - below(std::min(walk.blocks(), piece.count));
  return piece;
}

void compare(arch::DramSpec const& spec, std::uint64_t seed) {
  SCOPED_TRACE(spec.name + " seed " + std::to_string(seed));
  std::mt19937_64 generator{seed};
  DramStream whole{spec};
  DramStream single{spec};
  std::int64_t cycle = 0;
  for (int i = 0; i < 4; ++i) {
    auto piece = random_piece(spec, generator);
    cycle += static_cast<std::int64_t>(generator() % 20'000);
    piece.cycle = cycle;
    serve_both(whole, single, spec, piece);
    for (auto const& [at, request] : random_traffic(spec, {4, 4, 0, 40, 30, 2}, 100, seed)) {
      expect_equal(whole.serve(cycle + at, request), single.serve(cycle + at, request));
    }
  }
  EXPECT_TRUE(whole.statistics() == single.statistics());
}

class StreamOf : public testing::TestWithParam<std::string> {
 protected:
  /// The preset as a stream can serve it, with a random page policy, bus, queue and refresh.
  [[nodiscard]] static arch::DramSpec spec(std::mt19937_64& generator) {
    using Policy = arch::DramPolicy;
    auto spec = arch::load_dram(GetParam(), {"policy.scheduler=fcfs", "policy.queues=shared"});
    auto const coin = [&] { return generator() % 2 == 0; };
    spec.policy.bank_queue_depth = 0;
    spec.policy.page = coin() ? Policy::Page::open : Policy::Page::closed;
    spec.policy.command_bus = coin() ? Policy::CommandBus::shared : Policy::CommandBus::split;
    spec.policy.queue_depth = static_cast<std::int64_t>(1 + generator() % 40);
    if (generator() % 4 == 0) spec.policy.refresh = Policy::Refresh::none;
    auto& t = spec.timing;
    for (auto* const value : {&t.tRCD, &t.tCL, &t.tRP, &t.tRAS, &t.tWR, &t.tRTP, &t.tFAW}) {
      *value += static_cast<std::int64_t>(generator() % 5);
    }
    t.tRC = t.tRAS + t.tRP;
    t.tREFI += static_cast<std::int64_t>(generator() % 100);
    if (coin()) shuffle(spec.address_map, generator);
    return spec;
  }

  /// Another order of the fields, over the bytes of a burst; the row sometimes in two pieces.
  static void shuffle(std::vector<arch::AddressField>& map, std::mt19937_64& generator) {
    using Kind = arch::AddressField::Kind;
    auto const row = std::find_if(map.begin(), map.end(),
                                  [](auto const& field) { return field.kind == Kind::row; });
    if (generator() % 2 == 0) {
      row->bits -= 2;
      map.push_back({Kind::row, 2});
    }
    std::shuffle(map.begin() + 1, map.end(), generator);
    if (generator() % 4 == 0) return;
    std::stable_partition(map.begin() + 1, map.end(), [](auto const& field) {
      return field.kind != Kind::row || field.bits == 2;
    });
  }
};

TEST_P(StreamOf, BlocksIsTheSameAsBlockByBlock) {
  if (auto const preset = arch::load_dram(GetParam()); DramStream::serves(preset)) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) compare(preset, seed);
  }
  std::mt19937_64 generator{1};
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    auto const perturbed = spec(generator);
    if (DramStream::serves(perturbed)) compare(perturbed, seed);
  }
}

TEST_P(StreamOf, WalksThroughTheBlocksOfItsChannelInTheOrderOfTheAddressMap) {
  auto const preset = arch::load_dram(GetParam());
  auto const bytes = static_cast<std::uint64_t>(preset.block().value());
  auto const bursts = preset.block().value() / preset.organization.burst().value();
  DramWalk const walk{preset, Access::read, static_cast<std::uint16_t>(bursts)};
  sim::AddressMap const map{preset};
  std::uint64_t block = 0;
  for (std::uint64_t address = 0; block < 3000; address += bytes) {
    auto const at = map(address);
    if (at.channel != 0) continue;
    auto const request = walk(block++);
    ASSERT_EQ(request.bank, at.bank) << address;
    ASSERT_EQ(request.row, at.row) << address;
  }
  EXPECT_EQ(walk(walk.blocks()).row, 0U);
}

std::vector<std::string> all_memories() {
  std::vector<std::string> names;
  for (auto const& memory : arch::builtin_memories()) names.push_back(memory.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Presets, StreamOf, testing::ValuesIn(all_memories()), [](auto const& it) {
  auto name = it.param;
  for (auto& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
});

}  // namespace

}  // namespace tessera::test
