import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { resourceIdOf } from '../../api/kinds';
import { FleetwrightError } from '../../base/errors';
import { sortUnique } from '../../base/order';
import { joinNames, pluralize } from '../../base/text';
import { findProgram } from '../../files/fleet-paths';
import { readTextFile } from '../../files/read-file';
import { replaceFiles } from '../../files/replace-files';
import { loadManifests } from '../../manifest/load-manifests';
import { rewriteDeviceRequests, writeAdditions } from '../../routing/migrate-manifests';
import { formatRouteLines } from '../../routing/missing-routes';
import { findAdditions } from '../../routing/resolve-routing';
import type { RouteAdditions, RouteNames } from '../../routing/route-additions';
import { commandError } from '../command-error';
import { type CommonFlags, type DecidedFleet, decideFleet } from '../decide-fleet';
import { EXIT, type ExitCode } from '../exit-code';
import { type Io, printResult } from '../output';

export interface MigrateFlags extends CommonFlags, RouteNames {
  /** The tool whose manifests the files are. */
  readonly from: string;
  readonly check?: boolean;
}

/** New texts of files, by path, and what they are for. */
interface Migration {
  readonly files: ReadonlyMap<string, string>;

  /** Files with device requests in older spellings. */
  readonly converted: readonly string[];

  /** Services that get routes. */
  readonly services: readonly string[];
}

/**
 * `fleetwright migrate`: writes what manifests of modelplane.ai lack for routes into a Fleet, and converts device
 * requests in older spellings. Writes nothing unless all of it can be written. With `--check`, it only compares.
 */
export function runMigrate(target: string, flags: MigrateFlags, io: Io): ExitCode {
  refuseOtherSources(target);
  // A revision of git in other commands.
  const { from: _, ...lockFlags } = flags;
  const migration = planMigration(target, decideFleet(target, lockFlags, io), flags);
  const { files, converted, services } = migration;
  const isFolder = statSync(target).isDirectory();
  const paths = [...files.keys()].sort();
  if (!flags.check && paths.length > 0) replaceFiles(isFolder ? target : dirname(target), files);
  const fields = { written: flags.check ? [] : paths, pending: flags.check ? paths : [], converted, services };
  printResult('Migration', fields, () => (flags.quiet ? [] : formatMigration(migration, target, flags)), { flags, io });
  return flags.check && paths.length > 0 ? EXIT.pending : EXIT.ok;
}

function refuseOtherSources(target: string): void {
  if (target !== '-' && !(existsSync(target) && findProgram(target))) return;
  const what = target === '-' ? 'standard input is not a file to write to' : 'a program declares this fleet';
  throw commandError('no-files', target, what, 'Name a folder of manifests, or a file');
}

function planMigration(target: string, { paths = [], ...decided }: DecidedFleet, flags: MigrateFlags): Migration {
  const texts = new Map(paths.map((path) => [path, readTextFile(path)]));
  const changed = new Map<string, string>();
  for (const [path, text] of texts) {
    const rewritten = rewriteDeviceRequests({ path, text });
    if (rewritten !== text) changed.set(path, rewritten);
  }
  refuseOtherMeaning(texts, changed);
  const converted = [...changed.keys()];
  const additions = findAdditions(decided.fleet, decided.replicas, flags);
  if (additions) {
    const textOf = (path: string): string => changed.get(path) ?? texts.get(path) ?? '';
    for (const [path, text] of listRouteFiles(target, additions, decided, textOf)) changed.set(path, text);
  }
  refuseBadManifests(changed);
  const services = sortUnique(additions?.services.map(({ service }) => resourceIdOf(service)) ?? []);
  return { files: changed, converted, services };
}

/** The files with the additions: that of the declared Fleet, and a new one or the end of the only one. */
function listRouteFiles(
  target: string,
  additions: RouteAdditions,
  { fleet: { settings }, locate }: Pick<DecidedFleet, 'fleet' | 'locate'>,
  textOf: (path: string) => string,
): [string, string][] {
  const own = settings && pathOf(locate(settings, ['metadata', 'name']));
  const isFolder = statSync(target).isDirectory();
  const inFleet = own === undefined ? '' : writeAdditions({ path: own, text: textOf(own) }, additions);
  const rest: RouteAdditions = own === undefined ? additions : { ...additions, clusters: [], gateways: [] };
  const hasMore = own === undefined || rest.declare !== undefined;
  const lines = hasMore ? formatRouteLines(rest, undefined) : '';
  const path = isFolder ? newPathIn(target) : target;
  const before = own === path ? inFleet : isFolder ? '' : textOf(path);
  const joined = before === '' ? lines : `${before.trimEnd()}\n---\n${lines}`;
  return [
    ...(own === undefined ? [] : [[own, inFleet] as [string, string]]),
    ...(hasMore ? [[path, joined] as [string, string]] : []),
  ];
}

function pathOf(position: string): string {
  return position.replace(/:\d+:\d+$/, '');
}

const NEW_FILES = ['fleetwright.yaml', 'fleetwright-routes.yaml'];

function newPathIn(folder: string): string {
  const path = NEW_FILES.map((name) => join(folder, name)).find((one) => !existsSync(one));
  if (path !== undefined) return path;
  throw commandError('exists', join(folder, 'fleetwright.yaml'), 'the file exists already', 'Rename it');
}

/** @throws FleetwrightError when a conversion changes more than spellings, as it can where aliases are used */
function refuseOtherMeaning(texts: ReadonlyMap<string, string>, changed: ReadonlyMap<string, string>): void {
  for (const [path, text] of changed) {
    const before = loadManifests([{ path, text: texts.get(path) ?? '' }]);
    const after = loadManifests([{ path, text }]);
    const isSame = JSON.stringify(before.resources) === JSON.stringify(after.resources);
    if (isSame && after.problems.length === 0 && !after.older) continue;
    const what = 'converting its device requests would change their meaning';
    throw commandError('older-spelling', path, what, 'Add them to nodeSelector.devices of each member by hand');
  }
}

/** @throws FleetwrightError with the problems of the new texts, such as a name that is no host name */
function refuseBadManifests(changed: ReadonlyMap<string, string>): void {
  const { problems } = loadManifests([...changed].map(([path, text]) => ({ path, text })));
  if (problems.length > 0) throw new FleetwrightError(problems);
}

function formatMigration({ files, converted, services }: Migration, target: string, flags: MigrateFlags): string[] {
  if (files.size === 0) return [`Nothing to migrate in ${target}.`];
  const verb = flags.check ? 'To write' : 'Wrote';
  const others = [...files.keys()].filter((path) => !converted.includes(path));
  return [
    ...(converted.length > 0 ? [`${verb} ${joinNames(converted)}: device requests in the current form.`] : []),
    ...(services.length > 0
      ? [
          `${verb} ${joinNames(others.length > 0 ? others : [...files.keys()])}: routes of ${pluralize(services.length, 'service')}.`,
        ]
      : []),
    ...(services.length > 0
      ? ["Review them, then run 'fleetwright plan'. It lists names that are still placeholders, and what must exist."]
      : []),
  ];
}
