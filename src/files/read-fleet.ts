import type { Locate, Resource } from '../api/kinds';
import { type Diagnostic, errorAt } from '../base/diagnostic';
import { FleetwrightError } from '../base/errors';
import { pluralize } from '../base/text';
import { assemble, type Fleet } from '../fleet/fleet';
import { readHardware } from '../fleet/hardware/read-hardware';
import { DEFAULT_LIMITS } from '../manifest/input-limits';
import type { LoadedManifests } from '../manifest/load-files';
import { loadManifests } from '../manifest/load-manifests';
import type { FileReadings } from '../manifest/reuse-declarations';
import type { SourceFile } from '../manifest/source-file';
import type { UnreadDocument } from '../manifest/unread-documents';
import { checkPartialFleet } from '../plan/check-fleet';
import { findCompileProblems } from '../plan/compile-fleet';
import type * as Policies from '../plan/policy/read-policies';
import { checkSnapshots } from '../snapshot/check-fleet';
import { readSnapshots } from '../snapshot/read-snapshots';
import { applyModelDefinitions } from './model-definitions';
import { readTree, type ReadTreeOptions } from './read-tree';
import { type ReferencedFiles, separateReferencedFiles } from './referenced-files';

/** What was read, before anything is judged. */
export interface LoadedFleet extends LoadedManifests, ReferencedFiles {
  /** The files that were read. Absent where a program declares the fleet. */
  readonly paths?: readonly string[];
}

/** A fleet, with what is to be known of it besides. */
export interface ResolvedFleet {
  readonly fleet: Fleet;
  readonly locate: Locate;
  readonly resources: readonly Resource[];

  /** What its files hold, for who reads the fleet of another time. */
  readonly readings?: FileReadings;

  /** What was found and left alone, and what was judged by snapshots, for the reader of a plan. */
  readonly notes: readonly string[];

  /** What snapshots show otherwise than declared. */
  readonly warnings: readonly Diagnostic[];

  /** The declarations with what model definitions say. */
  readonly effective: readonly Resource[];

  /** The other files that it names, as they are. */
  readonly named: Pick<ReferencedFiles, 'catalogue' | 'prices' | 'snapshots'>;

  /** The files that were read. Absent where a program declares the fleet. */
  readonly paths?: readonly string[] | undefined;
}

/** Reads the manifests of a file, a folder or standard input, and the files that they name. */
export function readManifests(target: string, options: ReadTreeOptions): LoadedFleet {
  const { manifests, ...named } = separateReferencedFiles(readTree(target, options));
  const paths = [...manifests, ...listReferencedFiles(named)].map(({ path }) => path);
  const { progress, earlier } = options;
  const loaded = loadManifests(manifests, DEFAULT_LIMITS, (path) => progress?.(`reading ${path}`), earlier);
  return { ...named, ...loaded, paths };
}

function listReferencedFiles({
  catalogue,
  prices,
  policies,
  snapshots,
  definitions,
}: ReferencedFiles): SourceFile[] {
  const one = [catalogue, prices, policies].filter((file) => file !== undefined);
  return [...one, ...snapshots, ...definitions.map(({ file }) => file)];
}

const NO_POLICIES: Policies.PolicyReading = { policies: [], problems: [] };

/** Loaded on first use: it needs schemas and a parser, and most fleets name no such file. */
function loadPolicyReader(): typeof Policies.readPolicies {
  return (require('../plan/policy/read-policies') as typeof Policies).readPolicies;
}

/** A rule that has nothing to say of what is not there. It knows which documents are not. */
export type PartialFleetRule = (
  fleet: Fleet,
  locate: Locate,
  unread: readonly UnreadDocument[],
) => readonly Diagnostic[];

/**
 * The fleet that was read, its hardware filled in and what snapshots show as lost taken off.
 *
 * @param rule asked where something is wrong, beside ours and of all that could be read, so that all is told at once.
 *   Default: none
 * @throws FleetwrightError with everything that is wrong
 */
export function resolveFleet(read: LoadedFleet, rule: PartialFleetRule = () => []): ResolvedFleet {
  const { resources, locate, ignored, readings, unread } = read;
  const { hardware, problems } = readHardware(read, resources);
  const defined = applyModelDefinitions(resources, read.definitions, locate);
  const { policies, problems: badRules } = read.policies ? loadPolicyReader()(read.policies) : NO_POLICIES;
  const ofFiles = [...read.missing, ...defined.problems];
  const wrong = [...read.problems, ...ofFiles, ...problems, ...badRules];
  const known = assemble(defined.resources, hardware);
  if (wrong.length > 0) {
    const ours = unread.length + ofFiles.length > 0 ? checkPartialFleet : findCompileProblems;
    // Classes take from a catalogue what they do not say: one that is broken says nothing of them.
    const rules: readonly PartialFleetRule[] = problems.length > 0 ? [] : [ours, rule];
    throw new FleetwrightError([...wrong, ...rules.flatMap((ask) => ask(known, locate, unread))]);
  }
  const assembled = { ...known, ...(policies.length > 0 && { policies }) };
  const { fleet, notes, warnings } = applySnapshots(assembled, read.snapshots, locate);
  const told = [...noteIgnoredDocuments(ignored), ...defined.notes, ...notes];
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
export function refuseEmptyInput({ resources, problems }: LoadedFleet, where: string): void {
  if (resources.length > 0 || problems.length > 0) return;
  const what = 'it declares nothing: no resource of ours is in it';
  const hint = 'Name the folder of the fleet; to give up a fleet, remove its files';
  throw new FleetwrightError([errorAt('nothing-declared', where, what, hint)]);
}

function noteIgnoredDocuments(ignored: LoadedManifests['ignored']): string[] {
  if (ignored.length === 0) return [];
  const others = ignored.map(({ what, count }) => `${count} ${what}`).join(', ');
  const total = ignored.reduce((sum, { count }) => sum + count, 0);
  return [`left alone ${pluralize(total, 'document')} that Fleetwright does not read: ${others}`];
}

/** A fleet, and what snapshots say of it. */
export interface SnapshotResult {
  readonly fleet: Fleet;
  readonly notes: readonly string[];
  readonly warnings: readonly Diagnostic[];
}

/**
 * Adds to a fleet what snapshots show as lost.
 *
 * @throws FleetwrightError with everything that is wrong in a snapshot, or by one
 */
export function applySnapshots(
  fleet: Fleet,
  snapshots: readonly SourceFile[],
  locate: Locate,
): SnapshotResult {
  if (snapshots.length === 0) return { fleet, notes: [], warnings: [] };
  const clusters = fleet.clusters.map(({ metadata }) => metadata.name);
  const { lost, notes, warnings, problems } = checkSnapshots(
    fleet,
    readSnapshots(snapshots, clusters),
    locate,
  );
  if (problems.length > 0) throw new FleetwrightError(problems);
  return { fleet: { ...fleet, lost }, notes, warnings };
}
