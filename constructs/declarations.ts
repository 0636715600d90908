import { type Resource, resourceId } from '../src/api/kinds';
import type { Problem } from '../src/errors';
import type { Emission } from '../src/manifest/emission';
import { type Unread, unreadOf } from '../src/manifest/unread';
import { sortedBy } from '../src/order';
import { DECLARED, type Declaring, isDeclaring } from './declared';
import { fleetAbove, type FleetScope } from './fleet-of';
import { hasSettings, problemsOf, readProps } from './read-props';
import { ORDER_CHARTS, waitsIn } from './waits';

/** Everything that a fleet declares. */
export interface Declarations extends Emission {
  /**
   * Everything wrong with single declarations. If there is something, `resources` is incomplete, or has some that must
   * not be used.
   */
  readonly problems: readonly Problem[];

  /** The declarations that are missing in `resources`. */
  readonly unread: readonly Unread[];
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
  const unread: Unread[] = [];
  for (const construct of declaring) {
    const reading = readProps(construct);
    const findings = 'findings' in reading ? reading.findings : [];
    problems.push(...problemsOf(construct, findings));
    const resource = 'findings' in reading ? reading.loose : reading.resource;
    if (!resource) {
      unread.push(unreadOf({ ...construct[DECLARED], metadata: { name: construct.name } }, findings));
      continue;
    }
    const id = resourceId(resource);
    const first = constructs.get(id);
    if (first !== undefined) problems.push(twice(construct, id, first));
    else {
      resources.set(id, resource);
      constructs.set(id, construct.node.path);
    }
  }
  return { resources: sortedBy(resources.values(), resourceId), constructs, problems, unread };
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
