import { loadKinds, type Resource } from './kinds';
import type { Path } from './resource';
import type { KindScope } from './schema/kind';

/** Where a prop of a construct stands in the document that the construct declares. */
export type PropLayout = ReadonlyMap<string, Path>;

/** The spec of what a deployment places: its fields are props of the deployment itself. */
const TEMPLATE = ['spec', 'template', 'spec'] as const;

/** Props that stand elsewhere than their name says. */
const DEPLOYMENT_PROPS: readonly (readonly [string, Path])[] = [
  ['replicaLabels', ['spec', 'template', 'metadata', 'labels']],
  ['modelCacheRef', [...TEMPLATE, 'modelCacheRef', 'name']],
];

const METADATA_PROPS: Readonly<Record<KindScope, readonly string[]>> = {
  Cluster: ['name', 'labels', 'annotations'],
  Namespaced: ['name', 'namespace', 'labels', 'annotations'],
};

/**
 * The props of a kind's construct: its metadata and the fields of its spec, flattened.
 *
 * @example
 * layoutOf('ModelDeployment').get('engines'); // ['spec', 'template', 'spec', 'engines']
 */
export function propLayoutOf(kind: Resource['kind']): PropLayout {
  const definition = loadKinds().find((one) => one.kind === kind);
  if (!definition) throw new Error(`bug: there is no kind ${kind}`);
  const { scope, fieldNames } = definition;
  const below = (path: readonly string[]): [string, Path][] =>
    fieldNames(path).map((field) => [field, [...path, field]]);
  const spec = below(['spec']).filter(([field]) => kind !== 'ModelDeployment' || field !== 'template');
  return new Map([
    ...METADATA_PROPS[scope].map((field): [string, Path] => [field, ['metadata', field]]),
    ...spec,
    ...(kind === 'ModelDeployment' ? [...below(TEMPLATE), ...DEPLOYMENT_PROPS] : []),
  ]);
}

/** The path of a field below the props of a construct, from its path in the document. */
export function toPropPath(kind: Resource['kind'], path: Path): Path {
  for (const [prop, at] of propLayoutOf(kind)) {
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
export function formatConstructPlace(construct: string, kind: Resource['kind'], path: Path): string {
  const field = formatPropPath(toPropPath(kind, path));
  return field === '' ? construct : `${construct} ${field}`;
}

/** A path as a program writes it: `engines[0].members[0].template`, `labels["example.com/team"]`. */
export function formatPropPath(path: Path): string {
  return path.map(formatStep).join('').replace(/^\./, '');
}

function formatStep(part: string | number): string {
  if (typeof part === 'number') return `[${part}]`;
  return /^[A-Za-z_]\w*$/.test(part) ? `.${part}` : `["${part}"]`;
}
