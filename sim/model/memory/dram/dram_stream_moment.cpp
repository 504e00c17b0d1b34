// One epoch, or two around a refresh that requests wait for; the command bus, the queue.
#include "sim/model/memory/dram/dram_stream_moment.hpp"

#include <algorithm>

namespace tessera::sim {

namespace {

template <typename Stream>
auto& epoch_at(Stream& epochs, std::int64_t number) {
  return epochs[static_cast<std::size_t>(number) % epochs.size()];
}

/// Calls `visit` for each epoch that has begun and is not over, in order.
template <typename Epochs, typename Visit>
void for_each_begun(Epochs const& epochs, std::int64_t oldest, Visit const& visit) {
  for (auto number = oldest; epoch_at(epochs, number).number == number; ++number) {
    visit(epoch_at(epochs, number));
  }
}

}  // namespace

bool DramStream::Moment::begin(DramStream& stream) {
  static_cast<void>(stream.epoch(stream.oldest_epoch_));
  std::size_t begun = 0;
  for_each_begun(stream.epochs_, stream.oldest_epoch_, [&](Epoch const& /*it*/) { ++begun; });
  return begun <= most_epochs;
}

bool DramStream::Moment::is_alone(DramStream const& stream) {
  auto const& now = epoch_at(stream.epochs_, stream.oldest_epoch_);
  auto const next = stream.oldest_epoch_ + 1;
  return !now.no_columns && !now.no_activates && epoch_at(stream.epochs_, next).number != next;
}

void DramStream::Moment::write(DramStream const& stream, BankView const& view, StateWriter& out) {
  auto const now = stream.arrived_;
  out.put(is_alone(stream) ? -1 : stream.oldest_end_ - now);
  for_each_begun(stream.epochs_, stream.oldest_epoch_, [&](Epoch const& it) {
    out.put(it.number - stream.oldest_epoch_);
    it.timer.serialize(now, out, view, DramTimer::Rows::left_out);
    it.rows.serialize(now, out);
    out.put(std::max<std::int64_t>(it.last_column - now, -1));
    out.put(static_cast<std::int64_t>(view.turned(it.blocked_banks, BankView{})));
    out.put((it.no_activates ? 2 : 0) + (it.no_columns ? 1 : 0));
  });
  out.put(-1);
  stream.slots_.visit_from(now, [&](std::int64_t cycle) { out.put(cycle - now); });
  for (std::size_t i = 0; i < stream.issued_.size(); ++i) {
    auto const place = (stream.place_ + i) % stream.issued_.size();
    out.put(std::max<std::int64_t>(stream.issued_[place] - now, -1));
  }
}

DramStream::Moment::Rows DramStream::Moment::rows(DramStream const& stream) {
  Rows rows;
  for (auto& of_epoch : rows) of_epoch.fill(closed);
  for_each_begun(stream.epochs_, stream.oldest_epoch_, [&](Epoch const& it) {
    auto& of_epoch = rows.at(static_cast<std::size_t>(it.number - stream.oldest_epoch_));
    for (std::size_t bank = 0; bank < it.timer.banks(); ++bank) {
      if (it.timer.is_open(bank)) of_epoch.at(bank) = it.timer.row(bank);
    }
  });
  return rows;
}

/// The first clock from which on nothing is felt of what has been asked for.
std::int64_t DramStream::Moment::settled(DramStream const& stream) {
  auto last = stream.arrived_;
  for_each_begun(stream.epochs_, stream.oldest_epoch_, [&](Epoch const& it) {
    last = std::max({last, it.timer.settled(), it.last_column + 1, it.rows.last()});
  });
  stream.slots_.visit_from(stream.arrived_,
                           [&](std::int64_t cycle) { last = std::max(last, cycle + 1); });
  for (auto const cycle : stream.issued_) last = std::max(last, cycle + 1);
  return last;
}

DramStream::Moment::Moment(DramStream const& stream, BankView const& view)
    : slots_{stream.slots_},
      issued_{stream.issued_},
      place_{stream.place_},
      at_{stream.arrived_},
      settles_{settled(stream) - stream.arrived_},
      view_{view},
      is_alone_{is_alone(stream)} {
  for_each_begun(stream.epochs_, stream.oldest_epoch_,
                 [this](Epoch const& it) { epochs_.push_back(it); });
}

void DramStream::Moment::put_back(DramStream& stream, std::int64_t at, BankView const& view,
                                  Rows const& rows) const {
  auto const interval = stream.spec_.timing.tREFI;
  auto const first = stream.has_refresh_ ? at / interval : 0;
  for (auto& epoch : stream.epochs_) epoch.number = -1;
  stream.oldest_epoch_ = first;
  if (stream.has_refresh_) stream.oldest_end_ = (first + 1) * interval;
  for (std::size_t i = 0; i < epochs_.size(); ++i) {
    auto& epoch = stream.epoch(first + static_cast<std::int64_t>(i));
    auto const& kept = epochs_[i];
    epoch.timer = kept.timer;
    epoch.rows = kept.rows;
    epoch.last_column = kept.last_column;
    epoch.open_banks = kept.open_banks;
    epoch.blocked_banks = kept.blocked_banks;
    epoch.no_activates = kept.no_activates;
    epoch.no_columns = kept.no_columns;
    shift(epoch, at - at_);
    stream.turn(epoch, view_, view);
    for (std::size_t bank = 0; bank < epoch.timer.banks(); ++bank) {
      if (!epoch.timer.is_open(bank)) continue;
      epoch.timer.set_row(bank, static_cast<std::uint32_t>(rows.at(i).at(bank)));
    }
  }
  stream.slots_ = slots_;
  stream.issued_ = issued_;
  stream.place_ = place_;
  stream.arrived_ = at_;
  stream.shift_arrivals(at - at_);
}

}  // namespace tessera::sim
