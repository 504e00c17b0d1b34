// Collectives on an empty fabric take their closed forms, to the picosecond, and everybody gets everything.
//
// n bytes, p ranks, B bytes per second and direction, alpha per step (Thakur et al., IJHPCA 2005; the book of data's formulas).
#include "sim/study/collective_transfers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "arch/collective/builtin_collectives.hpp"
#include "sim/model/fabric/collective/collective_run.hpp"
#include "sim/model/fabric/collective/least_time.hpp"

namespace tessera::test {

namespace {

using arch::CollectiveKind;
using arch::CollectiveSpec;
using arch::Interconnect;
using sim::Tick;

constexpr Tick alpha = 1'000'000;  // 1 us
Bandwidth const bandwidth{82'000'000'000 * 8};

Tick wire_time(std::int64_t bytes) { return (Bytes{bytes} / bandwidth).value(); }

/// Endpoints that are their routers, or leaves of a tree; routers take no time.
sim::TransferResult run(std::string const& topology, CollectiveSpec const& spec,
                        sim::EndpointSpec const& endpoints = {}) {
  auto shape = arch::topology_from(topology, {bandwidth, Time{alpha}});
  shape.port.reset();
  Interconnect const net{shape};
  auto const network = sim::roomy_network(net, 0, endpoints.packet_bytes);
  auto const ranks = static_cast<std::uint32_t>(net.endpoints());
  return sim::run_transfers(net, network, endpoints, sim::transfers_of(spec, ranks));
}

CollectiveSpec spec_of(CollectiveKind kind, std::string const& algorithm, std::int64_t bytes) {
  CollectiveSpec spec;
  spec.kind = kind;
  spec.algorithm = arch::builtin_collective(algorithm);
  spec.size = bytes;
  return spec;
}

/// Do 16 ranks make it by messages among them?
bool is_of_ranks(CollectiveSpec const& spec) {
  return !spec.algorithm->adds_in_switches() && arch::collective_problem(spec, 16).empty();
}

TEST(CollectiveTransfers, RingsTakeTheirClosedForm) {
  for (std::int64_t const p : {2, 3, 5, 8, 16}) {
    auto const bytes = p * 1'000'000;
    auto const step = alpha + wire_time(1'000'000);
    auto const topology = "ring:" + std::to_string(p);
    auto const time = [&](CollectiveKind kind) {
      return run(topology, spec_of(kind, "ring", bytes)).time;
    };
    EXPECT_EQ(time(CollectiveKind::reduce_scatter), (p - 1) * step);
    EXPECT_EQ(time(CollectiveKind::all_gather), (p - 1) * step);
    EXPECT_EQ(time(CollectiveKind::all_reduce), 2 * (p - 1) * step);
    EXPECT_EQ(time(CollectiveKind::all_to_all), p * (p - 1) / 2 * step);
  }
}

TEST(CollectiveTransfers, BothWaysRoundARingHalveTheBytesOfAStep) {
  for (std::int64_t const p : {3, 8, 16}) {
    auto const spec = spec_of(CollectiveKind::all_reduce, "bidirectional-ring", p * 2'000'000);
    EXPECT_EQ(run("ring:" + std::to_string(p), spec).time,
              2 * (p - 1) * (alpha + wire_time(1'000'000)));
  }
}

TEST(CollectiveTransfers, TheBookOfDatasGoldenValuesOfATpuV3) {
  auto const seconds = [](std::string const& topology, CollectiveSpec spec) {
    if (topology == "torus:4x4") spec.shape = {4, 4};
    return static_cast<double>(run(topology, spec).time) * 1e-12;
  };
  auto const n = 100'000'000;
  auto const kind = CollectiveKind::all_reduce;
  EXPECT_NEAR(seconds("ring:16", spec_of(kind, "ring", n)), 0.0023166, 5e-8);
  EXPECT_NEAR(seconds("ring:16", spec_of(kind, "bidirectional-ring", n)), 0.0011733, 5e-8);
  EXPECT_NEAR(seconds("torus:4x4", spec_of(kind, "torus", n)), 0.0011553, 5e-8);
}

TEST(CollectiveTransfers, HalvingAndDoublingTakeItsClosedFormBehindASwitch) {
  // Two links a step, cut through: 2 alpha. 2 log2(p) steps, 2 (p - 1) / p of the bytes.
  std::int64_t const n = 16'000'000;
  Tick expected = 0;
  for (std::int64_t part = n / 2; part >= n / 16; part /= 2) {
    expected += 2 * (2 * alpha + wire_time(part));
  }
  auto const spec = spec_of(CollectiveKind::all_reduce, "halving-doubling", n);
  EXPECT_EQ(run("star:16", spec).time, expected);
}

TEST(CollectiveTransfers, DirectIsTwoStepsWhereAllAreJoined) {
  auto const spec = spec_of(CollectiveKind::all_reduce, "direct", 8'000'000);
  EXPECT_EQ(run("full:8", spec).time, 2 * (alpha + wire_time(1'000'000)));
}

TEST(CollectiveTransfers, APipelinedTreeOfTwoTakesAsManyStepsAsChunks) {
  auto spec = spec_of(CollectiveKind::broadcast, "tree", 8'000'000);
  spec.chunks = 8;
  EXPECT_EQ(run("ring:2", spec).time, alpha + 8 * wire_time(1'000'000));
}

TEST(CollectiveTransfers, LevelsOfAHierarchyAreHalvedInnermostFirst) {
  // Partners next to each other first: n / 2 over two links up and down. Then, in a tree of four, n / 4
  // over four links, and two pairs share those of the root: the second waits for the bytes of the first
  // on the way there, and finds the links free on the way back.
  std::int64_t const n = 1'000'000;
  auto const spec = spec_of(CollectiveKind::all_reduce, "hierarchical", n);
  auto const first = 2 * (2 * alpha + wire_time(n / 2));
  EXPECT_EQ(run("htree:2", spec).time, first);
  EXPECT_EQ(run("htree:4", spec).time, first + 8 * alpha + 3 * wire_time(n / 4));
}

TEST(CollectiveTransfers, EndpointsTakeTheirTimePerMessage) {
  sim::EndpointSpec endpoints;
  endpoints.endpoint_delay = 10'000;
  endpoints.reduce_bandwidth = Bandwidth{1'600'000'000'000 * 8};
  auto const spec = spec_of(CollectiveKind::reduce_scatter, "ring", 4'000'000);
  // 3 x 1 MB at 1600 GB/s are 1.875 us.
  EXPECT_EQ(run("ring:4", spec, endpoints).time,
            3 * (alpha + wire_time(1'000'000) + 10'000 + 1'875'000));
}

TEST(CollectiveTransfers, PacketsOfAMessageFollowEachOtherWithoutAGap) {
  sim::EndpointSpec endpoints;
  endpoints.packet_bytes = 4096;
  auto const spec = spec_of(CollectiveKind::all_gather, "ring", 4 * 40'960);
  // Each of ten packets is rounded up to a picosecond.
  EXPECT_EQ(run("ring:4", spec, endpoints).time, 3 * (alpha + 10 * wire_time(4096)));
}

TEST(CollectiveTransfers, EveryPacketOfAMessageHasAHeader) {
  sim::EndpointSpec endpoints;
  endpoints.packet_bytes = 256;
  endpoints.packet_header = 16;
  auto const spec = spec_of(CollectiveKind::all_gather, "ring", 4 * 2'570);
  auto const result = run("ring:4", spec, endpoints);
  // Ten packets of 256 B and one of 10 B, as data.
  EXPECT_EQ(result.time, 3 * (alpha + 10 * wire_time(272) + wire_time(26)));
  EXPECT_EQ(result.bytes, 4 * 3 * 2'570);
  EXPECT_EQ(result.busiest_bytes, 3 * (2'570 + 11 * 16));
}

/// Follows the messages and checks that at the end every rank has what the collective promises:
/// sets of contributions per rank; a message carries all that its sender had from what it waited
/// for.
TEST(CollectiveTransfers, EveryRankHearsOfEveryOther) {
  for (auto const& [kind_name, kind] : arch::collective_kinds()) {
    for (auto const& name : arch::builtin_collectives().names()) {
      auto spec = spec_of(kind, name, 64'000);
      spec.shape = {4, 4};
      if (!is_of_ranks(spec)) continue;
      auto const graph = sim::transfers_of(spec, 16);
      std::vector<std::set<std::uint32_t>> carries(graph.transfers().size());
      std::vector<std::set<std::uint32_t>> heard(16);
      auto edges = graph.edges();
      std::sort(edges.begin(), edges.end(),
                [](auto const& a, auto const& b) { return a.second < b.second; });
      auto edge = edges.begin();
      for (sim::TransferId id = 0; id < carries.size(); ++id) {
        carries[id].insert(graph.transfers()[id].source);
        for (; edge != edges.end() && edge->second == id; ++edge) {
          ASSERT_LT(edge->first, id);
          ASSERT_EQ(graph.transfers()[edge->first].destination, graph.transfers()[id].source);
          carries[id].insert(carries[edge->first].begin(), carries[edge->first].end());
        }
        heard[graph.transfers()[id].destination].insert(carries[id].begin(), carries[id].end());
      }
      for (std::uint32_t rank = 0; rank < 16; ++rank) {
        auto missing = heard[rank];
        missing.insert(rank);
        if (kind == CollectiveKind::broadcast) {
          EXPECT_EQ(missing.count(0), 1U) << name;
        } else {
          EXPECT_EQ(missing.size(), 16U) << kind_name << ' ' << name << ' ' << rank;
        }
      }
    }
  }
}

TEST(CollectiveTransfers, NoAlgorithmBeatsTheLowerBound) {
  // Each endpoint of a torus has four links: 2 n (p - 1) / p bytes in and out.
  for (auto const& name : arch::builtin_collectives().names()) {
    auto spec = spec_of(CollectiveKind::all_reduce, name, 1'600'000);
    spec.shape = {4, 4};
    spec.chunks = 4;
    if (!is_of_ranks(spec)) continue;
    auto const result = run("torus:4x4", spec);
    EXPECT_GE(result.time, wire_time(2 * 1'600'000 / 16 * 15 / 4)) << name;
    EXPECT_GE(result.bytes, 2 * 15 * 1'600'000) << name;  // p - 1 vectors reduced, p - 1 handed out
  }
}

TEST(CollectiveTransfers, AReshardTakesItsLargestOverlapWhereAllAreJoined) {
  auto spec = spec_of(CollectiveKind::reshard, "direct", 12'000'000);
  spec.from = 3;
  spec.to = 4;
  // Of 3 blocks of 4 MB 4 blocks of 3 MB are made: overlaps of 3, 1, 2, 2, 1 and 3 MB.
  auto const apart = run("full:7", spec);
  EXPECT_EQ(apart.messages, 6);
  EXPECT_EQ(apart.bytes, 12'000'000);
  EXPECT_EQ(apart.time, alpha + wire_time(3'000'000));
  // On the same four ranks 3 MB stay at rank 0, 2 MB at 1 and 1 MB at 2.
  auto const together = run("full:4", spec);
  EXPECT_EQ(together.messages, 3);
  EXPECT_EQ(together.bytes, 6'000'000);
  EXPECT_EQ(together.time, alpha + wire_time(3'000'000));
  // Into one rank over a switch everything goes through its port.
  spec.to = 1;
  EXPECT_EQ(run("star:4", spec).time, 2 * alpha + wire_time(12'000'000));
}

TEST(CollectiveTransfers, AReshardOfAnyLengthGivesEveryoneItsBlock) {
  for (std::int64_t const bytes : {1, 5, 7, 1000, 1001}) {
    for (std::int64_t from = 1; from <= 6; ++from) {
      for (std::int64_t to = 1; to <= 6; ++to) {
        auto spec = spec_of(CollectiveKind::reshard, "direct", bytes);
        spec.from = from;
        spec.to = to;
        std::vector<std::int64_t> out(12);
        std::vector<std::int64_t> in(12);
        auto const graph = sim::transfers_of(spec, 12);
        for (auto const& transfer : graph.transfers()) {
          EXPECT_GT(transfer.bytes, 0U);
          out[transfer.source] += transfer.bytes;
          in[transfer.destination] += transfer.bytes;
        }
        for (std::int64_t rank = 0; rank < 6; ++rank) {
          auto const block = [&](std::int64_t of) {
            return rank < of ? bytes * (rank + 1) / of - bytes * rank / of : 0;
          };
          EXPECT_EQ(out[static_cast<std::size_t>(rank)], block(from));
          if (rank >= to) continue;
          EXPECT_EQ(in[static_cast<std::size_t>(12 - to + rank)], block(to));
        }
      }
    }
  }
}

TEST(CollectiveTransfers, NothingIsFasterThanItsLeastTimeWhichARingTakes) {
  sim::EndpointSpec endpoints;
  endpoints.endpoint_delay = 10'000;
  endpoints.reduce_bandwidth = Bandwidth{1'600'000'000'000 * 8};
  for (auto const* const name : {"ring:16", "torus:4x4", "mesh:4x4", "htree:16", "star:16"}) {
    for (auto const& [duplex_name, duplex] : arch::duplex_kinds()) {
      auto shape = arch::topology_from(name, {bandwidth, Time{alpha}, duplex});
      shape.port.reset();
      for (auto const paths : {arch::Paths::one, arch::Paths::equal_cost}) {
        Interconnect const net{shape, paths};
        auto const network = sim::roomy_network(net, 3'000);
        for (auto const& algorithm : arch::builtin_collectives().names()) {
          auto spec = spec_of(CollectiveKind::all_reduce, algorithm, 1'600'000);
          spec.shape = {4, 4};
          spec.chunks = 4;
          if (!is_of_ranks(spec)) continue;
          auto const graph = sim::transfers_of(spec, 16);
          auto const least = sim::least_time(net, network, endpoints, graph);
          auto const time = sim::run_transfers(net, network, endpoints, graph).time;
          EXPECT_GT(least, 0) << name << ' ' << algorithm;
          EXPECT_LE(least, time) << name << ' ' << algorithm << ' ' << duplex_name;
          auto const is_alone = algorithm == "ring" && shape.shape.size() == 1;
          if (is_alone && shape.kind == arch::TopologySpec::Kind::torus) {
            EXPECT_EQ(least, time);
          }
        }
      }
    }
  }
}

}  // namespace

}  // namespace tessera::test
