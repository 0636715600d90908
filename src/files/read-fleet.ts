import { isFolder } from './fleet-paths';
import { existsSync } from 'node:fs';
import type { Locate, Resource } from '../api/kinds';
import { type Diagnostic, errorAt } from '../base/diagnostic';
import type { DiagnosticCode } from '../base/diagnostic-codes';
import { FleetwrightError } from '../base/errors';
import { pluralize } from '../base/text';
import { assemble, type Fleet } from '../fleet/fleet';
import { readHardware } from '../fleet/hardware/read-hardware';
import { listMeasurableGpus } from '../fleet/models/measurable-gpus';
import type * as Parts from '../fleet/read-part-summaries';
import type * as Models from '../fleet/models/read-models';
import { DEFAULT_LIMITS } from '../manifest/input-limits';
import type { LoadedManifests } from '../manifest/load-files';
import { loadManifests } from '../manifest/load-manifests';
import type { FileReadings } from '../manifest/reuse-declarations';
import type { SourceFile } from '../manifest/source-file';
import type { UnreadDocument } from '../manifest/unread-documents';
import { checkPartialFleet } from '../plan/check-fleet';
import { findCompileProblems } from '../plan/compile-fleet';
import type * as Policies from '../plan/policy/read-policies';
import { checkSnapshots } from '../snapshot/check-snapshots';
import type * as ReadSnapshots from '../snapshot/read-snapshots';
import { applyModelDefinitions } from './model-definitions';
import { fleetFolderOf } from './inside-folder';
import { readTree, type ReadTreeOptions } from './read-tree';
import { type ReferencedFiles, separateReferencedFiles } from './referenced-files';

/** The loaded manifests and referenced files, before validation. */
export interface LoadedFleet extends LoadedManifests, ReferencedFiles {
  /** The paths of the files. Absent where a program declares the fleet. */
  readonly paths?: readonly string[];
}

/** A validated fleet with additional information from its files. */
export interface ResolvedFleet {
  readonly fleet: Fleet;
  readonly locate: Locate;
  readonly resources: readonly Resource[];

  /** The content of its files, for reuse when another revision of the fleet is read. */
  readonly readings?: FileReadings;

  /** Notes for the reader of a plan: ignored documents, and statements about snapshots. */
  readonly notes: readonly string[];

  /**
   * Older spellings in manifests, documents that look like resources, rows of files that are not used, and differences
   * between snapshots and declarations.
   */
  readonly warnings: readonly Diagnostic[];

  /** The declarations with the values of their model definitions. */
  readonly effective: readonly Resource[];

  /** The other files that the fleet refers to, unchanged. */
  readonly named: Pick<ReferencedFiles, 'catalogue' | 'models' | 'prices' | 'snapshots'>;

  /** The paths of the files. Absent where a program declares the fleet. */
  readonly paths?: readonly string[] | undefined;
}

/** Reads the manifests of a file, a folder or standard input, and the files that they refer to. */
export function readManifests(target: string, options: ReadTreeOptions): LoadedFleet {
  const inside = !options.allowOutside && (target === '-' || existsSync(target));
  const within = inside ? fleetFolderOf(target, isFolder(target)) : undefined;
  const { manifests, ...named } = separateReferencedFiles(readTree(target, options, within), within);
  const paths = [...manifests, ...listReferencedFiles(named)].map(({ path }) => path);
  const { progress, earlier } = options;
  let read = 0;
  const report = (path: string): void => progress?.(`reading ${++read} of ${manifests.length}: ${path}`);
  const loaded = loadManifests(manifests, DEFAULT_LIMITS, report, earlier);
  return { ...named, ...loaded, paths };
}

function listReferencedFiles(files: ReferencedFiles): SourceFile[] {
  const { catalogue, models, prices, policies, snapshots, otherParts, definitions } = files;
  const single = [catalogue, models, prices, policies].filter((file) => file !== undefined);
  return [...single, ...snapshots, ...otherParts, ...definitions.map(({ file }) => file)];
}

