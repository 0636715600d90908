import type { Construct } from 'constructs';
import type { Resource } from '../src/api/kinds';

/** The kinds that have a construct. */
export type ResourceKind = Resource['kind'];

/** The kind and the props of a construct. */
export interface DeclaredResource<K extends ResourceKind = ResourceKind> {
  readonly kind: K;

  /** The props as passed. From JavaScript they can be anything. */
  readonly props: object;
}

/**
 * The property that stores the declaration of a construct. It is a symbol, so it is not part of the public API, and
 * registered, so that other copies of this package can read it.
 */
export const DECLARED: unique symbol = Symbol.for('fleetwright.declared');

/** A construct that declares a resource. In props of others it can be passed instead of its name. */
export interface ResourceConstruct<K extends ResourceKind = ResourceKind> extends Construct {
  readonly [DECLARED]: DeclaredResource<K>;
  readonly name: string;
  readonly namespace?: string | undefined;
}

/** Whether a value is a construct that declares a resource. */
export function isResourceConstruct(value: unknown): value is ResourceConstruct {
  return typeof value === 'object' && value !== null && DECLARED in value;
}

/** Props of all resource constructs. */
export interface ResourceIdentity {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
}

/** Returns the props, or an empty object where they are missing, which is possible from JavaScript. */
export function propsOrEmpty<P extends object>(given: P | undefined): Partial<P> {
  return given ?? {};
}
