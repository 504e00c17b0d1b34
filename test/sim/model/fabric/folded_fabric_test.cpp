// A folded torus carries what its representatives send exactly as the whole one does, where every copy sends the same: links of 5 ns and
// routers of 1 ns, sendings and sizes in multiples of 6 ns, so that messages of several senders reach links at once all the time.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <sstream>

#include "arch/array/load.hpp"
#include "arch/array/translation.hpp"
#include "sim/model/fabric/message_fabric.hpp"
#include "test/sim/model/protocol/core_harness.hpp"

namespace tessera::sim {
namespace {

using arch::NodeId;

/// What a representative sends, and each of its copies as far and in the same direction.
struct Flow {
  std::size_t step = 0;
  std::size_t from = 0;
  std::size_t to = 0;
  Time at{0};
  std::int64_t bytes = 0;
};

arch::ArraySpec torus_of(std::string const& shape, std::int64_t accelerators,
                         std::string const& half_way) {
  return arch::load("hypar-paper", {"accelerators=" + std::to_string(accelerators),
                                    "fabric={clock: 1 GHz, topology: {kind: torus, shape: [" +
                                        shape + "], half_way: " + half_way +
                                        ", link: {bandwidth: 8 Gb/s, latency: 5 ns}}}"});
}

/// Exchange step by exchange step, as in a list of exchanges.
std::vector<Flow> random_flows(std::mt19937_64& random, Folding const& folding) {
  std::vector<Flow> flows;
  for (std::size_t step = 1; step <= 2; ++step) {
    auto const at = ns(6 * static_cast<std::int64_t>(random() % 4));
    for (std::size_t i = 0; i < folding.representatives(); ++i) {
      for (auto left = 1 + random() % 4; left > 0; --left) {
        Flow flow{step, folding.accelerator(i), random() % folding.accelerators(), at, 0};
        flow.bytes = static_cast<std::int64_t>(6 * (1 + random() % 2));
        if (flow.to != flow.from) flows.push_back(flow);
      }
    }
  }
  return flows;
}

/// One fabric and all that it is given. Tasks are numbered step by step, sender by sender.
class Traffic {
 public:
  Traffic(arch::ArraySpec const& array, Folding const& folding, Folding const& copies)
      : topology_{array, folding},
        folding_{folding},
        copies_{copies},
        grid_{arch::Topology{array}},
        fabric_{topology_, ns(1), utilisation_} {}

  void add(std::vector<Flow> const& flows) {
    for (std::size_t step = 1; step <= 2; ++step) {
      for (std::size_t sender = 0; sender < folding_.representatives(); ++sender) {
        for (std::size_t i = 0; i < flows.size(); ++i) {
          auto const index = folding_.accelerator(sender);
          auto const original = copies_.accelerator(copies_.representative(index));
          if (flows[i].step == step && flows[i].from == original) send(flows[i], i, sender);
        }
      }
    }
  }

  /// When each flow's messages left the representatives, and when they arrived.
  [[nodiscard]] std::string arrivals() {
    std::stable_sort(sent_.begin(), sent_.end(),
                     [](auto const& a, auto const& b) { return a.first < b.first; });
    MessageFabric::Notices heard;
    auto next = sent_.begin();
    while (next != sent_.end() || fabric_.next_time() != never) {
      if (next != sent_.end() && next->first <= Time{fabric_.next_time()}) {
        fabric_.enter(next->second, next->first, heard);
        ++next;
      } else {
        fabric_.carry_next(heard);
      }
    }
    for (auto const& notice : heard) write_down(notice);
    std::sort(lines_.begin(), lines_.end());
    std::string all;
    for (auto const& line : lines_) all += line;
    return all;
  }

 private:
  void send(Flow const& flow, std::size_t number, std::size_t sender) {
    auto const index = folding_.accelerator(sender);
    auto const receiver = grid_.shifted(flow.to, flow.from, index);
    Message message;
    message.kind = Message::Kind::packet;
    message.rank = flow.step * copies_.accelerators() + grid_.displacement(index, receiver);
    message.task = TaskId{flow_of_.size()};
    message.source = AcceleratorId{sender};
    message.destination = AcceleratorId{folding_.representative(receiver)};
    message.receiver = AcceleratorId{receiver};
    flow_of_.push_back(number);
    auto const end = topology_.folded_network() == nullptr ? message.destination.index() : receiver;
    for (auto const& part : topology_.cut(NodeId{sender}, NodeId{end}, Bytes{flow.bytes})) {
      message.turn = part.turn;
      message.bytes = part.size;
      sent_.emplace_back(flow.at, message);
    }
  }

  void write_down(MessageFabric::Notice const& notice) {
    auto const& message = notice.message;
    auto const sender = folding_.accelerator(message.source.index());
    if (copies_.accelerator(copies_.representative(sender)) != sender) return;
    std::ostringstream line;
    line << "flow " << flow_of_[message.task.index()] << " from " << sender << " turn "
         << static_cast<int>(message.turn) << " kind " << static_cast<int>(message.kind) << " at "
         << notice.at << " tail " << message.tail << " hops " << message.hops << '\n';
    lines_.push_back(line.str());
  }

  arch::Topology topology_;
  Folding folding_;
  Folding copies_;
  arch::Translations grid_;
  std::map<std::string, BusyHistogram> utilisation_;
  MessageFabric fabric_;
  std::vector<std::pair<Time, Message>> sent_;
  std::vector<std::size_t> flow_of_;  ///< by task
  std::vector<std::string> lines_;
};

void expect_equal_arrivals(arch::ArraySpec const& array, Folding const& folding) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random{seed};
    auto const flows = random_flows(random, folding);
    Traffic whole{array, Folding{folding.accelerators()}, folding};
    Traffic folded{array, folding, folding};
    whole.add(flows);
    folded.add(flows);
    auto const expected = whole.arrivals();
    EXPECT_EQ(std::count(expected.begin(), expected.end(), '\n') % 2, 0);  // each leaves and comes
    ASSERT_EQ(folded.arrivals(), expected);
  }
}

TEST(FoldedFabric, OfOneRepresentativeCarriesItsMessagesAsTheWholeTorusDoes) {
  for (auto const& [shape, places] :
       {std::pair{"8", 8}, {"5", 5}, {"3, 5", 15}, {"4, 4", 16}, {"2, 3, 4", 24}, {"6, 4", 24}}) {
    SCOPED_TRACE(shape);
    Folding const all{static_cast<std::size_t>(places)};
    Folding const one{static_cast<std::size_t>(places),
                      std::vector<bool>(all.hierarchy().levels(), true)};
    expect_equal_arrivals(torus_of(shape, places, "both"), one);
  }
}

TEST(FoldedFabric, OfHalvesCarriesMessagesHalfWayRoundAsTheWholeTorusDoes) {
  // Levels 1 and 2 are the second dimension's, the outer ones of each are folded. Places half-way
  // round a ring are reached one way from even places and the other way from odd ones.
  for (auto const* const half_way : {"one", "both"}) {
    expect_equal_arrivals(torus_of("4, 4", 16, half_way), {16, {true, false, true, false}});
    expect_equal_arrivals(torus_of("8", 8, half_way), {8, {true, true, false}});
  }
}

}  // namespace
}  // namespace tessera::sim
