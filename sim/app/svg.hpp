// A graph as a drawing: boxes or dots with names, lines between them, in a file that every browser opens. Light and dark follow the
// reader's system.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tessera::sim {

struct DrawnNode {
  std::string label;    ///< beside or inside of it; may be empty
  std::string tooltip;  ///< what a pointer over it, or a screen reader, is told
  double x = 0;         ///< in units of a node's distance
  double y = 0;
  bool is_emphasised = false;
};

struct DrawnEdge {
  std::size_t from = 0;
  std::size_t to = 0;
  double width = 1;      ///< of the line, in pixels
  bool is_bent = false;  ///< around what stands between its ends
  std::string tooltip;
};

struct Drawing {
  std::string title;
  std::string description;
  bool has_boxes = false;  ///< with their labels inside; else dots
  double spacing_x = 60;   ///< pixels per unit
  double spacing_y = 60;
  std::vector<DrawnNode> nodes;
  std::vector<DrawnEdge> edges;
};

[[nodiscard]] std::string svg_of(Drawing const& drawing);

}  // namespace tessera::sim
