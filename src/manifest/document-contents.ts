import type { ParsedNode, YAMLMap } from 'yaml';
import { CLUSTER_LABEL, DEPLOYMENT_LABEL, REPLICA_INDEX_LABEL, toCanonicalLabel } from '../api/labels';
import { API_VERSION, OUR_GROUP } from '../api/resource';
import { type Diagnostic, errorAt } from '../base/diagnostic';
import { describeTypeOf } from '../base/describe-value';
import { offsetOf } from './field-positions';
import { DEFAULT_LIMITS } from './input-limits';
import { openSource, type SourceFile } from './source-file';
import { readDocuments } from './yaml-documents';
import { type Anchors, collectAnchors, findEntry, keyTextOf, resolveAlias } from './yaml-nodes';
import { yaml } from './yaml-library';

/** The YAML node of a manifest, with its API version and kind. */
export interface ManifestNode {
  readonly node: YAMLMap.Parsed;
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * Yields the manifests of a document: the document itself, or the items of a `List`. Yields a fault in place of a
 * manifest that is malformed, and nothing for a data file that a command line option names.
 */
export function* manifestNodesOf(root: ParsedNode, anchors: Anchors): Generator<ManifestNode | Diagnostic<number>> {
  const dataFile = dataFileKindOf(root, anchors);
  if (dataFile) return yield* describeMisplacedFile(dataFile, root);
  const item = manifestNodeAt(root, anchors);
  if (!isList(item)) return yield item;
  const items = nodeAt(item.node, 'items', anchors);
  if (!yaml().isSeq(items)) {
    const offset = offsetOf(item.node, ['items'], anchors, 'key');
    return yield errorAt('bad-list', offset, 'this List has no list of items', "Add 'items: []'");
  }
  for (const node of items.items) {
    const inner = manifestNodeAt(node, anchors);
    // With aliases a List could hold itself.
    yield isList(inner) ? describeNestedList(node) : inner;
  }
}

function describeMisplacedFile({ noun, named }: DataFileKind, { range: [offset] }: ParsedNode): Diagnostic<number>[] {
  if (named === undefined) return [];
  const hint = `Set spec.${named} of the Fleet to this file, or move the file elsewhere`;
  return [errorAt('unnamed-file', offset, `these are ${noun} that no Fleet refers to`, hint)];
}

/** Whether a manifest is a `v1 List`, which kubectl writes for several objects. */
function isList(item: ManifestNode | Diagnostic<number>): item is ManifestNode {
  return 'node' in item && item.apiVersion === 'v1' && item.kind === 'List';
}

function describeNestedList({ range: [offset] }: ParsedNode): Diagnostic<number> {
  return errorAt('bad-list', offset, 'a List contains another List', 'Move its items to the outer one');
}

const HEADER = ['apiVersion', 'kind'] as const;

function manifestNodeAt(node: ParsedNode, anchors: Anchors): ManifestNode | Diagnostic<number> {
  const map = resolveAlias(node, anchors);
  if (!yaml().isMap(map)) return describeNoMap(node, map);
  const [apiVersion, kind] = HEADER.map((field) => valueOf(map, field, anchors));
  if (isName(apiVersion) && isName(kind)) return { node: map, apiVersion, kind };
  return describeBadHeader(map, anchors);
}

const LEAVE_OUT = 'remove the file if it has no manifests';

function describeNoMap(node: ParsedNode, target: ParsedNode | undefined): Diagnostic<number> {
  const what = `this is ${describeTypeOf(plainValueOf(target))}, not a map with apiVersion and kind`;
  return errorAt('no-manifest', node.range[0], what, `Write a manifest, or ${LEAVE_OUT}`);
}

function describeBadHeader(map: YAMLMap.Parsed, anchors: Anchors): Diagnostic<number> {
  const bad = HEADER.filter((field) => !isName(valueOf(map, field, anchors)));
  const [field = 'kind'] = bad;
  const value = valueOf(map, field, anchors);
  const isAbsent = value === null || value === undefined || value === '';
  const what = isAbsent ? `this map has no ${bad.join(' and no ')}` : `${field} is ${describeTypeOf(value)}, not text`;
  const hint = `Write '${EXAMPLES[field]}', or ${LEAVE_OUT}`;
  return errorAt('no-manifest', offsetOf(map, isAbsent ? [] : [field], anchors), what, hint);
}

const EXAMPLES = { apiVersion: `apiVersion: ${OUR_GROUP[0]}/${API_VERSION}`, kind: 'kind: ModelDeployment' };

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function valueOf(map: YAMLMap.Parsed, field: string, anchors: Anchors): unknown {
  return plainValueOf(nodeAt(map, field, anchors));
}

/** A plain value of the same type as a node, with the content of scalars only. */
function plainValueOf(node: ParsedNode | undefined): unknown {
  if (yaml().isScalar(node)) return node.value;
  return yaml().isSeq(node) ? [] : yaml().isMap(node) ? {} : undefined;
}

/** A kind of data file that is not a manifest. Its top-level fields identify it. */
interface DataFileKind {
  /** All fields that it can have, in order. */
  readonly fields: readonly string[];

