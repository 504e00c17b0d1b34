#include "sim/app/svg.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::sim {

namespace {

constexpr double margin = 60;
constexpr double box_width = 190;
constexpr double box_height = 34;
constexpr double radius = 9;
constexpr char const* style =
    "<style>text{font:11px sans-serif;fill:#222;text-anchor:middle;paint-order:stroke;stroke:#fff;"
    "stroke-width:3}.title{font-weight:bold;"
    "text-anchor:start;font-size:13px}line,path{stroke:#888;fill:none}rect,circle{fill:#fff;"
    "stroke:#0072b2;stroke-width:1.5}.main{fill:#0072b2}"
    "@media(prefers-color-scheme:dark){svg{background:#1b1b1b}text{fill:#eee;stroke:#1b1b1b}"
    "rect,circle{fill:#1b1b1b;stroke:#56b4e9}.main{fill:#56b4e9}}</style>\n";

/// A tenth of a pixel is enough, and the same on every machine.
[[nodiscard]] std::string pixels(double value) {
  auto const tenths = std::llround(value * 10);
  auto const whole = std::to_string(std::llabs(tenths) / 10);
  auto const rest = std::llabs(tenths) % 10;
  return (tenths < 0 ? "-" : "") + whole + (rest == 0 ? "" : "." + std::to_string(rest));
}

[[nodiscard]] std::string in_xml(std::string const& text) {
  std::string result;
  for (char const letter : text) {
    if (letter == '&') {
      result += "&amp;";
    } else if (letter == '<') {
      result += "&lt;";
    } else if (letter == '>') {
      result += "&gt;";
    } else {
      result += letter;
    }
  }
  return result;
}

[[nodiscard]] std::string titled(std::string const& element, std::string const& attributes,
                                 std::string const& tooltip) {
  return '<' + element + ' ' + attributes + "><title>" + in_xml(tooltip) + "</title></" + element +
         ">\n";
}

/// Where nodes stand, in pixels.
struct Places {
  double left = 0;
  double top = 0;
  Drawing const& drawing;

  [[nodiscard]] double x(DrawnNode const& node) const {
    return margin + (node.x - left) * drawing.spacing_x;
  }
  [[nodiscard]] double y(DrawnNode const& node) const {
    return margin + (node.y - top) * drawing.spacing_y;
  }
};

[[nodiscard]] std::string edge_text(DrawnEdge const& edge, Places const& places) {
  auto const& from = places.drawing.nodes[edge.from];
  auto const& to = places.drawing.nodes[edge.to];
  double const x1 = places.x(from), y1 = places.y(from), x2 = places.x(to), y2 = places.y(to);
  auto const width = "stroke-width=\"" + pixels(edge.width) + '"';
  if (!edge.is_bent) {
    return titled("line",
                  "x1=\"" + pixels(x1) + "\" y1=\"" + pixels(y1) + "\" x2=\"" + pixels(x2) +
                      "\" y2=\"" + pixels(y2) + "\" " + width,
                  edge.tooltip);
  }
  // To the side: by a share of the length, or past the boxes between.
  double const length = std::hypot(x2 - x1, y2 - y1);
  double const aside = places.drawing.has_boxes ? 1.3 * box_width : 0.15 * length;
  double const middle_x = (x1 + x2) / 2 + (y2 - y1) / length * aside;
  double const middle_y = (y1 + y2) / 2 - (x2 - x1) / length * aside;
  return titled("path",
                "d=\"M" + pixels(x1) + ' ' + pixels(y1) + " Q" + pixels(middle_x) + ' ' +
                    pixels(middle_y) + ' ' + pixels(x2) + ' ' + pixels(y2) + "\" " + width,
                edge.tooltip);
}

[[nodiscard]] std::string label_text(DrawnNode const& node, double x, double y) {
  if (node.label.empty()) return {};
  return "<text x=\"" + pixels(x) + "\" y=\"" + pixels(y) + "\">" + in_xml(node.label) +
         "</text>\n";
}

[[nodiscard]] std::string node_text(DrawnNode const& node, Places const& places) {
  double const x = places.x(node), y = places.y(node);
  if (places.drawing.has_boxes) {
    return titled("rect",
                  "x=\"" + pixels(x - box_width / 2) + "\" y=\"" + pixels(y - box_height / 2) +
                      "\" width=\"" + pixels(box_width) + "\" height=\"" + pixels(box_height) +
                      "\" rx=\"4\"",
                  node.tooltip) +
           label_text(node, x, y + 4);
  }
  auto const main = node.is_emphasised ? std::string{" class=\"main\""} : std::string{};
  return titled(
             "circle",
             "cx=\"" + pixels(x) + "\" cy=\"" + pixels(y) + "\" r=\"" + pixels(radius) + '"' + main,
             node.tooltip) +
         label_text(node, x, y + 2.4 * radius);
}

}  // namespace

std::string svg_of(Drawing const& drawing) {
  double left = 0, right = 0, top = 0, bottom = 0;
  for (auto const& node : drawing.nodes) {
    bool const is_first = &node == &drawing.nodes.front();
    left = is_first ? node.x : std::min(left, node.x);
    right = is_first ? node.x : std::max(right, node.x);
    top = is_first ? node.y : std::min(top, node.y);
    bottom = is_first ? node.y : std::max(bottom, node.y);
  }
  double const side = drawing.has_boxes ? box_width / 2 - margin / 2 : 0;
  Places const places{left - side / drawing.spacing_x, top - 0.4, drawing};
  double const width = std::max((right - left) * drawing.spacing_x + 2 * (margin + side),
                                8.0 * static_cast<double>(drawing.title.size()));
  double const height = (bottom - top + 0.4) * drawing.spacing_y + 2 * margin;
  auto const size = pixels(width) + "\" height=\"" + pixels(height);
  std::string text = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + size +
                     "\" viewBox=\"0 0 " + pixels(width) + ' ' + pixels(height) +
                     "\" role=\"img\">\n<title>" + in_xml(drawing.title) + "</title>\n<desc>" +
                     in_xml(drawing.description) + "</desc>\n" + style;
  text += "<text class=\"title\" x=\"12\" y=\"20\">" + in_xml(drawing.title) + "</text>\n";
  for (auto const& edge : drawing.edges) text += edge_text(edge, places);
  for (auto const& node : drawing.nodes) text += node_text(node, places);
  return text + "</svg>\n";
}

}  // namespace tessera::sim
