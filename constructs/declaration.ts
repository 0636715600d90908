import { Construct } from 'constructs';
import type { Resource } from '../src/api/kinds';
import { layoutOf } from '../src/api/props';
import { fleetAbove, scopeInFleet } from './fleet-of';
import { isNamed, markNamed, type Named } from './named';
import { mistakesOf, type Reading, readProps } from './read-props';

/** Props that every declaration has. */
interface Identity {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
}

/**
 * Something declared in a fleet: the base of all constructs that stand for a resource. It only keeps what it is
 * given; `Fleet.place()` and synthesis read it.
 */
export abstract class Declaration extends Construct implements Named {
  /** The name of the resource: the id of the construct, unless a prop says otherwise. */
  readonly name: string;

  /** The namespace of the resource, where its kind has one. */
  readonly namespace: string | undefined;

  readonly #props: object;

  protected constructor(
    scope: Construct,
    id: string,
    readonly kind: Exclude<Resource['kind'], 'Fleet'>,
    props: Identity,
  ) {
    super(scopeInFleet(scope, kind, id), id);
    // From JavaScript there may be none.
    const given: Identity = typeof props === 'object' && props !== null ? props : {};
    this.#props = given;
    this.name = given.name ?? id;
    this.namespace = layoutOf(kind).has('namespace') ? (given.namespace ?? 'default') : undefined;
    markNamed(this);
    // A fleet that is placed has no mistakes, and reading a large one again takes its time.
    this.node.addValidation({
      validate: () => (fleetAbove(this)?.isPlaced ? [] : mistakesOf(this, this.read())),
    });
  }

  /** Reads the props as the resource that they declare. */
  read(): Reading {
    return readProps(this, this.#props);
  }
}

/** Whether a value is a declaration, also of another copy of this package. */
export function isDeclaration(value: unknown): value is Declaration {
  return isNamed(value) && 'read' in value;
}
