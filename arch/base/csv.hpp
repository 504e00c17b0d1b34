// Comma-separated values: text in, ConfigNodes out, so that numbers, choices and errors read as those of every other file.
//
//   # Jouppi et al., 2017, Table 3          lines that begin with # say where the numbers are from
//   layer, M, N, K
//   fc1, 256, 128, 1024
//
// A cell is what stands between two commas, without the blanks around it. Strict: columns without a name or named twice, and
// lines with more or fewer cells than columns are errors, and so are quotes, unless they are asked for: then a cell may stand
// in a pair of them, commas and all, and "" is a quote in it (RFC 4180, but for line breaks).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "arch/base/config.hpp"

namespace tessera {

/// The cells of one line, each a scalar with its place.
using CsvLine = std::vector<ConfigNode>;

enum class Quotes { refused, read };

/// All lines that are neither blank nor a comment. Throws ConfigError.
[[nodiscard]] std::vector<CsvLine> read_csv_lines(std::string_view text, std::string const& name,
                                                  Quotes quotes = Quotes::refused);
[[nodiscard]] std::vector<CsvLine> read_csv_lines(std::string const& path);

/// A map from column to cell for each line below the first, which names the columns. Throws
/// ConfigError.
[[nodiscard]] std::vector<ConfigNode> read_csv_table(std::string_view text, std::string const& name,
                                                     Quotes quotes = Quotes::refused);

}  // namespace tessera
