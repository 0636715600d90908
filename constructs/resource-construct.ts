import type { Construct } from 'constructs';
import type { Resource } from '../src/api/kinds';

/** The kinds that constructs stand for. */
export type ResourceKind = Resource['kind'];

/** What a construct declares. */
export interface DeclaredResource<K extends ResourceKind = ResourceKind> {
  readonly kind: K;

  /** As given. From JavaScript they may be anything. */
  readonly props: object;
}

/**
 * Where a construct keeps what it declares: a symbol, so that it is no part of the public API, of the registry, so
 * that another copy of this package reads it too.
 */
export const DECLARED: unique symbol = Symbol.for('fleetwright.declared');

/** A construct that stands for a resource, and in props of others for its name. */
export interface ResourceConstruct<K extends ResourceKind = ResourceKind> extends Construct {
  readonly [DECLARED]: DeclaredResource<K>;
  readonly name: string;
  readonly namespace?: string | undefined;
}

/** Whether a value is a construct that stands for a resource. */
export function isResourceConstruct(value: unknown): value is ResourceConstruct {
  return typeof value === 'object' && value !== null && DECLARED in value;
}

/** Props that every construct of a resource has. */
export interface ResourceIdentity {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
}

/** Props as given, or none: from JavaScript they may be missing. */
export function propsOrEmpty<P extends object>(given: P | undefined): Partial<P> {
  return given ?? {};
}
