// A group of accelerators with a collective of which each is a rank, and its rounds of messages as exchanges.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "partition/geometry/group_collective.hpp"

namespace tessera::partition {

/// A collective and who is which of its ranks.
struct RankedGroup {
  Holders members;
  arch::CollectiveSpec spec;
};

/// Ranks in the order that the algorithm makes use of, where members are a grid. What is said of
/// sizes is left out.
[[nodiscard]] RankedGroup ranked(arch::CollectiveKind kind, Holders members,
                                 GroupCollective const& how);

/// The sum over a group of a gradient of so many elements, cut in such pieces.
[[nodiscard]] RankedGroup ranked_sum(Elements gradient, Holders members, GroupCollective const& how,
                                     arch::SumPieces pieces);

/// The levels over which a gradient is summed, outermost first.
[[nodiscard]] std::vector<std::size_t> summed_levels(Layout const& layout);

/// The groups among holders that sum a gradient in a layout, each its part. Every group must be
/// among them whole or not at all.
[[nodiscard]] std::vector<RankedGroup> summing_groups(Tiling const& tiling,
                                                      workloads::TensorId gradient,
                                                      Layout const& layout, Holders const& holders,
                                                      GroupCollective const& how,
                                                      arch::SumPieces pieces);

/// Merges the rounds of groups that go at the same time.
class RoundMerger final {
 public:
  /// `level` is what the steps say of themselves.
  explicit RoundMerger(std::size_t level, Waits waits = Waits::said)
      : level_{level}, waits_{waits} {}

  void add(RankedGroup const& group);
  /// Some of the messages of a group.
  void add(Holders members, std::vector<arch::CollectiveMessage> messages);

  [[nodiscard]] std::vector<ReshardStep> steps();

 private:
  using Messages = std::vector<arch::CollectiveMessage>;
  struct Group {
    Holders members;
    std::shared_ptr<Messages const> messages;
  };

  void add(Holders members, std::shared_ptr<Messages const> messages);
  [[nodiscard]] Exchange exchange(std::size_t group, std::size_t id);
  void collect(std::size_t group, std::size_t id, std::vector<std::size_t>& after) const;

  using Round = std::pair<std::uint32_t, bool>;  ///< number; does not reduce
  std::size_t level_;
  Waits waits_;
  std::vector<Group> groups_;
  std::optional<RankedGroup> last_;  ///< that was given: the next one is mostly like it
  std::vector<std::vector<std::optional<std::size_t>>> numbers_;  ///< of exchanges, by message
  std::map<Round, std::vector<std::pair<std::size_t, std::size_t>>> order_;
  std::size_t exchanges_ = 0;
};

}  // namespace tessera::partition
