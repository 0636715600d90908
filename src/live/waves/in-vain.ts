import type { InferenceCluster } from '../../api/inference-cluster';
import { CLUSTER } from '../../api/labels';
import type { Problem } from '../../errors';
import type { Fleet } from '../../fleet';
import { groupBy } from '../../order';
import { plural, shortList } from '../../plan/format';
import type { Manifest } from '../../render/manifest';
import { fitted } from '../../render/names';
import { compileSites } from '../../scheduler/compile-sites';
import { Ledger } from '../../scheduler/ledger';
import { Matcher } from '../../scheduler/matcher';
import type { Pool } from '../../scheduler/model';
import type { LiveObject } from '../live-object';
import { isMore, type Taking, takingsOf } from './taking';

/** A cluster, and all that is to be on it. */
export interface WaveSite {
  readonly cluster: InferenceCluster;
  readonly fleet: Fleet;
  readonly manifests: readonly Manifest[];
}

/**
 * What waves would wait for in vain: workloads that come to a pool, or grow there, whose devices others hold that go in
 * the same change. What goes is deleted last, when all the rest is ready. Pools have room as when replicas were
 * placed: on the nodes that are declared, less those that a snapshot shows as lost, every pod that comes has a sure place.
 *
 * @param running workloads and claim templates that are on the cluster. Those of others are passed over
 */
export function wavesInVain(
  { cluster, fleet, manifests }: WaveSite,
  running: readonly LiveObject[],
): Problem[] {
  const [site] = compileSites({ ...fleet, clusters: [cluster] });
  const pools = site?.pools ?? [];
  const reading = { pools, poolLabel: cluster.spec.poolLabel, matcher: new Matcher() };
  const planned = takingsOf(manifests, reading);
  const live = takingsOf(running.filter(isOurs(cluster)), reading);
  const before = new Map(live.map((one) => [one.id, one]));
  const after = new Set(planned.map(({ id }) => id));
  const coming = planned.filter((one) => isMore(one, before.get(one.id)));
  // What is replaced in place, on whatever pool, frees its devices by itself.
  const going = live.filter(({ id }) => !after.has(id));
  return pools.flatMap((pool) => {
    const on = (all: readonly Taking[]): readonly Taking[] => all.filter((one) => one.pool === pool);
    const change = { planned: on(planned), coming: on(coming), going: on(going) };
    const lacking = lackingNodes(pool, change);
    return lacking > 0 ? [problem(cluster, pool, { ...change, lacking })] : [];
  });
}

/** What a change does to one pool. */
interface PoolChange {
  readonly planned: readonly Taking[];
  readonly coming: readonly Taking[];
  readonly going: readonly Taking[];
}

/** The nodes that a pool lacks for what comes only because what goes is still there. */
function lackingNodes(pool: Pool, { planned, coming, going }: PoolChange): number {
  const ledger = new Ledger();
  for (const { pods, surge } of planned) ledger.add([...pods, ...surge]);
  const come = coming.flatMap(({ pods }) => pods);
  const anyway = ledger.missingFor(pool, come);
  for (const { pods } of going) ledger.add(pods);
  return ledger.missingFor(pool, come) - anyway;
}

/** Of this cluster of the fleet, and not about to go by itself. */
function isOurs({ metadata: { name } }: InferenceCluster): (object: LiveObject) => boolean {
  return ({ metadata }) =>
    metadata.labels?.[CLUSTER] === fitted(name) && metadata['deletionTimestamp'] === undefined;
}

function problem(
  { metadata: { name } }: InferenceCluster,
  pool: Pool,
  { coming, going, lacking }: PoolChange & { readonly lacking: number },
): Problem {
  const goes = named(going);
  const size = `${plural(pool.nodes - pool.lost, 'node')}, and ${lacking} more would be needed for both`;
  return {
    code: 'waves-in-vain',
    where: name,
    what: `waves would wait in vain in pool '${pool.name}': ${named(coming)} would wait for devices of ${goes}, which goes last. It has ${size}`,
    hint: `Take ${goes} away in one update and add the rest in the next, or switch waves off for this one`,
  };
}

/** Deployments with their pods on a pool: `ml/chat (2 pods), ml/code (1 pod)`. */
function named(all: readonly Taking[]): string {
  const byDeployment = [...groupBy(all, ({ deployment }) => deployment)];
  return shortList(byDeployment.map(([id, own]) => `${id} (${plural(podsOf(own), 'pod')})`));
}

function podsOf(all: readonly Taking[]): number {
  return all.flatMap(({ pods }) => pods).reduce((sum, one) => sum + one.pods, 0);
}
