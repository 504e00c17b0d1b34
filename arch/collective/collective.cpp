#include "arch/collective/collective.hpp"

#include <numeric>

#include "arch/base/contract.hpp"
#include "arch/collective/collective_algorithm.hpp"

namespace tessera::arch {

namespace {

/// Are there as many ranks as places in the shape?
[[nodiscard]] bool has_shape_of(CollectiveSpec const& spec, std::uint32_t ranks) {
  auto const product = std::accumulate(spec.shape.begin(), spec.shape.end(), std::int64_t{1},
                                       [](auto a, auto b) { return a * b; });
  return !spec.shape.empty() && product == ranks;
}

}  // namespace

std::vector<std::pair<std::string, CollectiveKind>> const& collective_kinds() {
  static std::vector<std::pair<std::string, CollectiveKind>> const kinds = {
      {"allreduce", CollectiveKind::all_reduce}, {"reducescatter", CollectiveKind::reduce_scatter},
      {"allgather", CollectiveKind::all_gather}, {"alltoall", CollectiveKind::all_to_all},
      {"broadcast", CollectiveKind::broadcast},  {"reshard", CollectiveKind::reshard}};
  return kinds;
}

bool is_block_wise(CollectiveKind kind) {
  return kind == CollectiveKind::all_reduce || kind == CollectiveKind::reduce_scatter ||
         kind == CollectiveKind::all_gather;
}

std::string collective_problem(CollectiveSpec const& spec, std::uint32_t ranks) {
  EXPECTS(spec.algorithm != nullptr);
  if (!spec.algorithm->makes(spec.kind)) return "this algorithm does not make this collective";
  if (ranks < 2) return "a collective needs two ranks";
  auto const is_part = [&](std::int64_t group) { return group >= 1 && group <= ranks; };
  if (spec.kind == CollectiveKind::reshard && !(is_part(spec.from) && is_part(spec.to))) {
    return "a reshard is from 1 to " + std::to_string(ranks) + " ranks, to as many";
  }
  bool const needs_grid = spec.algorithm->rank_order() == RankOrder::dimensions;
  if (needs_grid && !has_shape_of(spec, ranks)) return "this algorithm needs a mesh or torus";
  return {};
}

std::int64_t block_of(std::int64_t size, std::int64_t block, std::int64_t blocks) {
  return size / blocks * (block + 1) + size % blocks * (block + 1) / blocks -
         size / blocks * block - size % blocks * block / blocks;
}

std::vector<std::int64_t> equal_pieces(std::int64_t size, std::int64_t pieces) {
  std::vector<std::int64_t> sizes;
  for (std::int64_t i = 0; i < pieces; ++i) sizes.push_back(block_of(size, i, pieces));
  return sizes;
}

std::int64_t size_in(SumPieces how, std::int64_t size, std::int64_t pieces) {
  auto const rest = size % pieces;
  return how == SumPieces::exact || rest == 0 ? size : size + (pieces - rest);
}

std::vector<std::int64_t> blocks_of(CollectiveSpec const& spec, std::uint32_t ranks) {
  return spec.blocks.empty() ? equal_pieces(spec.size, ranks) : spec.blocks;
}

std::vector<std::int64_t> halves_of_blocks(CollectiveSpec const& spec, std::uint32_t ranks) {
  auto pieces = blocks_of(spec, ranks);
  for (std::size_t i = 0; i < ranks; ++i) {
    auto const half = pieces[i] / 2;
    pieces[i] -= half;
    pieces.push_back(half);
  }
  return pieces;
}

std::vector<std::int64_t> pieces_of(CollectiveSpec const& spec, std::uint32_t ranks) {
  EXPECTS(spec.algorithm != nullptr);
  return spec.algorithm->pieces(spec, ranks);
}

std::vector<CollectiveMessage> collective_messages(CollectiveSpec const& spec,
                                                   std::uint32_t ranks) {
  Representatives everybody(ranks);
  std::iota(everybody.begin(), everybody.end(), 0U);
  return collective_messages(spec, ranks, everybody);
}

std::vector<CollectiveMessage> collective_messages(CollectiveSpec const& spec, std::uint32_t ranks,
                                                   Representatives const& representatives) {
  EXPECTS(collective_problem(spec, ranks).empty(), ranks, spec.size);
  EXPECTS(representatives.size() == ranks, representatives.size(), ranks);
  CollectiveBuilder build{spec, ranks, representatives};
  spec.algorithm->send(build);
  return build.take();
}

}  // namespace tessera::arch
