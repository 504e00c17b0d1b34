// Edit distance with swaps of neighbours ("optimal string alignment").
#include "arch/base/nearest_name.hpp"

#include <algorithm>
#include <string_view>

#include "arch/base/config_error.hpp"

namespace tessera {

namespace {

[[nodiscard]] bool same_letter(char a, char b) {
  auto const lower = [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  };
  return lower(a) == lower(b);
}

/// D[i][j] = edits between the first i letters of a and the first j of b
///         = min(D[i-1][j] + 1, D[i][j-1] + 1, D[i-1][j-1] + (a_i != b_j), swap: D[i-2][j-2] + 1)
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> edits(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) edits[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) edits[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      std::size_t const replace = edits[i - 1][j - 1] + (same_letter(a[i - 1], b[j - 1]) ? 0 : 1);
      edits[i][j] = std::min({edits[i - 1][j] + 1, edits[i][j - 1] + 1, replace});
      bool const swapped =
          i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]);
      if (swapped) edits[i][j] = std::min(edits[i][j], edits[i - 2][j - 2] + 1);
    }
  }
  return edits[a.size()][b.size()];
}

/// The most edits that still look like a slip between texts of these lengths.
[[nodiscard]] std::size_t tolerated(std::string_view a, std::string_view b) {
  return std::max(a.size(), b.size()) / 3;
}

/// Edits are never fewer than the difference in length: spares the table for hopeless pairs.
[[nodiscard]] bool may_be_close(std::string_view a, std::string_view b) {
  return std::max(a.size(), b.size()) - std::min(a.size(), b.size()) <= tolerated(a, b);
}

}  // namespace

std::optional<std::string> nearest_name(std::string const& name,
                                        std::vector<std::string> const& known) {
  std::optional<std::string> nearest;
  std::size_t fewest = 0;
  for (auto const& candidate : known) {
    if (!may_be_close(name, candidate)) continue;
    auto const edits = edit_distance(name, candidate);
    if (edits > tolerated(name, candidate) || (nearest && edits >= fewest)) continue;
    nearest = candidate;
    fewest = edits;
  }
  return nearest;
}

namespace {

/// As many names as a line can show: all, or the nearest of them and how many there are besides.
[[nodiscard]] std::string some_of(std::vector<std::string> known, std::string const& name,
                                  std::string const& listing) {
  std::size_t const most = 12;
  if (known.size() <= most) return joined(known);
  std::size_t const shown = 5;
  std::stable_sort(known.begin(), known.end(), [&name](auto const& a, auto const& b) {
    return edit_distance(name, a) < edit_distance(name, b);
  });
  auto const more = known.size() - shown;
  known.resize(shown);
  return joined(known) + " and " + std::to_string(more) + " more" +
         (listing.empty() ? "" : "; see " + listing);
}

}  // namespace

std::string unknown_name(std::string const& kind, std::string const& name,
                         std::vector<std::string> const& known, std::string const& listing) {
  auto text = "unknown " + kind + ' ' + in_quotes(name);
  auto const nearest = nearest_name(name, known);
  if (nearest) text += "; did you mean '" + *nearest + "'?";
  if (!known.empty()) text += (nearest ? " known: " : "; known: ") + some_of(known, name, listing);
  return text;
}

std::string joined(std::vector<std::string> const& names) {
  std::string text;
  for (auto const& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace tessera
