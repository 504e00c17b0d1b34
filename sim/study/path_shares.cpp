#include "sim/study/path_shares.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

#include "sim/outcome/critical_path.hpp"

namespace tessera::sim {

using outcome::PathCause;

namespace {

/// What pieces have in common that are added up.
struct ShareKey {
  std::uint8_t cause = 0;
  std::optional<std::uint32_t> op = {};
  std::optional<std::uint8_t> phase = {};
  std::int64_t link = -1;
  std::int64_t first = -1;  ///< accelerator of the group

  friend bool operator<(ShareKey const& a, ShareKey const& b) {
    return std::tie(a.cause, a.op, a.phase, a.link, a.first) <
           std::tie(b.cause, b.op, b.phase, b.link, b.first);
  }
};

/// The first accelerators of groups, and what comes after the last of them.
std::vector<std::int64_t> borders_of(arch::ArraySpec const& array) {
  std::vector<std::int64_t> borders = {0};
  for (auto const& group : array.groups) borders.push_back(borders.back() + group.count);
  return borders;
}

ShareKey key_of(traces::PathEntry const& piece, std::vector<std::int64_t> const& borders) {
  ShareKey key{piece.cause};
  key.link = piece.link;
  auto const cause = static_cast<PathCause>(piece.cause);
  bool const is_of_operator = cause == PathCause::compute || cause == PathCause::memory ||
                              cause == PathCause::communication;
  if (!is_of_operator) return key;
  key.op = piece.op;
  key.phase = piece.phase;
  bool const is_alike = borders.size() == 2 || cause == PathCause::communication;
  auto const after = std::upper_bound(borders.begin(), borders.end(), piece.accelerator);
  if (!is_alike) key.first = *std::prev(after);
  return key;
}

PathShare share_of(ShareKey const& key, Time time, traces::RunSummary const& summary,
                   workloads::Network const& network, std::vector<std::int64_t> const& borders) {
  PathShare share;
  share.cause = outcome::path_cause_names().at(key.cause);
  if (key.op) share.layer = network.at(workloads::OperatorId{*key.op}).name;
  if (key.phase) share.phase = name(static_cast<workloads::Phase>(*key.phase));
  if (key.link >= 0) {
    auto const& link = summary.links.at(static_cast<std::size_t>(key.link));
    share.link = link.from + '>' + link.to;
  }
  if (key.first >= 0) {
    auto const last = *std::upper_bound(borders.begin(), borders.end(), key.first) - 1;
    share.accelerators = std::to_string(key.first);
    if (last > key.first) *share.accelerators += " to " + std::to_string(last);
  }
  share.time_s = seconds(time);
  return share;
}

}  // namespace

std::optional<std::vector<PathShare>> path_shares_of(traces::RunSummary const& summary,
                                                     workloads::Network const& network,
                                                     arch::ArraySpec const& array) {
  if (!summary.reasons) return std::nullopt;
  auto const borders = borders_of(array);
  std::map<ShareKey, Time> sums;
  for (auto const& piece : summary.reasons->critical_path)
    sums[key_of(piece, borders)] += piece.end - piece.begin;
  std::vector<std::pair<ShareKey, Time>> sorted{sums.begin(), sums.end()};
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](auto const& a, auto const& b) { return a.second > b.second; });
  std::vector<PathShare> shares;
  shares.reserve(sorted.size());
  for (auto const& [key, time] : sorted) {
    shares.push_back(share_of(key, time, summary, network, borders));
  }
  return shares;
}

std::optional<Named<FasterTime>> faster_times_of(traces::RunSummary const& summary) {
  if (!summary.reasons) return std::nullopt;
  Named<FasterTime> times;
  for (auto const& entry : summary.reasons->what_if) {
    times.emplace_back(entry.resource, FasterTime{seconds(entry.bound), seconds(entry.estimate_2x),
                                                  seconds(entry.estimate_infinite)});
  }
  return times;
}

}  // namespace tessera::sim