/** Loads the policy reader on first use: it needs schemas and a parser, and most fleets have no policies. */
function readPolicies(file: SourceFile | undefined): Policies.PolicyReading {
  return file
    ? (require('../plan/policy/read-policies') as typeof Policies).readPolicies(file)
    : { policies: [], problems: [] };
}

/** Loads the reader of summaries on first use, for the same reason. */
function readOtherParts(files: readonly SourceFile[], fleet: Fleet): Parts.PartSummaryReading {
  return files.length > 0
    ? (require('../fleet/read-part-summaries') as typeof Parts).readPartSummaries(files, fleet)
    : { parts: [], problems: [] };
}

/** Loads the reader of model catalogs on first use, for the same reason. */
function readModelCatalogue(
  file: SourceFile | undefined,
  gpus: readonly string[] | undefined,
): Partial<ReturnType<typeof Models.readModels>> {
  return file ? (require('../fleet/models/read-models') as typeof Models).readModels(file, gpus) : {};
}

/**
 * A check that also works on a partial fleet. It receives the documents that could not be read and must not report
 * them as missing.
 */
export type PartialFleetRule = (
  fleet: Fleet,
  locate: Locate,
  unread: readonly UnreadDocument[],
) => readonly Diagnostic[];

/**
 * Validates a loaded fleet, adds the hardware of its classes and removes the nodes that snapshots show as lost.
 *
 * @param rule an additional check of the readable parts if there are problems, so that all are reported together.
 * Default: none
 * @throws FleetwrightError with all problems
 */
export function resolveFleet(read: LoadedFleet, rule: PartialFleetRule = () => []): ResolvedFleet {
  const { resources, locate, ignored, readings, unread } = read;
  const { hardware, problems } = readHardware(read, resources);
  const defined = applyModelDefinitions(resources, read.definitions, locate);
  const { policies, problems: badRules } = readPolicies(read.policies);
  const partial = assemble(defined.resources, hardware);
  // Without a valid catalog, the names of GPUs are not known.
  const isKnown = !problems.some(({ severity }) => severity === 'error');
  const gpus = isKnown ? listMeasurableGpus(hardware, partial.classes) : undefined;
  const { models, problems: badModels = [] } = readModelCatalogue(read.models, gpus);
  const { parts, problems: badParts } = readOtherParts(read.otherParts, partial);
  const ofFiles = [...read.missing, ...(read.missingParts ?? []), ...defined.problems];
  const found = [...read.problems, ...ofFiles, ...problems, ...badRules, ...badModels, ...badParts];
  const certain = withoutConsequences(found, unread);
  const allProblems = certain.filter(({ severity }) => severity === 'error');
  if (allProblems.length > 0) {
    const check = unread.length + ofFiles.length > 0 ? checkPartialFleet : findCompileProblems;
    // Classes take missing fields from a catalog. If it is invalid, checks of the classes would be wrong.
    const rules: readonly PartialFleetRule[] = isKnown ? [check, rule] : [];
    throw new FleetwrightError([...allProblems, ...rules.flatMap((one) => one(partial, locate, unread))]);
  }
  const assembled = {
    ...partial,
    ...(policies.length > 0 && { policies }),
    ...(models && { models }),
    ...(parts.length > 0 && { otherParts: parts }),
    ...(read.inferenceServices && { inferenceServices: read.inferenceServices }),
  };
  const { fleet, notes, warnings } = applySnapshots(assembled, read.snapshots, locate);
  const { catalogue, prices, snapshots, paths } = read;
  return {
    fleet,
    locate,
    resources,
    ...(readings && { readings }),
    effective: defined.resources,
    notes: [...noteIgnoredDocuments(ignored), ...defined.notes, ...notes],
    warnings: [...listReadWarnings(read, certain), ...warnings],
    named: { catalogue, models: read.models, prices, snapshots },
    paths,
  };
}

