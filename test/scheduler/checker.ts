import type { KindAmount } from '../../src/scheduler/packing/pod-footprint';
import type { Placement } from '../../src/scheduler/placement';
import { someArrangementStrands } from './adversary';
import type { Architecture, ClassSpec, EngineSpec, FleetSpec, PoolSpec, RequestSpec } from './fleets';

const ARCHITECTURES: readonly Architecture[] = ['Ada', 'Hopper'];

/** More pods than this in a pool are only counted, not tried in every arrangement. */
const MOST_TRIED = 6;

/**
 * Everything that is wrong with placements, judged from the declarations alone.
 *
 * @param before the form of the fleet whose engines the replicas have that are `former`
 */
export function faults(
  fleet: FleetSpec,
  placements: readonly Placement[],
  before: FleetSpec = fleet,
  isFormer: (placement: Placement) => boolean = () => false,
): string[] {
  const pools = new Map<string, KindAmount[][]>();
  const wrong: string[] = [];
  for (const placement of placements) {
    const { deployments } = isFormer(placement) ? before : fleet;
    const deployment = deployments.find(({ id }) => id === placement.deployment);
    if (!deployment) return [`${placement.deployment} is not declared`];
    for (const [e, engine] of deployment.engines.entries()) {
      const pool = `${placement.cluster}/${placement.pools[`e${e}`]}`;
      const declared = classOf(fleet, placement, `e${e}`);
      if (!declared || !meets(engine.requests, declared.has)) {
        wrong.push(`${pool} cannot run ${placement.deployment}`);
      }
      const pods = pools.get(pool) ?? [];
      pools.set(pool, pods);
      const need = declared ? wantsOf(engine, declared) : [];
      for (let pod = 0; pod < (engine.copies + deployment.surge) * (1 + engine.workers); pod++) pods.push(need);
    }
  }
  return [...wrong, ...[...pools].flatMap(([pool, pods]) => poolFaults(fleet, pool, pods))];
}

function poolFaults(fleet: FleetSpec, pool: string, pods: readonly KindAmount[][]): string[] {
  const [cluster, name] = pool.split('/');
  const declared = fleet.clusters.find((spec) => spec.name === cluster)?.pools[Number(name?.slice(1))];
  const spec = fleet.classes.find((spec) => spec.name === declared?.className);
  if (!declared || !spec) return [`${pool} is not declared`];
  const amounts = [spec.has.Ada, spec.has.Hopper, (spec.cpu ?? 0) * CPU_UNITS];
  const tooMuch = [false, true].some((cpu) => {
    const has = cpu ? amounts[CPU]! : spec.has.Ada + spec.has.Hopper;
    return total(pods.flat(), cpu) > has * declared.nodes;
  });
  if (tooMuch) return [`${pool} is overcommitted`];
  return JUDGES[declared.packing](amounts, declared.nodes, pods).map((fault) => `${pool} ${fault}`);
}

/** What else is wrong with the pods of a pool, by what its cluster is trusted with. */
const JUDGES: Readonly<
  Record<PoolSpec['packing'], (amounts: number[], nodes: number, pods: readonly KindAmount[][]) => string[]>
> = {
  Spread: (amounts, nodes, pods) => {
    if (pods.length > MOST_TRIED) return [];
    const loads = pods.map((footprint) => ({ footprint, pods: 1 }));
    return someArrangementStrands(amounts, nodes, loads) ? ['can strand a pod'] : [];
  },
  BinPack: () => [],
  Exclusive: (_, nodes, pods) => (pods.length > nodes ? ['has pods that share a node'] : []),
};

/** What pods want of CPU, or of devices. */
function total(wants: readonly KindAmount[], cpu: boolean): number {
  return sum(wants.filter(({ kinds }) => kinds.includes(CPU) === cpu).map(({ count }) => count));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
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

/** CPU as a further kind of thing that a node has, in fifths of a CPU so that shares are whole numbers. */
const CPU = ARCHITECTURES.length;
const CPU_UNITS = 5;

/** What a pod takes: devices of one architecture, or of any that the node has, and CPU where the class states it. */
function wantsOf({ requests, cpu }: EngineSpec, { has, cpu: stated }: ClassSpec): KindAmount[] {
  const devices = requests.map(({ of, count }) => ({
    count,
    kinds: [...ARCHITECTURES.keys()].filter((kind) => {
      const architecture = ARCHITECTURES[kind]!;
      return has[architecture] > 0 && (of === 'Any' || of === architecture);
    }),
  }));
  if (stated === undefined) return devices;
  // The class that states it has one kind of device, so the share is that of all devices: nine tenths of it.
  const share = sum(requests.map(({ count }) => count)) / (has.Ada + has.Hopper);
  const counted = cpu ?? Math.round(0.9 * share * stated * CPU_UNITS) / CPU_UNITS;
  return [...devices, { count: counted * CPU_UNITS, kinds: [CPU] }];
}
