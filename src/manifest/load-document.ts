import { type Document, isMap, isScalar } from 'yaml';
import { isFleetwrightDocument, type Locate, parseResource, type Resource, resourceIdOf } from '../api/kinds';
import type { Path } from '../api/resource';
import { type Diagnostic, errorAt, relocate } from '../base/diagnostic';
import { isComposedEndpoint, type ManifestNode, manifestNodesOf } from './document-contents';
import { createLocator, offsetOf, type Origin, originOf } from './field-positions';
import type { Limits } from './input-limits';
import { DeclarationInterner, type FileReading, type FileReadings } from './reuse-declarations';
import type { SourceText } from './source-file';
import { toUnreadDocument, type UnreadDocument } from './unread-documents';
import { type Anchors, collectAnchors } from './yaml-nodes';
import { type AliasBudget, describeUnknownTag, readValue } from './yaml-values';

/** What the documents read so far hold. */
export interface LoadState {
  readonly limits: Limits;
  readonly budget: AliasBudget;
  readonly locate: Locate;

  /** By `resourceId`. */
  readonly resources: Map<string, Resource>;
  readonly origins: Map<string, Origin>;

  /** The same resources, in the order in which they were read. */
  readonly added: Resource[];

  /** How many documents of each API version and kind are not ours. */
  readonly ignored: Map<string, number>;
  readonly problems: Diagnostic[];

  /** What is wrong in a way that nobody can tell what else it says. */
  readonly unread: UnreadDocument[];

  /** What files held that were read before, by their text. */
  readonly earlier: FileReadings | undefined;

  /** What deployments have in common. */
  readonly interner: DeclarationInterner;

  /** What files without problems hold, by their text. */
  readonly readings: Map<string, FileReading>;

  /** Manifests seen, ours or not. */
  documents: number;
}

/** A document that is being read. */
interface DocumentContext {
  readonly source: SourceText;
  readonly anchors: Anchors;

  /** Offsets of the tags that nobody knows. */
  readonly unknownTags: readonly number[];
  readonly loading: LoadState;
}

/** The state before the first document. */
export function createLoadState(limits: Limits, earlier?: FileReadings): LoadState {
  const origins = new Map<string, Origin>();
  return {
    limits,
    budget: { left: limits.aliasedValues },
    locate: createLocator(origins),
    resources: new Map(),
    origins,
    added: [],
    ignored: new Map(),
    problems: [],
    unread: [],
    earlier,
    interner: new DeclarationInterner(),
    readings: new Map(),
    documents: 0,
  };
}

/** Adds what one document holds. */
export function loadDocument(source: SourceText, document: Document.Parsed, loading: LoadState): void {
  const root = document.contents;
  if (!root || (isScalar(root) && root.value === null)) return;
  if (isMap(root) && root.has('$schema') && !root.has('apiVersion')) {
    countIgnored(OTHER_SCHEMA, loading);
    return;
  }
  const anchors = collectAnchors(root);
  const unknownTags = document.warnings
    .filter(({ code }) => code === 'TAG_RESOLVE_FAILED')
    .map(({ pos }) => pos[0]);
  const reading: DocumentContext = { source, anchors, unknownTags, loading };
  for (const item of manifestNodesOf(root, anchors)) {
    loading.documents += 1;
    if (loading.documents > loading.limits.documents) {
      addProblem(describeTooManyDocuments(loading.limits, root.range[0]), reading);
      loading.unread.push({});
      return;
    }
    if ('node' in item) loadManifestNode(item, reading);
    else {
      addProblem(item, reading);
      loading.unread.push({});
    }
  }
}

/** A document that says by which schema it is read says that it is no manifest: settings of tools, JSON Schemas. */
const OTHER_SCHEMA = '$schema document';

function countIgnored(what: string, { ignored }: LoadState): void {
  ignored.set(what, (ignored.get(what) ?? 0) + 1);
}

