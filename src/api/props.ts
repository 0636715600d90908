import { kinds, type Resource } from './kinds';
import type { Scope } from './reading/kind';
import type { Path } from './resource';

/** Where a prop of a construct stands in the document that the construct declares. */
export type Layout = ReadonlyMap<string, Path>;

/** The spec of what a deployment places: its fields are props of the deployment itself. */
const TEMPLATE = ['spec', 'template', 'spec'] as const;

/** Props that stand elsewhere than their name says. */
const OF_DEPLOYMENT: readonly (readonly [string, Path])[] = [
  ['replicaLabels', ['spec', 'template', 'metadata', 'labels']],
  ['modelCacheRef', [...TEMPLATE, 'modelCacheRef', 'name']],
];

const OF_METADATA: Readonly<Record<Scope, readonly string[]>> = {
  Cluster: ['name', 'labels', 'annotations'],
  Namespaced: ['name', 'namespace', 'labels', 'annotations'],
};

/**
 * The props of a kind's construct: its metadata and the fields of its spec, flattened.
 *
 * @example
 * layoutOf('ModelDeployment').get('engines'); // ['spec', 'template', 'spec', 'engines']
 */
export function layoutOf(kind: Resource['kind']): Layout {
  const definition = kinds().find((one) => one.kind === kind);
  if (!definition) throw new Error(`bug: there is no kind ${kind}`);
  const { scope, fieldNames } = definition;
  const below = (path: readonly string[]): [string, Path][] =>
    fieldNames(path).map((field) => [field, [...path, field]]);
  const spec = below(['spec']).filter(([field]) => kind !== 'ModelDeployment' || field !== 'template');
  return new Map([
    ...OF_METADATA[scope].map((field): [string, Path] => [field, ['metadata', field]]),
    ...spec,
    ...(kind === 'ModelDeployment' ? [...below(TEMPLATE), ...OF_DEPLOYMENT] : []),
  ]);
}

/** The path of a field below the props of a construct, from its path in the document. */
export function propPath(kind: Resource['kind'], path: Path): Path {
  for (const [prop, at] of layoutOf(kind)) {
    if (at.every((part, index) => path[index] === part)) return [prop, ...path.slice(at.length)];
  }
  // What no prop holds: the whole spec, or a part of it that only the document has.
  return path.slice(1);
}

/**
 * The place of a field of a construct, for messages.
 *
 * @example
 * constructPlace('fleet/qwen3', 'ModelDeployment', ['spec', 'replicas']); // 'fleet/qwen3 replicas'
 */
export function constructPlace(construct: string, kind: Resource['kind'], path: Path): string {
  const field = formatProp(propPath(kind, path));
  return field === '' ? construct : `${construct} ${field}`;
}

/** A path as a program writes it: `engines[0].members[0].template`, `labels["example.com/team"]`. */
export function formatProp(path: Path): string {
  return path.map(step).join('').replace(/^\./, '');
}

function step(part: string | number): string {
  if (typeof part === 'number') return `[${part}]`;
  return /^[A-Za-z_]\w*$/.test(part) ? `.${part}` : `["${part}"]`;
}
