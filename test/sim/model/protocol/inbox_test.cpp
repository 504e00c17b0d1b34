// The inbox orders by time, port and content, whatever the order of delivery.
#include "sim/model/protocol/inbox.hpp"

#include <gtest/gtest.h>

#include <random>

#include "test/sim/model/protocol/core_harness.hpp"

namespace tessera::sim {
namespace {

TEST(Inbox, HandsOverWhatIsDueInOrderOfPortAndContent) {
  Inbox<Time> inbox;
  inbox.add(ns(2), 0, packet(9, 0, 1, 4));
  inbox.add(ns(1), 1, packet(3, 0, 1, 4));
  inbox.add(ns(1), 0, packet(7, 0, 1, 4));
  inbox.add(ns(1), 0, packet(5, 0, 1, 4));
  EXPECT_EQ(inbox.next(), ns(1));
  std::vector<std::size_t> tasks;
  inbox.drain(ns(1), [&](Port, Message const& message) { tasks.push_back(message.task.index()); });
  EXPECT_EQ(tasks, (std::vector<std::size_t>{5, 7, 3}));
  EXPECT_EQ(inbox.next(), ns(2));
}

TEST(Inbox, HandsOverNothingBeforeItsTime) {
  Inbox<Time> inbox;
  inbox.add(ns(2), 0, packet(0, 0, 1, 4));
  int taken = 0;
  auto const count = [&](Port, Message const&) { ++taken; };
  inbox.drain(ns(1), count);
  EXPECT_EQ(taken, 0);
  inbox.drain(ns(2), count);
  EXPECT_EQ(taken, 1);
  EXPECT_EQ(inbox.next(), std::nullopt);
}

TEST(Inbox, RefusesToMissAMessage) {
  Inbox<Time> inbox;
  inbox.add(ns(1), 0, packet(0, 0, 1, 4));
  EXPECT_THROW(inbox.drain(ns(2), [](Port, Message const&) {}), ContractError);
}

class RandomDelivery : public testing::TestWithParam<unsigned> {};

TEST_P(RandomDelivery, DoesNotShow) {
  std::mt19937 random{GetParam()};
  std::vector<Outbox::Entry> entries;
  for (std::size_t task = 0; task < 100; ++task) {
    entries.push_back({ns(1 + static_cast<std::int64_t>(random() % 10)),
                       static_cast<Port>(random() % 3), packet(random() % 50, 0, 1, 4)});
  }
  auto const drained = [&entries] {
    Inbox<Time> inbox;
    for (auto const& entry : entries) inbox.add(entry.at, entry.port, entry.message);
    std::vector<std::pair<Port, Message>> taken;
    while (auto const next = inbox.next()) {
      inbox.drain(*next,
                  [&](Port port, Message const& message) { taken.emplace_back(port, message); });
    }
    return taken;
  };
  auto const first = drained();
  std::shuffle(entries.begin(), entries.end(), random);
  EXPECT_EQ(drained(), first);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomDelivery, testing::Range(1U, 11U));

}  // namespace
}  // namespace tessera::sim
