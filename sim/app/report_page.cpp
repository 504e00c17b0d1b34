#include "sim/app/report_page.hpp"

#include <string_view>

#include <nlohmann/json.hpp>

#include "arch/base/contract.hpp"

namespace tessera::sim {

namespace {

/// `text` with the one place that `mark` is at filled.
void put(std::string& text, std::string_view mark, std::string_view content) {
  auto const at = text.find(mark);
  ENSURES(at != std::string::npos, std::string{mark});
  text.replace(at, mark.size(), content);
}

[[nodiscard]] std::string joined(std::vector<BuiltinConfig> const& files) {
  std::string text;
  for (auto const& file : files) text += file.text;
  return text;
}

/// JSON that a script element may hold: "</" would end it.
[[nodiscard]] std::string in_script(Json const& json) {
  auto text = json.dump();
  for (auto at = text.find("</"); at != std::string::npos; at = text.find("</", at + 1)) {
    text.replace(at, 2, "<\\/");
  }
  return text;
}

[[nodiscard]] std::string frame() {
  auto const pages = report_pages();
  ENSURES(pages.size() == 1, pages.size());
  return std::string{pages.front().text};
}

}  // namespace

std::string report_beginning(std::vector<std::string> const& fingerprints) {
  std::string words;
  for (auto const& fingerprint : fingerprints) words += (words.empty() ? "" : " ") + fingerprint;
  auto page = frame();
  put(page, "RUNS", words);
  return page.substr(0, page.find("<html"));
}

std::string report_page(std::vector<std::string> const& fingerprints,
                        std::vector<Json> const& runs) {
  auto page = frame();
  page.replace(0, page.find("<html"), report_beginning(fingerprints));
  put(page, "STYLE", joined(report_styles()));
  put(page, "SCRIPT", joined(report_scripts()));
  put(page, "DATA", in_script({{"schema", "tessera.report/1"}, {"runs", runs}}));
  return page;
}

}  // namespace tessera::sim
