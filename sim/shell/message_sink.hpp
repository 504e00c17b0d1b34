// The one interface between modules: a direct call that hands over a message ahead of its time.
#pragma once

#include <systemc>

#include "sim/model/protocol/core.hpp"

namespace tessera::sim::shell {

class MessageSink : public virtual sc_core::sc_interface {
 public:
  /// Takes a message that arrives at `at`, now at the earliest.
  virtual void deliver(Time at, Message const& message) = 0;
};

/// Where a module receives, and where it sends. An output may stay unconnected if nothing is ever
/// sent there (the fabric of an array of one).
using InputPort = sc_core::sc_export<MessageSink>;
using OutputPort = sc_core::sc_port<MessageSink, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;

}  // namespace tessera::sim::shell
