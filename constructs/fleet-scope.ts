import type { Construct, IConstruct } from 'constructs';
import { errorAt } from '../src/base/diagnostic';
import type { DiagnosticCode } from '../src/base/diagnostic-codes';
import { FleetwrightError } from '../src/base/errors';
import { DECLARED, isResourceConstruct, type ResourceConstruct } from './resource-construct';

/** A fleet, as the constructs in it use it. */
export interface FleetScope extends ResourceConstruct<'Fleet'> {
  /** Whether `place()` was called. Afterwards nothing can be declared. */
  readonly isPlaced: boolean;
}

/** Whether a value is a fleet, also if it comes from another copy of this package. */
export function isFleet(value: unknown): value is FleetScope {
  return isResourceConstruct(value) && value[DECLARED].kind === 'Fleet';
}

/** Finds the fleet of a construct: the nearest one above it. */
export function findFleet(construct: IConstruct): FleetScope | undefined {
  return construct.node.scopes.toReversed().find(isFleet);
}

/**
 * Checks that a scope is in a fleet that is not placed, and returns it.
 *
 * @throws FleetwrightError when it is in no fleet, or in one that is placed already
 */
export function requireFleetScope(scope: Construct, kind: string, id: string): Construct {
  if (!isConstruct(scope)) throw noScopeError(kind, id);
  const fleet = findFleet(scope);
  const where = scope.node.path === '' ? id : `${scope.node.path}/${id}`;
  if (!fleet) {
    const hint = 'Pass a Fleet, or a construct in one, as its scope';
    throw refusedScopeError('no-fleet', where, `the ${kind} is not in a fleet`, hint);
  }
  if (fleet.isPlaced) {
    const hint = `Create it before ${fleet.node.id}.place()`;
    throw refusedScopeError('placed', where, `the ${kind} is created after its fleet was placed`, hint);
  }
  return scope;
}

function isConstruct(value: unknown): value is Construct {
  return typeof value === 'object' && value !== null && 'node' in value;
}

function noScopeError(kind: string, id: string): FleetwrightError {
  const hint = 'Pass a Fleet, or a construct in one. It is also undefined in a circular import';
  return refusedScopeError('no-fleet', id, `the scope of the ${kind} is not a construct`, hint);
}

function refusedScopeError(code: DiagnosticCode, where: string, what: string, hint: string): FleetwrightError {
  return new FleetwrightError([errorAt(code, where, what, hint)]);
}

/**
 * Finds dependencies from or to constructs of a fleet. cdk8s orders charts, and declarations of a fleet are in no
 * chart, so cdk8s would fail with an error that does not name the construct.
 *
 * @returns a clause for each dependency, by the path of the dependent construct
 */
export function findDependencies(fleet: FleetScope): ReadonlyMap<string, string> {
  const isIn = (construct: IConstruct) => findFleet(construct) === fleet;
  return new Map(
    fleet.node.root.node
      .findAll()
      .flatMap((source) =>
        source.node.dependencies
          .filter((target) => isIn(source) || isIn(target))
          .map(({ node }): [string, string] => [
            source.node.path,
            `it depends on ${node.path}, but constructs of a fleet are not in a chart`,
          ]),
      ),
  );
}

/** The hint for dependencies on declarations. */
export const ORDER_CHARTS_HINT = 'Use addDependency() of the charts that place() returns';
