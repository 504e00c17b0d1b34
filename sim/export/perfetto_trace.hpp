// A trace of ui.perfetto.dev being written: tracks, slices, flows and counters in Perfetto's native format, without its library.
//
// The numbers of fields are those of google/perfetto, protos/perfetto/trace: trace_packet.proto, track_event/*.proto and
// interned_data/interned_data.proto; test/end_to_end/perfetto_subset.proto has all that are used. Perfetto counts whole nanoseconds.
// Slices of one track may nest and must not overlap else. Packets may come in any order of time; those of a track at the same time must
// come in their own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "traces/pending_stream.hpp"
#include "traces/protobuf.hpp"

namespace tessera::sim {

/// Texts that a trace spells once and then numbers.
enum class PerfettoNames : unsigned {
  events = 2,
  annotations = 3,
  values = 29  ///< of annotations
};

/// What is told of a slice: names and values.
class PerfettoAnnotations final {
 public:
  void add(std::int64_t name, std::int64_t value);
  void add_name(std::int64_t name, std::int64_t value);  ///< a number of PerfettoNames::values
  void add(std::string_view name, std::int64_t value);
  void add(std::string_view name, std::string_view value);
  [[nodiscard]] traces::ProtobufMessage const& fields() const { return fields_; }
  void clear() { fields_.clear(); }

 private:
  void append();

  traces::ProtobufMessage fields_;  ///< of a TrackEvent
  traces::ProtobufMessage one_;
};

enum class FlowEnd : unsigned { leaves = 47, arrives = 48 };

struct PerfettoFlow {
  FlowEnd end = FlowEnd::leaves;
  std::uint64_t id = 0;
};

class PerfettoTrace final {
 public:
  explicit PerfettoTrace(traces::PendingStream& output) : output_{output} {}

  /// The first packet of all: those that follow may refer to what was spelled before.
  void begin();
  /// The number of a text, which is spelled when it is new.
  [[nodiscard]] std::int64_t intern(PerfettoNames kind, std::string const& text);

  // Each returns the number of the track.
  std::int64_t add_process(std::int64_t id, std::string_view name);
  std::int64_t add_track(std::int64_t parent, std::string_view name);
  std::int64_t add_counter(std::int64_t parent, std::string_view name, std::string_view unit);

  void slice(std::int64_t track, std::int64_t begin, std::int64_t end, std::int64_t name,
             PerfettoAnnotations const& annotations, std::optional<PerfettoFlow> flow = {});
  void instant(std::int64_t track, std::int64_t time, std::int64_t name,
               PerfettoAnnotations const& annotations);
  void count(std::int64_t track, std::int64_t time, double value);

 private:
  void write_track(std::string_view name);
  /// The event that is in event_, at a time.
  void write_event(std::int64_t time);
  void begin_event(std::int64_t type, std::int64_t track);
  /// The packet that is in packet_.
  void write_packet();

  traces::PendingStream& output_;
  std::unordered_map<std::string, std::int64_t> names_;  ///< their kind's letter before them
  std::int64_t tracks_ = 0;
  traces::ProtobufMessage trace_, packet_, event_, part_, inner_;  ///< their memory is used again
};

}  // namespace tessera::sim
