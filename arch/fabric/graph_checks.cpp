// Searches by Boost.Graph.
#include "arch/fabric/graph_checks.hpp"

#include <algorithm>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/depth_first_search.hpp>
#include <boost/graph/strong_components.hpp>

namespace tessera::arch::detail {

namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

Graph graph_of(Adjacency const& adjacency) {
  Graph graph(adjacency.size());
  for (std::size_t from = 0; from < adjacency.size(); ++from) {
    for (auto const to : adjacency[from]) add_edge(from, to, graph);
  }
  return graph;
}

/// Keeps the path from the root of the search, and the first cycle. Copied by Boost, so it keeps
/// references.
class CycleFinder final : public boost::dfs_visitor<> {
 public:
  CycleFinder(std::vector<std::size_t>& path, std::vector<std::size_t>& cycle)
      : path_{&path}, cycle_{&cycle} {}

  void discover_vertex(std::size_t vertex, Graph const& /*graph*/) { path_->push_back(vertex); }
  void finish_vertex(std::size_t /*vertex*/, Graph const& /*graph*/) { path_->pop_back(); }
  void back_edge(Graph::edge_descriptor edge, Graph const& graph) {
    if (!cycle_->empty()) return;
    cycle_->assign(std::find(path_->begin(), path_->end(), target(edge, graph)), path_->end());
  }

 private:
  std::vector<std::size_t>* path_;
  std::vector<std::size_t>* cycle_;
};

}  // namespace

std::vector<std::size_t> distances_from_first(Adjacency const& adjacency) {
  std::vector<std::size_t> distances(adjacency.size(), adjacency.size());
  if (adjacency.empty()) return distances;
  distances[0] = 0;
  auto const graph = graph_of(adjacency);
  boost::breadth_first_search(graph, 0,
                              boost::visitor(boost::make_bfs_visitor(boost::record_distances(
                                  distances.data(), boost::on_tree_edge()))));
  return distances;
}

bool is_strongly_connected(Adjacency const& adjacency) {
  std::vector<std::size_t> component(adjacency.size());
  auto const graph = graph_of(adjacency);
  auto const map =
      boost::make_iterator_property_map(component.begin(), get(boost::vertex_index, graph));
  return boost::strong_components(graph, map) <= 1;
}

std::vector<std::size_t> find_cycle(Adjacency const& adjacency) {
  std::vector<std::size_t> path;
  std::vector<std::size_t> cycle;
  boost::depth_first_search(graph_of(adjacency), boost::visitor(CycleFinder{path, cycle}));
  return cycle;
}

}  // namespace tessera::arch::detail