  /** The plural noun for its content, for messages. */
  readonly noun: string;

  /** The field of the Fleet that names the file. Absent if the command line names it. */
  readonly named?: string;
}

/** All kinds of data files. Each has its own schema. */
export const DATA_FILE_KINDS: readonly DataFileKind[] = [
  { fields: ['scenarios'], noun: 'scenarios' },
  { fields: ['rules'], noun: 'rules', named: 'policies' },
  { fields: ['currency', 'prices', 'discounts', 'storage'], noun: 'prices', named: 'prices' },
  { fields: ['gpus', 'instanceTypes', 'macros'], noun: 'rows of a catalog', named: 'catalogue' },
  { fields: ['models', 'measurements'], noun: 'rows of a model catalog', named: 'models' },
];

/** The kind of data file whose fields include all fields of a document. Undefined for an empty map. */
function dataFileKindOf(root: ParsedNode, anchors: Anchors): DataFileKind | undefined {
  if (!yaml().isMap(root) || root.items.length === 0) return undefined;
  const keys = root.items.map(({ key }) => keyTextOf(key, anchors) ?? '');
  return DATA_FILE_KINDS.find(({ fields }) => keys.every((key) => fields.includes(key)));
}

/** Whether a document is a model definition, as Backend.AI has it. A deployment names the one that it uses. */
export function isModelDefinition(root: ParsedNode): boolean {
  const models = yaml().isMap(root) && root.items.length === 1 ? root.get('models', true) : undefined;
  const first = yaml().isSeq(models) ? models.items[0] : undefined;
  return yaml().isMap(first) && first.has('service');
}

/** The labels, under their canonical keys, that a controller sets on the objects of a replica. It sets all three. */
const REPLICA_LABELS = [DEPLOYMENT_LABEL, CLUSTER_LABEL, REPLICA_INDEX_LABEL];

/**
 * Whether a document is a ModelEndpoint that a controller of the alias group created for a replica. An export of a
 * cluster contains these next to the ModelEndpoints that users declared. The owner, a ModelDeployment, identifies them
 * or, if the export lacks owners, the labels of a replica do.
 */
export function isComposedEndpoint({ apiVersion, kind, node }: ManifestNode, anchors: Anchors): boolean {
  if (kind !== 'ModelEndpoint' || !apiVersion.startsWith('modelplane.ai/')) return false;
  const metadata = nodeAt(node, 'metadata', anchors);
  if (!yaml().isMap(metadata)) return false;
  const labels = nodeAt(metadata, 'labels', anchors);
  const owners = nodeAt(metadata, 'ownerReferences', anchors);
  const owned = yaml().isSeq(owners) && owners.items.some((owner) => isDeployment(owner, anchors));
  return owned || (yaml().isMap(labels) && hasReplicaLabels(labels, anchors));
}

function hasReplicaLabels({ items }: YAMLMap.Parsed, anchors: Anchors): boolean {
  const keys = new Set(items.map(({ key }) => toCanonicalLabel(keyTextOf(key, anchors) ?? '')));
  return REPLICA_LABELS.every((key) => keys.has(key));
}

function isDeployment(node: ParsedNode, anchors: Anchors): boolean {
  const owner = resolveAlias(node, anchors);
  return yaml().isMap(owner) && valueOf(owner, 'kind', anchors) === 'ModelDeployment';
}

function nodeAt(map: YAMLMap.Parsed, key: string, anchors: Anchors): ParsedNode | undefined {
  return resolveAlias(findEntry(map, key, anchors)?.value ?? null, anchors);
}

/** Whether a file holds only scenarios for `fleetwright what-if`, which do not affect the fleet. */
export function hasOnlyScenarios(file: SourceFile): boolean {
  return [...readDocuments(openSource(file), DEFAULT_LIMITS)].every((one) => {
    const root = 'document' in one && one.document.contents;
    return root && dataFileKindOf(root, collectAnchors(root))?.noun === 'scenarios';
  });
}
