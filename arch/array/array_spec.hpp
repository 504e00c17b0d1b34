// An array of accelerators as data: what each accelerator is, how they are joined, what an event costs in energy.
//
// Specs are plain values. load() reads, derives and validates; after it returns, a spec is true for good.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "arch/accelerator/core_spec.hpp"
#include "arch/accelerator/profile_spec.hpp"
#include "arch/base/hierarchy.hpp"
#include "arch/base/model_choice.hpp"
#include "arch/base/quantity.hpp"
#include "arch/collective/collective.hpp"
#include "arch/fabric/interconnect_spec.hpp"
#include "arch/memory/dram_spec.hpp"

namespace tessera::arch {

class CollectiveAlgorithm;

/// A processing unit that computes at its peak rate, as HyPar's evaluation assumes (100 % of its
/// PEs busy). Leaves out: the mapping of an operator onto PEs, fill and drain, edge effects.
struct MacRateUnitSpec {
  /// What HyPar counts: sum of K*K*Cin*Cout*Hin*Win, on the *input* map; needed to reproduce its
  /// Fig. 6 (SCONV, Lenet-c).
  enum class MacCount { output_map, input_map };

  std::int64_t macs_per_cycle = 1;  ///< one per PE
  MacCount mac_count = MacCount::output_map;
  /// false: the weight update takes no time (HyPar counts three multiplications only)
  bool charges_update = true;
};

/// A core whose arrays, buffers and mapping are modelled: tiles move between its memory and its
/// scratchpad while it computes.
struct CoreUnitSpec {
  CoreSpec core;    ///< in the view that was asked for
  CoreSpec single;  ///< one core, as its file has it
  CoreView view = CoreView::core;
};

/// A processing unit that takes the times of a profile: of an operator's share, the same share of
/// its time. Leaves out: what a chip does in that time, its energy included, but for the products
/// and sums that an operator is known to form.
struct ProfileUnitSpec {
  ProfileSpec profile;
};

/// A processing unit that somebody added: operators are loaded before and stored after. Planners
/// count on its peak.
struct ModelledUnitSpec {
  ModelChoice model;
  std::int64_t macs_per_cycle = 1;
};

using ProcessingUnitSpec =
    std::variant<MacRateUnitSpec, CoreUnitSpec, ProfileUnitSpec, ModelledUnitSpec>;

/// A memory that costs no time: "local HMC bandwidth never limits" (HyPar's evaluation).
struct IdealMemorySpec {};

/// A memory with one bandwidth and one latency, requests served in order.
/// Leaves out: banks, rows, refresh, read/write turnaround.
struct BandwidthMemorySpec {
  Bandwidth bandwidth{0};
  Time latency{0};
};

/// Vaults or channels with banks, rows, refresh and turnarounds.
struct DramMemorySpec {
  /// The processing unit is outside of the cube, and uses all of its links in turn.
  struct Links {
    std::int64_t outstanding = 512;  ///< requests that are not answered yet, at most
  };

  DramSpec dram;
  /// Of an HMC; none: the processing unit is in the logic layer, beside the vaults.
  std::optional<Links> links = {};

  /// What it spends whether it is used or not.
  [[nodiscard]] double standby_watts() const;
};

/// A memory that somebody added.
struct ModelledMemorySpec {
  ModelChoice model;
};

using MemorySpec =
    std::variant<IdealMemorySpec, BandwidthMemorySpec, DramMemorySpec, ModelledMemorySpec>;

struct AcceleratorSpec {
  Frequency clock{0};
  ProcessingUnitSpec processing_unit;
  MemorySpec memory;
  Bytes memory_capacity{0};
  /// Of a message between two parts of the accelerator: dispatcher, units, network interface and
  /// fabric. 0: within the clock, so that a task starts at the edge at which the last one that it
  /// waits for ends.
  Cycles dispatch_latency{1};
  /// Of the memory in which a received summand is added to what is there, with two reads and a
  /// write; none: that takes no time.
  std::optional<Bandwidth> reduce_bandwidth = {};
  /// Of transfers through memory: what the network interface reads and sends, or receives and
  /// writes, at once. None: transfers go beside the memory and cost it no time, as the published
  /// simulators of HyPar and AccPar have it.
  std::optional<Bytes> transfer_block = {};

  /// One multiply-accumulate per PE. Not of a profile, which has no peak.
  [[nodiscard]] std::int64_t macs_per_cycle() const;

