// All cores of an array. Who talks to whom is wired by the shell; what they are and what they are called is here.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "sim/model/array/blueprint.hpp"
#include "sim/model/array/hardware_models.hpp"
#include "sim/model/array/message_core.hpp"
#include "sim/model/array/resource.hpp"
#include "sim/model/compute/kept_work.hpp"
#include "sim/model/compute/processing_unit.hpp"
#include "sim/model/control/dispatcher.hpp"
#include "sim/model/control/synchronizer.hpp"
#include "sim/model/fabric/link.hpp"
#include "sim/model/fabric/network_interface.hpp"
#include "sim/model/fabric/packet_fabric.hpp"
#include "sim/model/fabric/router.hpp"
#include "sim/model/memory/memory.hpp"
#include "sim/model/record/records.hpp"

namespace tessera::sim {

/// Who carries whole messages: one core for all dispatchers, network interfaces, routers and links,
/// or each by itself. It changes no result. Where messages take no time each does, in any case.
enum class MessageCarriers { one_core, each_by_itself };

/// What the accelerators of an array share.
struct SharedWork {
  HardwareModels const& models;
  ProgramLibrary& programs;
  PhaseMemo& memo;
  DramLibrary& drams;
  MessageCarriers carriers = MessageCarriers::one_core;
};

/// The cores of one accelerator. It has a router of its own where routers carry messages by
/// themselves and those to others pass through it, as in a torus; else the network interface is
/// next to what carries them.
struct AcceleratorCores {
  AcceleratorCores(AcceleratorId id, Blueprint const& blueprint, SharedWork const& shared,
                   Records& records);

  Dispatcher dispatcher;
  std::unique_ptr<Memory> memory;
  std::unique_ptr<Core> processing_unit;
  NetworkInterface network_interface;
  std::optional<Router> router;
};

/// What a task asks for, whenever it does.
struct TaskWork {
  Bytes memory{0};          ///< read and written; of transfers through memory at both ends
  Cycles computed{0};       ///< tile by tile; 0 on units without tiles
  Cycles kernel_starts{0};  ///< likewise
  Cycles behind_loads{0};   ///< of `computed`: kernels drain, with nothing left to load
};

struct ArrayCores {
  /// `blueprint`, `records` and `kept`, what other runs have left, must outlive the cores.
  ArrayCores(Blueprint const& blueprint, Records& records, KeptWork& kept,
             MessageCarriers carriers = MessageCarriers::one_core,
             HardwareModels const& models = {});

  /// All resources of the whole array in a fixed order: accelerator by accelerator, switches,
  /// links, the synchronizer. In a folded one, several have one core.
  [[nodiscard]] std::vector<Resource> resources() const;
  /// What each task asks of memories and of cores with tiles.
  [[nodiscard]] IdVector<TaskId, TaskWork> work();
  /// Of all simulated memories.
  [[nodiscard]] RepeatedBlocks repeated_blocks() const;
  /// Who waits for whom, the synchronizer first.
  [[nodiscard]] std::vector<std::string> waits_for() const;
  /// Accounts for the time up to the end of the run.
  void close(Time end);

  Blueprint const& blueprint;
  KeptWork& kept;
  std::deque<AcceleratorCores> accelerators;  ///< by AcceleratorId
  std::deque<Router> switches;                ///< by NodeId, less the accelerators
  std::deque<Link> links;                     ///< by LinkId
  std::optional<MessageCore> messages;        ///< in place of all routers and links; has in it all
                                              ///< dispatchers and network interfaces
  std::optional<PacketFabric> packets;        ///< in place of all routers and links
  Synchronizer synchronizer;

 private:
  [[nodiscard]] TaskWork work_of(Task const& task);
  void list_accelerator(std::string const& name, std::size_t representative,
                        std::vector<Resource>& into) const;
  void build_fabric(Records& records, SharedWork const& shared);
  void list_switches(arch::Topology const& whole, std::vector<Resource>& into) const;
  void list_links(arch::Topology const& whole, std::vector<Resource>& into) const;
  [[nodiscard]] std::vector<Statistic> const& link_statistics(arch::LinkId link) const;
  [[nodiscard]] std::vector<Statistic> const& switch_statistics(std::size_t index) const;
  [[nodiscard]] std::int64_t times(std::size_t stands_for) const;
};

}  // namespace tessera::sim
