// A requester for Tessera's memories: sends a list of requests, in order, each as soon as the memory takes it (approximately timed) or
// has answered the one before (loosely timed), and notes how long each took.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <tlm_utils/peq_with_get.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <systemc>
#include <tlm>

namespace example {

struct Request {
  std::uint64_t address = 0;
  bool writes = false;
};

struct Rule {
  bool is_loosely_timed = false;
  unsigned bytes = 64;  // of a request
  // Loosely timed: from an answer to the next request.
  sc_core::sc_time pause = sc_core::SC_ZERO_TIME;
  // Approximately timed: from BEGIN_RESP to END_RESP.
  sc_core::sc_time response_time = sc_core::SC_ZERO_TIME;
};

class Initiator final : public sc_core::sc_module, public tlm::tlm_mm_interface {
 public:
  Initiator(sc_core::sc_module_name const& name, std::vector<Request> requests, Rule const& rule)
      : sc_module{name},
        latencies(requests.size()),
        responses(requests.size()),
        requests_{std::move(requests)},
        rule_{rule},
        accepted_(requests_.size()) {
    socket.register_nb_transport_bw(this, &Initiator::backward);
    sc_core::sc_spawn([this] { rule_.is_loosely_timed ? call() : send(); }, "requests");
    sc_core::sc_spawn([this] { end_responses(); }, "responses");
  }

  tlm_utils::simple_initiator_socket<Initiator> socket{"socket"};
  std::vector<sc_core::sc_time> latencies;  // from when the request was taken to the response
  std::vector<sc_core::sc_time> responses;  // when they came
  std::size_t answered = 0;

 private:
  void free(tlm::tlm_generic_payload* payload) override { delete payload; }

  void fill(tlm::tlm_generic_payload& payload, std::size_t index) const {
    payload.set_command(requests_[index].writes ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    payload.set_address(requests_[index].address);
    payload.set_data_length(rule_.bytes);
    payload.set_streaming_width(rule_.bytes);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  }

  void send() {
    for (std::size_t index = 0; index < requests_.size(); ++index) {
      auto* const payload = new tlm::tlm_generic_payload{this};
      payload->acquire();
      fill(*payload, index);
      index_of_[payload] = index;
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      auto delay = sc_core::SC_ZERO_TIME;
      auto const answer = socket->nb_transport_fw(*payload, phase, delay);
      if (answer == tlm::TLM_COMPLETED)
        SC_REPORT_FATAL("initiator", payload->get_response_string().c_str());
      if (answer == tlm::TLM_ACCEPTED) wait(request_over_);
    }
  }

  void call() {
    for (std::size_t index = 0; index < requests_.size(); ++index) {
      tlm::tlm_generic_payload payload;
      fill(payload, index);
      auto const begun = sc_core::sc_time_stamp();
      auto delay = sc_core::SC_ZERO_TIME;
      socket->b_transport(payload, delay);
      note(index, begun, sc_core::sc_time_stamp() + delay, payload);
      wait(delay + rule_.pause);
    }
  }

  tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                              sc_core::sc_time& delay) {
    auto const now = sc_core::sc_time_stamp() + delay;
    auto const index = index_of_.at(&payload);
    if (phase == tlm::END_REQ) {
      accepted_[index] = now;
      request_over_.notify(delay);
      return tlm::TLM_ACCEPTED;
    }
    if (phase != tlm::BEGIN_RESP) SC_REPORT_FATAL("initiator", "not a phase of a target");
    note(index, accepted_[index], now, payload);
    if (rule_.response_time != sc_core::SC_ZERO_TIME) {
      ending_.notify(payload, rule_.response_time);
      return tlm::TLM_ACCEPTED;
    }
    forget(payload);
    phase = tlm::END_RESP;
    return tlm::TLM_UPDATED;
  }

  void end_responses() {
    while (true) {
      wait(ending_.get_event());
      while (auto* const payload = ending_.get_next_transaction()) {
        tlm::tlm_phase phase = tlm::END_RESP;
        auto delay = sc_core::SC_ZERO_TIME;
        socket->nb_transport_fw(*payload, phase, delay);
        forget(*payload);
      }
    }
  }

  void note(std::size_t index, sc_core::sc_time begun, sc_core::sc_time now,
            tlm::tlm_generic_payload const& payload) {
    if (!payload.is_response_ok())
      SC_REPORT_FATAL("initiator", payload.get_response_string().c_str());
    latencies[index] = now - begun;
    responses[index] = now;
    ++answered;
  }

  void forget(tlm::tlm_generic_payload& payload) {
    index_of_.erase(&payload);
    payload.release();
  }

  std::vector<Request> requests_;
  Rule rule_;
  std::vector<sc_core::sc_time> accepted_;
  std::map<tlm::tlm_generic_payload*, std::size_t> index_of_;
  sc_core::sc_event request_over_{"request_over"};
  tlm_utils::peq_with_get<tlm::tlm_generic_payload> ending_{"ending"};
};

}  // namespace example
