import { type Command, Option } from 'commander';
import type { InferenceCluster } from '../api/inference-cluster';
import { suggestObjectName } from '../base/name-suggestion';
import { joinNames } from '../base/text';
import type { Fleet } from '../fleet/fleet';
import { ANNOTATION_FORMATS } from '../report/ci-annotations';
import { commandError, meantHint } from './command-error';

export const DIR_ARGUMENT = 'a directory of manifests or of a program, a file, or - for standard input';

/** Adds a command on a fleet, with the flags that all of them take. */
export function addFleetCommand(root: Command, name: string, description: string): Command {
  return addFleetFlags(root.command(name).description(description).argument('[dir]', DIR_ARGUMENT, '.'));
}

export function addFleetFlags(command: Command): Command {
  return addOutputFlags(
    command
      .addOption(createOutputOption('--lock <file>', 'the lock file; default: fleet.lock.yaml next to the manifests'))
      .option('--allow-outside', 'follow links and references to files outside the folder of the fleet')
      .option('--quiet', 'print only the summary and the problems'),
  );
}

export function addOutputFlags(command: Command): Command {
  return command
    .option('--json', 'print JSON')
    .option('--no-color', 'print no colors')
    .addOption(
      new Option(
        '--annotations <ci>',
        'also print problems as annotations of a CI, at the lines of the change',
      ).choices(ANNOTATION_FORMATS),
    );
}

/** Creates an option for a file or folder to write. Rejects `-`: standard output has what the command prints. */
export function createOutputOption(flags: string, help: string): Option {
  const option = new Option(flags, help);
  return option.argParser((path: string) => {
    if (path !== '-') return path;
    const what = "'-' is not a file or folder to write to";
    const hint = "Use a path, or './-' for a file of that name";
    throw commandError('bad-flag', option.long ?? flags, what, hint);
  });
}

/** Collects the values of an option that can be given several times. */
export function collectValues(value: string, earlier: readonly string[] = []): string[] {
  return [...earlier, value];
}

export interface ConnectionFlags {
  readonly kubeconfig?: string;
  readonly timeout: string;
}

/** @throws FleetwrightError when the fleet has no cluster with the name */
export function findCluster(name: string, { clusters }: Fleet): InferenceCluster {
  const found = clusters.find(({ metadata }) => metadata.name === name);
  if (found) return found;
  const all = clusters.map(({ metadata }) => metadata.name);
  const hint = meantHint(suggestObjectName(name, all), `Use one of ${joinNames(all)}`);
  throw commandError('unknown-cluster', name, 'the fleet has no cluster of this name', hint);
}

/** Parses `--context CLUSTER=CONTEXT`: the contexts by cluster. */
export function parseContexts(pairs: readonly string[], fleet: Fleet): Readonly<Record<string, string>> {
  const entries = pairs.map((pair): [string, string] => {
    const [, cluster = '', context = ''] = /^([^=]+)=(.+)$/.exec(pair) ?? [];
    if (context === '') {
      const what = `'${pair}' has no cluster`;
      throw commandError('bad-flag', '--context', what, 'Write CLUSTER=CONTEXT');
    }
    return [findCluster(cluster, fleet).metadata.name, context];
  });
  return Object.fromEntries(entries);
}

const MAX_SECONDS = 600;

/** Parses the time limit of each request. Returns milliseconds. */
export function parseTimeout({ timeout }: Pick<ConnectionFlags, 'timeout'>): number {
  const seconds = Number(timeout);
  if (/^\d+(\.\d+)?$/.test(timeout) && seconds > 0 && seconds <= MAX_SECONDS) return seconds * 1000;
  const what = `'${timeout}' is not a number of seconds up to ${MAX_SECONDS}`;
  throw commandError('bad-flag', '--timeout', what, 'Write a number of seconds: 15');
}
