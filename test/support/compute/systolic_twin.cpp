#include "test/support/compute/systolic_twin.hpp"

#include <algorithm>

namespace tessera::sim {

namespace {

using arch::Dataflow;
using arch::SystolicArraySpec;
using Index = std::int64_t;

/// What is between two PEs for one cycle.
struct Wire {
  bool valid = false;
  Number value = 0;
  Index fold = 0;
  Index step = 0;  ///< within the fold; of a weight: the row where it goes
};

/// A grid of registers.
template <typename T>
class Grid final {
 public:
  Grid(Index rows, Index columns)
      : columns_{columns}, cells_(static_cast<std::size_t>(rows * columns)) {}
  [[nodiscard]] T& at(Index row, Index column) {
    return cells_[static_cast<std::size_t>(row * columns_ + column)];
  }

 private:
  Index columns_;
  std::vector<T> cells_;
};

/// Cuts a matrix into blocks; beyond its border there are zeros.
Number padded(Matrix const& matrix, Index row, Index column) {
  return row < matrix.rows() && column < matrix.columns() ? matrix.at(row, column) : 0;
}

/// One operand stays in the PEs ([row][column]), the other streams through ([step][row]), sums
/// leave at the bottom.
class StationaryTwin final {
 public:
  StationaryTwin(SystolicArraySpec const& array, std::vector<Matrix> const& stays,
                 std::vector<Matrix> const& streams, Index haste)
      : rows_{array.rows},
        columns_{array.columns},
        overlapped_{array.schedule == SystolicArraySpec::Schedule::overlapped},
        stays_{stays},
        streams_{streams},
        haste_{haste},
        steps_{streams.front().rows()},
        folds_down_{ceil_divide(stays.front().rows(), rows_)},
        folds_across_{ceil_divide(stays.front().columns(), columns_)},
        folds_{folds_down_ * folds_across_ * static_cast<Index>(stays.size())},
        chain_(rows_, columns_),
        waiting_(rows_, columns_),
        active_(rows_, columns_),
        x_(rows_, columns_),
        sum_(rows_, columns_) {
    for (auto const& b : stays) sums_.emplace_back(steps_, b.columns());
  }

  [[nodiscard]] TwinResult run() {
    plan();
    Index const wanted = folds_ * steps_ * columns_;
    Index cycle = 0;
    for (; results_ < wanted; ++cycle) clock(cycle);
    return {cycle, sums_};
  }

 private:
  /// When each fold's weights and steps begin to enter. A weight may arrive in the waiting register
  /// once the first step of the fold before has taken what was there.
  void plan() {
    Index load = 0;
    Index start = rows_;
    for (Index fold = 0; fold < folds_; ++fold) {
      if (fold > 0 && overlapped_) {
        load = start - haste_;
        start = std::max(start + steps_, load + rows_);
      } else if (fold > 0) {
        load = start + steps_ + rows_ + columns_ - 2 - haste_;  // the last sum is out
        start = load + rows_;
      }
      loads_.push_back(load);
      starts_.push_back(start);
    }
  }

  void clock(Index cycle) {
    // From the bottom right, so that each PE still sees the registers before it as they were.
    for (Index i = rows_ - 1; i >= 0; --i) {
      for (Index j = columns_ - 1; j >= 0; --j) clock_pe(i, j, cycle);
    }
  }

  void clock_pe(Index i, Index j, Index cycle) {
    Wire const x = j == 0 ? step_entering(i, cycle) : x_.at(i, j - 1);
    Wire const sum = i == 0 ? Wire{} : sum_.at(i - 1, j);
    Wire const weight = i == 0 ? weight_entering(j, cycle) : chain_.at(i - 1, j);
    if (x.valid && x.step == 0) active_.at(i, j) = waiting_.at(i, j);
    x_.at(i, j) = x;
    sum_.at(i, j) = {x.valid, sum.value + x.value * active_.at(i, j), x.fold, x.step};
    chain_.at(i, j) = weight;
    if (weight.valid && weight.step == i) waiting_.at(i, j) = weight.value;
    if (i == rows_ - 1 && x.valid) collect(sum_.at(i, j), j);
  }

