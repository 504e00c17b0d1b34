// A DRAM memory of which one channel in closed form stands for all, between two refreshes (calm_memory.hpp).
#pragma once

#include "sim/model/memory/dram/dram_stream_calm.hpp"
#include "sim/model/memory/dram_memory.hpp"

namespace tessera::sim {

class DramMemory::Calm final : public CalmMemory {
 public:
  /// Nothing where requests may overtake each other, or rows do not follow each other at the top of
  /// the address map.
  [[nodiscard]] static std::unique_ptr<CalmMemory> of(DramMemory& memory,
                                                      arch::DramSpec const& spec);

  Calm(DramMemory& memory, arch::DramSpec const& spec);

  [[nodiscard]] Rules rules() const override { return rules_; }
  [[nodiscard]] std::int64_t cycle_at_or_after(Time time) const override {
    return memory_.cycle_at_or_after(time);
  }
  [[nodiscard]] bool settle(Time now) override;
  void write(Time now, std::uint64_t block, StateWriter& out) override;
  [[nodiscard]] std::unique_ptr<Kept> keep(Time now, std::uint64_t block) override;
  void put_back(Kept const& kept, Time now, std::uint64_t block) override;
  void refresh(Time now) override;
  void watch() override;
  [[nodiscard]] Used watched(Time next) override;
  void add(Counts const& counts) override;
  [[nodiscard]] BusyHistogram& utilisation() override { return memory_.utilisation_; }

 private:
  struct KeptChannel;

  [[nodiscard]] DramStream& stream() { return *memory_.channels_.first().stream(); }

  DramMemory& memory_;
  Rules rules_;
  Counts counts_{};
  BusyIntervals busy_;
  std::int64_t epoch_ = 0;
};

}  // namespace tessera::sim
