import { type Resource, resourceId } from '../src/api/kinds';
import type { Problem } from '../src/errors';
import type { Emission } from '../src/manifest/emission';
import { sortedBy } from '../src/order';
import { type Declaring, isDeclaring } from './declared';
import { fleetAbove, type FleetScope } from './fleet-of';
import { hasSettings, problemsOf, readProps } from './read-props';
import { ORDER_CHARTS, waitsIn } from './waits';

/** Everything that a fleet declares. */
export interface Declarations extends Emission {
  /** Everything wrong with single declarations. If there is something, `resources` is incomplete. */
  readonly problems: readonly Problem[];
}

/** Reads everything that is declared below a fleet, and the settings of the fleet itself. */
export function declarationsOf(fleet: FleetScope): Declarations {
  const declaring = fleet.node
    .findAll()
    .filter(isDeclaring)
    .filter((one) => fleetAbove(one) === fleet && (one !== fleet || hasSettings(fleet)));
  const resources = new Map<string, Resource>();
  const constructs = new Map<string, string>();
  const problems = waiting(fleet);
  for (const construct of declaring) {
    const reading = readProps(construct);
    if ('findings' in reading) {
      problems.push(...problemsOf(construct, reading.findings));
      continue;
    }
    const id = resourceId(reading.resource);
    const first = constructs.get(id);
    if (first !== undefined) problems.push(twice(construct, id, first));
    else {
      resources.set(id, reading.resource);
      constructs.set(id, construct.node.path);
    }
  }
  return { resources: sortedBy(resources.values(), resourceId), constructs, problems };
}

function waiting(fleet: FleetScope): Problem[] {
  return [...waitsIn(fleet)].map(([where, what]) => ({ code: 'no-chart', where, what, hint: ORDER_CHARTS }));
}

function twice({ node }: Declaring, id: string, first: string): Problem {
  return {
    code: 'duplicate-resource',
    where: node.path,
    what: `${id} is declared twice, first at ${first}`,
    hint: 'Rename or remove one of the two',
  };
}
