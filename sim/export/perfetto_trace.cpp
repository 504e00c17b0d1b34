#include "sim/export/perfetto_trace.hpp"

namespace tessera::sim {

namespace {

constexpr std::int64_t sequence = 1;  // of packets: there is one writer

// Trace
constexpr unsigned trace_packet = 1;
// TracePacket
constexpr unsigned packet_time = 8, packet_sequence = 10, packet_event = 11, packet_names = 12,
                   packet_flags = 13, packet_track = 60;
constexpr std::int64_t state_is_cleared = 1, needs_state = 2;
// TrackEvent
constexpr unsigned event_annotation = 4, event_type = 9, event_name = 10, event_track = 11,
                   event_value = 44;
constexpr std::int64_t slice_begin = 1, slice_end = 2, is_instant = 3, is_counter = 4;
// TrackDescriptor
constexpr unsigned track_number = 1, track_name = 2, track_process = 3, track_parent = 5,
                   track_counter = 8;
// ProcessDescriptor, CounterDescriptor
constexpr unsigned process_id = 1, process_name = 6, counter_unit = 6;
// DebugAnnotation
constexpr unsigned annotation_name_number = 1, annotation_integer = 4, annotation_text = 6,
                   annotation_name = 10, annotation_text_number = 17;
// EventName, DebugAnnotationName, InternedString
constexpr unsigned interned_number = 1, interned_text = 2;

}  // namespace

void PerfettoAnnotations::append() {
  fields_.message(event_annotation, one_);
  one_.clear();
}

void PerfettoAnnotations::add(std::int64_t name, std::int64_t value) {
  one_.integer(annotation_name_number, name).integer(annotation_integer, value);
  append();
}

void PerfettoAnnotations::add_name(std::int64_t name, std::int64_t value) {
  one_.integer(annotation_name_number, name).integer(annotation_text_number, value);
  append();
}

void PerfettoAnnotations::add(std::string_view name, std::int64_t value) {
  one_.text(annotation_name, name).integer(annotation_integer, value);
  append();
}

void PerfettoAnnotations::add(std::string_view name, std::string_view value) {
  one_.text(annotation_name, name).text(annotation_text, value);
  append();
}

void PerfettoTrace::begin() {
  packet_.integer(packet_flags, state_is_cleared);
  write_packet();
}

std::int64_t PerfettoTrace::intern(PerfettoNames kind, std::string const& text) {
  auto const field = static_cast<unsigned>(kind);
  auto const next = static_cast<std::int64_t>(names_.size()) + 1;
  auto const [entry, is_new] = names_.emplace(static_cast<char>(field) + text, next);
  if (is_new) {
    inner_.clear().integer(interned_number, next).text(interned_text, text);
    part_.clear().message(field, inner_);
    packet_.message(packet_names, part_).integer(packet_flags, needs_state);
    write_packet();
  }
  return entry->second;
}

std::int64_t PerfettoTrace::add_process(std::int64_t id, std::string_view name) {
  inner_.clear().integer(process_id, id).text(process_name, name);
  part_.clear().message(track_process, inner_);
  write_track(name);
  return tracks_;
}

std::int64_t PerfettoTrace::add_track(std::int64_t parent, std::string_view name) {
  part_.clear().integer(track_parent, parent);
  write_track(name);
  return tracks_;
}

std::int64_t PerfettoTrace::add_counter(std::int64_t parent, std::string_view name,
                                        std::string_view unit) {
  inner_.clear().text(counter_unit, unit);
  part_.clear().integer(track_parent, parent).message(track_counter, inner_);
  write_track(name);
  return tracks_;
}

void PerfettoTrace::write_track(std::string_view name) {
  part_.integer(track_number, ++tracks_).text(track_name, name);
  packet_.message(packet_track, part_);
  write_packet();
}

void PerfettoTrace::slice(std::int64_t track, std::int64_t begin, std::int64_t end,
                          std::int64_t name, PerfettoAnnotations const& annotations,
                          std::optional<PerfettoFlow> flow) {
  begin_event(slice_begin, track);
  event_.integer(event_name, name);
  if (flow) event_.fixed64(static_cast<unsigned>(flow->end), flow->id);
  event_.append(annotations.fields());
  write_event(begin);
  begin_event(slice_end, track);
  write_event(end);
}

void PerfettoTrace::instant(std::int64_t track, std::int64_t time, std::int64_t name,
                            PerfettoAnnotations const& annotations) {
  begin_event(is_instant, track);
  event_.integer(event_name, name).append(annotations.fields());
  write_event(time);
}

void PerfettoTrace::count(std::int64_t track, std::int64_t time, double value) {
  begin_event(is_counter, track);
  event_.real(event_value, value);
  write_event(time);
}

void PerfettoTrace::begin_event(std::int64_t type, std::int64_t track) {
  event_.clear().integer(event_type, type).integer(event_track, track);
}

void PerfettoTrace::write_event(std::int64_t time) {
  packet_.integer(packet_time, time)
      .message(packet_event, event_)
      .integer(packet_flags, needs_state);
  write_packet();
}

void PerfettoTrace::write_packet() {
  packet_.integer(packet_sequence, sequence);
  output_.write(trace_.clear().message(trace_packet, packet_).bytes());
  packet_.clear();
}

}  // namespace tessera::sim
