#include "partition/step/exchange_lists.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "partition/geometry/equal_rounds.hpp"
#include "partition/geometry/group_collective.hpp"
#include "partition/geometry/layout_change.hpp"

namespace tessera::partition {

namespace {

std::vector<std::size_t> changed_levels(Conversion const& conversion) {
  auto const& [kind, tensor, from, to, halo, collective, pieces] = conversion;
  if (kind == Conversion::Kind::gradient_sum) return summed_levels(from);
  std::vector<std::size_t> levels;
  for (auto const& change : layout_changes(from, to)) levels.push_back(change.level);
  std::sort(levels.begin(), levels.end());
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  return levels;
}

}  // namespace

ExchangeLists::ExchangeLists(Tiling const& tiling, DeviceMesh const& mesh, Folding folding)
    : tiling_{&tiling},
      mesh_{&mesh},
      folding_{std::move(folding)},
      is_of_whole_array_{mesh == hierarchy_mesh(folding_.hierarchy())},
      known_{tiling},
      known_sums_{tiling} {}

ExchangeLists::List ExchangeLists::of(Conversion const& conversion) {
  return known_.of(conversion, [&] {
    auto const sum = ring_sum(conversion);
    auto list = sum ? of(*sum) : nullptr;
    return list ? list : work_out(conversion);
  });
}

std::shared_ptr<RingSum const> ExchangeLists::ring_sum(Conversion const& conversion) {
  if (!is_of_whole_array_) return nullptr;
  return known_sums_.of(conversion, [&]() -> std::shared_ptr<RingSum const> {
    auto sum = ring_sum_of(*tiling_, conversion);
    return sum ? std::make_shared<RingSum const>(*std::move(sum)) : nullptr;
  });
}

ExchangeLists::List ExchangeLists::of(RingSum const& sum) {
  auto const [known, is_new] = in_rings_.try_emplace(sum.kind());
  auto const representatives = is_new ? sum.representatives(folding_) : RingSum::Representatives{};
  if (is_new && sum.stay_in_groups(representatives)) {
    known->second = std::make_shared<std::vector<ReshardStep> const>(
        merge_equal_rounds(sum.rounds(representatives)));
  }
  return known->second;
}

ExchangeLists::List ExchangeLists::work_out(Conversion const& conversion) const {
  auto steps = on_devices(*mesh_, exchanges_of(*tiling_, conversion, concerned(conversion)));
  return std::make_shared<std::vector<ReshardStep> const>(
      merge_equal_rounds(sent_by_representatives(std::move(steps), folding_)));
}

/// All that are in a group with a representative, in which it sends something: who differs from it
/// at levels that change. Everybody, where parts have halos.
Holders ExchangeLists::concerned(Conversion const& conversion) const {
  auto all = everybody(tiling_->accelerators());
  auto const& halo = conversion.halo;
  bool const has_halo = halo && is_split_along_windows(*tiling_, halo->reader, *halo->input);
  if (folding_.is_trivial() || has_halo) return all;
  auto const& hierarchy = tiling_->hierarchy();
  auto const levels = changed_levels(conversion);
  auto const group = [&](std::size_t position) { return hierarchy.first_like(position, levels); };
  std::vector<bool> is_concerned(all.size());
  for (auto const position : all) {
    auto const device = mesh_->devices[position];
    auto const representative = folding_.accelerator(folding_.representative(device));
    if (representative == device) is_concerned[group(position)] = true;
  }
  Holders holders;
  std::copy_if(all.begin(), all.end(), std::back_inserter(holders),
               [&](std::size_t position) { return is_concerned[group(position)]; });
  return holders;
}

}  // namespace tessera::partition
