import { formatCount } from '../../base/figures';
import { groupBy } from '../../base/order';
import { pluralize } from '../../base/text';
import type { CloudChange } from '../../diff/cloud-changes';
import type { FleetDiff } from '../../diff/fleet-diff';
import type { ReplicaChange } from '../../plan/replica-moves';
import { formatCode } from '../document/write-markdown';

/** The most pools that are named one by one. */
const MAX_NAMED = 2;

/** Lists what happens to clusters and node pools on which nodes go, and to replicas on them, the worst first. */
export function listPoolClauses({ cloud, deployments }: FleetDiff): string[] {
  const changes = deployments.flatMap((one) => one.changes);
  const clusters = cloud.filter(({ kind, action }) => kind === 'Cluster' && action === 'replace');
  const replaced = new Set(clusters.map(({ cluster }) => cluster));
  const pools = cloud.filter(({ machine, cluster }) => machine !== undefined && !replaced.has(cluster));
  const of = (action: CloudChange['action']): CloudChange[] => pools.filter((one) => one.action === action);
  return [
    ...format(clusters, { noun: 'cluster', nodes: 'replace', changes }),
    ...format(of('replace'), { noun: 'node pool', nodes: 'replace', changes }),
    ...format(of('roll'), { noun: 'node pool', nodes: 'roll', changes }),
  ];
}

interface Going {
  readonly noun: 'cluster' | 'node pool';
  readonly nodes: NonNullable<ReplicaChange['nodes']>;
  readonly changes: readonly ReplicaChange[];
}

function format(gone: readonly CloudChange[], { noun, nodes, changes }: Going): string[] {
  if (gone.length === 0) return [];
  const pools = groupBy(gone, ({ cluster }) => cluster);
  const concerned = changes.filter((change) => {
    const { cluster, pools: used } = change.from ?? change;
    const names = new Set(pools.get(cluster)?.map(({ name }) => name));
    return (
      change.nodes === nodes &&
      (noun === 'cluster' ? names.size > 0 : Object.values(used).some((one) => names.has(one)))
    );
  });
  const names = gone.map(({ cluster, name }) => formatCode(noun === 'cluster' ? cluster : `${cluster}/${name}`));
  const what =
    names.length > MAX_NAMED
      ? `${formatCount(names.length)} ${noun}s`
      : `the ${noun}${names.length > 1 ? 's' : ''} ${names.join(' and ')}`;
  return [SENTENCES[nodes](what, concerned.length)];
}

const SENTENCES: Readonly<Record<Going['nodes'], (what: string, replicas: number) => string>> = {
  replace: (what, replicas) =>
    `replaces ${what}, deleted first, ${replicas === 0 ? 'with no replica on it' : `with **downtime of ${pluralize(replicas, 'replica')}**`}`,
  roll: (what, replicas) =>
    `recreates the nodes of ${what} one at a time${replicas === 0 ? '' : `, which restarts ${pluralize(replicas, 'replica')}`}`,
};
