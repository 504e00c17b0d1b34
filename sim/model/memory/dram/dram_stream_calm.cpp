// What is between two refreshes: one epoch, the command bus, the queue.
#include "sim/model/memory/dram/dram_stream_calm.hpp"

#include <algorithm>

namespace tessera::sim {

bool DramStream::Calm::settle(DramStream& stream, std::int64_t now) {
  stream.finish(now);
  // With a queue so full that the last request arrived behind a refresh that is yet to come, not.
  bool const is_now = !stream.has_refresh_ || stream.oldest_end_ - stream.spec_.timing.tREFI <= now;
  return is_now && is_calm(stream);
}

bool DramStream::Calm::is_calm(DramStream const& stream) {
  auto const at = [&](std::int64_t number) -> Epoch const& {
    return stream.epochs_[static_cast<std::size_t>(number) % stream.epochs_.size()];
  };
  auto const& now = at(stream.oldest_epoch_);
  bool const waits = now.number == stream.oldest_epoch_ && (now.no_columns || now.no_activates);
  return !waits && at(stream.oldest_epoch_ + 1).number != stream.oldest_epoch_ + 1;
}

/// A request's last column command is its last command, and requests are served in order.
std::int64_t DramStream::Calm::rest(DramStream& stream, std::int64_t next) {
  auto const places = stream.issued_.size();
  auto until = stream.issued_[(stream.place_ + places - 1) % places] + stream.open_guard_;
  for (auto number = stream.oldest_epoch_;; ++number) {
    auto& epoch = stream.epochs_[static_cast<std::size_t>(number) % stream.epochs_.size()];
    if (epoch.number != number) return until;
    stream.statistics_.active_clocks += epoch.count_active(next);
    if (epoch.rows.any_open()) until = std::max(until, next);
  }
}

void DramStream::Calm::write(DramStream& stream, std::int64_t now, BankView const& view,
                             StateWriter& out) {
  auto const& epoch = stream.epoch(stream.oldest_epoch_);
  epoch.timer.serialize(now, out, view);
  epoch.rows.serialize(now, out);
  out.put(std::max<std::int64_t>(epoch.last_column - now, -1));
  stream.slots_.visit_from(now, [&](std::int64_t cycle) { out.put(cycle - now); });
  for (std::size_t i = 0; i < stream.issued_.size(); ++i) {
    auto const place = (stream.place_ + i) % stream.issued_.size();
    out.put(std::max<std::int64_t>(stream.issued_[place] - now, -1));
  }
}

DramStream::Calm::Calm(DramStream& stream, std::int64_t now, BankView const& view)
    : epoch_{stream.epoch(stream.oldest_epoch_)},
      slots_{stream.slots_},
      issued_{stream.issued_},
      place_{stream.place_},
      arrived_{stream.arrived_},
      now_{now},
      view_{view} {}

/// Into the epoch of `now`, with none begun.
void DramStream::Calm::go_to(DramStream& stream, std::int64_t now) {
  for (auto& epoch : stream.epochs_) epoch.number = -1;
  if (!stream.has_refresh_) return;
  auto const interval = stream.spec_.timing.tREFI;
  auto const number = now / interval;
  stream.statistics_.refreshes += number - stream.oldest_epoch_;
  stream.oldest_epoch_ = number;
  stream.oldest_end_ = (number + 1) * interval;
}

void DramStream::Calm::put_back(DramStream& stream, std::int64_t now, BankView const& view) const {
  go_to(stream, now);
  auto& epoch = stream.epoch(stream.oldest_epoch_);
  epoch.timer = epoch_.timer;
  epoch.rows = epoch_.rows;
  epoch.last_column = epoch_.last_column;
  epoch.open_banks = epoch_.open_banks;
  DramStream::shift(epoch, now - now_);
  stream.turn(epoch, view_, view);
  stream.slots_ = slots_;
  stream.issued_ = issued_;
  stream.place_ = place_;
  stream.arrived_ = arrived_;
  stream.shift_arrivals(now - now_);
}

void DramStream::Calm::refresh(DramStream& stream, std::int64_t now) {
  go_to(stream, now);
  stream.slots_ = SlotCalendar{};
  std::fill(stream.issued_.begin(), stream.issued_.end(), now - 1);
  stream.arrived_ = now;
}

}  // namespace tessera::sim
