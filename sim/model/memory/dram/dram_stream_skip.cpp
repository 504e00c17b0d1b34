// Long walks: what repeats itself is multiplied (dram_stream.hpp).
#include <algorithm>
#include <utility>

#include "sim/model/memory/dram/dram_stream.hpp"

namespace tessera::sim {

namespace {

// Looking more often, or along shorter runs, costs more than it saves.
constexpr std::uint64_t least_stride = 16;  // blocks
constexpr std::uint64_t least_looks = 32;

/// Where to look for repetitions, in blocks.
struct Strides {
  std::uint64_t of_rows, of_columns;

  explicit Strides(DramWalk const& walk)
      : of_rows{walk.row_step() == 0 ? walk.blocks() : std::max(walk.turn(), least_stride)},
        of_columns{std::max(walk.run_period(), least_stride)} {
    if (walk.run_length() < least_looks * of_columns) of_columns = of_rows;
  }
};

}  // namespace

DramCompletion DramStream::serve_stream(std::int64_t cycle, DramWalk const& walk,
                                        std::uint64_t first, std::uint64_t count) {
  EXPECTS(count > 0, first);
  Strides const strides{walk};
  auto const end = first + count;
  last_.is_valid = far_.is_valid = last_of_row_.is_valid = false;
  DramCompletion last;
  for (auto block = first; block < end;) {
    last = serve(cycle, walk(block++));
    if (block % strides.of_columns != 0 || end - block < least_stride) continue;
    checkpoint(walk, block);
    block =
        block % strides.of_rows != 0 ? skip_along_row(walk, end, last) : skip_rows(walk, end, last);
  }
  return last;
}

std::uint64_t DramStream::skip_along_row(DramWalk const& walk, std::uint64_t end,
                                         DramCompletion& last) {
  auto const reached = skip(walk, end, Skip::along_row, last);
  last_of_row_ = now_;
  last_of_row_.is_valid = reached == now_.block;
  return reached;
}

std::uint64_t DramStream::skip_rows(DramWalk const& walk, std::uint64_t end, DramCompletion& last) {
  auto reached = skip(walk, end, Skip::over_refreshes, last);
  if (reached != now_.block) {
    far_.is_valid = last_.is_valid = false;  // less than one such period is left
    return reached;
  }
  reached = skip(walk, end, Skip::to_refresh, last);
  move_far();
  last_ = now_;
  last_.is_valid = reached == now_.block;
  return reached;
}

void DramStream::checkpoint(DramWalk const& walk, std::uint64_t block) {
  auto const& current = epoch(oldest_epoch_);
  auto const& next = epochs_[static_cast<std::size_t>(oldest_epoch_ + 1) % epochs_.size()];
  now_.is_valid = true;
  now_.is_alone = !current.no_columns && !current.no_activates && next.number != oldest_epoch_ + 1;
  now_.block = block;
  now_.arrived = arrived_;
  now_.epoch = oldest_epoch_;
  now_.statistics = statistics_;
  now_.state.restart();
  serialize(arrived_, now_.state, walk.view(block));
}

std::uint64_t DramStream::skip(DramWalk const& walk, std::uint64_t end, Skip kind,
                               DramCompletion& last) {
  auto const& before = kind == Skip::over_refreshes ? far_
                       : kind == Skip::to_refresh   ? last_
                                                    : last_of_row_;
  auto const length = kind == Skip::along_row ? walk.run_length() : walk.blocks();
  auto const block = now_.block;
  if (before.block / length != block / length || !repeats(before, kind)) return block;
  auto const blocks = block - before.block;
  auto const clocks = now_.arrived - before.arrived;
  auto times = static_cast<std::int64_t>(std::min(end - block, length - block % length) / blocks);
  if (kind != Skip::over_refreshes) {
    // Then every command comes in time, because a request's last one does.
    auto const room = epoch(oldest_epoch_).close_by - open_guard_ - last.issued;
    times = std::clamp<std::int64_t>(room / clocks, 0, times);
  }
  auto const skipped = blocks * static_cast<std::uint64_t>(times);
  repeat(before, times, kind, walk);
  last = {last.tag + skipped, last.issued + clocks * times, last.done + clocks * times};
  return block + skipped;
}

bool DramStream::repeats(Checkpoint const& before, Skip skip) const {
  if (!before.is_valid || now_.arrived == before.arrived) return false;
  auto const& then = before.state.words();
  auto const& words = now_.state.words();
  bool const in_calendar = skip == Skip::over_refreshes || !has_refresh_;
  if (!in_calendar && (!now_.is_alone || before.epoch != now_.epoch)) return false;
  auto const first = in_calendar ? 0 : 1;  // where in the calendar
  return std::equal(words.begin() + first, words.end(), then.begin() + first, then.end());
}

void DramStream::repeat(Checkpoint const& before, std::int64_t factor, Skip skip,
                        DramWalk const& walk) {
  auto const by = (now_.arrived - before.arrived) * factor;
  statistics_.repeat(before.statistics, factor);
  if (skip == Skip::over_refreshes) {
    shift(by);
  } else {
    shift(epoch(oldest_epoch_), by);
    shift_arrivals(by);
  }
  if (skip == Skip::along_row) return;  // in the same rows of the same banks
  auto const blocks = (now_.block - before.block) * static_cast<std::uint64_t>(factor);
  auto const from = walk.view(now_.block);
  auto const to = walk.view(now_.block + blocks);
  for (auto& it : epochs_) {
    if (it.number >= oldest_epoch_) turn(it, from, to);
  }
}

void DramStream::move_far() {
  if (!far_.is_valid) since_far_ = far_length_ = 0;
  if (since_far_++ < far_length_) return;
  far_ = now_;
  far_length_ = std::max<std::int64_t>(2 * far_length_, 1);
  since_far_ = 0;
}

}  // namespace tessera::sim
