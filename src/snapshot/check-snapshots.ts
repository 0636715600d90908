import type { InferenceCluster } from '../api/inference-cluster';
import type { Locate } from '../api/kinds';
import type { Diagnostic } from '../base/diagnostic';
import { pluralize } from '../base/text';
import type { Fleet, LostNodes } from '../fleet/fleet';
import type { OccupiedPool } from '../fleet/recorded-pods';
import type { RecordedQueue } from '../fleet/recorded-queues';
import { tolerationsOf } from '../render/pod/scheduling';
import { checkRecordedPool, findDeviceProblems } from './check-pool';
import { groupNodesByPool, type NodeInfo } from './node-info';
import { findOccupiedNodes } from './occupied-nodes';
import { findQueueQuotas } from './queue-quotas';
import type { RecordedSnapshots } from './read-snapshots';
import type { Snapshot } from './recorded-objects';

interface SnapshotCheck {
  /** Sorted by cluster, without pools that lost nothing. */
  readonly lost: readonly LostNodes[];
  /** The nodes on which pods of replicas run, by pool. */
  readonly occupied: readonly OccupiedPool[];
  /** The quotas of the queues of clusters. */
  readonly queues: readonly RecordedQueue[];
  /** Contradictions between the declarations and the clusters. */
  readonly problems: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
  /** The clusters that were checked and their snapshots, for the reader of a plan. */
  readonly notes: readonly string[];
}

/**
 * Compares recorded clusters with their declarations. A snapshot never adds capacity: it shows nodes as lost for
 * new replicas, and devices that differ from their class.
 */
export function checkSnapshots(fleet: Fleet, recording: RecordedSnapshots, locate: Locate): SnapshotCheck {
  const clusters = new Map(fleet.clusters.map((cluster) => [cluster.metadata.name, cluster]));
  const judged = recording.snapshots.flatMap((snapshot) => {
    const cluster = clusters.get(snapshot.cluster);
    const nodes = cluster && groupNodesByPool(snapshot, cluster);
    return nodes ? [{ snapshot, pools: checkPools(cluster, nodes, fleet, locate) }] : [];
  });
  const queues = recording.snapshots.flatMap((snapshot) => {
    const cluster = clusters.get(snapshot.cluster);
    const queue = cluster && findQueueQuotas(snapshot, cluster);
    return queue ? [queue] : [];
  });
  const bySnapshot = new Set(judged.map(({ snapshot }) => snapshot));
  const pools = judged.flatMap((one) => one.pools);
  return {
    lost: pools.flatMap(({ lost }) => lost),
    occupied: pools.flatMap(({ occupied }) => occupied),
    queues,
    problems: [...recording.problems, ...pools.flatMap(({ problems }) => problems)],
    warnings: pools.flatMap(({ warnings }) => warnings),
    notes: [...describeSnapshots(recording, bySnapshot, [...clusters.keys()]), ...queues.map(describeQueue)],
  };
}

/** Checks each pool of a cluster against its recorded nodes. */
function checkPools(
  cluster: InferenceCluster,
  nodes: ReadonlyMap<string, readonly NodeInfo[]>,
  { classes }: Fleet,
  locate: Locate,
): Omit<SnapshotCheck, 'notes' | 'queues'>[] {
  return cluster.spec.nodePools.flatMap((pool, p) => {
    const declared = classes.find(({ metadata }) => metadata.name === pool.className);
    if (!declared) return [];
    const expected = { pool, declared, dra: cluster.spec.dra, tolerations: tolerationsOf(pool) };
    const where = locate(cluster, ['spec', 'nodePools', p]);
    const { lost, spare, warning, counted } = checkRecordedPool(nodes.get(pool.name) ?? [], expected, where);
    const { problems, warnings } = findDeviceProblems(counted, expected, locate(declared, ['spec', 'devices']));
    const identity = { cluster: cluster.metadata.name, pool: pool.name };
    const running = findOccupiedNodes(counted, expected);
    return [
      {
        lost: lost > 0 ? [{ ...identity, nodes: lost }] : [],
        occupied: running.length > 0 ? [{ ...identity, spare, nodes: running }] : [],
        problems,
        warnings: warning ? [warning, ...warnings] : warnings,
      },
    ];
  });
}

/** The most clusters that a note names, because it is one line. */
const MAX_NAMED = 20;

/** Describes which clusters were checked against a snapshot, how old it is, and which were checked by declaration only. */
function describeSnapshots(
  { snapshots, ignored }: RecordedSnapshots,
  judged: ReadonlySet<Snapshot>,
  clusters: readonly string[],
): string[] {
  if (snapshots.length === 0) return [];
  const used = snapshots.filter((snapshot) => judged.has(snapshot));
  const withoutNodes = snapshots.filter((snapshot) => !judged.has(snapshot)).map(({ cluster }) => cluster);
  const known = new Set(snapshots.map(({ cluster }) => cluster));
  const declared = clusters.filter((cluster) => !known.has(cluster));
  const others = ignored.map(({ what, count }) => `${count} ${what}`);
  return [
    ...(used.length > 0 ? [`checked against snapshots: ${formatNames(used.map(describeSnapshot))}`] : []),
    ...(declared.length > 0 ? [`based on declarations: ${formatNames(declared)}`] : []),
    ...(withoutNodes.length > 0
      ? [`based on declarations, because the snapshot has no nodes of a pool: ${formatNames(withoutNodes)}`]
      : []),
    ...(others.length > 0 ? [`ignored in snapshots: ${others.join(', ')}`] : []),
  ];
}

function describeQueue({ cluster, queue, quotas }: RecordedQueue): string {
  const amounts = quotas.map(({ resource, quota, others }) => `${quota} of ${resource}, of which others use ${others}`);
  return `quota of queue '${queue}' of ${cluster} in the snapshot: ${formatNames(amounts)}`;
}

function describeSnapshot({ cluster, nodes, slices, pods, asOf }: Snapshot): string {
  const counts = [pluralize(nodes.length, 'node'), pluralize(slices.length, 'slice'), pluralize(pods.length, 'pod')];
  return `${cluster} (${counts.join(', ')}; ${asOf === undefined ? 'no date' : `of ${asOf}`})`;
}

function formatNames(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  return [...names.slice(0, MAX_NAMED), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}
