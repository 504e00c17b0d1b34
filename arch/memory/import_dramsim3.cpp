// Section by section; then the whole is read back as any other memory, so that it is checked alike.
#include "arch/memory/import_dramsim3.hpp"

#include <algorithm>
#include <cmath>

#include "arch/memory/dram_writer.hpp"
#include "arch/memory/dramsim3_sections.hpp"

namespace tessera::arch {

namespace {

enum class Protocol { hmc, hbm };

constexpr std::int64_t never_starved = 1'000'000;  // DRAMsim3 has no such bound
constexpr std::int64_t flit_bytes = 16;
constexpr std::int64_t most_flits = 17;  // of a packet: 256 bytes and one

[[nodiscard]] std::int64_t count(ConfigMap& map, char const* key) {
  auto const value = map.required<std::int64_t>(key);
  if (value < 1) throw map.node(key).error("is not a positive number");
  return value;
}

class Importer {
 public:
  Importer(ConfigNode const& ini, std::string const& name)
      : file_{ini.as_map()}, structure_{section("dram_structure")}, system_{section("system")} {
    spec_.name = name;
    spec_.description = "imported from a configuration of DRAMsim3";
  }

  ImportedDram run() {
    read_protocol();
    read_timing_clock();
    read_organization();
    read_timing();
    read_policy();
    spec_.address_map =
        detail::dramsim3_address_map(system_.node("address_mapping"), spec_.organization);
    read_power();
    skip_other();
    structure_.finish();
    system_.finish();
    file_.finish();
    check();
    return {spec_, remarks_};
  }

 private:
  [[nodiscard]] ConfigMap section(char const* name) { return file_.node(name).as_map(); }

  void remark(std::string text) { remarks_.push_back(std::move(text)); }

  /// Keys that are known, and of no consequence for what Tessera models.
  void skip(ConfigMap& map, std::string const& title, std::vector<std::string> const& keys,
            std::string const& why) {
    std::vector<std::string> found;
    for (auto const& key : keys) {
      if (map.find(key) != nullptr) found.push_back(key);
    }
    if (!found.empty()) remark("[" + title + "] " + joined(found) + ": not used (" + why + ").");
  }

  /// A key that may only say what Tessera does anyway.
  void demand(ConfigMap& map, char const* key, std::vector<std::string> const& allowed,
              char const* why) {
    auto const* const node = map.find(key);
    if (node == nullptr) return;
    auto const text = node->text();
    if (std::find(allowed.begin(), allowed.end(), text) != allowed.end()) return;
    throw node->error("'" + text + "' cannot be imported (" + why + "); known: " + joined(allowed));
  }

  void read_protocol() {
    protocol_ = structure_.choice<Protocol>(
        "protocol", {{"HMC", Protocol::hmc}, {"HBM", Protocol::hbm}, {"HBM2", Protocol::hbm}});
    demand(structure_, "bankgroup_enable", {"True", "true", "1"},
           "bank groups are part of a memory");
    demand(structure_, "hbm_dual_cmd", {"True", "true", "1"},
           "an HBM channel has a bus for row and one for column commands");
    skip(structure_, "dram_structure", {"num_dies"}, "thermal model");
  }

  void read_timing_clock() {
    auto timing = section("timing");
    auto const picoseconds = timing.required<double>("tCK") * 1000;  // tCK is in nanoseconds
    auto const whole = std::llround(picoseconds);
    if (whole < 1 || std::fabs(picoseconds - static_cast<double>(whole)) > 1e-6) {
      throw timing.node("tCK").error("is not a whole number of picoseconds above 0");
    }
    spec_.clock_period = Time{whole};
  }

  void read_organization() {
    auto& it = spec_.organization;
    it.channels = count(system_, "channels");
    it.bus_width = count(system_, "bus_width");
    if (count(structure_, "device_width") != it.bus_width) {
      throw structure_.node("device_width")
          .error("is not bus_width (a vault or channel is one device)");
    }
    it.bank_groups = count(structure_, "bankgroups");
    it.banks = count(structure_, "banks_per_group");
    it.rows = count(structure_, "rows");
    it.burst_length = burst_length();
    // A column is a device's width in HMC and two of them in HBM; here it is a burst.
    auto const widths = count(structure_, "columns") * (protocol_ == Protocol::hbm ? 2 : 1);
    it.columns = widths / it.burst_length;
    if (it.columns < 1) throw structure_.node("columns").error("is less than a burst");
    it.ranks = ranks(widths);
  }

