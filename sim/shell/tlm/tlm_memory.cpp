// Transactions become requests, answers become responses.
#define SC_INCLUDE_DYNAMIC_PROCESSES  // the standard's switch for sc_spawn (IEEE 1666-2011, 5.5)

#include "sim/shell/tlm/tlm_memory.hpp"

#include <deque>
#include <stdexcept>
#include <unordered_map>

#include <tlm_utils/peq_with_get.h>

#include "sim/model/memory/request_port.hpp"
#include "sim/shell/tlm/byte_store.hpp"

namespace tessera::sim {

namespace {

using Payload = tlm::tlm_generic_payload;

arch::DramSpec loaded(TlmMemory::Settings const& settings) {
  auto spec = arch::load_dram(settings.memory, settings.overrides);
  if (settings.through == TlmMemory::Through::local) return spec;
  if (!spec.hmc) throw std::runtime_error{spec.name + " has no links (it is no HMC); use local"};
  if (spec.policy.queues == arch::DramPolicy::Queues::separate) {
    throw std::runtime_error{spec.name + " has separate queues (a cube's vaults have one); set " +
                             "policy.queues=shared"};
  }
  if (settings.tags == 0) throw std::runtime_error{spec.name + " needs a tag or more"};
  return spec;
}

std::unique_ptr<RequestPort> port_of(arch::DramSpec const& spec,
                                     TlmMemory::Settings const& settings) {
  return settings.through == TlmMemory::Through::links ? make_link_port(spec, settings.tags)
                                                       : make_local_port(spec);
}

sc_core::sc_time to_sc(Time time) { return {static_cast<double>(time.value()), sc_core::SC_PS}; }

void spawn(char const* name, std::vector<sc_core::sc_event const*> const& events,
           std::function<void()> body) {
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  for (auto const* const event : events) options.set_sensitivity(event);
  sc_core::sc_spawn(std::move(body), name, &options);
}

}  // namespace

/// The processes of the module. Requests wait in order; the first that the memory refuses holds up
/// the rest.
class TlmMemory::Server final {
 public:
  Server(TlmMemory& module, Settings const& settings)
      : module_{module}, spec_{loaded(settings)}, port_{port_of(spec_, settings)} {
    auto const picosecond = sc_core::sc_time{1, sc_core::SC_PS};
    auto const resolution = sc_core::sc_get_time_resolution();
    if (resolution > picosecond || picosecond % resolution != sc_core::SC_ZERO_TIME) {
      throw std::runtime_error{"the kernel's resolution does not count picoseconds"};
    }
    steps_ = static_cast<std::int64_t>(picosecond / resolution);
    spawn("serve", {&look_, &requests_.get_event()}, [this] { serve(); });
    spawn("respond", {&responses_.get_event(), &may_respond_}, [this] { respond(); });
    spawn("end_response", {&response_over_}, [this] { end_response(); });
  }

  tlm::tlm_sync_enum forward(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase == tlm::BEGIN_REQ) {
      if (!check(payload)) return tlm::TLM_COMPLETED;
      payload.acquire();
      requests_.notify(payload, delay);
      return tlm::TLM_ACCEPTED;
    }
    if (phase == tlm::END_RESP && is_responding_) {
      response_over_.notify(delay);
      return tlm::TLM_COMPLETED;
    }
    SC_REPORT_ERROR("tessera/tlm", "a phase that the base protocol does not allow here");
    return tlm::TLM_ACCEPTED;
  }

  void blocking(Payload& payload, sc_core::sc_time& delay) {
    if (!check(payload)) return;
    sc_core::wait(delay);
    delay = sc_core::SC_ZERO_TIME;
    sc_core::sc_event finished;
    enqueue(payload, &finished);
    look_.notify(sc_core::SC_ZERO_TIME);
    sc_core::wait(finished);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }

  unsigned debug(Payload& payload) {
    if (!check(payload)) return 0;
    move_data(payload);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return payload.get_data_length();
  }

