import type { Document } from 'yaml';
import { isFleetwrightDocument, type Locate, parseResource, type Resource, resourceIdOf } from '../api/kinds';
import { formatPropPath } from '../api/construct-props';
import { modernizeDeviceRequests } from '../api/older-device-requests';
import type { Path } from '../api/resource';
import { type Diagnostic, errorAt, relocate, warningAt } from '../base/diagnostic';
import { sortedBy } from '../base/order';
import { isComposedEndpoint, isModelDefinition, type ManifestNode, manifestNodesOf } from './document-contents';
import { describeForeignDocument } from './foreign-documents';
import { createLocator, offsetOf, type Origin, originOf } from './field-positions';
import { checkRawText, enforceSizeLimits, type Limits } from './input-limits';
import { PlainFileReader } from './read-plain-file';
import { DeclarationInterner, type FileReading, type FileReadings } from './reuse-declarations';
import { openSource, type SourceFile, type SourceText } from './source-file';
import { toUnreadDocument, type UnreadDocument } from './unread-documents';
import { readDocuments } from './yaml-documents';
import { type Anchors, collectAnchors, findEntry } from './yaml-nodes';
import { type AliasBudget, describeUnknownTag, readValue } from './yaml-values';
import { yaml } from './yaml-library';

/** The ignored documents of one kind, which belong to other tools. */
export interface IgnoredDocuments {
  /** API version and kind: `apps/v1 Deployment`. */
  readonly what: string;
  readonly count: number;

  /** The position of the first. Absent for settings of tools. */
  readonly first?: string;
}

/** An object of KServe that a set of files has, and that Fleetwright does not read further. */
export interface InferenceServiceName {
  readonly namespace: string;
  readonly name: string;
}

/** The resources that a set of files declares, and the problems in the files. */
export interface LoadedManifests {
  /** Sorted by `resourceIdOf`, so that the split into files and their order do not matter. */
  readonly resources: readonly Resource[];

  /** The position of a field of a resource: `file:line:column`. */
  readonly locate: Locate;

  /** Ignored documents, sorted by `what`. */
  readonly ignored: readonly IgnoredDocuments[];

  /** The LLMInferenceServices among them. Absent if there are none. */
  readonly inferenceServices?: readonly InferenceServiceName[];

  /**
   * All problems in all files. If there is a problem, `resources` may be incomplete, and may include invalid resources.
   * Use these only for further checks.
   */
  readonly problems: readonly Diagnostic[];

  /** The documents that could not be read and are missing in `resources`. */
  readonly unread: readonly UnreadDocument[];

  /** Warnings about manifests that are read as newer releases write them. Absent if there are none. */
  readonly older?: readonly Diagnostic[];

  /** Warnings about ignored documents that look like resources of Fleetwright. Absent if there are none. */
  readonly foreignDocuments?: readonly Diagnostic[];

  /** The content of files without problems, so that a later load does not parse them again. */
  readonly readings?: FileReadings;
}

/** The state of a load: the content of the documents read so far. */
interface LoadState {
  readonly limits: Limits;
  readonly budget: AliasBudget;
  readonly locate: Locate;

  /** Resources by `resourceIdOf`. */
  readonly resources: Map<string, Resource>;
  readonly origins: Map<string, Origin>;

  /** The same resources, in the order of reading. */
  readonly added: Resource[];

  /** The number of ignored documents by API version and kind. */
  readonly ignored: Map<string, IgnoredDocuments>;

  /** The LLMInferenceServices among the ignored documents. */
  readonly inferenceServices: InferenceServiceName[];
  readonly problems: Diagnostic[];

  /** Warnings about older spellings. */
  readonly older: Diagnostic[];

  /** Warnings about ignored documents that look like resources of Fleetwright. */
  readonly foreignDocuments: Diagnostic[];

  /** Documents that could not be read. */
  readonly unread: UnreadDocument[];

  /** The content of files that were read before, by their text. */
  readonly earlier: FileReadings | undefined;

  /** Shares equal parts of deployments. */
  readonly interner: DeclarationInterner;

  /** Reads files that are simple and right, which is much faster. */
  readonly plain: PlainFileReader;

  /** The content of files without problems, by the text of the file. */
  readonly readings: Map<string, FileReading>;

  /** The number of manifests seen, including ignored ones. */
  documents: number;
}

