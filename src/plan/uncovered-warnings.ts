import type { Fault } from '../api/checks/fault';
import type { Fleet } from '../fleet';
import type { Matcher } from '../scheduler/matcher';
import type { Model } from '../scheduler/model';
import type { Placement } from '../scheduler/types';
import { uncovered } from '../scheduler/uncovered';
import { plural } from './format';

/** More replicas than this are counted. */
const MOST_NAMED = 8;

/** Replicas that stay though a snapshot shows too few nodes for them: one warning a pool. */
export function uncoveredWarnings(
  { clusters }: Fleet,
  model: Model,
  { matcher, placements }: { matcher: Matcher; placements: readonly Placement[] },
): Fault[] {
  const byName = new Map(clusters.map((cluster) => [cluster.metadata.name, cluster]));
  return uncovered(model, placements, matcher).flatMap(({ pool, placements: over }) => {
    const cluster = byName.get(pool.cluster);
    if (!cluster) return [];
    const p = cluster.spec.nodePools.findIndex(({ name }) => name === pool.name);
    const left = over.length - MOST_NAMED;
    const names = [
      ...over.slice(0, MOST_NAMED).map((one) => `${one.deployment} ${one.cluster}/${one.index}`),
      ...(left > 0 ? [`${left} more`] : []),
    ];
    return [
      {
        code: 'uncovered-replicas',
        resource: cluster,
        path: ['spec', 'nodePools', p],
        what: `the snapshot leaves pool '${pool.name}' ${plural(pool.nodes - pool.lost, 'node')}, too few for ${names.join(', ')}`,
        hint: 'What is placed stays, and only new replicas are kept off: bring the nodes back, or lower the size of the pool to move them',
      },
    ];
  });
}
