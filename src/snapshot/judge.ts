import type { InferenceClass } from '../api/inference-class';
import type { InferenceCluster } from '../api/inference-cluster';
import type { Locate } from '../api/locate';
import type { Problem } from '../errors';
import type { Fleet, LostNodes } from '../fleet';
import { tolerationsOf } from '../render/tolerations';
import { deviceProblems } from './device-problems';
import { judgePool } from './judge-pool';
import { type NodeView, nodesByPool } from './node-view';
import { snapshotNotes } from './notes';
import type { Recording } from './read-snapshots';

/** What recorded objects change about a fleet. */
export interface Judgement {
  /** Sorted by cluster, without pools that lost nothing. */
  readonly lost: readonly LostNodes[];
  /** What makes the declarations wrong. */
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  /** Which clusters were judged by what, for the reader of a plan. */
  readonly notes: readonly string[];
}

/**
 * Compares what was recorded of clusters with what is declared. A snapshot never adds capacity: it shows nodes as
 * lost for new replicas, and devices that are not what their class says.
 */
export function judge(fleet: Fleet, recording: Recording, locate: Locate): Judgement {
  const clusters = new Map(fleet.clusters.map((cluster) => [cluster.metadata.name, cluster]));
  const judged = recording.snapshots.flatMap((snapshot) => {
    const cluster = clusters.get(snapshot.cluster);
    const nodes = cluster && nodesByPool(snapshot, cluster);
    return nodes ? [{ snapshot, ...judgeCluster(cluster, nodes, fleet, locate) }] : [];
  });
  const bySnapshot = new Set(judged.map(({ snapshot }) => snapshot));
  return {
    lost: judged.flatMap(({ lost }) => lost),
    problems: [...recording.problems, ...judged.flatMap(({ problems }) => problems)],
    warnings: judged.flatMap(({ warnings }) => warnings),
    notes: snapshotNotes(recording, bySnapshot, [...clusters.keys()]),
  };
}

interface ClusterJudgement {
  readonly lost: readonly LostNodes[];
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

function judgeCluster(
  cluster: InferenceCluster,
  nodes: ReadonlyMap<string, readonly NodeView[]>,
  { classes }: Fleet,
  locate: Locate,
): ClusterJudgement {
  const judged = cluster.spec.nodePools.flatMap((pool, p) => {
    const declared = classes.find(({ metadata }) => metadata.name === pool.className);
    if (!declared) return [];
    const expected = { pool, declared, dra: cluster.spec.dra, tolerations: tolerationsOf(pool) };
    const where = locate(cluster, ['spec', 'nodePools', p]);
    const { lost, warning, counted } = judgePool(nodes.get(pool.name) ?? [], expected, where);
    const { problems, warnings } = deviceProblems(counted, expected, placeOf(declared, locate));
    const here = { cluster: cluster.metadata.name, pool: pool.name, nodes: lost };
    return [
      { lost: lost > 0 ? [here] : [], problems, warnings: [...(warning ? [warning] : []), ...warnings] },
    ];
  });
  return {
    lost: judged.flatMap(({ lost }) => lost),
    problems: judged.flatMap(({ problems }) => problems),
    warnings: judged.flatMap(({ warnings }) => warnings),
  };
}

function placeOf(declared: InferenceClass, locate: Locate): string {
  return locate(declared, ['spec', 'devices']);
}