/** Implements `loadManifests`. */
export function loadFiles(
  files: readonly SourceFile[],
  limits: Limits,
  onFile?: (path: string) => void,
  earlier?: FileReadings,
): LoadedManifests {
  const loading = createLoadState(limits, earlier);
  const readable = enforceSizeLimits(
    sortedBy(files, ({ path }) => path),
    limits,
    loading.problems,
  );
  if (readable.length < files.length) loading.unread.push({});
  for (const file of readable) {
    onFile?.(file.path);
    loadFile(openSource(file), loading);
  }
  return {
    resources: sortedBy(loading.resources.values(), resourceIdOf),
    locate: loading.locate,
    ignored: sortedBy(loading.ignored.values(), ({ what }) => what),
    ...(loading.inferenceServices.length > 0 && { inferenceServices: loading.inferenceServices }),
    problems: loading.problems,
    ...(loading.older.length > 0 && { older: loading.older }),
    ...(loading.foreignDocuments.length > 0 && { foreignDocuments: loading.foreignDocuments }),
    unread: loading.unread,
    readings: loading.readings,
  };
}

function loadFile(source: SourceText, loading: LoadState): void {
  const { added, origins, earlier, documents, budget } = loading;
  const { remaining } = budget;
  const known = earlier?.get(source.text) ?? loading.plain.read(source.text, remaining);
  if (known && reuseReading(known, source, loading)) {
    loading.readings.set(source.text, known);
    return;
  }
  const [first, irregularities] = [added.length, countIrregularities(loading)];
  parseFile(source, loading);
  if (countIrregularities(loading) !== irregularities) return;
  const read = added.slice(first).flatMap((resource) => {
    const origin = origins.get(resourceIdOf(resource));
    return origin ? [{ resource, start: origin.start, end: origin.end }] : [];
  });
  const counts = { documents: loading.documents - documents, repeated: remaining - budget.remaining };
  loading.readings.set(source.text, { resources: read, ...counts });
}

/** Counts problems, older spellings and ignored documents: files with any of these cannot be reused by text. */
function countIrregularities({ problems, older, ignored }: LoadState): number {
  const foreign = [...ignored.values()].reduce((sum, { count }) => sum + count, 0);
  return problems.length + older.length + foreign;
}

function parseFile(source: SourceText, loading: LoadState): void {
  const problem = checkRawText(source);
  if (problem) return addUnread(problem, loading);
  for (const item of readDocuments(source, loading.limits)) {
    if (loading.documents > loading.limits.documents) return;
    if ('document' in item) loadDocument(source, item.document, loading);
    else addUnread(item.problem, loading);
  }
}

/**
 * Adds the earlier content of a file with the same text. Returns false, and adds nothing, if that would cause a
 * problem: a duplicate resource, too many documents or too many repeated values.
 */
function reuseReading(reading: FileReading, source: SourceText, loading: LoadState): boolean {
  const { resources, documents, repeated } = reading;
  const ids = resources.map(({ resource }) => resourceIdOf(resource));
  if (loading.documents + documents > loading.limits.documents) return false;
  if (repeated > 0 && repeated > loading.budget.remaining) return false;
  if (new Set(ids).size < ids.length || ids.some((id) => loading.resources.has(id))) return false;
  loading.documents += documents;
  loading.budget.remaining -= repeated;
  for (const [r, { resource, start, end }] of resources.entries()) {
    const id = ids[r] ?? '';
    loading.resources.set(id, resource);
    loading.added.push(resource);
    loading.origins.set(id, { source, start, end });
  }
  return true;
}

interface DocumentContext {
  readonly source: SourceText;
  readonly anchors: Anchors;

  /** Offsets of unknown YAML tags. */
  readonly unknownTags: readonly number[];
  readonly loading: LoadState;

  /** The ID of the resource that mistakes are about, if it is known. */
  readonly subject?: string;
}

function createLoadState(limits: Limits, earlier?: FileReadings): LoadState {
  const origins = new Map<string, Origin>();
  const interner = new DeclarationInterner();
  return {
    limits,
    budget: { remaining: limits.aliasedValues },
    locate: createLocator(origins),
    resources: new Map(),
    origins,
    added: [],
    ignored: new Map(),
    inferenceServices: [],
    problems: [],
    older: [],
    foreignDocuments: [],
    unread: [],
    earlier,
    interner,
    plain: new PlainFileReader(limits, interner),
    readings: new Map(),
    documents: 0,
  };
}

