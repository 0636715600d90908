import type { Resource } from '../api/kinds';
import type { Locate } from '../api/locate';
import { checkParts } from '../check-fleet';
import { FleetwrightError, type Problem } from '../errors';
import { assemble, type Fleet } from '../fleet';
import { readHardware } from '../hardware/read-hardware';
import { LIMITS } from '../manifest/limits';
import type { FileReadings } from '../manifest/file-reading';
import { loadManifests } from '../manifest/load';
import type { Loaded } from '../manifest/load-files';
import type { SourceFile } from '../manifest/source';
import type { Unread } from '../manifest/unread';
import { plural } from '../plan/format';
import type * as Policies from '../policy/read-policies';
import { compileProblems } from '../scheduler/compile';
import { withDefinitions } from './model-definitions';
import { type NamedFiles, separateNamed } from './named-files';
import { type ReadOptions, readTree } from './read-tree';
import { judgeSnapshots } from './snapshots';

/** What was read, before anything is judged. */
export interface Read extends Loaded, NamedFiles {
  /** The files that were read. Absent where a program declares the fleet. */
  readonly paths?: readonly string[];
}

/** A fleet, with what is to be known of it besides. */
export interface ReadFleet {
  readonly fleet: Fleet;
  readonly locate: Locate;
  readonly resources: readonly Resource[];

  /** What its files hold, for who reads the fleet of another time. */
  readonly readings?: FileReadings;

  /** What was found and left alone, and what was judged by snapshots, for the reader of a plan. */
  readonly notes: readonly string[];

  /** What snapshots show otherwise than declared. */
  readonly warnings: readonly Problem[];

  /** The declarations with what model definitions say. */
  readonly effective: readonly Resource[];

  /** The other files that it names, as they are. */
  readonly named: Pick<NamedFiles, 'catalogue' | 'prices' | 'snapshots'>;

  /** The files that were read. Absent where a program declares the fleet. */
  readonly paths?: readonly string[] | undefined;
}

/** Reads the manifests of a file, a folder or standard input, and the files that they name. */
export function readManifests(target: string, options: ReadOptions): Read {
  const { manifests, ...named } = separateNamed(readTree(target, options));
  const paths = [...manifests, ...filesIn(named)].map(({ path }) => path);
  const { progress, before } = options;
  const loaded = loadManifests(manifests, LIMITS, (path) => progress?.(`reading ${path}`), before);
  return { ...named, ...loaded, paths };
}

function filesIn({ catalogue, prices, policies, snapshots, definitions }: NamedFiles): SourceFile[] {
  const one = [catalogue, prices, policies].filter((file) => file !== undefined);
  return [...one, ...snapshots, ...definitions.map(({ file }) => file)];
}

const NO_POLICIES: Policies.PolicyReading = { policies: [], problems: [] };

/** Loaded on first use: it needs schemas and a parser, and most fleets name no such file. */
function policyReader(): typeof Policies.readPolicies {
  return (require('../policy/read-policies') as typeof Policies).readPolicies;
}

/** A rule that has nothing to say of what is not there. It knows which documents are not. */
export type PartRule = (fleet: Fleet, locate: Locate, unread: readonly Unread[]) => readonly Problem[];

/**
 * The fleet that was read, its hardware filled in and what snapshots show as lost taken off.
 *
 * @param rule asked where something is wrong, beside ours and of all that could be read, so that all is told at once.
 *   Default: none
 * @throws FleetwrightError with everything that is wrong
 */
export function judgeFleet(read: Read, rule: PartRule = () => []): ReadFleet {
  const { resources, locate, ignored, readings, unread } = read;
  const { hardware, problems } = readHardware(read, resources);
  const defined = withDefinitions(resources, read.definitions, locate);
  const { policies, problems: badRules } = read.policies ? policyReader()(read.policies) : NO_POLICIES;
  const ofFiles = [...read.missing, ...defined.problems];
  const wrong = [...read.problems, ...ofFiles, ...problems, ...badRules];
  const known = assemble(defined.resources, hardware);
  if (wrong.length > 0) {
    const ours = unread.length + ofFiles.length > 0 ? checkParts : compileProblems;
    // Classes take from a catalogue what they do not say: one that is broken says nothing of them.
    const rules: readonly PartRule[] = problems.length > 0 ? [] : [ours, rule];
    throw new FleetwrightError([...wrong, ...rules.flatMap((ask) => ask(known, locate, unread))]);
  }
  const assembled = { ...known, ...(policies.length > 0 && { policies }) };
  const { fleet, notes, warnings } = judgeSnapshots(assembled, read.snapshots, locate);
  const told = [...leftAlone(ignored), ...defined.notes, ...notes];
  const { catalogue, prices, snapshots } = read;
  const named = { catalogue, prices, snapshots };
  return {
    fleet,
    locate,
    resources,
    ...(readings && { readings }),
    effective: defined.resources,
    notes: told,
    warnings,
    named,
    paths: read.paths,
  };
}

/**
 * Refuses input without any resource: it is a failed command in a pipe more often than a fleet that nobody wants any
 * more.
 *
 * @throws FleetwrightError when there is none
 */
export function refuseNothing({ resources, problems }: Read, where: string): void {
  if (resources.length > 0 || problems.length > 0) return;
  const what = 'it declares nothing: no resource of ours is in it';
  const hint = 'Name the folder of the fleet; to give up a fleet, remove its files';
  throw new FleetwrightError([{ code: 'nothing-declared', where, what, hint }]);
}

function leftAlone(ignored: Loaded['ignored']): string[] {
  if (ignored.length === 0) return [];
  const others = ignored.map(({ what, count }) => `${count} ${what}`).join(', ');
  const total = ignored.reduce((sum, { count }) => sum + count, 0);
  return [`left alone ${plural(total, 'document')} that Fleetwright does not read: ${others}`];
}
