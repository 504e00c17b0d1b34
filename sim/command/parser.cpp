#include "sim/command/parser.hpp"

#include <cstdint>
#include <optional>

#include <CLI/CLI.hpp>

#include "arch/base/nearest_name.hpp"
#include "sim/terminal/failure.hpp"

namespace tessera::sim {

namespace {

std::vector<std::string> option_names(CLI::App const& app) {
  std::vector<std::string> names;
  for (auto const* option : app.get_options()) {
    for (auto const& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// The innermost subcommand that was typed, or the program itself.
CLI::App const& typed(CLI::App const& app) {
  auto const subcommands = app.get_subcommands();
  return subcommands.empty() ? app : typed(*subcommands.front());
}

std::string full_name_of(CLI::App const& app) {
  auto const* const parent = app.get_parent();
  return parent == nullptr ? app.get_name() : full_name_of(*parent) + ' ' + app.get_name();
}

/// What is wrong with an argument that nobody knows.
std::string unknown_argument(CLI::App const& app, std::string const& argument) {
  if (argument.size() > 1 && argument.front() == '-') {
    return unknown_name("option", argument.substr(0, argument.find('=')), option_names(app));
  }
  std::vector<std::string> names;
  for (auto const* subcommand : app.get_subcommands({})) names.push_back(subcommand->get_name());
  if (names.empty()) return "unexpected argument '" + argument + "'";
  return unknown_name("subcommand", argument, names);
}

[[noreturn]] void refuse_to(CLI::App const& app, std::string const& problem) {
  throw FailureError{{ExitCode::users_fault, full_name_of(app) + ": " + one_line(problem)}};
}

}  // namespace

Option* Option::required() {
  option_.required();
  return this;
}

Option* Option::type_name(std::string const& name) {
  option_.type_name(name);
  return this;
}

Option* Option::capture_default_str() {
  option_.capture_default_str();
  return this;
}

Option* Option::needs(Option const* other) {
  option_.needs(&other->option_);
  return this;
}

Option* Option::excludes(Option const* other) {
  option_.excludes(&other->option_);
  return this;
}

Option* Option::expected(int values) {
  option_.expected(values);
  return this;
}

Option* Option::delimiter(char between) {
  option_.delimiter(between);
  return this;
}

Option* Option::one_value_each() {
  option_.allow_extra_args(false);
  return this;
}

Option* Option::one_of(std::vector<std::string> const& names) {
  option_.check(CLI::IsMember(names).description({}));
  return this;
}

template <typename Number>
Option* Option::within(Number least, Number most, InHelp range) {
  auto check = CLI::Range(least, most);
  if (range == InHelp::no) check.description({});
  option_.check(check);
  return this;
}

template Option* Option::within(int least, int most, InHelp range);
template Option* Option::within(std::int64_t least, std::int64_t most, InHelp range);
template Option* Option::within(double least, double most, InHelp range);

Parser::Parser(std::string const& name, std::string const& description, std::string const& version)
    : owned_{std::make_unique<CLI::App>(description, name)}, app_{*owned_} {
  app_.set_version_flag("--version", version);
}

Parser::Parser(CLI::App& app) : app_{app} {}

Parser::~Parser() = default;

template <typename Value>
Option* Parser::add_option(std::string const& names, Value& value, std::string const& help) {
  return &options_.emplace_back(*app_.add_option(names, value, help));
}

template Option* Parser::add_option(std::string const&, std::string&, std::string const&);
template Option* Parser::add_option(std::string const&, std::optional<std::string>&,
                                    std::string const&);
template Option* Parser::add_option(std::string const&, std::vector<std::string>&,
                                    std::string const&);
template Option* Parser::add_option(std::string const&, std::int64_t&, std::string const&);
template Option* Parser::add_option(std::string const&, std::optional<std::int64_t>&,
                                    std::string const&);
template Option* Parser::add_option(std::string const&, std::vector<std::int64_t>&,
                                    std::string const&);
template Option* Parser::add_option(std::string const&, std::size_t&, std::string const&);
template Option* Parser::add_option(std::string const&, std::optional<std::size_t>&,
                                    std::string const&);
template Option* Parser::add_option(std::string const&, double&, std::string const&);

Option* Parser::add_flag(std::string const& names, bool& value, std::string const& help) {
  return &options_.emplace_back(*app_.add_flag(names, value, help));
}

Parser* Parser::add_subcommand(std::string const& name, std::string const& description) {
  app_.require_subcommand(0, 1);
  return &subcommands_.emplace_back(*app_.add_subcommand(name, description));
}

void Parser::footer(std::string const& text) { app_.footer(text); }

void Parser::footer(std::function<std::string()> const& text) { app_.footer(text); }

std::optional<std::string> Parser::parse(int argc, char const* const* argv) {
  try {
    app_.parse(argc, argv);
    return std::nullopt;
  } catch (CLI::CallForVersion const& request) {
    return std::string{request.what()} + "\n";
  } catch (CLI::Success const&) {
    return app_.help();
  } catch (CLI::ParseError const& error) {
    auto const unknown = app_.remaining(true);
    auto const& app = typed(app_);
    refuse_to(app, unknown.empty() ? error.what() : unknown_argument(app, unknown.front()));
  }
}

bool Parser::parsed() const { return app_.parsed(); }

std::string Parser::full_name() const { return full_name_of(app_); }

void Parser::refuse(std::string const& problem) const { refuse_to(app_, problem); }

void Parser::refuse_argument(std::string const& argument) const {
  refuse_to(app_, unknown_argument(app_, argument));
}

}  // namespace tessera::sim