function loadDocument(source: SourceText, document: Document.Parsed, loading: LoadState): void {
  const root = document.contents;
  if (!root || (yaml().isScalar(root) && root.value === null)) return;
  if (yaml().isMap(root) && root.has('$schema') && !root.has('apiVersion')) return countIgnored(OTHER_SCHEMA, loading);
  if (isModelDefinition(root)) return countIgnored('unnamed model definition', loading);
  const anchors = collectAnchors(root);
  const unknownTags = document.warnings.filter(({ code }) => code === 'TAG_RESOLVE_FAILED').map(({ pos }) => pos[0]);
  const context: DocumentContext = { source, anchors, unknownTags, loading };
  for (const item of manifestNodesOf(root, anchors)) {
    loading.documents += 1;
    if (loading.documents > loading.limits.documents) {
      return addUnread(relocate(describeTooManyDocuments(loading.limits, root.range[0]), source.place), loading);
    }
    if ('node' in item) loadManifestNode(item, context);
    else addUnread(relocate(item, source.place), loading);
  }
}

function addUnread(problem: Diagnostic, { problems, unread }: LoadState): void {
  problems.push(problem);
  // A file for a field of the Fleet has no resource that could be missed.
  if (problem.code !== 'unnamed-file') unread.push({});
}

/** Documents with `$schema` are not manifests but settings of tools or JSON Schemas. */
const OTHER_SCHEMA = '$schema document';

function countIgnored(what: string, { ignored }: LoadState, first?: string): void {
  const earlier = ignored.get(what) ?? { what, count: 0, ...(first !== undefined && { first }) };
  ignored.set(what, { ...earlier, count: earlier.count + 1 });
}

function ignoreForeign(item: ManifestNode, { loading, source }: DocumentContext): void {
  const { node, apiVersion, kind } = item;
  const foreign = describeForeignDocument(item);
  if (foreign) loading.foreignDocuments.push(relocate(foreign, source.place));
  countIgnored(`${apiVersion} ${kind}`, loading, source.place(node.range[0]));
  if (kind !== 'LLMInferenceService') return;
  const [namespace, name] = ['namespace', 'name'].map((field) => node.getIn(['metadata', field]));
  if (typeof name !== 'string') return;
  loading.inferenceServices.push({ namespace: typeof namespace === 'string' ? namespace : 'default', name });
}

function loadManifestNode(item: ManifestNode, context: DocumentContext): void {
  const { apiVersion, kind } = item;
  const { loading } = context;
  if (!isFleetwrightDocument({ apiVersion, kind })) return ignoreForeign(item, context);
  if (isComposedEndpoint(item, context.anchors)) {
    return countIgnored(`${apiVersion} ${kind} of a replica`, loading);
  }
  const { faults, ...read } = readResource(item, context);
  const id = 'resource' in read ? resourceIdOf(read.resource) : read.unread.id;
  addMistakes(faults, item, { ...context, ...(id !== undefined && { subject: id }) });
  if ('resource' in read) return addResource(read.resource, item, context);
  loading.unread.push(read.unread);
  if (id !== undefined && !loading.origins.has(id)) loading.origins.set(id, originOf(context.source, item.node));
}

/** A fault in the YAML of a manifest, or a finding about its fields. */
type Mistake = Diagnostic<number | Path>;

/** The resource of a manifest, possibly with faults, or what is known of a manifest that cannot be read. */
type ManifestReading = { readonly faults: readonly Mistake[] } & (
  | { readonly resource: Resource }
  | { readonly unread: UnreadDocument }
);