function listReadWarnings(
  { older = [], foreignDocuments = [] }: LoadedFleet,
  found: readonly Diagnostic[],
): Diagnostic[] {
  return [...older, ...foreignDocuments, ...found.filter(({ severity }) => severity === 'warning')];
}

/** For errors in other files that a document with errors may cause: its kind. */
const CAUSING_KINDS: Readonly<Partial<Record<DiagnosticCode, Resource['kind']>>> = {
  'unnamed-file': 'Fleet',
  'unknown-file-system': 'InferenceCluster',
  'unknown-region': 'InferenceCluster',
};

/** Leaves out errors that may only follow from documents that could not be read. Their own errors are there. */
function withoutConsequences(problems: readonly Diagnostic[], unread: readonly UnreadDocument[]): Diagnostic[] {
  return problems.filter(({ code }) => {
    const cause = CAUSING_KINDS[code];
    return cause === undefined || !unread.some(({ kind = cause }) => kind === cause);
  });
}

/**
 * Rejects input without any resource. It is usually the output of a failed command in a pipe, not a fleet to delete.
 *
 * @throws FleetwrightError when there is no resource
 */
export function refuseEmptyInput({ resources, problems }: LoadedFleet, where: string): void {
  if (resources.length > 0 || problems.length > 0) return;
  const what = 'it declares no resource of Fleetwright';
  const hint = 'Use the folder of the fleet. To delete a fleet, remove its files';
  throw new FleetwrightError([errorAt('nothing-declared', where, what, hint)]);
}

/** What a user declares instead of an ignored document, by its kind. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  InferenceService:
    'A plan does not place an InferenceService: declare a ModelDeployment and a ModelService, as in docs/how-to/move-from-kserve.md',
  ResourceQuota:
    "A plan does not count a ResourceQuota: limit the devices of a namespace with 'deviceQuota' in the file of Fleet.spec.policies",
};

/** The note on documents of other tools in the files of a fleet. None if there are none. */
export function noteIgnoredDocuments(ignored: LoadedManifests['ignored']): string[] {
  if (ignored.length === 0) return [];
  const others = ignored.map(({ what, count, first }) => {
    const place = first !== undefined && replacementOf(what) !== undefined ? ` (${first})` : '';
    return `${count} ${what}${place}`;
  });
  const total = ignored.reduce((sum, { count }) => sum + count, 0);
  const replacements = ignored.flatMap(({ what }) => replacementOf(what) ?? []).map((one) => `. ${one}`);
  const what = `ignored ${pluralize(total, 'document')} that Fleetwright does not read: ${others.join(', ')}`;
  return [`${what}${replacements.join('')}`];
}

function replacementOf(what: string): string | undefined {
  return REPLACEMENTS[what.split(' ')[1] ?? ''];
}

type SnapshotResult = Pick<ResolvedFleet, 'fleet' | 'notes' | 'warnings'>;

/** Adds the nodes that snapshots show as lost to a fleet. Throws all problems in snapshots, or found by them. */
function applySnapshots(fleet: Fleet, snapshots: readonly SourceFile[], locate: Locate): SnapshotResult {
  if (snapshots.length === 0) return { fleet, notes: [], warnings: [] };
  // Loaded on first use: few fleets have snapshots, and their schemas are slow to build.
  const { readSnapshots } = require('../snapshot/read-snapshots') as typeof ReadSnapshots;
  const clusters = fleet.clusters.map(({ metadata }) => metadata.name);
  const { lost, occupied, queues, notes, warnings, problems } = checkSnapshots(
    fleet,
    readSnapshots(snapshots, clusters),
    locate,
  );
  if (problems.length > 0) throw new FleetwrightError(problems);
  const recorded = { ...(occupied.length > 0 && { occupied }), ...(queues.length > 0 && { queues }) };
  return { fleet: { ...fleet, lost, ...recorded }, notes, warnings };
}
