import type { Diagnostic } from '../base/diagnostic';

/** The API groups that are read. `modelplane.ai` is an alias for the kinds that both projects have. */
export type Group = 'fleetwright.dev' | 'modelplane.ai';

/** The one version of both groups. */
export const API_VERSION = 'v1alpha1';

/** Where kinds that both projects have may be declared. */
export const BOTH_GROUPS: readonly Group[] = ['fleetwright.dev', 'modelplane.ai'];

/** Where kinds of ours alone may be declared. */
export const OUR_GROUP: readonly Group[] = ['fleetwright.dev'];

/** A place in a document: `['spec', 'nodePools', 0, 'name']`. */
export type Path = readonly (string | number)[];

/** What Kubernetes calls ObjectMeta, without what only a running cluster writes. */
export interface Metadata {
  readonly name: string;

  /** Set for every namespaced resource: `default` where the document names none. */
  readonly namespace?: string;

  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** A document that passed its schema, with every default filled in. */
export interface ResourceOf<K extends string, S> {
  readonly kind: K;
  readonly group: Group;
  readonly metadata: Metadata;
  readonly spec: S;
}

/** A value that was accepted, or everything that is wrong with it. */
export type ValidationResult<T> = { readonly value: T } | InvalidValue<T>;

/** Everything that is wrong with a value. */
export interface InvalidValue<T> {
  readonly findings: readonly Diagnostic<Path>[];

  /** The value all the same, where rules about it with others can be asked beside what is wrong. Never to be used. */
  readonly loose?: T;
}

/** The name of a namespaced resource as everybody writes it: `namespace/name`. */
export function qualifiedNameOf({
  metadata,
}: {
  readonly metadata: Pick<Metadata, 'namespace' | 'name'>;
}): string {
  return `${metadata.namespace}/${metadata.name}`;
}

/** The namespace in a {@link qualifiedNameOf}. */
export function parseNamespace(id: string): string {
  return id.slice(0, id.indexOf('/'));
}
