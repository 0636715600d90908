import type { Diagnostic } from '../base/diagnostic';

/** The supported API groups. `modelplane.ai` is an alias for the kinds that both projects have. */
export type Group = 'fleetwright.dev' | 'modelplane.ai';

/** The only API version of both groups. */
export const API_VERSION = 'v1alpha1';

/** The API groups of kinds that both projects have. */
export const BOTH_GROUPS: readonly Group[] = ['fleetwright.dev', 'modelplane.ai'];

/** The API groups of kinds that only Fleetwright has. */
export const OUR_GROUP: readonly Group[] = ['fleetwright.dev'];

/** The path of a field in a document: `['spec', 'nodePools', 0, 'name']`. */
export type Path = readonly (string | number)[];

/** The metadata of a resource: ObjectMeta of Kubernetes, without the fields that only a cluster writes. */
export interface Metadata {
  readonly name: string;

  /** Set for all namespaced resources: `default` if the document names none. */
  readonly namespace?: string;

  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** A valid resource of a kind, with all defaults filled in. */
export interface ResourceOf<K extends string, S> {
  readonly kind: K;
  readonly group: Group;
  readonly metadata: Metadata;
  readonly spec: S;
}

/** A valid value, or all findings about an invalid value. */
export type ValidationResult<T> = { readonly value: T } | InvalidValue<T>;

/** The findings about an invalid value. */
export interface InvalidValue<T> {
  readonly findings: readonly Diagnostic<Path>[];

  /** The invalid value, for further checks together with other values. Do not use it for anything else. */
  readonly loose?: T;
}

/** The qualified name of a namespaced resource: `namespace/name`. */
export function qualifiedNameOf({ metadata }: { readonly metadata: Pick<Metadata, 'namespace' | 'name'> }): string {
  return `${metadata.namespace}/${metadata.name}`;
}

/** The namespace in a {@link qualifiedNameOf}. */
export function parseNamespace(id: string): string {
  return id.slice(0, id.indexOf('/'));
}