  /// Step t of a fold enters row i at start + t + i.
  [[nodiscard]] Wire step_entering(Index i, Index cycle) {
    auto const fold = last_begun(starts_, cycle - i);
    if (fold < 0) return {};
    auto const step = cycle - i - starts_[static_cast<std::size_t>(fold)];
    if (step >= steps_) return {};
    auto const row = fold / folds_across_ % folds_down_ * rows_ + i;
    return {true, padded(streams_[batch(fold)], step, row), fold, step};
  }

  /// The weight of the last row first, column j one cycle after column j - 1.
  [[nodiscard]] Wire weight_entering(Index j, Index cycle) {
    auto const fold = last_begun(loads_, cycle - j);
    if (fold < 0) return {};
    auto const row = rows_ - 1 - (cycle - j - loads_[static_cast<std::size_t>(fold)]);
    if (row < 0) return {};
    return {true,
            padded(stays_[batch(fold)], fold / folds_across_ % folds_down_ * rows_ + row,
                   fold % folds_across_ * columns_ + j),
            fold, row};
  }

  void collect(Wire const& sum, Index j) {
    ++results_;
    auto& matrix = sums_[batch(sum.fold)];
    auto const column = sum.fold % folds_across_ * columns_ + j;
    if (column < matrix.columns()) matrix.at(sum.step, column) += sum.value;
  }

  [[nodiscard]] std::size_t batch(Index fold) const {
    return static_cast<std::size_t>(fold / (folds_across_ * folds_down_));
  }

  [[nodiscard]] static Index last_begun(std::vector<Index> const& begins, Index cycle) {
    return std::upper_bound(begins.begin(), begins.end(), cycle) - begins.begin() - 1;
  }

  Index rows_;
  Index columns_;
  bool overlapped_;
  std::vector<Matrix> const& stays_;
  std::vector<Matrix> const& streams_;
  Index haste_;
  Index steps_;
  Index folds_down_;
  Index folds_across_;
  Index folds_;
  std::vector<Index> loads_;
  std::vector<Index> starts_;
  Grid<Wire> chain_;      ///< weights on their way down
  Grid<Number> waiting_;  ///< the next fold's weight
  Grid<Number> active_;
  Grid<Wire> x_;
  Grid<Wire> sum_;
  std::vector<Matrix> sums_;
  Index results_ = 0;
};

/// A enters from the left, B from above, sums stay until a fold is done; overlapped, they then
/// leave through a chain of their own, down each column.
class OutputTwin final {
 public:
  OutputTwin(SystolicArraySpec const& array, std::vector<Matrix> const& a,
             std::vector<Matrix> const& b, Index haste)
      : rows_{array.rows},
        columns_{array.columns},
        overlapped_{array.schedule == SystolicArraySpec::Schedule::overlapped},
        a_{a},
        b_{b},
        steps_{a.front().columns()},
        folds_down_{ceil_divide(a.front().rows(), rows_)},
        folds_across_{ceil_divide(b.front().columns(), columns_)},
        folds_{folds_down_ * folds_across_ * static_cast<Index>(a.size())},
        period_{(overlapped_ ? std::max(steps_, rows_) : steps_ + rows_ + columns_ - 2) - haste},
        left_(rows_, columns_),
        above_(rows_, columns_),
        sum_(rows_, columns_),
        out_(rows_, columns_) {
    for (std::size_t i = 0; i < a.size(); ++i) products_.emplace_back(a[i].rows(), b[i].columns());
  }

  [[nodiscard]] TwinResult run() {
    Index const wanted = folds_ * rows_ * columns_;
    Index const hopeless = (folds_ + 1) * (steps_ + 3 * rows_ + columns_);  // results were lost
    Index cycle = 0;
    for (; results_ < wanted && cycle < hopeless; ++cycle) clock(cycle);
    return {cycle, products_};
  }

 private:
  void clock(Index cycle) {
    for (Index i = rows_ - 1; i >= 0; --i) {
      for (Index j = columns_ - 1; j >= 0; --j) {
        if (overlapped_ && i == rows_ - 1) drain(j);
        clock_pe(i, j, cycle);
      }
    }
  }

