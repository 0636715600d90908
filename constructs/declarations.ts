import { type Resource, resourceId } from '../src/api/kinds';
import type { Problem } from '../src/errors';
import type { Emission } from '../src/manifest/emission';
import { sortedBy } from '../src/order';
import { isDeclaration } from './declaration';
import type { Fleet } from './fleet';
import { fleetAbove } from './fleet-of';
import type { Named } from './named';
import { problemsOf, type Reading } from './read-props';

/** Everything that a fleet declares. */
export interface Declarations extends Emission {
  /** Everything wrong with single declarations. If there is something, `resources` is incomplete. */
  readonly problems: readonly Problem[];
}

/** Reads everything that is declared below a fleet, and the settings of the fleet itself. */
export function declarationsOf(fleet: Fleet): Declarations {
  const settings = fleet.read();
  const own = fleet.node
    .findAll()
    .filter(isDeclaration)
    .filter((one) => fleetAbove(one) === fleet);
  const all: readonly (readonly [Named, Reading])[] = [
    ...(settings ? [[fleet, settings] as const] : []),
    ...own.map((one) => [one, one.read()] as const),
  ];
  const resources = new Map<string, Resource>();
  const constructs = new Map<string, string>();
  const problems: Problem[] = [];
  for (const [construct, reading] of all) {
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

function twice({ node }: Named, id: string, first: string): Problem {
  return {
    code: 'duplicate-resource',
    where: node.path,
    what: `${id} is declared twice, first at ${first}`,
    hint: 'Rename or remove one of the two',
  };
}
