import type { Locate } from '../api/kinds';
import { type Diagnostic, warningAt } from '../base/diagnostic';
import { joinNames, pluralize } from '../base/text';
import type { Fleet } from '../fleet/fleet';
import type { OccupiedNode, OccupiedPool, ReplicaPod } from '../fleet/recorded-pods';
import { shortenName } from '../manifest/kubernetes/object-names';
import type { CompiledFleet } from '../scheduler/compiled-fleet';
import type { PodMatcher } from '../scheduler/devices/match-pod';
import type { Placement } from '../scheduler/placement';
import type { Schedule } from '../scheduler/schedule-result';
import { compileFleet } from './compile-fleet';
import { limitByMemory } from './memory-limits';
import { compileFaulty, type HeldDeployments, type LockLines, scheduleHolding } from './held-deployments';

interface ScheduledFleet {
  /** The fleet without the nodes that pods of other replicas hold. */
  readonly fleet: Fleet;
  readonly model: CompiledFleet;
  readonly result: Schedule;
  readonly held: HeldDeployments;
  readonly warnings: readonly Diagnostic[];
}

/** After so many schedules, every pod that the lock does not have is charged. */
const MAX_SCHEDULES = 4;

/**
 * Schedules a fleet next to the pods that snapshots show. Pods of replicas that neither the lock nor the schedule has
 * still hold their devices, so their nodes take no new replica. A replica that the schedule places again takes over
 * its own pods.
 *
 * @throws FleetwrightError with every problem of the declarations
 */
export function scheduleAroundPods(
  declared: Fleet,
  locate: Locate,
  lock: LockLines,
  matcher: PodMatcher,
): ScheduledFleet {
  const previous = lock.placements;
  let charged: ReadonlySet<ReplicaPod> = new Set();
  for (let round = 1; ; round++) {
    const { fleet, warnings } = chargePods(declared, charged);
    const model = limitByMemory(compileFleet(fleet, locate), fleet, matcher);
    const { result, held } = scheduleHolding(
      model,
      { ...lock, faulty: compileFaulty(fleet, lock.faulty, locate) },
      matcher,
    );
    const known = round < MAX_SCHEDULES ? [...previous, ...result.placements] : previous;
    const unlocked = new Set([...charged, ...findUnlockedPods(declared.occupied, known)]);
    if (unlocked.size === charged.size) return { fleet, model, result, held, warnings };
    charged = unlocked;
  }
}

/** Finds the pods on a pool that no placement has there. */
function findUnlockedPods(occupied: readonly OccupiedPool[] = [], placements: readonly Placement[]): ReplicaPod[] {
  if (occupied.length === 0) return [];
  const engines = new Set(placements.flatMap(engineKeysOf));
  return occupied.flatMap(({ cluster, pool, nodes }) =>
    nodes
      .flatMap(({ pods }) => pods)
      .filter(({ namespace, deployment, index, engine = '' }) => {
        return !engines.has(JSON.stringify([cluster, namespace, deployment, index, engine, pool]));
      }),
  );
}

/** The keys of the engines of a replica with their pools, and of its pods without a label of the engine. */
function engineKeysOf({ deployment, cluster, index, pools }: Placement): string[] {
  const [namespace = '', name = ''] = deployment.split('/');
  return Object.entries(pools).flatMap(([engine, pool]) =>
    [engine, ''].map((label) => JSON.stringify([cluster, namespace, shortenName(name), String(index), label, pool])),
  );
}

/** Removes the nodes that pods hold from those that new replicas can use. */
function chargePods(fleet: Fleet, pods: ReadonlySet<ReplicaPod>): Pick<ScheduledFleet, 'fleet' | 'warnings'> {
  if (pods.size === 0) return { fleet, warnings: [] };
  const taken = (fleet.occupied ?? []).map((pool) => ({ pool, nodes: pool.nodes.filter(isTakenBy(pods)) }));
  const affected = new Set(taken.filter(({ nodes }) => nodes.length > 0).map(({ pool }) => poolKeyOf(pool)));
  const others = (fleet.lost ?? []).filter((one) => !affected.has(poolKeyOf(one)));
  const lost = taken.flatMap(({ pool: { cluster, pool, spare }, nodes }) => {
    const count = nodes.length - spare;
    return nodes.length > 0 && count > 0 ? [{ cluster, pool, nodes: count }] : [];
  });
  const warnings = taken.flatMap(({ pool, nodes }) => describeTaken(pool, nodes, pods));
  return { fleet: { ...fleet, lost: [...others, ...lost] }, warnings };
}

function poolKeyOf({ cluster, pool }: { readonly cluster: string; readonly pool: string }): string {
  return JSON.stringify([cluster, pool]);
}

function isTakenBy(charged: ReadonlySet<ReplicaPod>): (node: OccupiedNode) => boolean {
  return ({ pods, room }) => {
    const own = pods.filter((pod) => charged.has(pod));
    const exceeds = (resource: 'cpu' | 'memory'): boolean =>
      own.reduce((sum, pod) => sum + pod[resource], 0) > (room[resource] ?? Infinity);
    return own.some((pod) => pod.holdsDevices) || exceeds('cpu') || exceeds('memory');
  };
}

function describeTaken(
  { cluster, pool }: OccupiedPool,
  [first, ...others]: readonly OccupiedNode[],
  charged: ReadonlySet<ReplicaPod>,
): Diagnostic[] {
  if (!first) return [];
  const nodes = [first, ...others];
  const pods = nodes.flatMap((node) => node.pods.filter((pod) => charged.has(pod)));
  const names = joinNames(pods.map(({ namespace, name }) => `${namespace}/${name}`));
  return [
    warningAt(
      'unlocked-pods',
      first.place,
      `${pluralize(nodes.length, 'node')} of pool '${pool}' cannot run new replicas: pods of replicas that are not in the lock file run there: ${names}`,
      `Delete their workloads ('fleetwright status DIR --cluster ${cluster}' shows the commands), and record the cluster again`,
    ),
  ];
}
