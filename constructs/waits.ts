import type { IConstruct } from 'constructs';
import { fleetAbove, type FleetScope } from './fleet-of';

/**
 * Constructs that wait for a construct of a fleet, or that it makes wait. cdk8s orders charts, and what a fleet
 * declares is in none: it would end with an error that does not say which construct is meant.
 *
 * @returns a clause for each, by the path of the construct that waits
 */
export function waitsIn(fleet: FleetScope): ReadonlyMap<string, string> {
  const isIn = (construct: IConstruct) => fleetAbove(construct) === fleet;
  return new Map(
    fleet.node.root.node
      .findAll()
      .flatMap((source) =>
        source.node.dependencies
          .filter((target) => isIn(source) || isIn(target))
          .map(({ node }): [string, string] => [
            source.node.path,
            `it waits for ${node.path}, and what a fleet declares is in no chart`,
          ]),
      ),
  );
}

/** What to do instead. */
export const ORDER_CHARTS = 'Use addDependency() of the charts that place() returns';
