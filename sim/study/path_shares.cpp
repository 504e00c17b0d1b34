#include "sim/study/path_shares.hpp"

#include <algorithm>
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

  friend bool operator<(ShareKey const& a, ShareKey const& b) {
    return std::tie(a.cause, a.op, a.phase, a.link) < std::tie(b.cause, b.op, b.phase, b.link);
  }
};

ShareKey key_of(traces::PathEntry const& piece) {
  ShareKey key{piece.cause};
  key.link = piece.link;
  auto const cause = static_cast<PathCause>(piece.cause);
  bool const is_of_operator = cause == PathCause::compute || cause == PathCause::memory ||
                              cause == PathCause::communication;
  if (!is_of_operator) return key;
  key.op = piece.op;
  key.phase = piece.phase;
  return key;
}

PathShare share_of(ShareKey const& key, Time time, traces::RunSummary const& summary,
                   workloads::Network const& network) {
  PathShare share;
  share.cause = outcome::path_cause_names().at(key.cause);
  if (key.op) share.layer = network.at(workloads::OperatorId{*key.op}).name;
  if (key.phase) share.phase = name(static_cast<workloads::Phase>(*key.phase));
  if (key.link >= 0) {
    auto const& link = summary.links.at(static_cast<std::size_t>(key.link));
    share.link = link.from + '>' + link.to;
  }
  share.time_s = seconds(time);
  return share;
}

}  // namespace

std::optional<std::vector<PathShare>> path_shares_of(traces::RunSummary const& summary,
                                                     workloads::Network const& network) {
  if (!summary.reasons) return std::nullopt;
  std::map<ShareKey, Time> sums;
  for (auto const& piece : summary.reasons->critical_path)
    sums[key_of(piece)] += piece.end - piece.begin;
  std::vector<std::pair<ShareKey, Time>> sorted{sums.begin(), sums.end()};
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](auto const& a, auto const& b) { return a.second > b.second; });
  std::vector<PathShare> shares;
  shares.reserve(sorted.size());
  for (auto const& [key, time] : sorted) shares.push_back(share_of(key, time, summary, network));
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
