import type { Command } from 'commander';
import { suggestName } from '../../base/name-suggestion';
import { commandError, meantHint } from '../command-error';
import { EXIT, type ExitCode } from '../exit-code';
import type { Io } from '../output';

interface CompletedCommand {
  readonly name: string;
  readonly description: string;
  readonly flags: readonly string[];
}

const COMPLETION_SCRIPTS: Readonly<Record<string, (words: readonly CompletedCommand[]) => string>> = {
  bash: (words) => `_fleetwright() {
  local word="\${COMP_WORDS[COMP_CWORD]}"
  case "\${COMP_WORDS[1]}" in
${words.map(({ name, flags }) => `    ${name}) COMPREPLY=($(compgen -W "${flags.join(' ')}" -- "$word"; compgen -o plusdirs -f -- "$word")) ;;`).join('\n')}
    *) COMPREPLY=($(compgen -W "${words.map(({ name }) => name).join(' ')}" -- "$word")) ;;
  esac
}
complete -o filenames -F _fleetwright fleetwright
`,
  zsh: (words) => `#compdef fleetwright
_fleetwright() {
  local -a commands
  commands=(${words.map(({ name, description }) => `'${name}:${description.replaceAll("'", '')}'`).join(' ')})
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  case "$words[2]" in
${words.map(({ name, flags }) => `    ${name}) _alternative 'flags:flag:(${flags.join(' ')})' 'files:file:_files' ;;`).join('\n')}
  esac
}
compdef _fleetwright fleetwright
`,
  fish: (words) =>
    words
      .flatMap(({ name, description, flags }) => [
        `complete -c fleetwright -n __fish_use_subcommand -a ${name} -d '${description.replaceAll("'", '')}'`,
        ...flags
          .filter((flag) => flag.startsWith('--'))
          .map((flag) => `complete -c fleetwright -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)}`),
      ])
      .join('\n')
      .concat('\n'),
};

export const SHELLS: readonly string[] = Object.keys(COMPLETION_SCRIPTS);

/** `fleetwright completion SHELL`: prints the completion script of a shell. */
export function runCompletion(shell: string, root: Command, io: Io): ExitCode {
  const script = COMPLETION_SCRIPTS[shell];
  if (!script) {
    const hint = meantHint(suggestName(shell, SHELLS), `Use one of ${SHELLS.join(', ')}`);
    throw commandError('unknown-shell', 'completion', `no script for '${shell}'`, hint);
  }
  const words = root.commands.map((command) => ({
    name: command.name(),
    description: command.description(),
    flags: command.options.flatMap(({ long, short }) => [long, short].flatMap((flag) => flag ?? [])),
  }));
  io.out(script(words));
  return EXIT.ok;
}
