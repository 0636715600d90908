import { type Command, Option } from 'commander';
import { FleetwrightError } from '../errors';
import { ANNOTATION_FORMATS } from '../plan/annotations';

/** What commands on a fleet work on. */
export const DIR = 'a directory of manifests or of a program, a file, or - for standard input';

/** A command on a fleet, with the flags that all of these take. */
export function onFleet(root: Command, name: string, description: string): Command {
  return withFlags(root.command(name).description(description).argument('[dir]', DIR, '.'));
}

/** Adds the flags of commands on a fleet. */
export function withFlags(command: Command): Command {
  return withOutput(
    command
      .addOption(
        writtenOption('--lock <file>', 'the lock file; default: fleet.lock.yaml beside the manifests'),
      )
      .option('--quiet', 'print only what matters'),
  );
}

/** Adds the flags of all commands that print. */
export function withOutput(command: Command): Command {
  return command
    .option('--json', 'print JSON')
    .option('--no-color', 'print no colours')
    .addOption(
      new Option('--annotations <ci>', 'tell a CI of problems besides, for the lines of a change').choices(
        ANNOTATION_FORMATS,
      ),
    );
}

/**
 * An option that names a file or folder that is written. `-` is refused: standard output has what the command prints.
 */
export function writtenOption(flags: string, help: string): Option {
  const option = new Option(flags, help);
  return option.argParser((path: string) => {
    if (path !== '-') return path;
    const what = "'-' is no file or folder to write to";
    const hint = "Name one, or './-' where one of that name is meant";
    throw new FleetwrightError([{ code: 'bad-flag', where: option.long ?? flags, what, hint }]);
  });
}

/** Every value of an option that may be given several times. */
export function collect(value: string, earlier: readonly string[] = []): string[] {
  return [...earlier, value];
}
