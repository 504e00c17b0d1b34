#!/usr/bin/python3
"""Completion for bash, zsh and fish, of what the program's helps say: completion.py PROGRAM PREFIX writes them below PREFIX/share.

Names of networks, arrays and planners are asked from the program when they are wanted, so that they are always its own.
"""

import pathlib
import sys

from helps import KINDS, all_helps

NAMES = "tessera list {kind} --json 2>/dev/null | sed -n 's/.*\"name\": \"\\([^\"]*\\)\".*/\\1/p'"


def value_options(helps):
    """Option -> the kind of names that it takes, or "" for any other value."""
    found = {}
    for help_ in helps:
        for option in help_.options:
            kind = next((KINDS[name] for name in option.names if name in KINDS), "")
            for name in option.names if option.takes_value else ():
                found.setdefault(name, kind)
    return found


def words_of(help_):
    return [name for name, _ in help_.subcommands] + [name for option in help_.options for name in option.names]


def by_kind(helps):
    found = {}
    for name, kind in value_options(helps).items():
        found.setdefault(kind, []).append(name)
    return found


def bash(helps):
    """Bash splits words at "=" and ":", which no name has."""
    kinds = by_kind(helps)
    lines = ["# Completion of tessera; made of its helps by scripts/package/completion.py.", "_tessera() {",
             "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} key='' each",
             "  COMPREPLY=()", "  case $before in"]
    for kind, options in sorted(kinds.items()):
        source = f'$({NAMES.format(kind=kind)})' if kind else ""
        wanted = f'-W "{source}" ' if kind else ""
        lines.append(f"    {'|'.join(sorted(options))}) COMPREPLY=($(compgen {wanted}-f -- \"$word\")); return ;;")
    lines += ["  esac", '  for each in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do', "    [[ $each == -* ]] && break", '    key+=" $each"', "  done",
              '  case ${key# } in']
    for help_ in helps:
        lines.append(f"    '{' '.join(help_.words)}') COMPREPLY=($(compgen -W '{' '.join(words_of(help_))}' -- \"$word\")) ;;")
    lines += ['    *) COMPREPLY=($(compgen -f -- "$word")) ;;', "  esac", "}", "complete -F _tessera tessera", ""]
    return "\n".join(lines)


def zsh(helps):
    kinds = by_kind(helps)
    lines = ["#compdef tessera", "# Made of the program's helps by scripts/package/completion.py.", "local key='' each",
             "case ${words[CURRENT-1]} in"]
    for kind, options in sorted(kinds.items()):
        names = f"compadd -- ${{(f)\"$({NAMES.format(kind=kind)})\"}}; " if kind else ""
        lines.append(f"  {'|'.join(sorted(options))}) {names}_files; return ;;")
    lines += ["esac", "for each in ${words[2,CURRENT-1]}; do", "  [[ $each == -* ]] && break", '  key+=" $each"', "done", "case ${key# } in"]
    for help_ in helps:
        lines.append(f"  '{' '.join(help_.words)}') compadd -- {' '.join(words_of(help_))} ;;")
    lines += ["  *) _files ;;", "esac", ""]
    return "\n".join(lines)


def quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def fish_condition(help_):
    inner = " ".join(name for name, _ in help_.subcommands)
    if not help_.words:
        return "__fish_use_subcommand"
    seen = "; and ".join(f"__fish_seen_subcommand_from {word}" for word in help_.words)
    return seen + (f"; and not __fish_seen_subcommand_from {inner}" if inner else "")


def fish(helps):
    lines = ["# Completion of tessera; made of its helps by scripts/package/completion.py."]
    for help_ in helps:
        condition = quoted(fish_condition(help_))
        for name, said in help_.subcommands:
            lines.append(f"complete -c tessera -f -n {condition} -a {name} -d {quoted(said)}")
        for option in help_.options:
            kind = next((KINDS[name] for name in option.names if name in KINDS), "")
            names = "".join(f" -{'l' if name.startswith('--') else 's'} {name.lstrip('-')}" for name in option.names)
            value = " -r" if option.takes_value else ""
            asked = f" -a {quoted('(' + NAMES.format(kind=kind) + ')')}" if kind and option.takes_value else ""
            lines.append(f"complete -c tessera -n {condition}{names}{value}{asked} -d {quoted(option.help)}")
    return "\n".join(lines) + "\n"


def main():
    program, prefix = sys.argv[1], pathlib.Path(sys.argv[2])
    helps = all_helps(program)
    for path, text in (("bash-completion/completions/tessera", bash(helps)), ("zsh/vendor-completions/_tessera", zsh(helps)),
                       ("fish/vendor_completions.d/tessera.fish", fish(helps))):
        file = prefix / "share" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
