// Serves walks on a channel in closed form, turn by turn, and repeats turns whose course is known: exactly what the channel would do
// (test/sim/model/memory/dram/dram_repeater_test.cpp, test/laws/skipping_test.cpp).
//
// A stream through the rows of an HBM channel is made of few kinds of turns: from equal states (dram_stream_moment.hpp), the same blocks
// of a turn of equally open or closed rows take the same course, whichever rows and banks these are, and whenever, as long as all of it
// comes in time before the next refresh, or the next refresh is as far. So the courses that are known form a graph of few states. While
// it follows that graph the channel stays behind; where a course is not known it catches up, works the piece out, and the course is kept.
//
// Leaves out: address maps with turns of few blocks, as an HMC's (compute/step_repeater.hpp), or of several rows.
#pragma once

#include <memory>
#include <optional>

#include "sim/model/memory/dram/dram_library.hpp"
#include "sim/model/record/patience.hpp"

namespace tessera::sim {

class DramRepeater final {
 public:
  /// Whether turns are long enough for that.
  [[nodiscard]] static bool serves(arch::DramSpec const& spec);

  /// Both must outlive it and its copies.
  DramRepeater(arch::DramSpec const& spec, DramLibrary& library);
  // Where its place is known, a copy is that place, and shares what is known.
  DramRepeater(DramRepeater const& other);
  DramRepeater& operator=(DramRepeater const& other);
  ~DramRepeater() = default;

  /// As DramStream::serve_stream() and the others.
  DramCompletion serve_stream(std::int64_t cycle, DramWalk const& walk, std::uint64_t first,
                              std::uint64_t count);
  void finish(std::int64_t now);
  [[nodiscard]] DramStatistics const& statistics() const { return counts_; }
  void serialize(std::int64_t now, StateWriter& out) const { caught_up().serialize(now, out); }
  void shift(std::int64_t by);

  /// Blocks of walks that were asked for here, and those of them that were not worked out again.
  [[nodiscard]] std::int64_t asked_blocks() const { return asked_blocks_; }
  [[nodiscard]] std::int64_t repeated_blocks() const { return repeated_blocks_; }

 private:
  using Moment = DramStream::Moment;

  /// Where it is.
  struct Place {
    DramStateId state;
    std::int64_t at = 0;       ///< the last arrival
    std::int64_t refresh = 0;  ///< the next one
    BankView view;             ///< how the state sees the banks
    Moment::Rows rows{};
  };
  struct Piece {
    DramWalk const& walk;
    std::uint64_t first, end;  ///< blocks
  };

  [[nodiscard]] DramStream const& caught_up() const;
  /// Lets the channel do something by its own means, from here on.
  template <typename Act>
  auto work_out(Act const& act);

  DramCompletion serve(std::int64_t cycle, Piece const& piece);
  [[nodiscard]] bool recognise(BankView const& view);
  [[nodiscard]] DramStateId state_now(BankView const& view);
  [[nodiscard]] bool go_to(std::int64_t cycle);
  void pass_refreshes(std::int64_t cycle);
  [[nodiscard]] bool wait_for(std::int64_t cycle);
  void locate(Piece const& piece);
  [[nodiscard]] DramPieceCourse const* find_course();
  DramCompletion use(DramPieceCourse const& course, Piece const& piece);
  DramCompletion work_out_and_keep(Piece const& piece);
  DramCompletion work_out_alone(std::int64_t cycle, Piece const& piece);

  arch::DramSpec const* spec_;
  DramLibrary* library_;
  std::shared_ptr<DramCourses> courses_;        ///< of the library, or were
  mutable std::unique_ptr<DramStream> stream_;  ///< made when it is needed
  mutable bool is_behind_ = false;              ///< it is not at the place
  DramStatistics counts_;
  std::optional<Place> place_;  ///< where it is known
  DramTouched touched_;         ///< by the piece that is located
  DramPieceKey key_;            ///< likewise
  StateWriter text_;
  Patience patience_;
  std::int64_t asked_blocks_ = 0;
  std::int64_t repeated_blocks_ = 0;
};

}  // namespace tessera::sim
