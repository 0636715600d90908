import { KINDS } from './kind-table';
import type { Resource } from './kinds';
import type { Path } from './resource';
import type { KindScope } from './schema/kind';

/** The paths of a construct's props in the document that the construct declares, by prop. */
export type PropLayout = ReadonlyMap<string, Path>;

/** The path of the replica spec of a deployment. Its fields are props of the deployment. */
const TEMPLATE = ['spec', 'template', 'spec'] as const;

/** Props whose path does not follow from their name. */
const DEPLOYMENT_PROPS: readonly (readonly [string, Path])[] = [
  ['replicaLabels', ['spec', 'template', 'metadata', 'labels']],
  ['modelCacheRef', [...TEMPLATE, 'modelCacheRef', 'name']],
];

const METADATA_PROPS: Readonly<Record<KindScope, readonly string[]>> = {
  Cluster: ['name', 'labels', 'annotations'],
  Namespaced: ['name', 'namespace', 'labels', 'annotations'],
};

/**
 * The props of a kind's construct: its metadata fields and the fields of its spec.
 *
 * @example
 * propLayoutOf('ModelDeployment').get('engines'); // ['spec', 'template', 'spec', 'engines']
 */
export function propLayoutOf(kind: Resource['kind']): PropLayout {
  const definition = KINDS.find((one) => one.kind === kind);
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

/** Converts the path of a field in the document to its path in the props of the construct. */
export function toPropPath(kind: Resource['kind'], path: Path): Path {
  for (const [prop, at] of propLayoutOf(kind)) {
    if (at.every((part, index) => path[index] === part)) return [prop, ...path.slice(at.length)];
  }
  // No prop holds the field: it is the whole spec, or a part of it that only the document has.
  return path.slice(1);
}

/**
 * Formats the position of a field of a construct, for messages.
 *
 * @example
 * formatConstructPlace('fleet/qwen3', 'ModelDeployment', ['spec', 'replicas']); // 'fleet/qwen3 replicas'
 */
export function formatConstructPlace(construct: string, kind: Resource['kind'], path: Path): string {
  const field = formatPropPath(toPropPath(kind, path));
  return field === '' ? construct : `${construct} ${field}`;
}

/** Formats a path as an expression in a program: `engines[0].members[0].template`, `labels["example.com/team"]`. */
export function formatPropPath(path: Path): string {
  return path.map(formatStep).join('').replace(/^\./, '');
}

function formatStep(part: string | number): string {
  if (typeof part === 'number') return `[${part}]`;
  return /^[A-Za-z_]\w*$/.test(part) ? `.${part}` : `["${part}"]`;
}
