import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import type { Resource } from '../../../src/api/kinds';
import { loadManifests } from '../../../src/manifest/load-manifests';
import { routedFleet } from '../../routing/fleets';
import { ROOT } from '../harness/paths';
import { fleetOf } from '../promises/fleets';
import { resourcesOf } from '../promises/resources';
import { richFleet } from './rich';

/** A fleet whose manifests are sent. */
export interface Input {
  readonly name: string;
  readonly resources: readonly Resource[];
}

/** Every example and recipe, the fleet that uses every field, that on which gateways are tried, and generated fleets: with models alone, and with routes. */
export function inputs(seed: number, generated: number): Input[] {
  const fleets = Array.from({ length: generated }, (_, i) => seed + i);
  return [
    ...foldersOf('examples'),
    ...foldersOf('recipes'),
    declaredIn(join(ROOT, 'test/envoy/fleet'), 'the gateways'),
    { name: 'every field', resources: richFleet() },
    ...fleets.map((one) => ({ name: `fleet ${one}`, resources: resourcesOf(fleetOf(one), `f${one}`) })),
    ...fc
      .sample(routedFleet, { seed, numRuns: Math.ceil(generated / 2) })
      .map((resources, i) => ({ name: `routes ${seed}.${i}`, resources })),
  ];
}

/** Files of an example that declare nothing. */
const NOT_DECLARATIONS: ReadonlySet<string> = new Set(['fleet.lock.yaml', 'cdk8s.yaml', 'Pulumi.yaml']);

/** Examples without a fleet, and those whose classes are in a catalog of their own, which is not read here. */
const OTHERS: ReadonlySet<string> = new Set(['hardware', 'own-cloud']);

function foldersOf(top: 'examples' | 'recipes'): Input[] {
  const folder = join(ROOT, top);
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !OTHERS.has(entry.name))
    .map(({ name }) => declaredIn(join(folder, name), `${top}/${name}`))
    .filter(({ resources }) => resources.length > 0);
}

function declaredIn(folder: string, name: string): Input {
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml') && !NOT_DECLARATIONS.has(file));
  const { resources, problems } = loadManifests(
    files.map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') })),
  );
  if (problems.length > 0) throw new Error(`${name} does not load: ${JSON.stringify(problems)}`);
  return { name, resources };
}