  [[nodiscard]] std::int64_t burst_length() {
    if (protocol_ == Protocol::hbm) {
      skip(file_, "hmc", {"hmc"}, "no HMC");
      return count(structure_, "BL");
    }
    if (structure_.find("BL") != nullptr) {
      throw structure_.node("BL").error(
          "DRAMsim3 takes an HMC's burst from hmc.block_size; remove");
    }
    auto hmc = section("hmc");
    auto const block = count(hmc, "block_size");
    read_links(hmc, block);
    hmc.finish();
    return block * 8 / spec_.organization.bus_width;
  }

  /// DRAMsim3 moves a packet in one step through link and crossbar, a FLIT in the time that the
  /// lanes need for it (hmc.cc, SetClockRatio). Here that is the link's time, and the crossbar
  /// takes a packet of up to 256 bytes in 0.1 or 0.2 ns.
  void read_links(ConfigMap& map, std::int64_t block) {
    HmcInterface hmc;
    hmc.links = count_or(map, "num_links", 4);
    hmc.lanes = count_or(map, "link_width", 16);
    hmc.lane_rate = Bandwidth{count_or(map, "link_speed", 15'000) * 1'000'000};
    hmc.crossbar_clock = Frequency{10'000'000'000};
    hmc.crossbar_flits = 16;
    auto const tokens = count_or(map, "xbar_queue_depth", 16) * (1 + block / flit_bytes);
    hmc.tokens = std::clamp(tokens, most_flits, std::int64_t{1024});
    spec_.hmc = hmc;
    remark(
        "[hmc] A link carries what its lanes do; DRAMsim3's ports are free again after half a "
        "packet's FLITs, so that its links run 5/3 times as fast with blocks of 64 B.");
  }

  [[nodiscard]] static std::int64_t count_or(ConfigMap& map, char const* key, std::int64_t value) {
    auto const given = map.find(key) == nullptr ? value : count(map, key);
    if (given > 1'000'000) throw map.node(key).error("is over 1000000");
    return given;
  }

  /// channel_size is in mebibytes.
  [[nodiscard]] std::int64_t ranks(std::int64_t widths) {
    auto const& it = spec_.organization;
    auto const rank = widths * it.bus_width / 8 * it.rows * it.banks_per_rank();
    auto const channel = count(system_, "channel_size") << 20U;
    if (channel >= rank && channel % rank == 0) return channel / rank;
    throw system_.node("channel_size")
        .error("is not a whole number of ranks of " + to_text(Bytes{rank}));
  }

  void read_timing() {
    auto timing = section("timing");
    static_cast<void>(timing.find("tCK"));
    auto& t = spec_.timing;
    t.tCL = count(timing, "CL");
    t.tCWL = count(timing, "CWL");
    demand(timing, "AL", {"0"}, "there is no additive latency in a stack");
    bool const has_rcd = protocol_ == Protocol::hmc || timing.find("tRCDRD") == nullptr;
    t.tRCD = count(timing, has_rcd ? "tRCD" : "tRCDRD");
    t.tRCDWR = has_rcd ? t.tRCD : count(timing, "tRCDWR");
    t.tBL = spec_.organization.burst_length / 2;
    t.tRP = count(timing, "tRP");
    t.tRAS = count(timing, "tRAS");
    t.tRC = t.tRAS + t.tRP;  // as DRAMsim3 derives it
    t.tCCD_S = count(timing, "tCCD_S");
    t.tCCD_L = count(timing, "tCCD_L");
    t.tRRD_S = count(timing, "tRRD_S");
    t.tRRD_L = count(timing, "tRRD_L");
    t.tFAW = count(timing, "tFAW");
    t.tWR = count(timing, "tWR");
    t.tWTR_S = count(timing, "tWTR_S");
    t.tWTR_L = count(timing, "tWTR_L");
    t.tREFI = count(timing, "tREFI");
    t.tRFC = count(timing, "tRFC");
    read_turns(timing);
    if (timing.find("tRFCb") != nullptr) t.tRFCpb = count(timing, "tRFCb");
    skip(timing, "timing",
         {"tCKE", "tCKESR", "tCKSRE", "tXS", "tXP", "tRPRE", "tWPRE", "tPPD", "tREFIb",
          "ideal_memory_latency"},
         "power-down, self-refresh, preambles");
    timing.finish();
  }

  void read_turns(ConfigMap& timing) {
    auto& t = spec_.timing;
    if (timing.find("tRTP") != nullptr) {
      t.tRTP = count(timing, "tRTP");
    } else {
      t.tRTP = count(timing, "tRTP_L");
      remark(
          "[timing] tRTP is tRTP_L; DRAMsim3 itself reads neither tRTP_L nor tRTP_S, and takes 5.");
    }
    skip(timing, "timing", {"tRTP_S", "tRTP_L"}, "one tRTP, the longer");
    if (auto const* const node = timing.find("tRTRS")) {
      t.tRTRS = node->as<std::int64_t>();
      return;
    }
    t.tRTRS = 2;
    remark("[timing] tRTRS is not given: 2, DRAMsim3's default.");
  }

  void read_policy() {
    using Policy = DramPolicy;
    auto& policy = spec_.policy;
    policy.page = system_.choice<Policy::Page>(
        "row_buf_policy",
        {{"OPEN_PAGE", Policy::Page::open}, {"CLOSE_PAGE", Policy::Page::closed}});
    policy.scheduler = Policy::Scheduler::frfcfs;
    policy.starvation_cap = never_starved;
    policy.queue_depth = count(system_, "trans_queue_size");
    policy.bank_queue_depth = count(system_, "cmd_queue_size");
    demand(system_, "queue_structure", {"PER_BANK"}, "requests wait by bank");
    demand(system_, "enable_self_refresh", {"False", "false", "0"}, "self-refresh is not modelled");
    demand(system_, "aggressive_precharging_enabled", {"False", "false", "0"},
           "use policy.page timeout");
    read_queues();
    read_refresh();
    bool const is_hbm = protocol_ == Protocol::hbm;
    policy.command_bus = is_hbm ? Policy::CommandBus::split : Policy::CommandBus::shared;
    policy.latency = 1;  // answers are noticed a clock later
    remark(
        "DRAMsim3 moves one transaction per clock to its bank queues and lets these take turns; "
        "Tessera serves the oldest first. It answers a write when it has accepted it; Tessera "
        "when it is written.");
  }

  void read_queues() {
    auto& policy = spec_.policy;
    auto const& node = system_.node("unified_queue");
    bool const is_unified = node.text() == "True" || node.text() == "true";
    if (!is_unified && node.text() != "False" && node.text() != "false") {
      throw node.error(in_quotes(node.text()) + " is neither True nor False");
    }
    skip(system_, "system", {"write_buf_size"}, "DRAMsim3 does not use it either");
    policy.queues = is_unified ? DramPolicy::Queues::shared : DramPolicy::Queues::separate;
    if (is_unified) return;
    policy.high_watermark = policy.queue_depth;
    remark(
        "Writes are written back when trans_queue_size of them wait or no read does; DRAMsim3 "
        "also keeps up to 8 of them for later.");
  }

  void read_refresh() {
    using Refresh = DramPolicy::Refresh;
    spec_.policy.refresh = system_.choice<Refresh>(
        "refresh_policy",
        {{"RANK_LEVEL_STAGGERED", Refresh::all_bank}, {"BANK_LEVEL_STAGGERED", Refresh::per_bank}},
        Refresh::all_bank);
    bool const per_bank = spec_.policy.refresh == Refresh::per_bank;
    if (per_bank && spec_.timing.tRFCpb == 0) {
      throw system_.node("refresh_policy").error("needs timing.tRFCb");
    }
  }

  void read_power() {
    auto power = section("power");
    spec_.energy = detail::dramsim3_energy(power, spec_);
    if (spec_.clock_period != Time{1000}) {
      remark(
          "[power] joules; DRAMsim3 multiplies volts, milliamperes and clocks, and calls the "
          "product picojoules whatever tCK is.");
    }
    skip(power, "power", {"IDD2P", "IDD3P", "IDD5PB", "IDD6x"}, "power-down, self-refresh");
    power.finish();
  }

  void skip_other() {
    skip(file_, "thermal", {"thermal"}, "not modelled");
    auto const* const other = file_.find("other");
    if (other == nullptr) return;
    auto map = other->as_map();
    skip(map, "other", {"epoch_period", "output_level", "output_prefix"}, "reports of DRAMsim3");
    map.finish();
  }

  /// What any memory must fulfil; complaints are about the file as a whole.
  void check() {
    try {
      spec_ = dram_from(to_config(spec_));
    } catch (ConfigError const& error) {
      throw file_.error("gives no memory: " + error.key_path() + ": " + error.problem());
    }
  }

  ConfigMap file_, structure_, system_;
  Protocol protocol_ = Protocol::hmc;
  DramSpec spec_;
  std::vector<std::string> remarks_;
};

}  // namespace

std::string ImportedDram::text() const {
  std::string text = "# Imported from a configuration of DRAMsim3.\n";
  for (auto const& remark : remarks) text += "# - " + remark + "\n";
  return text + write_config(to_config(spec));
}

ImportedDram import_dramsim3(ConfigNode const& ini, std::string const& name) {
  return Importer{ini, name}.run();
}

}  // namespace tessera::arch
