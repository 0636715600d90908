import type { Command } from 'commander';
import { suggestName } from '../../base/name-suggestion';
import { commandError, meantHint } from '../command-error';
import { EXIT, type ExitCode } from '../exit-code';
import type { Io } from '../output';

interface CompletedCommand {
  readonly name: string;
  readonly description: string;
  readonly flags: readonly string[];

  /** The flags that take a value. */
  readonly valued: readonly string[];
}

/** The hidden command by which the scripts find names of the fleet and values of flags. */
export const COMPLETE_COMMAND = 'complete-words';

function formatFishCommand({ name, description, flags, valued }: CompletedCommand): string[] {
  const longs = flags.filter((flag) => flag.startsWith('--'));
  return [
    `complete -c fleetwright -f -n __fish_use_subcommand -a ${name} -d '${description.replaceAll("'", '')}'`,
    ...longs.map((flag) => {
      const value = valued.includes(flag) ? " -x -a '(__fleetwright_names)'" : '';
      return `complete -c fleetwright -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)}${value}`;
    }),
  ];
}

const COMPLETION_SCRIPTS: Readonly<Record<string, (words: readonly CompletedCommand[]) => string>> = {
  // Flags are offered after a dash, and files where the command line knows no names.
  bash: (words) => `_fleetwright() {
  local word="\${COMP_WORDS[COMP_CWORD]}" names="" flags=""
  if (( COMP_CWORD == 1 )); then
    COMPREPLY=($(compgen -W "${words.map(({ name }) => name).join(' ')}" -- "$word"))
    return
  fi
  if [[ "$word" == -* ]]; then
    case "\${COMP_WORDS[1]}" in
${words.map(({ name, flags }) => `      ${name}) flags="${flags.join(' ')}" ;;`).join('\n')}
    esac
    COMPREPLY=($(compgen -W "$flags" -- "$word"))
    return
  fi
  names=$(fleetwright ${COMPLETE_COMMAND} -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null) || names=""
  [[ "$word" != = ]] || word=""
  if [[ -n "$names" ]]; then
    COMPREPLY=($(compgen -W "$names" -- "$word"))
    [[ "\${COMPREPLY[0]}" != *= ]] || compopt -o nospace 2>/dev/null
  else
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -o plusdirs -f -- "$word"))
  fi
}
complete -F _fleetwright fleetwright
`,
  zsh: (words) => `#compdef fleetwright
_fleetwright() {
  local -a commands
  commands=(${words.map(({ name, description }) => `'${name}:${description.replaceAll("'", '')}'`).join(' ')})
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  local -a given
  given=("\${(@)words[2,CURRENT]}")
  if [[ "\${words[CURRENT]}" == --*=* ]]; then
    given=("\${(@)words[2,CURRENT-1]}" "\${words[CURRENT]%%=*}" "\${words[CURRENT]#*=}")
    compset -P 1 '*='
  elif [[ "\${words[CURRENT]}" == -* ]]; then
    case "$words[2]" in
${words.map(({ name, flags }) => `      ${name}) compadd -- ${flags.join(' ')} ;;`).join('\n')}
    esac
    return
  fi
  local -a names
  names=(\${(f)"$(fleetwright ${COMPLETE_COMMAND} -- "\${(@)given}" 2>/dev/null)"})
  if (( ! $#names )); then _files; return; fi
  compadd -- \${names:#*=}
  compadd -S '' -- \${(M)names:#*=}
}
# Loaded by compinit as a function, the file completes; read by a shell, it registers the function.
if [[ "$funcstack[1]" == _fleetwright ]]; then _fleetwright "$@"; else compdef _fleetwright fleetwright; fi
`,
  fish: (words) =>
    [
      'function __fleetwright_names',
      '  set -l words (commandline -opc)',
      '  set -l word (commandline -ct)',
      "  if string match -qr -- '^--[^=]+=' $word",
      "    set -a words (string replace -r -- '=.*' '' $word)",
      "    set word (string replace -r -- '^--[^=]+=' '' $word)",
      '  end',
      // In quotes, an empty word stays one argument.
      `  set -l names (fleetwright ${COMPLETE_COMMAND} -- $words[2..] "$word" 2>/dev/null)`,
      '  if set -q names[1]',
      "    printf '%s\\n' $names",
      '  else',
      '    __fish_complete_path "$word"',
      '  end',
      'end',
      "complete -c fleetwright -f -n 'not __fish_use_subcommand' -a '(__fleetwright_names)'",
      ...words.flatMap(formatFishCommand),
    ]
      .join('\n')
      .concat('\n'),
};

export const SHELLS: readonly string[] = Object.keys(COMPLETION_SCRIPTS);

/** `fleetwright completion SHELL`: prints the completion script of a shell. */
export function runCompletion(shell: string, root: Command, io: Io): ExitCode {
  const script = COMPLETION_SCRIPTS[shell];
  if (!script) {
    const hint = meantHint(suggestName(shell, SHELLS), `Use one of ${SHELLS.join(', ')}`);
    throw commandError('unknown-shell', 'completion', `unknown shell '${shell}'`, hint);
  }
  const shown = root.commands.filter((command) => command.name() !== COMPLETE_COMMAND);
  const words = shown.map((command) => ({
    name: command.name(),
    description: command.description(),
    flags: command.options.flatMap(({ long, short }) => [long, short].flatMap((flag) => flag ?? [])),
    valued: command.options.filter(({ required }) => required).flatMap(({ long }) => long ?? []),
  }));
  io.out(script(words));
  return EXIT.ok;
}