  [[nodiscard]] arch::DramSpec const& spec() const { return spec_; }
  [[nodiscard]] RequestPort const& port() const { return *port_; }

 private:
  struct Transaction {
    Payload* payload = nullptr;
    sc_core::sc_event* finished = nullptr;  ///< of b_transport
    std::size_t requests = 0;               ///< that are not answered yet
    Time done{0};                           ///< the last answer
  };
  struct Waiting {
    DramStack::Request request;
    bool is_last = false;  ///< of its transaction
  };

  /// Sets the status of what cannot be served.
  static bool refuse(Payload& payload, tlm::tlm_response_status status) {
    payload.set_response_status(status);
    return false;
  }

  [[nodiscard]] bool check(Payload& payload) const {
    auto const length = payload.get_data_length();
    auto const capacity = static_cast<std::uint64_t>(spec_.organization.capacity().value());
    if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) {
      return refuse(payload, tlm::TLM_COMMAND_ERROR_RESPONSE);
    }
    if (payload.get_byte_enable_ptr() != nullptr) {
      return refuse(payload, tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    }
    if (length == 0 || payload.get_streaming_width() < length) {
      return refuse(payload, tlm::TLM_BURST_ERROR_RESPONSE);
    }
    if (payload.get_address() >= capacity || length > capacity - payload.get_address()) {
      return refuse(payload, tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
    return true;
  }

  [[nodiscard]] Time now() const {
    auto const ticks = static_cast<std::int64_t>(sc_core::sc_time_stamp().value());
    return Time{(ticks + steps_ - 1) / steps_};
  }

  /// Whole bursts of what the memory takes as one request.
  void enqueue(Payload& payload, sc_core::sc_event* finished) {
    auto const burst = static_cast<std::uint64_t>(spec_.organization.burst().value());
    auto const largest = static_cast<std::uint64_t>(largest_request(spec_).value());
    auto const tag = next_tag_++;
    auto& transaction = open_[tag];
    transaction = {&payload, finished, 0, Time{0}};
    auto const access = payload.is_write() ? Access::write : Access::read;
    auto const end = payload.get_address() + payload.get_data_length();
    for (auto at = payload.get_address() / burst * burst; at < end; ++transaction.requests) {
      auto const until = std::min((at / largest + 1) * largest, (end + burst - 1) / burst * burst);
      waiting_.push_back(
          {{tag, at, access, static_cast<std::uint16_t>((until - at) / burst)}, until >= end});
      at = until;
    }
  }

  void serve() {
    while (auto* const payload = requests_.get_next_transaction()) enqueue(*payload, nullptr);
    auto const time = now();
    port_->advance(time, answers_);
    std::optional<Time> retry;
    while (!waiting_.empty() && !(retry = port_->offer(time, waiting_.front().request, answers_))) {
      auto const taken = waiting_.front();
      waiting_.pop_front();
      if (taken.is_last) end_request(open_.at(taken.request.tag));
    }
    for (auto const& answer : answers_) take(answer);
    answers_.clear();
    wake(retry);
    wake(port_->next_wakeup());
  }

  void wake(std::optional<Time> at) {
    if (at) look_.notify(std::max(to_sc(*at), sc_core::sc_time_stamp()) - sc_core::sc_time_stamp());
  }

  void end_request(Transaction const& transaction) {
    move_data(*transaction.payload);
    if (transaction.finished != nullptr) return;
    tlm::tlm_phase phase = tlm::END_REQ;
    auto delay = sc_core::SC_ZERO_TIME;
    static_cast<void>(module_.socket->nb_transport_bw(*transaction.payload, phase, delay));
  }

  void take(RequestPort::Answer const& answer) {
    auto const found = open_.find(answer.tag);
    auto& [payload, finished, requests, done] = found->second;
    done = std::max(done, answer.at);
    if (--requests > 0) return;
    auto const delay = to_sc(done) - sc_core::sc_time_stamp();
    if (finished != nullptr) {
      finished->notify(delay);
    } else {
      responses_.notify(*payload, delay);
    }
    open_.erase(found);
  }

  /// One at a time.
  void respond() {
    while (!is_responding_) {
      auto* const payload = responses_.get_next_transaction();
      if (payload == nullptr) return;
      payload->set_response_status(tlm::TLM_OK_RESPONSE);
      is_responding_ = true;
      responding_ = payload;
      tlm::tlm_phase phase = tlm::BEGIN_RESP;
      auto delay = sc_core::SC_ZERO_TIME;
      auto const answer = module_.socket->nb_transport_bw(*payload, phase, delay);
      bool const is_over =
          answer == tlm::TLM_COMPLETED || (answer == tlm::TLM_UPDATED && phase == tlm::END_RESP);
      if (is_over && delay == sc_core::SC_ZERO_TIME) {
        release();
      } else if (is_over) {
        response_over_.notify(delay);
      }
    }
  }

  void end_response() {
    release();
    may_respond_.notify(sc_core::SC_ZERO_TIME);
  }

  void release() {
    is_responding_ = false;
    responding_->release();
  }

  void move_data(Payload& payload) {
    if (payload.get_data_ptr() == nullptr) return;  // timing only
    if (payload.is_write()) {
      bytes_.write(payload.get_address(), payload.get_data_ptr(), payload.get_data_length());
    } else {
      bytes_.read(payload.get_address(), payload.get_data_ptr(), payload.get_data_length());
    }
  }

  TlmMemory& module_;
  arch::DramSpec spec_;
  std::unique_ptr<RequestPort> port_;
  std::int64_t steps_ = 1;  ///< of the kernel's resolution in a picosecond
  shell::ByteStore bytes_;

  sc_core::sc_event look_{"look"};
  tlm_utils::peq_with_get<Payload> requests_{"requests"};
  std::deque<Waiting> waiting_;
  std::unordered_map<std::uint64_t, Transaction> open_;  ///< by tag
  std::uint64_t next_tag_ = 0;
  std::vector<RequestPort::Answer> answers_;

  tlm_utils::peq_with_get<Payload> responses_{"responses"};
  sc_core::sc_event response_over_{"response_over"};
  sc_core::sc_event may_respond_{"may_respond"};
  bool is_responding_ = false;
  Payload* responding_ = nullptr;
};

TlmMemory::TlmMemory(sc_core::sc_module_name const& name, Settings const& settings)
    : sc_core::sc_module{name}, server_{std::make_unique<Server>(*this, settings)} {
  socket.register_nb_transport_fw(this, &TlmMemory::forward);
  socket.register_b_transport(this, &TlmMemory::blocking);
  socket.register_transport_dbg(this, &TlmMemory::debug);
}

TlmMemory::~TlmMemory() = default;

tlm::tlm_sync_enum TlmMemory::forward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                      sc_core::sc_time& delay) {
  return server_->forward(payload, phase, delay);
}

void TlmMemory::blocking(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  server_->blocking(payload, delay);
}

unsigned TlmMemory::debug(tlm::tlm_generic_payload& payload) { return server_->debug(payload); }

sc_core::sc_time TlmMemory::clock_period() const { return to_sc(server_->spec().clock_period); }

std::uint64_t TlmMemory::capacity() const {
  return static_cast<std::uint64_t>(server_->spec().organization.capacity().value());
}

std::uint64_t TlmMemory::block() const {
  return static_cast<std::uint64_t>(largest_request(server_->spec()).value());
}

TlmMemory::Counts TlmMemory::counts() const {
  auto const& port = server_->port();
  auto const dram = port.statistics();
  return {dram.reads,     dram.writes,         dram.activates,    dram.precharges,
          dram.refreshes, dram.bank_refreshes, port.link_flits(), dram.active_clocks};
}

}  // namespace tessera::sim
