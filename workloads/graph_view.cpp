#include "workloads/graph_view.hpp"

#include <algorithm>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/depth_first_search.hpp>

namespace tessera::workloads {

namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

/// Collects the order in which vertices finish, which is dependencies first, and the first cycle.
/// Copied by Boost, so it keeps references.
class Sorter final : public boost::dfs_visitor<> {
 public:
  Sorter(TopologicalSort& result, std::vector<std::size_t>& path)
      : result_{&result}, path_{&path} {}

  void discover_vertex(std::size_t vertex, Graph const& /*graph*/) { path_->push_back(vertex); }

  void finish_vertex(std::size_t vertex, Graph const& /*graph*/) {
    path_->pop_back();
    result_->order.push_back(vertex);
  }

  /// The path from the edge's target to its end depends on itself.
  void back_edge(Graph::edge_descriptor edge, Graph const& graph) {
    if (!result_->cycle.empty()) return;
    auto const first = std::find(path_->begin(), path_->end(), target(edge, graph));
    result_->cycle.assign(std::make_reverse_iterator(path_->end()),
                          std::make_reverse_iterator(first));
  }

 private:
  TopologicalSort* result_;
  std::vector<std::size_t>* path_;
};

}  // namespace

TopologicalSort topological_sort(std::vector<std::vector<std::size_t>> const& dependencies) {
  Graph graph(dependencies.size());
  for (std::size_t vertex = 0; vertex < dependencies.size(); ++vertex) {
    for (auto const dependency : dependencies[vertex]) add_edge(vertex, dependency, graph);
  }
  TopologicalSort result;
  std::vector<std::size_t> path;
  boost::depth_first_search(graph, boost::visitor(Sorter{result, path}));
  if (result.cycle.empty()) return result;
  auto& cycle = result.cycle;
  std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
  result.order.clear();
  return result;
}

}  // namespace tessera::workloads
