// A row of `tessera validate`: something that was published or measured elsewhere, what Tessera finds for it, and whether the
// two are close enough. Suites fill in what they know; judged() does the rest.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tessera::sim {

/// How close is close enough.
struct Tolerance {
  enum class Kind {
    exact,     ///< no difference: of numbers, or in a cell of a text
    relative,  ///< |value / reference - 1| <= limit
    absolute,  ///< |value - reference| <= limit
    at_least,  ///< value >= reference
    at_most,   ///< value <= reference
  };
  Kind kind = Kind::exact;
  double limit = 0;
};

/// A value as people read it and, unless it is a text (one letter per choice), as a number.
struct Figure {
  std::string text;
  std::optional<double> number;

  /// A number with five significant digits; a count with all of them.
  [[nodiscard]] static Figure of(double number);
  [[nodiscard]] static Figure of_count(std::int64_t count);
  /// A number as it was written.
  [[nodiscard]] static Figure written(std::string const& number);
  [[nodiscard]] static Figure of_text(std::string text) { return {std::move(text), {}}; }
};

struct Row {
  std::string suite;
  std::string source;  ///< "JSSC'17, Table V"
  std::string title;   ///< of the case: "CONV1"
  std::string metric;  ///< "processing time"
  std::string unit;    ///< of both figures; may be empty
  Figure reference;
  Figure value;
  Tolerance tolerance;
  std::string note;                      ///< may be empty
  std::optional<std::string> deviation;  ///< a known difference: a row of DEVIATIONS.md

  double error = 0;  ///< relative or absolute as the tolerance is; of texts, the cells that differ
  bool within = false;  ///< its tolerance
  bool pass = false;    ///< within, or out as a known deviation says

  [[nodiscard]] bool is_text() const { return !reference.number; }
};

/// The row with its error and verdict. Requires a number on both sides or on none.
[[nodiscard]] Row judged(Row row);

/// `tessera.validate/1`.
[[nodiscard]] std::string as_json(std::vector<Row> const& rows);
/// A line per row, and a summary of each suite.
[[nodiscard]] std::string as_text(std::vector<Row> const& rows);

}  // namespace tessera::sim
