// Find a course and use it; else catch up, work the piece out, and keep its course.
#include "sim/model/memory/dram/dram_repeater.hpp"

#include <algorithm>

namespace tessera::sim {

namespace {

constexpr std::uint64_t least_turn = 16;  // blocks: shorter ones cost more to find than to serve
constexpr std::uint64_t longest_turn = 1 << 16;

[[nodiscard]] bool has_long_turns(DramWalk const& walk) {
  return walk.turn() >= least_turn && walk.turn() <= longest_turn && walk.keeps_rows() &&
         walk.bank_period() <= DramTouched::most;
}

/// Banks only: rows are the place's.
[[nodiscard]] BankView banks_from(DramWalk const& walk, std::uint64_t block) {
  auto view = walk.view(block);
  view.row = view.step = 0;
  return view;
}

}  // namespace

bool DramRepeater::serves(arch::DramSpec const& spec) {
  if (!DramStream::serves(spec)) return false;
  auto const bursts = static_cast<std::uint16_t>(spec.block() / spec.organization.burst());
  return has_long_turns(DramWalk{spec, Access::read, bursts});
}

DramRepeater::DramRepeater(arch::DramSpec const& spec, DramLibrary& library)
    : spec_{&spec},
      library_{&library},
      courses_{library.courses(spec)},
      stream_{std::make_unique<DramStream>(spec)} {}

DramRepeater::DramRepeater(DramRepeater const& other)
    : spec_{other.spec_}, library_{other.library_}, courses_{other.courses_} {
  *this = other;
}

DramRepeater& DramRepeater::operator=(DramRepeater const& other) {
  if (this == &other) return *this;
  spec_ = other.spec_;
  library_ = other.library_;
  courses_ = other.courses_;
  place_ = other.place_;
  counts_ = other.counts_;
  is_behind_ = place_.has_value();
  if (!is_behind_) stream_ = std::make_unique<DramStream>(*other.stream_);
  return *this;
}

/// The channel becomes what the place says.
DramStream const& DramRepeater::caught_up() const {
  if (!is_behind_) return *stream_;
  if (!stream_) stream_ = std::make_unique<DramStream>(courses_->spec());
  courses_->state(place_->state).moment.put_back(*stream_, place_->at, place_->view, place_->rows);
  is_behind_ = false;
  return *stream_;
}

template <typename Act>
auto DramRepeater::work_out(Act const& act) {
  static_cast<void>(caught_up());
  place_.reset();
  stream_->statistics_ = counts_;
  auto const result = act(*stream_);
  counts_ = stream_->statistics_;
  return result;
}

void DramRepeater::finish(std::int64_t now) {
  if (place_ && (now <= place_->at || go_to(now))) return;
  static_cast<void>(work_out([now](DramStream& stream) { return stream.finish(now), true; }));
}

void DramRepeater::shift(std::int64_t by) {
  if (!place_) return stream_->shift(by);
  place_->at += by;
  if (courses_->has_refresh()) place_->refresh += by;
  is_behind_ = true;
}

DramCompletion DramRepeater::serve_stream(std::int64_t cycle, DramWalk const& walk,
                                          std::uint64_t first, std::uint64_t count) {
  auto const end = first + count;
  asked_blocks_ += static_cast<std::int64_t>(count);
  bool const repeats = has_long_turns(walk);
  DramCompletion last;
  for (auto block = first; block < end;) {
    auto const left = end - block;
    auto const turns = static_cast<std::int64_t>(left / walk.turn() + 1);
    if (!repeats || !patience_.looks(turns)) {
      return work_out(
          [&](DramStream& stream) { return stream.serve_stream(cycle, walk, block, left); });
    }
    auto const stop = std::min(end, (block / walk.turn() + 1) * walk.turn());
    last = serve(cycle, {walk, block, stop});
    block = stop;
  }
  return last;
}

DramCompletion DramRepeater::serve(std::int64_t cycle, Piece const& piece) {
  if (!place_) {
    if (courses_->is_full()) courses_ = library_->courses(*spec_);
    if (!recognise(banks_from(piece.walk, piece.first))) return work_out_alone(cycle, piece);
  }
  if (cycle > place_->at && !go_to(cycle)) return work_out_alone(cycle, piece);
  locate(piece);
  if (auto const* const course = find_course()) return use(*course, piece);
  return work_out_and_keep(piece);
}

/// Finds the state that the channel is in.
bool DramRepeater::recognise(BankView const& view) {
  place_.reset();
  if (!Moment::begin(*stream_)) return false;
  place_ =
      Place{state_now(view), stream_->arrived_, stream_->oldest_end_, view, Moment::rows(*stream_)};
  return true;
}

DramStateId DramRepeater::state_now(BankView const& view) {
  text_.restart();
  Moment::write(*stream_, view, text_);
  if (auto const known = courses_->find(text_)) return *known;
  auto next_view = view;
  next_view.turn = (view.turn + 1) & view.mask;
  StateWriter turned;
  Moment::write(*stream_, next_view, turned);
  return courses_->add(text_, {Moment{*stream_, view}, turned.words() == text_.words()});
}

/// The next request arrives then, or later. False where it is in no known state then. Nothing of
/// what was asked for before a refresh is felt after it.
bool DramRepeater::go_to(std::int64_t cycle) {
  auto const before = place_->state;
  auto const& moment = courses_->state(before).moment;
  if (!moment.is_alone()) return wait_for(cycle);
  auto const& timing = courses_->spec().timing;
  bool const over_refresh = cycle >= place_->refresh;
  auto const clocks =
      over_refresh ? std::min(cycle % timing.tREFI, timing.tRFC) : cycle - place_->at;
  auto const known = over_refresh ? courses_->refreshed(clocks) : courses_->later(before, clocks);
  if (!known) {
    if (!wait_for(cycle)) return false;
    over_refresh ? courses_->add_refreshed(clocks, place_->state)
                 : courses_->add_later(before, clocks, place_->state);
    return true;
  }
  auto const closing = place_->refresh - timing.tRP;
  counts_.active_clocks += moment.active_clocks(std::min(cycle, closing) - place_->at);
  if (over_refresh) pass_refreshes(cycle);
  place_->state = *known;
  place_->at = cycle;
  is_behind_ = true;
  return true;
}

void DramRepeater::pass_refreshes(std::int64_t cycle) {
  auto const interval = courses_->spec().timing.tREFI;
  auto const refreshes = (cycle - place_->refresh) / interval + 1;
  auto& rows = place_->rows.front();
  bool const is_open =
      std::any_of(rows.begin(), rows.end(), [](std::int64_t row) { return row != Moment::closed; });
  counts_.refreshes += refreshes;
  counts_.precharges += is_open ? 1 : 0;
  rows.fill(Moment::closed);
  place_->refresh += refreshes * interval;
}

bool DramRepeater::wait_for(std::int64_t cycle) {
  auto const view = place_->view;
  static_cast<void>(work_out([cycle](DramStream& stream) { return stream.finish(cycle), true; }));
  return recognise(view);
}

/// Finds out the key of a piece.
void DramRepeater::locate(Piece const& piece) {
  auto const& walk = piece.walk;
  auto const view = banks_from(walk, piece.first);
  auto const request = walk(piece.first);
  if (courses_->state(place_->state).is_uniform) place_->view = view;
  touched_.row = request.row;
  touched_.count = static_cast<std::size_t>(std::min(piece.end - piece.first, walk.bank_period()));
  for (std::size_t i = 0; i < touched_.count; ++i) {
    touched_.banks[i] = walk(piece.first + i).bank;
  }
  key_.hits = touched_.hits(place_->rows);
  key_.what = static_cast<std::uint64_t>(place_->state.index()) << 32 |
              static_cast<std::uint64_t>(request.access) << 16 | request.bursts;
  key_.where = piece.first % walk.turn() << 32 | (piece.end - piece.first);
  key_.rest = static_cast<std::uint64_t>((view.turn - place_->view.turn) & view.mask) << 32;
}

DramPieceCourse const* DramRepeater::find_course() {
  if (!courses_->state(place_->state).moment.is_alone()) {
    key_.set_room(DramPieceKey::in_calendar);
    return courses_->find(key_);
  }
  key_.set_room(DramPieceKey::free);
  auto const* const course = courses_->find(key_);
  auto const close_by = place_->refresh - courses_->spec().timing.tRP;
  if (course != nullptr && place_->at + course->until <= close_by) return course;
  if (!courses_->has_refresh()) return course;
  key_.set_room(static_cast<std::uint64_t>(place_->refresh - place_->at));
  return courses_->find(key_);
}

DramCompletion DramRepeater::use(DramPieceCourse const& course, Piece const& piece) {
  patience_.found();
  repeated_blocks_ += static_cast<std::int64_t>(piece.end - piece.first);
  auto const issued = place_->at + course.issued;
  touched_.apply(course, place_->rows);
  place_->refresh += course.refreshes * courses_->spec().timing.tREFI;
  counts_ += course.counts;
  place_->state = course.next;
  place_->at += course.by;
  place_->view = banks_from(piece.walk, piece.end);
  is_behind_ = true;
  auto const access = static_cast<Access>(key_.what >> 16 & 0xffff);
  return {piece.end - 1, issued, issued + courses_->answers_after(access)};
}

/// From the place, keeping its course.
DramCompletion DramRepeater::work_out_and_keep(Piece const& piece) {
  patience_.missed();
  bool const was_alone = courses_->state(place_->state).moment.is_alone();
  auto const at = place_->at;
  auto const before = counts_;
  auto const epoch = caught_up().oldest_epoch_;
  auto const last = work_out_alone(at, piece);
  if (courses_->is_full() || !recognise(banks_from(piece.walk, piece.end))) return last;
  DramPieceCourse course;
  course.next = place_->state;
  course.by = place_->at - at;
  course.issued = last.issued - at;
  course.until = course.issued + stream_->open_guard_;
  course.refreshes = stream_->oldest_epoch_ - epoch;
  course.counts = counts_;
  course.counts -= before;
  touched_.tell(place_->rows, course);
  bool const is_free = was_alone && course.refreshes == 0 &&
                       courses_->state(course.next).moment.is_alone() &&
                       at + course.until <= place_->refresh - courses_->spec().timing.tRP;
  if (is_free) key_.set_room(DramPieceKey::free);
  courses_->add(key_, course);
  return last;
}

/// Keeping nothing: where the channel is then is not known.
DramCompletion DramRepeater::work_out_alone(std::int64_t cycle, Piece const& piece) {
  return work_out([&](DramStream& stream) {
    DramCompletion last;
    for (auto block = piece.first; block < piece.end; ++block) {
      last = stream.serve(cycle, piece.walk(block));
    }
    return last;
  });
}

}  // namespace tessera::sim
