import type { Construct, IConstruct } from 'constructs';
import { FleetwrightError } from '../src/errors';
import { DECLARED, type Declaring, isDeclaring } from './declared';

/** A fleet, as everything in it sees it. */
export interface FleetScope extends Declaring<'Fleet'> {
  /** Whether `place()` was called. From then on nothing can be declared. */
  readonly isPlaced: boolean;
}

/** Whether a value is a fleet, also one of another copy of this package. */
export function isFleet(value: unknown): value is FleetScope {
  return isDeclaring(value) && value[DECLARED].kind === 'Fleet';
}

/** The fleet that a construct is in: the nearest above it. */
export function fleetAbove(construct: IConstruct): FleetScope | undefined {
  return construct.node.scopes.toReversed().find(isFleet);
}

/**
 * The scope of a construct that belongs into a fleet.
 *
 * @throws FleetwrightError when it is in none, or in one that is placed already
 */
export function scopeInFleet(scope: Construct, kind: string, id: string): Construct {
  if (!isConstruct(scope)) throw noScope(kind, id);
  const fleet = fleetAbove(scope);
  const where = scope.node.path === '' ? id : `${scope.node.path}/${id}`;
  if (!fleet) {
    const hint = 'Pass a Fleet, or a construct in one, as its scope';
    throw refused('no-fleet', where, `the ${kind} is in no fleet`, hint);
  }
  if (fleet.isPlaced) {
    const hint = `Declare it before ${fleet.node.id}.place()`;
    throw refused('placed', where, `the ${kind} is declared after its fleet was placed`, hint);
  }
  return scope;
}

function isConstruct(value: unknown): value is Construct {
  return typeof value === 'object' && value !== null && 'node' in value;
}

function noScope(kind: string, id: string): FleetwrightError {
  const hint =
    'Pass a Fleet, or a construct in one. A file that imports itself over others sees it too early';
  return refused('no-fleet', id, `the scope of the ${kind} is no construct`, hint);
}

function refused(code: string, where: string, what: string, hint: string): FleetwrightError {
  return new FleetwrightError([{ code, where, what, hint }]);
}
