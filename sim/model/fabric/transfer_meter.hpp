// What a network interface sent and received.
#pragma once

#include <vector>

#include "sim/model/memory/memory.hpp"
#include "sim/model/protocol/core.hpp"
#include "sim/task/task_graph.hpp"

namespace tessera::sim {

class TransferMeter final {
 public:
  /// So many rounds of a transfer.
  void count_sent(Task const& transfer, std::int64_t rounds) {
    statistics_[transfers_sent].add(rounds);
    statistics_[bytes_sent].add(rounds * bytes_of_round(transfer).value());
  }
  void count_received(Task const& transfer, std::int64_t rounds) {
    auto const bytes = bytes_of_round(transfer);
    auto const words = rounds * words_of(bytes);
    statistics_[transfers_received].add(rounds);
    statistics_[bytes_received].add(rounds * bytes.value());
    statistics_[words_received].add(words);
    if (transfer.reduces) statistics_[words_reduced].add(words);
  }
  [[nodiscard]] std::vector<Statistic> const& statistics() const { return statistics_; }

 private:
  enum Counter : std::size_t {
    transfers_sent,
    transfers_received,
    bytes_sent,
    bytes_received,
    words_received,
    words_reduced,
  };

  std::vector<Statistic> statistics_{{"transfers_sent", "1"}, {"transfers_received", "1"},
                                     {"bytes_sent", "B"},     {"bytes_received", "B"},
                                     {"words_received", "1"}, {"words_reduced", "1"}};
};

}  // namespace tessera::sim