  void clock_pe(Index i, Index j, Index cycle) {
    Wire const a = j == 0 ? entering(cycle, i, true) : left_.at(i, j - 1);
    Wire const b = i == 0 ? entering(cycle, j, false) : above_.at(i - 1, j);
    left_.at(i, j) = a;
    above_.at(i, j) = b;
    if (!a.valid || !b.valid) return;
    auto& sum = sum_.at(i, j);
    if (a.step == 0) sum = 0;
    sum += a.value * b.value;
    if (a.step < steps_ - 1) return;
    if (overlapped_) {
      out_.at(i, j) = {true, sum, a.fold, i};
    } else {
      collect({true, sum, a.fold, i}, j);
    }
  }

  /// A column's chain starts when its last row is done; row i then sends what rows 0 to i computed.
  void drain(Index j) {
    auto& last = out_.at(rows_ - 1, j);
    if (!last.valid) return;
    collect(last, j);
    auto const fold = last.fold;
    last = {};
    for (Index row = rows_ - 1; row > 0; --row) {
      auto& above = out_.at(row - 1, j);
      if (!above.valid || above.fold != fold) return;
      out_.at(row, j) = above;
      above = {};
    }
  }

  [[nodiscard]] Wire entering(Index cycle, Index lane, bool is_a) {
    auto const since = cycle - lane;
    if (since < 0) return {};
    auto const fold = std::min(since / period_, folds_ - 1);
    auto const step = since - fold * period_;
    if (step >= steps_) return {};
    auto const batch = static_cast<std::size_t>(fold / (folds_across_ * folds_down_));
    auto const row = fold / folds_across_ % folds_down_ * rows_ + lane;
    auto const column = fold % folds_across_ * columns_ + lane;
    return {true, is_a ? padded(a_[batch], row, step) : padded(b_[batch], step, column), fold,
            step};
  }

  void collect(Wire const& sum, Index j) {
    ++results_;
    auto& matrix = products_[static_cast<std::size_t>(sum.fold / (folds_across_ * folds_down_))];
    auto const row = sum.fold / folds_across_ % folds_down_ * rows_ + sum.step;
    auto const column = sum.fold % folds_across_ * columns_ + j;
    if (row < matrix.rows() && column < matrix.columns()) matrix.at(row, column) = sum.value;
  }

  Index rows_;
  Index columns_;
  bool overlapped_;
  std::vector<Matrix> const& a_;
  std::vector<Matrix> const& b_;
  Index steps_;
  Index folds_down_;
  Index folds_across_;
  Index folds_;
  Index period_;  ///< between the first steps of two folds
  Grid<Wire> left_;
  Grid<Wire> above_;
  Grid<Number> sum_;
  Grid<Wire> out_;  ///< results on their way out; step: the row that computed them
  std::vector<Matrix> products_;
  Index results_ = 0;
};

std::vector<Matrix> transposed(std::vector<Matrix> const& matrices) {
  std::vector<Matrix> result;
  for (auto const& matrix : matrices) result.push_back(matrix.transposed());
  return result;
}

}  // namespace

Matrix Matrix::transposed() const {
  Matrix result(columns_, rows());
  for (Index i = 0; i < rows(); ++i) {
    for (Index j = 0; j < columns_; ++j) result.at(j, i) = at(i, j);
  }
  return result;
}

Matrix product(Matrix const& a, Matrix const& b) {
  Matrix c(a.rows(), b.columns());
  for (Index i = 0; i < c.rows(); ++i) {
    for (Index j = 0; j < c.columns(); ++j) {
      for (Index k = 0; k < a.columns(); ++k) c.at(i, j) += a.at(i, k) * b.at(k, j);
    }
  }
  return c;
}

TwinResult run_systolic_twin(SystolicArraySpec const& array, std::vector<Matrix> const& a,
                             std::vector<Matrix> const& b, std::int64_t haste) {
  if (array.dataflow == Dataflow::output_stationary) return OutputTwin(array, a, b, haste).run();
  if (array.dataflow == Dataflow::weight_stationary) {
    return StationaryTwin(array, b, a, haste).run();
  }
  // C^T = B^T A^T: A^T stays, B streams.
  auto const a_transposed = transposed(a);
  auto const b_transposed = transposed(b);
  auto result = StationaryTwin(array, a_transposed, b_transposed, haste).run();
  result.products = transposed(result.products);
  return result;
}

}  // namespace tessera::sim
