import type { Want } from '../../src/scheduler/need';
import type { Placement } from '../../src/scheduler/types';
import { someArrangementStrands } from './adversary';
import type { Architecture, ClassSpec, FleetSpec, RequestSpec } from './fleets';

const ARCHITECTURES: readonly Architecture[] = ['Ada', 'Hopper'];

/** More pods than this in a pool are only counted, not tried in every arrangement. */
const MOST_TRIED = 6;

/** Everything that is wrong with placements, judged from the declarations alone. */
export function faults(fleet: FleetSpec, placements: readonly Placement[]): string[] {
  const pools = new Map<string, Want[][]>();
  const wrong: string[] = [];
  for (const placement of placements) {
    const deployment = fleet.deployments.find(({ id }) => id === placement.deployment);
    if (!deployment) return [`${placement.deployment} is not declared`];
    for (const [e, { requests, copies, workers }] of deployment.engines.entries()) {
      const pool = `${placement.cluster}/${placement.pools[`e${e}`]}`;
      const has = classOf(fleet, placement, `e${e}`)?.has;
      if (!has || !meets(requests, has)) wrong.push(`${pool} cannot run ${placement.deployment}`);
      const pods = pools.get(pool) ?? [];
      pools.set(pool, pods);
      for (let pod = 0; pod < copies * (1 + workers); pod++) pods.push(has ? wantsOf(requests, has) : []);
    }
  }
  return [...wrong, ...[...pools].flatMap(([pool, pods]) => poolFaults(fleet, pool, pods))];
}

function poolFaults(fleet: FleetSpec, pool: string, pods: readonly Want[][]): string[] {
  const [cluster, name] = pool.split('/');
  const declared = fleet.clusters.find((spec) => spec.name === cluster)?.pools[Number(name?.slice(1))];
  const has = fleet.classes.find((spec) => spec.name === declared?.className)?.has;
  if (!declared || !has) return [`${pool} is not declared`];
  const counts = ARCHITECTURES.map((architecture) => has[architecture]);
  const total = (amounts: readonly number[]): number => amounts.reduce((sum, count) => sum + count, 0);
  const used = total(pods.flat().map(({ count }) => count));
  if (used > total(counts) * declared.nodes) return [`${pool} is overcommitted`];
  if (pods.length > MOST_TRIED) return [];
  const loads = pods.map((need) => ({ need, pods: 1 }));
  return someArrangementStrands(counts, declared.nodes, loads) ? [`${pool} can strand a pod`] : [];
}

function classOf(fleet: FleetSpec, { cluster, pools }: Placement, engine: string): ClassSpec | undefined {
  const declared = fleet.clusters.find(({ name }) => name === cluster);
  const pool = declared?.pools[Number(pools[engine]?.slice(1))];
  return fleet.classes.find(({ name }) => name === pool?.className);
}

/** Whether a node has the devices for all requests at once: by Hall's condition over the two architectures. */
function meets(requests: readonly RequestSpec[], has: Readonly<Record<Architecture, number>>): boolean {
  const only = (of: RequestSpec['of']): number =>
    requests.filter((request) => request.of === of).reduce((sum, { count }) => sum + count, 0);
  const all = only('Ada') + only('Hopper') + only('Any');
  return only('Ada') <= has.Ada && only('Hopper') <= has.Hopper && all <= has.Ada + has.Hopper;
}

/** What a pod takes: of one architecture, or of any that the node has. */
function wantsOf(requests: readonly RequestSpec[], has: Readonly<Record<Architecture, number>>): Want[] {
  return requests.map(({ of, count }) => ({
    count,
    kinds: [...ARCHITECTURES.keys()].filter((kind) => {
      const architecture = ARCHITECTURES[kind]!;
      return has[architecture] > 0 && (of === 'Any' || of === architecture);
    }),
  }));
}