  /// Is moving an operator's tensors to and from memory a part of computing it? Else it is loaded
  /// before and stored after.
  [[nodiscard]] bool computes_from_memory() const {
    return std::holds_alternative<CoreUnitSpec>(processing_unit) ||
           std::holds_alternative<ProfileUnitSpec>(processing_unit);
  }
};

/// Accelerators that are alike and follow each other in the array.
struct AcceleratorGroup {
  std::int64_t count = 1;
  AcceleratorSpec accelerator;
  /// Of the H-tree's links that lead to accelerators of this group only, in place of
  /// FabricSpec::link_bandwidth: AccPar's TPU-v3 have faster links than its TPU-v2. load() allows
  /// it where two groups are the halves of the array.
  std::optional<Bandwidth> link_bandwidth = {};
};

/// The links and switches between accelerators.
///
/// In an H-tree an accelerator's own link has `link_bandwidth`, and a link above a group has that
/// of all accelerators of the group, each in a lane of its own. So where every level has an arity
/// of two, links double from level to level going up while their number halves, and those at the
/// root of L levels have 2^(L-1) times as much; and whatever the arities, all links of a level
/// together carry the same. In a torus every link has `link_bandwidth`: each accelerator has two,
/// one per dimension, and owns their outgoing halves. An H-tree and a torus are of the same wiring
/// where the H-tree's links have twice what the torus' have.
///
/// AccPar's model has another tree, whose links are the same at all levels: groups of any size
/// share one link of `link_bandwidth` to the rest. A group of accelerators may have links of its
/// own bandwidth (AcceleratorGroup).
///
/// Any other graph, a network, says the bandwidth and latency of each of its links itself.
struct FabricSpec {
  enum class Topology { htree, torus, network };
  enum class Levels { halved, alike };

  Topology topology = Topology::htree;
  Levels levels = Levels::halved;  ///< H-tree: its links from one level to the next, going down
  Frequency clock{0};              ///< of switches and links
  Bandwidth link_bandwidth{0};     ///< each direction, of one link (see above)
  Time latency{0};                 ///< of a link, first bit in to first bit out
  /// Of a switch and of a barrier, and the least of a link.
  Cycles hop_latency{1};

  /// Of a network, in place of bandwidth and latency: what stands in the file, and the graph that
  /// it describes, whose endpoints are the accelerators in order. Of a torus the graph, once
  /// loaded; its links have the bandwidth and latency above.
  ConfigNode network = ConfigNode::map();
  std::shared_ptr<Interconnect const> graph = {};
  /// Of a network that is one mesh or torus: routers per dimension, and which endpoint is where.
  std::vector<std::int64_t> grid = {};
  /// Of a network that is a tree or a fat tree: children of a switch per level, the top first.
  std::vector<std::int64_t> tree = {};
  Numbering numbering = Numbering::by_dimension;
  /// Of a network. A torus cuts messages that go half-way round a ring in two.
  HalfWay half_way = HalfWay::one;
  /// Of a network: how it carries packets (switching, routers), with the same keys as a fabric's
  /// file. None: it carries whole messages. Planners price all alike, by the bytes on the first of
  /// the paths: neither waiting behind others nor for credits nor several paths.
  std::optional<PacketSpec> packets = {};
};

/// How an accelerator orders its work.
struct ExecutionSpec {
  /// Of all exchanges of a step with computation: reshards between layers, sums of outputs and
  /// errors, all-reduces of gradients.
  enum class Overlap {
    none,  ///< computation and communication take turns, hierarchy levels one after another (HyPar)
    communication,  ///< a transfer runs as soon as its data exist, beside computation
  };
  Overlap overlap = Overlap::none;

  /// How a kernel on a core meets its DRAM.
  enum class Kernels {
    free,  ///< as the kernel before left it: open rows, clocks and refreshes wherever they are
    /// All rows are closed when a kernel ends. The edges of the core's and the memory's clock meet
    /// where the next one begins, and its refreshes are counted from there; those that are due
    /// between kernels, and for what is left of an interval, are postponed until a kernel begins,
    /// as JEDEC allows (and Stuecheli et al., "Elastic refresh", MICRO 2010, use). So kernels that
    /// are alike take equally long.
    in_phase
  };
  Kernels kernels = Kernels::free;

  SumPieces sums = SumPieces::exact;  ///< of gradients

  /// How a group of accelerators sums gradients and partial sums and gathers parts: by the cheapest
  /// of `candidates` that makes it, by its price, else level by level.
  struct Collectives {
    using Algorithm = std::shared_ptr<CollectiveAlgorithm const>;

