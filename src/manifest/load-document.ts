import { type Document, isMap, isScalar } from 'yaml';
import { isOurs, parseResource, type Resource, resourceId } from '../api/kinds';
import type { Locate } from '../api/locate';
import type { Finding } from '../api/resource';
import type { Problem } from '../errors';
import { type Anchors, anchorsIn } from './anchors';
import { isComposed } from './composed';
import { type Fault, unknownTag } from './faults';
import { Earlier, type FileReading, type ReadBefore } from './file-reading';
import { type Item, itemsOf } from './items';
import type { Limits } from './limits';
import { locator, type Origin, originOf } from './origins';
import { OneOfEach } from './one-of-each';
import { offsetOf } from './positions';
import type { Source } from './source';
import { type Unread, unreadOf } from './unread';
import { type AliasBudget, readValue } from './values';

/** What the documents read so far hold. */
export interface Loading {
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
  readonly problems: Problem[];

  /** What is wrong in a way that nobody can tell what else it says. */
  readonly unread: Unread[];

  /** What was read before. */
  readonly earlier: Earlier;

  /** What deployments have in common. */
  readonly oneOfEach: OneOfEach;

  /** What files without problems hold, by their text. */
  readonly readings: Map<string, FileReading>;

  /** Manifests seen, ours or not. */
  documents: number;
}

/** A document that is being read. */
interface Reading {
  readonly source: Source;
  readonly anchors: Anchors;

  /** Offsets of the tags that nobody knows. */
  readonly unknownTags: readonly number[];
  readonly loading: Loading;
}

/** The state before the first document. */
export function newLoading(limits: Limits, before?: ReadBefore): Loading {
  const origins = new Map<string, Origin>();
  return {
    limits,
    budget: { left: limits.aliasedValues },
    locate: locator(origins),
    resources: new Map(),
    origins,
    added: [],
    ignored: new Map(),
    problems: [],
    unread: [],
    earlier: new Earlier(before),
    oneOfEach: new OneOfEach(),
    readings: new Map(),
    documents: 0,
  };
}

/** Adds what one document holds. */
export function loadDocument(source: Source, document: Document.Parsed, loading: Loading): void {
  const root = document.contents;
  if (!root || (isScalar(root) && root.value === null)) return;
  if (isMap(root) && root.has('$schema') && !root.has('apiVersion')) {
    count(OTHER_SCHEMA, loading);
    return;
  }
  const anchors = anchorsIn(root);
  const unknownTags = document.warnings
    .filter(({ code }) => code === 'TAG_RESOLVE_FAILED')
    .map(({ pos }) => pos[0]);
  const reading: Reading = { source, anchors, unknownTags, loading };
  for (const item of itemsOf(root, anchors)) {
    loading.documents += 1;
    if (loading.documents > loading.limits.documents) {
      tell(tooManyDocuments(loading.limits, root.range[0]), reading);
      loading.unread.push({});
      return;
    }
    if ('node' in item) loadItem(item, reading);
    else {
      tell(item, reading);
      loading.unread.push({});
    }
  }
}

/** A document that says by which schema it is read says that it is no manifest: settings of tools, JSON Schemas. */
const OTHER_SCHEMA = '$schema document';

function count(what: string, { ignored }: Loading): void {
  ignored.set(what, (ignored.get(what) ?? 0) + 1);
}

function loadItem(item: Item, reading: Reading): void {
  const { apiVersion, kind } = item;
  const { loading } = reading;
  if (!isOurs({ apiVersion, kind })) {
    count(`${apiVersion} ${kind}`, loading);
    return;
  }
  if (isComposed(item, reading.anchors)) {
    count(`${apiVersion} ${kind} of a replica`, loading);
    return;
  }
  const { faults, ...read } = resourceOf(item, reading);
  tellAll(faults, item, reading);
  if ('resource' in read) add(read.resource, item, reading);
  else loading.unread.push(read.unread);
}

/** What is wrong with a manifest: with its YAML, then with its fields. */
type Mistake = Fault | Finding;

/** What a manifest declares, which may be wrong all the same, or what is known of one that cannot be read. */
type ItemReading = { readonly faults: readonly Mistake[] } & (
  | { readonly resource: Resource }
  | { readonly unread: Unread }
);

function resourceOf(
  { node }: Item,
  { anchors, unknownTags, loading: { limits, budget } }: Reading,
): ItemReading {
  const [start, end] = node.range;
  const faults = unknownTags.filter((offset) => offset >= start && offset < end).map(unknownTag);
  const value = readValue(node, { anchors, limits, budget, report: (fault) => faults.push(fault) });
  // Other faults leave holes, and what a schema says about holes misleads.
  if (faults.some(({ code }) => code !== 'duplicate-key')) return { faults, unread: {} };
  const parsed = parseResource(value);
  const findings = 'findings' in parsed ? parsed.findings : [];
  const all = [...faults, ...findings];
  // Of what stands twice nobody knows which is meant.
  if (faults.length > 0) return { faults: all, unread: {} };
  const resource = 'findings' in parsed ? parsed.loose : parsed.resource;
  return { faults: all, ...(resource ? { resource } : { unread: unreadOf(value, findings) }) };
}

/** Mistakes told of one manifest: who made more meant something else with the file. */
const MOST_TOLD = 100;

function tellAll(mistakes: readonly Mistake[], item: Item, reading: Reading): void {
  for (const mistake of mistakes.slice(0, MOST_TOLD)) {
    tell('offset' in mistake ? mistake : atPlace(mistake, item, reading), reading);
  }
  const untold = mistakes.length - MOST_TOLD;
  if (untold <= 0) return;
  const [offset] = item.node.range;
  tell({ code: 'more-problems', offset, what: `${untold} more problems in this manifest` }, reading);
}

/** Findings about a field that should not be there: the place is its key. */
const KEY_FINDINGS: ReadonlySet<string> = new Set(['unknown-field', 'moved-field']);

function atPlace({ code, path, ...said }: Finding, { node }: Item, { anchors }: Reading): Fault {
  const side = KEY_FINDINGS.has(code) ? 'key' : 'value';
  return { code, offset: offsetOf(node, path, anchors, side), ...said };
}

function add(resource: Resource, item: Item, reading: Reading): void {
  const { resources, origins, added, locate, earlier, oneOfEach } = reading.loading;
  const id = resourceId(resource);
  const first = resources.get(id);
  if (first) {
    tell(atPlace(duplicate(id, locate(first, NAME)), item, reading), reading);
    return;
  }
  const kept = earlier.same(id, oneOfEach.of(resource));
  resources.set(id, kept);
  added.push(kept);
  origins.set(id, originOf(reading.source, item.node));
}

const NAME = ['metadata', 'name'] as const;

function duplicate(id: string, first: string): Finding {
  return {
    code: 'duplicate-resource',
    path: NAME,
    what: `${id} is declared twice, first at ${first}`,
    hint: 'Rename or remove one of the two',
  };
}

function tooManyDocuments({ documents }: Limits, offset: number): Fault {
  return {
    code: 'too-many-documents',
    offset,
    what: `with this document the manifests pass ${documents}, the limit for one run`,
    hint: 'Name a folder that holds only the fleet',
  };
}

function tell({ offset, ...said }: Fault, { source, loading }: Reading): void {
  loading.problems.push({ where: source.place(offset), ...said });
}