function loadManifestNode(item: ManifestNode, reading: DocumentContext): void {
  const { apiVersion, kind } = item;
  const { loading } = reading;
  if (!isFleetwrightDocument({ apiVersion, kind })) {
    countIgnored(`${apiVersion} ${kind}`, loading);
    return;
  }
  if (isComposedEndpoint(item, reading.anchors)) {
    countIgnored(`${apiVersion} ${kind} of a replica`, loading);
    return;
  }
  const { faults, ...read } = readResource(item, reading);
  addMistakes(faults, item, reading);
  if ('resource' in read) addResource(read.resource, item, reading);
  else loading.unread.push(read.unread);
}

/** What is wrong with a manifest: with its YAML, then with its fields. */
type Mistake = Diagnostic<number | Path>;

/** What a manifest declares, which may be wrong all the same, or what is known of one that cannot be read. */
type ManifestReading = { readonly faults: readonly Mistake[] } & (
  | { readonly resource: Resource }
  | { readonly unread: UnreadDocument }
);

function readResource(
  { node }: ManifestNode,
  { anchors, unknownTags, loading: { limits, budget } }: DocumentContext,
): ManifestReading {
  const [start, end] = node.range;
  const faults = unknownTags.filter((offset) => offset >= start && offset < end).map(describeUnknownTag);
  const value = readValue(node, { anchors, limits, budget, report: (fault) => faults.push(fault) });
  // Other faults leave holes, and what a schema says about holes misleads.
  if (faults.some(({ code }) => code !== 'duplicate-key')) return { faults, unread: {} };
  const parsed = parseResource(value);
  const findings = 'findings' in parsed ? parsed.findings : [];
  const all = [...faults, ...findings];
  // Of what stands twice nobody knows which is meant.
  if (faults.length > 0) return { faults: all, unread: {} };
  const resource = 'findings' in parsed ? parsed.loose : parsed.resource;
  return { faults: all, ...(resource ? { resource } : { unread: toUnreadDocument(value, findings) }) };
}

/** Mistakes told of one manifest: who made more meant something else with the file. */
const MAX_MISTAKES = 100;

function addMistakes(mistakes: readonly Mistake[], item: ManifestNode, reading: DocumentContext): void {
  for (const mistake of mistakes.slice(0, MAX_MISTAKES)) {
    addProblem(inText(mistake, item, reading), reading);
  }
  const untold = mistakes.length - MAX_MISTAKES;
  if (untold <= 0) return;
  const [offset] = item.node.range;
  addProblem(errorAt('more-problems', offset, `${untold} more problems in this manifest`), reading);
}

/** Findings about a field that should not be there: the place is its key. */
const KEY_FINDINGS: ReadonlySet<string> = new Set(['unknown-field', 'moved-field']);

/** The offset of a mistake in the text. */
function inText(mistake: Mistake, { node }: ManifestNode, { anchors }: DocumentContext): Diagnostic<number> {
  const side = KEY_FINDINGS.has(mistake.code) ? 'key' : 'value';
  return relocate(mistake, (at) => (typeof at === 'number' ? at : offsetOf(node, at, anchors, side)));
}

function addResource(resource: Resource, item: ManifestNode, reading: DocumentContext): void {
  const { resources, origins, added, locate, interner: oneOfEach } = reading.loading;
  const id = resourceIdOf(resource);
  const first = resources.get(id);
  if (first) {
    addProblem(inText(describeDuplicate(id, locate(first, NAME_PATH)), item, reading), reading);
    return;
  }
  const kept = oneOfEach.of(resource);
  resources.set(id, kept);
  added.push(kept);
  origins.set(id, originOf(reading.source, item.node));
}

const NAME_PATH = ['metadata', 'name'] as const;

function describeDuplicate(id: string, first: string): Diagnostic<Path> {
  return errorAt(
    'duplicate-resource',
    NAME_PATH,
    `${id} is declared twice, first at ${first}`,
    'Rename or remove one of the two',
  );
}

function describeTooManyDocuments({ documents }: Limits, offset: number): Diagnostic<number> {
  return errorAt(
    'too-many-documents',
    offset,
    `with this document the manifests pass ${documents}, the limit for one run`,
    'Name a folder that holds only the fleet',
  );
}

function addProblem(fault: Diagnostic<number>, { source, loading }: DocumentContext): void {
  loading.problems.push(relocate(fault, source.place));
}