function readResource(
  { node, apiVersion }: ManifestNode,
  { source, anchors, unknownTags, loading: { limits, budget, older } }: DocumentContext,
): ManifestReading {
  const [start, end] = node.range;
  const faults = unknownTags.filter((offset) => offset >= start && offset < end).map(describeUnknownTag);
  const value = readValue(node, { anchors, limits, budget, report: (fault) => faults.push(fault) });
  const unread = (findings: readonly Diagnostic<Path>[]): UnreadDocument => {
    // With a fault outside its spec, a document can be of any resource.
    if (!faults.every(isInSpec(node, anchors))) return {};
    const { valid, ...known } = toUnreadDocument(value, findings);
    // Of a key that is there twice, either value may be meant.
    return { ...known, ...(valid && faults.length === 0 && { valid }) };
  };
  // Other faults leave gaps in the value, and schema findings about gaps mislead.
  if (faults.some(({ code }) => code !== 'duplicate-key')) return { faults, unread: unread([]) };
  const modern = apiVersion.startsWith('modelplane.ai/') ? modernizeDeviceRequests(value) : value;
  if (modern !== value) older.push(describeOlderSpelling(source.place(start)));
  const parsed = parseResource(modern);
  const findings = 'findings' in parsed ? parsed.findings : [];
  const all = [...faults, ...findings];
  // For a duplicate key, the intended value is unknown.
  if (faults.length > 0) return { faults: all, unread: unread(findings) };
  const resource = 'findings' in parsed ? parsed.loose : parsed.resource;
  return { faults: all, ...(resource ? { resource } : { unread: unread(findings) }) };
}

/** Tests whether a fault is in the spec of a manifest, so that what identifies its resource is read without faults. */
function isInSpec(node: ManifestNode['node'], anchors: Anchors): (fault: Mistake) => boolean {
  const [start, , end] = findEntry(node, 'spec', anchors)?.value?.range ?? [0, 0, 0];
  return ({ at }) => typeof at === 'number' && at >= start && at < end;
}

function describeOlderSpelling(at: string): Diagnostic {
  const what = 'device requests have the form of earlier releases of modelplane.ai';
  return warningAt('older-spelling', at, what, "Run 'fleetwright migrate --from modelplane DIR' to convert them");
}

/** More mistakes than this in one manifest suggest that the file is not meant as one. */
const MAX_MISTAKES = 100;

function addMistakes(mistakes: readonly Mistake[], item: ManifestNode, context: DocumentContext): void {
  for (const mistake of mistakes.slice(0, MAX_MISTAKES)) addProblem(inText(mistake, item, context), context);
  const omitted = mistakes.length - MAX_MISTAKES;
  if (omitted <= 0) return;
  const [offset] = item.node.range;
  addProblem(
    errorAt('more-problems', offset, `${omitted} more problems in this manifest`, 'Correct those above first'),
    context,
  );
}

/** Findings about a field that must not exist. Their position is the key of the field. */
const KEY_FINDINGS: ReadonlySet<string> = new Set(['unknown-field', 'moved-field']);

/** The offset of a mistake in the text of the file. */
function inText(mistake: Mistake, { node }: ManifestNode, { anchors }: DocumentContext): Diagnostic<number> {
  const side = KEY_FINDINGS.has(mistake.code) ? 'key' : 'value';
  const located = relocate(mistake, (at) => (typeof at === 'number' ? at : offsetOf(node, at, anchors, side)));
  return typeof mistake.at === 'number' ? located : { ...located, field: formatPropPath(mistake.at) };
}

function addResource(resource: Resource, item: ManifestNode, context: DocumentContext): void {
  const { resources, origins, added, locate, interner } = context.loading;
  const id = resourceIdOf(resource);
  const first = resources.get(id);
  if (first) {
    const duplicate = inText(describeDuplicate(id, locate(first, NAME_PATH)), item, context);
    return addProblem(duplicate, { ...context, subject: id });
  }
  const kept = interner.of(resource);
  resources.set(id, kept);
  added.push(kept);
  origins.set(id, originOf(context.source, item.node));
}

const NAME_PATH = ['metadata', 'name'] as const;

function describeDuplicate(id: string, first: string): Diagnostic<Path> {
  const what = `${id} is declared twice, first at ${first}`;
  return errorAt('duplicate-resource', NAME_PATH, what, 'Rename or remove one of the two');
}

function describeTooManyDocuments({ documents }: Limits, offset: number): Diagnostic<number> {
  const what = `with this document the manifests exceed ${documents}, the limit of a run`;
  return errorAt('too-many-documents', offset, what, 'Use a folder that has only the fleet');
}

function addProblem(fault: Diagnostic<number>, { source, loading, subject }: DocumentContext): void {
  loading.problems.push({ ...relocate(fault, source.place), ...(subject !== undefined && { subject }) });
}
