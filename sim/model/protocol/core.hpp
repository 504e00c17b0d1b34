// The protocol of every model: a pure core with no kernel, no clock of its own and no threads; time is an argument.
//
//   push(now, port, message)   hands over a message that arrives now;
//   advance(now, out)          does all that is due at `now`, puts what it sends into `out` with an arrival time that is `now` or
//                              later, and returns when it wants to be advanced next (if ever), which is later.
//
// All messages of an instant are pushed, in canonical order, before the one advance of that instant. A core therefore never
// depends on the order in which a kernel runs its neighbours. Where an array's file lets messages take no time (`dispatch`, `hop`), an
// instant has steps: what is sent in one at the same time arrives in the next.
//
// What repeats is skipped within a core, where its state says so: a StateWriter takes it relative to now in canonical form, so that
// equal text means equal future.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arch/base/clock.hpp"
#include "arch/base/quantity.hpp"
#include "sim/model/protocol/message.hpp"

namespace tessera::sim {

/// Index of an input or output of a core; each core names its own in an enum.
using Port = std::uint32_t;

/// Collects what a core sends during one advance.
class Outbox final {
 public:
  struct Entry {
    Time at;
    Port port;
    Message message;
  };

  explicit Outbox(Time now) : now_{now}, quiet_until_{now} {}
  /// Empties it for the next advance; its memory stays.
  void restart(Time now, Time quiet_until) {
    now_ = now;
    quiet_until_ = quiet_until;
    entries_.clear();
  }
  /// Up to then, now or later, no message arrives that was not pushed, unless as an answer to what
  /// is sent here. Only for cores that work ahead; for others it is now.
  [[nodiscard]] Time quiet_until() const { return quiet_until_; }
  /// Sends `message` out of `port`, to arrive at `at` >= now.
  void send(Time at, Port port, Message const& message) {
    EXPECTS(at >= now_, at, now_);
    entries_.push_back({at, port, message});
  }
  [[nodiscard]] std::vector<Entry> const& entries() const { return entries_; }

 private:
  Time now_;
  Time quiet_until_;
  std::vector<Entry> entries_;
};

/// Receives a state as a canonical sequence of integers.
class StateWriter final {
 public:
  StateWriter() { words_.reserve(reserved_words); }
  void put(std::int64_t value) { words_.push_back(value); }
  /// A time as its distance from `now`; what lies in the past cannot matter and is written as 0.
  void put_future(Time time, Time now) { put(time > now ? (time - now).value() : 0); }
  /// Where `now` lies in the pattern of the clock's edges: a core whose sends are aligned to edges
  /// behaves the same only at equal phases.
  void put_phase(Clock const& clock, Time now);
  [[nodiscard]] std::vector<std::int64_t> const& words() const& { return words_; }
  [[nodiscard]] std::vector<std::int64_t> words() && { return std::move(words_); }
  /// Empties it for the next state; its memory stays.
  void restart() { words_.clear(); }

 private:
  static constexpr std::size_t reserved_words = 32;  ///< a longer state grows

  std::vector<std::int64_t> words_;
};

/// A counter of a core: an integer that only grows.
struct Statistic {
  char const* name = "";  ///< "busy", "bytes"; unique within the core
  char const* unit = "";  ///< "ps", "B", "MAC", "1"
  std::int64_t value = 0;

  void add(std::int64_t amount) {
    EXPECTS(amount >= 0, amount);
    value = tessera::detail::checked_add(value, amount);
  }
};

class Core {
 public:
  virtual ~Core() = default;

  virtual void push(Time now, Port port, Message const& message) = 0;
  [[nodiscard]] virtual std::optional<Time> advance(Time now, Outbox& out) = 0;

  [[nodiscard]] virtual std::vector<Statistic> const& statistics() const = 0;

  /// Does it do in one advance what is due up to Outbox::quiet_until()? That saves wake-ups and
  /// must not change a result.
  [[nodiscard]] virtual bool works_ahead() const { return false; }

  /// What it models, for the tree of modules: "dispatcher", "HMC".
  [[nodiscard]] virtual char const* kind() const { return "core"; }
};

}  // namespace tessera::sim
