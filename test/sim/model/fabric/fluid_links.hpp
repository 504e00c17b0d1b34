// The slow, obvious twin of a row of links: bytes move picosecond by picosecond.
//
// In every picosecond each lane of each link passes on as many bytes as its rate allows and have arrived, all of one message; the
// messages of a lane go in the order in which their first bytes came. No formula of Link is used.
#pragma once

#include <deque>
#include <map>
#include <vector>

#include "sim/model/protocol/message.hpp"

namespace tessera::sim {

class FluidLinks final {
 public:
  struct Spec {
    std::int64_t bytes_per_ps = 1;
    std::int64_t latency_ps = 1;
    std::size_t lanes = 1;
  };

  explicit FluidLinks(std::vector<Spec> specs) : specs_{std::move(specs)} {
    for (Spec const& spec : specs_) lanes_.emplace_back(spec.lanes);
  }

  void inject(Time at, Message const& message) {
    arriving_[{at.value(), 0}][message] += message.bytes.value();
  }

  /// When the last byte of each task is at the end.
  [[nodiscard]] std::map<TaskId, Time> run() {
    for (std::int64_t now = 0; busy(); ++now) {
      for (std::size_t link = 0; link < specs_.size(); ++link) step(now, link);
    }
    return ends_;
  }

 private:
  struct Passing {
    Message message;
    std::int64_t here = 0;  ///< bytes that wait to be passed on
    std::int64_t left = 0;  ///< bytes still to be passed on, here or not
  };
  using Lane = std::deque<Passing>;  ///< in order of service

  [[nodiscard]] bool busy() const {
    if (!arriving_.empty()) return true;
    for (auto const& link : lanes_) {
      for (Lane const& lane : link) {
        if (!lane.empty()) return true;
      }
    }
    return false;
  }

  void step(std::int64_t now, std::size_t link) {
    receive(now, link);
    for (Lane& lane : lanes_[link]) {
      if (lane.empty()) continue;
      Passing& first = lane.front();
      std::int64_t const bytes = std::min(first.here, specs_[link].bytes_per_ps);
      first.here -= bytes;
      first.left -= bytes;
      if (bytes > 0) pass_on(now, link, first, bytes);
      if (first.left == 0) lane.pop_front();
    }
  }

  void receive(std::int64_t now, std::size_t link) {
    auto const found = arriving_.find({now, link});
    if (found == arriving_.end()) return;
    for (auto const& [message, bytes] : found->second) {  // canonical order
      Lane& lane = lanes_[link][message.source.index() % specs_[link].lanes];
      Passing* passing = nullptr;
      for (Passing& candidate : lane) {
        if (candidate.message == message) passing = &candidate;
      }
      if (passing == nullptr) {
        passing = &lane.emplace_back(Passing{message, 0, message.bytes.value()});
      }
      passing->here += bytes;
    }
    arriving_.erase(found);
  }

  void pass_on(std::int64_t now, std::size_t link, Passing const& passing, std::int64_t bytes) {
    std::int64_t const arrival = now + specs_[link].latency_ps;
    if (link + 1 < specs_.size()) {
      arriving_[{arrival, link + 1}][passing.message] += bytes;
    } else if (passing.left == 0) {
      ends_[passing.message.task] = Time{arrival + 1};  // at the end of this picosecond
    }
  }

  std::vector<Spec> specs_;
  std::vector<std::vector<Lane>> lanes_;  ///< by link, by lane
  std::map<std::pair<std::int64_t, std::size_t>, std::map<Message, std::int64_t>> arriving_;
  std::map<TaskId, Time> ends_;
};

}  // namespace tessera::sim
