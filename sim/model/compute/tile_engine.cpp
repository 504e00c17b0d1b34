// Step by step, as the recurrences say; a step of a run in pieces is cut where it asks the memory.
#include "sim/model/compute/tile_engine.hpp"

#include <algorithm>

namespace tessera::sim {

TileEngine::Outcome TileEngine::run(TileProgram const& program, Addresses const& addresses,
                                    Time start) {
  restart(addresses, start);
  program.for_each([&](TileStep const& step) {
    if (step.kernel_start) begin_kernel(*step.kernel_start);
    load(step);
    store();
    compute(step);
  });
  store();
  return ended();
}

void TileEngine::begin(TileProgram const& program, Addresses const& addresses, Time start) {
  restart(addresses, start);
  steps_.clear();
  program.for_each([this](TileStep const& step) { steps_.push_back(step); });
  place_ = 0;
  piece_ = Piece::before_kernel;
  ask_before(start);
}

void TileEngine::ask_before(Time limit) {
  while (!is_over() && time_of_piece().value_or(Time{-1}) < limit) do_piece();
}

Time TileEngine::next_ask() const {
  auto const next = time_of_piece();
  EXPECTS(next, place_, steps_.size());
  return *next;
}

TileEngine::Outcome TileEngine::outcome() {
  EXPECTS(is_over(), place_, steps_.size());
  return ended();
}

void TileEngine::restart(Addresses const& addresses, Time start) {
  addresses_ = addresses;
  start_ = origin_ = start;
  before_kernel_ = Cycles{0};
  if (kernels_ != nullptr) kernels_->begin_kernel(start, Time{0});
  asked_ = computed_ = computed_before_ = stored_ = loaded_ = start;
  to_store_ = {};
  outcome_ = {};
}

TileEngine::Outcome TileEngine::ended() {
  auto const done = edge_at_or_after(std::max(computed_, stored_));
  outcome_.end = clock_.edge(done);
  if (kernels_ != nullptr) {
    kernels_->end_task(edge(done));
    outcome_.end = clock_.edge(clock_.edge_at_or_after(start_) + before_kernel_ + done);
  }
  outcome_.waited += outcome_.end - computed_;
  return outcome_;
}

/// Nothing where it asks for nothing, and so need not wait.
std::optional<Time> TileEngine::time_of_piece() const {
  if (place_ == steps_.size()) return time_of_store();
  auto const& step = steps_[place_];
  switch (piece_) {
    case Piece::before_kernel:
      return step.kernel_start ? time_of_store() : std::nullopt;
    case Piece::loads:
      if (step.loads[0].size + step.loads[1].size == Bytes{0}) return std::nullopt;
      return std::max(asked_, computed_before_);
    case Piece::store:
      break;
  }
  return time_of_store();
}

std::optional<Time> TileEngine::time_of_store() const {
  if (to_store_.size == Bytes{0}) return std::nullopt;
  return std::max(asked_, computed_);
}

void TileEngine::do_piece() {
  if (place_ == steps_.size()) {
    store();
    ++place_;
    return;
  }
  auto const& step = steps_[place_];
  switch (piece_) {
    case Piece::before_kernel:
      if (step.kernel_start) begin_kernel(*step.kernel_start);
      piece_ = Piece::loads;
      return;
    case Piece::loads:
      load(step);
      piece_ = Piece::store;
      return;
    case Piece::store:
      store();
      compute(step);
      piece_ = Piece::before_kernel;
      ++place_;
  }
}

void TileEngine::begin_kernel(Cycles start) {
  store();
  auto const done = edge_at_or_after(std::max(computed_, stored_));
  if (kernels_ == nullptr) {
    asked_ = clock_.edge(done + start);
    return;
  }
  before_kernel_ += done;
  auto const end = start_ + clock_.length(before_kernel_);
  before_kernel_ += clock_.cycles_of(kernels_->end_kernel(end));
  origin_ = start_ + clock_.length(before_kernel_);
  kernels_->begin_kernel(origin_, clock_.length(start));
  asked_ = edge(start);
}

void TileEngine::load(TileStep const& step) {
  asked_ = std::max(asked_, computed_before_);
  auto const first = move(Access::read, step.loads[0]);
  auto const second = move(Access::read, step.loads[1]);
  loaded_ = std::max(first, second);
}

/// When it is there.
Time TileEngine::move(Access access, TileMove const& move) {
  if (move.size == Bytes{0}) return Time{0};
  auto const address = addresses_.at(static_cast<std::size_t>(move.operand)) + move.offset;
  return memory_.transfer(asked_, {access, address, move.size});
}

/// Stores what the tile before has finished.
void TileEngine::store() {
  if (to_store_.size == Bytes{0}) return;
  asked_ = std::max(asked_, computed_);
  stored_ = std::max(stored_, move(Access::write, to_store_));
  to_store_ = {};
}

void TileEngine::compute(TileStep const& step) {
  auto const first = edge_at_or_after(std::max(computed_, loaded_));
  auto const start = edge(first);
  auto const end = edge(first + step.compute);
  outcome_.waited += start - computed_;
  outcome_.computed += end - start;
  ++outcome_.tiles;
  outcome_.late_tiles += start > computed_ ? 1 : 0;
  utilisation_.add(start, end);
  computed_before_ = computed_;
  computed_ = end;
  to_store_ = step.store;
}

}  // namespace tessera::sim