    std::string name = "hierarchical";  ///< as the file says
    /// None: halves at one level of the hierarchy after another (HyPar).
    std::vector<Algorithm> candidates = {nullptr};

    [[nodiscard]] bool go_by_levels() const {
      return candidates.size() == 1 && candidates.front() == nullptr;
    }
    friend bool operator==(Collectives const& a, Collectives const& b) { return a.name == b.name; }
  };
  Collectives collectives;
};

/// Energy per event of what has no file of its own (a core, a DRAM); every preset cites its
/// constants. Energy is derived once from integer event counts.
struct EnergyTable {
  Energy multiply{0};       ///< one multiplication of a MacRateUnitSpec
  Energy add{0};            ///< one addition of such a unit, or of a received word to what is there
  Energy buffer_access{0};  ///< one 32-bit word read from or written to such a unit's buffer
  Energy memory_access{0};  ///< one 32-bit word read from or written to the accelerator's memory
  Energy link_word{0};      ///< one 32-bit word over one link
  /// Of memories that are not DRAM. false: only words that are exchanged touch memory in the ledger
  /// (HyPar's fit)
  bool counts_local_memory = true;
  /// Memory accesses per 32-bit word of a transfer. HyPar's fitted energies (weak: Figs 6-8, one of
  /// several decompositions) imply 4 per word: read at the source, written on arrival, read again
  /// and written back when it is merged or used.
  std::int64_t memory_accesses_per_exchanged_word = 4;
};

/// What a user should know of a file that is as it should be.
struct Remark {
  SourceLocation where;
  std::string text;  ///< a line, with the place
};

struct ArraySpec {
  std::string name;
  std::string description;
  std::int64_t accelerators = 1;         ///< from 1 to 2^20; prime factors up to 13 (hierarchy())
  std::vector<AcceleratorGroup> groups;  ///< in order; their counts add up to `accelerators`
  FabricSpec fabric;
  ExecutionSpec execution;
  EnergyTable energy;
  /// The planners' switches of the evaluation that the array comes from, if it has conventions of
  /// its own: what stands in the file, for partition::solver_options_of() to read.
  ConfigNode planner = ConfigNode::map();
  std::vector<Remark> remarks = {};  ///< on its file

  [[nodiscard]] AcceleratorSpec const& accelerator(std::size_t index) const;
  [[nodiscard]] AcceleratorGroup const& group_of(std::size_t accelerator) const;

  /// Groups within groups: the prime factors of `accelerators`, the largest at the top; of a power
  /// of two, halves of halves.
  [[nodiscard]] Hierarchy hierarchy() const;

  /// How many levels it has: log2(accelerators) in a binary one. Level 1 is the top.
  [[nodiscard]] int levels() const;

  /// How many lanes the wiring has at the root: in an H-tree the accelerators below a link there,
  /// 2^(L-1), of which each has an own link of one lane; in a torus of the same wiring all, 2^L; 1
  /// where there are no links or a network's.
  [[nodiscard]] std::int64_t lanes_at_root() const;

  /// One link's own bandwidth of what tessera.array/1 writes: that of each of two links at the root
  /// of an H-tree, which all accelerators share out, whatever the arity of the root's level; of a
  /// torus of the same wiring half of it. Less than 1 b/s is lost where it is no whole number.
  [[nodiscard]] Bandwidth own_share_of_root(Bandwidth at_root) const;

  /// The bandwidth of one lane of an H-tree's links of `level`: an accelerator's own link, or where
  /// they are alike at all levels, a link by the accelerators below it, 2^(L-level), which load()
  /// makes sure is exact. In a torus that of every link. Of the links between a switch of `level`
  /// and the child that has `accelerator` below it, whose group may have a bandwidth of its own.
  [[nodiscard]] Bandwidth lane_bandwidth(int level, std::size_t accelerator = 0) const;

  /// FabricSpec::link_bandwidth, or the group's own.
  [[nodiscard]] Bandwidth link_bandwidth(AcceleratorGroup const& group) const {
    return group.link_bandwidth.value_or(fabric.link_bandwidth);
  }
};

/// What a multiply-accumulate costs on an accelerator of an array with that table, by itself: the
/// core's constants where it is one, for the format of its products. The ledger of a run
/// (sim/outcome/energy.hpp) charges the same for each that is executed.
[[nodiscard]] Energy mac_energy(AcceleratorSpec const& accelerator, EnergyTable const& table);

}  // namespace tessera::arch
