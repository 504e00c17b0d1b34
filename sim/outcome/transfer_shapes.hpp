// Transfers of a run that are alike (same ends, level and bytes), and how long each kind takes where it is alone: of several rounds, one
// of them.
#pragma once

#include <optional>
#include <tuple>
#include <vector>

#include "arch/base/hash.hpp"
#include "sim/outcome/faster.hpp"
#include "sim/outcome/idle_transfers.hpp"
#include "sim/outcome/summary.hpp"

namespace tessera::sim::outcome {

class TransferShapes final {
 public:
  /// All of a run. `outcome` must outlive it.
  TransferShapes(Outcome const& outcome, IdleTransfers& idle);

  /// By shape, on an idle fabric.
  struct Lengths {
    std::vector<Time> whole;  ///< latencies and the longest serialisation
    std::vector<Time> wire;   ///< the longest serialisation
    std::vector<Time> first;  ///< that on the first link; 0 where it is not known
  };
  /// As they were.
  [[nodiscard]] Lengths const& lengths() const { return lengths_; }
  [[nodiscard]] Lengths lengths(Faster const& faster) const;
  [[nodiscard]] std::size_t of(TaskId transfer) const { return shape_of_[transfer]; }
  /// The link whose lane a transfer leaves on, after those before it; none where it has no order of
  /// its own, as what has several rounds (sim/outcome/unit_times.hpp).
  [[nodiscard]] std::optional<arch::LinkId> first_link(TaskId transfer) const {
    auto const& shape = shapes_[of(transfer)];
    return shape.has_order ? shape.link : std::nullopt;
  }
  /// The first link of a transfer that goes one way; none where it may be delayed before.
  [[nodiscard]] std::optional<arch::LinkId> leaves_on(TaskId transfer) const {
    return shapes_[of(transfer)].link;
  }

 private:
  using Key = std::tuple<AcceleratorId, AcceleratorId, AcceleratorId, Bytes, int, bool, bool>;
  struct Hash {
    std::size_t operator()(Key const& key) const {
      auto const& [from, to, end, bytes, level, reduces, has_rounds] = key;
      return hash_of_key(
          from.index(), to.index(), end.index(), static_cast<std::uint64_t>(bytes.value()),
          4 * static_cast<std::uint64_t>(level) + (reduces ? 2 : 0) + (has_rounds ? 1 : 0));
    }
  };

  /// Of one way of a shape: where its serialisations are in wires_, and what comes on top.
  struct OneWay {
    std::size_t first = 0;
    std::size_t end = 0;
    Time rest{0};
  };
  struct Shape {
    std::size_t first_way = 0;
    std::size_t end_way = 0;
    Time rest{0};                      ///< without any serialisation
    std::optional<arch::LinkId> link;  ///< the first one
    bool has_order = false;            ///< transfers wait for each other there
    Serialisation leaves;              ///< on it; else 0
  };

  [[nodiscard]] Shape shape_of(Task const& example, IdleTransfers& idle);
  [[nodiscard]] Lengths lengths_with(Faster const& faster) const;

  Blueprint const& blueprint_;
  std::vector<Serialisation> wires_;
  std::vector<OneWay> ways_;
  std::vector<Shape> shapes_;
  IdVector<TaskId, std::size_t> shape_of_;
  Lengths lengths_;
};

}  // namespace tessera::sim::outcome
