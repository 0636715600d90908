import type { InferenceCluster } from '../api/inference-cluster';
import type { NodePool } from '../api/node-pool';
import { type Diagnostic, warningAt } from '../base/diagnostic';
import { isDeepEqual } from '../base/deep-equal';
import { joinNames } from '../base/text';
import type { Fleet } from '../fleet/fleet';
import type { PlacedFleet } from '../plan/decision';
import { groupByDeployment } from '../scheduler/placement';
import { isManagedCloud } from '../provision/managed-cloud';
import type { FleetDiff } from './fleet-diff';

/** The most deployments that a warning names. */
const MAX_NAMED = 3;

interface ChangedNodes {
  readonly before: Pick<PlacedFleet, 'fleet'>;
  readonly after: Pick<PlacedFleet, 'fleet' | 'schedule'>;

  /** Where the change is, for what no declaration causes. */
  readonly at: string;
}

/** Finds pools with replicas whose nodes are declared with other devices, on clusters whose nodes Fleetwright does not create. */
export function findReplacedNodes(
  { declarations, declaredNodes = [] }: FleetDiff,
  { before, after, at }: ChangedNodes,
): Diagnostic[] {
  const used = listUsedPools(after.schedule.placements);
  for (const { cluster, name } of declaredNodes) used.delete(`${cluster}/${name}`);
  return after.fleet.clusters.flatMap((cluster): Diagnostic[] => {
    const { name } = cluster.metadata;
    const former = before.fleet.clusters.find(({ metadata }) => metadata.name === name);
    if (!former || isManagedCloud(cluster.spec.cluster.source)) return [];
    return cluster.spec.nodePools.flatMap((pool): Diagnostic[] => {
      const old = former.spec.nodePools.find((one) => one.name === pool.name);
      const [was, is] = [devicesOf(before.fleet, old), devicesOf(after.fleet, pool)];
      if (!was || !is || isDeepEqual(was, is) || !used.has(`${name}/${pool.name}`)) return [];
      const cause = declarations.find(({ id }) => id === `InferenceClass ${pool.className}`);
      const what = `other devices are declared for the nodes of ${name}/${pool.name}, which Fleetwright does not replace`;
      return [
        warningAt(
          'replaced-nodes',
          cause?.fields[0]?.where ?? cause?.where ?? whereOf(declarations, cluster) ?? at,
          what,
          `${HINT}${describeDown(after, `${name}/${pool.name}`)}`,
        ),
      ];
    });
  });
}

const HINT = 'Replace the nodes before you apply this: pods may otherwise find no node when they restart';

/** `. That stops all pods on them: ml/q is down then`, of those of one replica. */
function describeDown({ schedule: { placements } }: ChangedNodes['after'], pool: string): string {
  const only = [...groupByDeployment(placements).values()].filter(({ length }) => length === 1).flat();
  const down = only.filter((one) => listUsedPools([one]).has(pool)).map(({ deployment }) => deployment);
  const who = `${joinNames(down, MAX_NAMED, ' and ')} ${down.length === 1 ? 'is' : 'are'} down then`;
  return `. That stops all pods on them${down.length > 0 ? `: ${who}` : ''}`;
}

function listUsedPools(placements: PlacedFleet['schedule']['placements']): Set<string> {
  return new Set(placements.flatMap(({ cluster, pools }) => Object.values(pools).map((pool) => `${cluster}/${pool}`)));
}

function devicesOf({ classes }: Pick<Fleet, 'classes'>, pool: NodePool | undefined): unknown {
  return pool && classes.find(({ metadata }) => metadata.name === pool.className)?.spec.devices;
}

function whereOf(declarations: FleetDiff['declarations'], { metadata }: InferenceCluster): string | undefined {
  return declarations.find(({ id }) => id === `InferenceCluster ${metadata.name}`)?.where;
}
