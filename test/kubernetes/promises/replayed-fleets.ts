import { type ClassSpec, type ClusterSpec, type DeploymentSpec, fleetOf, type FleetSpec, scaledFleet } from './fleets';
import { KINDS, wish } from './kinds';

/** A query of the user, which any engine can scale by. */
const SCALING = { on: [{ prometheus: { query: 'sum(load{$(labels)})', threshold: 4 } }] };

/**
 * The fleet of a seed as it is replayed. Every fourth one scales: without an autoscaler, its workloads have their most
 * copies. Two of five have clusters with queues, one of Kueue and one of KAI: every second of these as any fleet is,
 * the others so full of different pods that it matters how they are packed.
 */
export function replayedFleet(seed: number): FleetSpec {
  const plain = fleetOf(seed);
  const spec = seed % 4 === 0 ? scaledFleet(plain, SCALING) : plain;
  if (seed % 5 === 1) return queuedFleet(crowded(ofWholeDevices(spec)), 'Kueue');
  if (seed % 5 !== 3) return spec;
  return inBlocks(queuedFleet(isOfOnePool(seed) ? ofOnePool(spec) : spec, 'KAI'));
}

/** Every second fleet with queues of KAI. */
function isOfOnePool(seed: number): boolean {
  return seed % 10 === 8;
}

/** How often the fleet of a seed is replayed. Where pods meet in one pool, it is their order that a mistake depends on. */
export function roundsOf(seed: number): number {
  return isOfOnePool(seed) ? 4 : 1;
}

/** So little that devices run out first, and enough that a node with more pods has visibly less left. */
const REQUESTED = { cpu: '250m', memory: '1Gi' };
const ALLOCATABLE = { cpu: '16', memory: '256Gi' };

/** A fleet whose clusters have queues, whose nodes state CPU and memory, and whose pods request them. */
function queuedFleet({ classes, clusters, deployments }: FleetSpec, scheduler: 'Kueue' | 'KAI'): FleetSpec {
  return {
    classes: classes.map((one) => ({ ...one, allocatable: ALLOCATABLE })),
    clusters: clusters.map((cluster) => ({ ...cluster, scheduler })),
    deployments: deployments.map((deployment) => ({
      ...deployment,
      engines: deployment.engines.map((engine) => ({ ...engine, compute: REQUESTED })),
    })),
  };
}

/** What a class has instead where pods cannot get any of its devices as a whole. */
const INSTEAD: ClassSpec['has'] = [{ kind: 'h100', count: 4 }];

/** A fleet without what queues of Kueue do not count: GPUs that pods share, or that the driver divides. */
function ofWholeDevices({ classes, clusters, deployments }: FleetSpec): FleetSpec {
  const whole = classes.map(({ name, has }): ClassSpec => {
    const left = has.filter(({ kind }) => !KINDS[kind].allowMultipleAllocations && !KINDS[kind].placements);
    return { name, has: left.length > 0 ? left : INSTEAD };
  });
  return { classes: whole, clusters, deployments: deployments.map(ofWhole) };
}

function ofWhole(deployment: DeploymentSpec): DeploymentSpec {
  const engines = deployment.engines.map((engine) => ({
    ...engine,
    requests: engine.requests.map(({ wish: name, count }) => {
      const divided = wish(name).kinds.every((kind) => KINDS[kind].placements ?? KINDS[kind].allowMultipleAllocations);
      return { wish: divided ? ('h100' as const) : name, count };
    }),
  }));
  return { ...deployment, engines };
}

/** Small pods that take what others leave. */
const REST = ofPods('ns0/rest', { replicas: 24, count: 1, priority: 0 });

/** Pods of which nodes with eight devices have room for one of each, and not if two of the smaller ones came before. */
const FIVES = ofPods('ns0/fives', { replicas: 6, count: 5, priority: 3 });
const THREES = ofPods('ns1/threes', { replicas: 9, count: 3, priority: 3 });

function ofPods(
  id: string,
  { count, ...rest }: { readonly replicas: number; readonly count: number; readonly priority: number },
): DeploymentSpec {
  const engine = { requests: [{ wish: 'anyGpu', count }], copies: 1, workers: 0, idleLeader: false } as const;
  return { id, ...rest, rollout: { surge: 0 }, engines: [engine] };
}

/** A fleet of one pool with eight devices of one kind on each node, where pods of all sizes meet. */
function ofOnePool(spec: FleetSpec): FleetSpec {
  const { classes, clusters, deployments } = ofWholeDevices(spec);
  const [{ name, has }, [cluster]] = [classes[0]!, clusters];
  const { kind } = has.find((one) => one.kind !== 'nic') ?? INSTEAD[0]!;
  const pools = [{ className: name, nodes: 6, tainted: false }];
  return {
    classes: [{ name, has: [{ kind, count: 8 }] }],
    clusters: [{ ...cluster!, dra: true, pools }],
    deployments: [...deployments, FIVES, THREES],
  };
}

/** A fleet of small pools, of which many are full to the last device: only there does a quota that is too small show. */
function crowded({ classes, clusters, deployments }: FleetSpec): FleetSpec {
  const small = clusters.map((cluster) => ({
    ...cluster,
    pools: cluster.pools.map((pool) => ({ ...pool, nodes: Math.ceil(pool.nodes / 4) })),
  }));
  return { classes, clusters: small, deployments: [...deployments, REST] };
}

/** A fleet whose gangs have to stay within a block on every second pool. */
function inBlocks(spec: FleetSpec): FleetSpec {
  const clusters = spec.clusters.map(
    (cluster): ClusterSpec => ({
      ...cluster,
      pools: cluster.pools.map((pool, i) => ({ ...pool, block: i % 2 === 0 })),
    }),
  );
  return { ...spec, clusters };
}
