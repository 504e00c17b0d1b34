// `tessera show`: what is built in, as its file; with every default and its source; or as a drawing.
#include <memory>
#include <optional>

#include <nlohmann/json.hpp>

#include "arch/array/load.hpp"
#include "arch/base/nearest_name.hpp"
#include "sim/app/show_drawing.hpp"
#include "sim/app/show_resolved.hpp"
#include "sim/app/show_things.hpp"
#include "sim/command/command.hpp"
#include "sim/command/options.hpp"
#include "sim/study/result.hpp"
#include "workloads/load.hpp"

namespace tessera::sim {

namespace {

struct ShowOptions {
  std::string name;
  std::optional<std::string> kind;
  std::vector<std::string> settings;
  std::optional<std::string> drawing;
  bool resolved = false;
  bool json = false;
  OverwriteOptions overwrite;
};

[[nodiscard]] std::optional<ThingKind> kind_of(ShowOptions const& options) {
  if (!options.kind) return std::nullopt;
  std::vector<std::string> words;
  for (auto const& [word, kind] : thing_kinds()) {
    if (word == *options.kind) return kind;
    words.push_back(word);
  }
  throw ConfigError({"--kind"}, {}, unknown_name("kind", *options.kind, words));
}

[[nodiscard]] Drawing drawing_of_thing(Thing const& thing,
                                       std::vector<std::string> const& settings) {
  auto const file = written(thing, settings);
  if (thing.kind == ThingKind::network) return drawing_of(workloads::network_from(file));
  if (thing.kind == ThingKind::array) return drawing_of(arch::array_from(file));
  if (thing.kind == ThingKind::fabric) {
    return drawing_of(arch::load_fabric(thing.name, overrides_of(thing, settings)));
  }
  throw ConfigError({"--svg"}, {},
                    "draws networks, arrays and fabrics; " + in_quotes(thing.name) + " is none");
}

/// The drawing goes to its file, the text that says so to stdout.
[[nodiscard]] Outcome draw_thing(Thing const& thing, ShowOptions const& options) {
  auto const drawing = drawing_of_thing(thing, options.settings);
  traces::write_text_file(*options.drawing, svg_of(drawing), options.overwrite.overwrite());
  if (options.json) {
    return {document({{"schema", "tessera.show/1"},
                      {"name", thing.name},
                      {"drawing", *options.drawing},
                      {"description", drawing.description}})};
  }
  return {*options.drawing + ": " + drawing.title + ", " + drawing.description + "\n"};
}

[[nodiscard]] Outcome show(ShowOptions const& options) {
  auto const thing = find_thing(options.name, kind_of(options));
  if (options.drawing) return draw_thing(thing, options);
  bool const is_code = thing.kind == ThingKind::planner || thing.kind == ThingKind::schedule;
  bool const has_defaults = options.resolved && !is_code;
  if (!options.settings.empty() && !has_defaults) {
    throw ConfigError({"--set"}, {},
                      "needs --resolved or --svg (a file is shown as it is written)");
  }
  auto const text = has_defaults ? resolved_text(thing, options.settings) : text_of(thing);
  if (!options.json) return {text};
  std::string kind;
  for (auto const& [word, entry] : thing_kinds()) kind = entry == thing.kind ? word : kind;
  return {document(
      {{"schema", "tessera.show/1"}, {"kind", kind}, {"name", thing.name}, {"text", text}})};
}

}  // namespace

Command show_command(Parser& tessera) {
  auto const options = std::make_shared<ShowOptions>();
  auto* const parser = tessera.add_subcommand(
      "show", "A built-in network, array, core, ... as its file, resolved, or as a drawing");
  parser->footer(
      "Example:\n  tessera show hypar-paper\n"
      "  tessera show hypar-paper --resolved --set arch.accelerators=64\n"
      "  tessera show accpar/resnet-18 --svg resnet.svg");
  parser
      ->add_option("name", options->name,
                   "A network, array, core, memory, fabric, profile, planner or schedule (tessera "
                   "list KIND), or a path")
      ->required()
      ->type_name("NAME");
  parser->add_option("--kind", options->kind, "Which, where several kinds have one of that name")
      ->type_name("KIND");
  parser->add_flag("--resolved", options->resolved,
                   "Every key with its default, and where its value is from");
  parser
      ->add_option("--set", options->settings,
                   "Override a key of what is resolved or drawn; may be repeated")
      ->one_value_each()
      ->type_name("KEY=VALUE");
  parser->add_option("--svg", options->drawing, "Draw a network, array or fabric")
      ->type_name("FILE");
  add_overwrite_options(*parser, options->overwrite);
  parser->add_flag("--json", options->json, "One JSON document on stdout instead of text");
  return {parser, [options] { return show(*options); }};
}

}  // namespace tessera::sim
