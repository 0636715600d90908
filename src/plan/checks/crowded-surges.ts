import { type Locate, locateAll } from '../../api/kinds';
import { qualifiedNameOf } from '../../api/resource';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { FleetwrightError } from '../../base/errors';
import { groupBy, sortedBy, sortUnique } from '../../base/order';
import { joinNames, pluralize } from '../../base/text';
import type { Fleet } from '../../fleet/fleet';
import { type PriceAddedNodes, createNodePricer } from '../added-node-prices';
import { formatNodesCost } from '../remedy-messages';
import type { Schedule, SurgeWithoutRoom } from '../../scheduler/schedule-result';

/** A surge for which a pool has no room, and what the pool lacks for all such surges. */
export interface CrowdedSurge {
  /** `namespace/name`. */
  readonly deployment: string;
  readonly pools: readonly { readonly cluster: string; readonly pool: string; readonly nodes: number }[];
}

/** What is known of a surge without room. Undefined: the error is another one. */
export function crowdedSurgeOf(error: Diagnostic & { readonly crowded?: CrowdedSurge }): CrowdedSurge | undefined {
  return error.crowded;
}

/**
 * Rejects a surge for which there is no room next to what is placed: the room that it reserves would evict replicas.
 *
 * @param held deployments that stay as they are, whatever they declare
 * @throws FleetwrightError with every deployment that declares such a surge
 */
export function refuseCrowdedSurges(
  fleet: Fleet,
  { withoutSurge = [] }: Pick<Schedule, 'withoutSurge'>,
  held: ReadonlySet<string>,
  locate: Locate,
): void {
  if (withoutSurge.length === 0) return;
  const shortOf = groupBy(withoutSurge, ({ deployment }) => deployment);
  const lacking = findLackingPools(withoutSurge);
  const priceOf = createNodePricer(fleet);
  const problems = fleet.deployments.flatMap((resource) => {
    const id = qualifiedNameOf(resource);
    const short = held.has(id) ? undefined : shortOf.get(id);
    // A replica of an earlier revision may still reserve a surge that is no longer declared.
    if (!short || resource.spec.rollout.surge === 0) return [];
    const at = { resource, path: ['spec', 'rollout', 'surge'] };
    const pools = sortedBy(listLacking(short, lacking), nameOf);
    const where = joinNames(pools.map(nameOf));
    const what = `there is no room for the surge on ${where}: each replica there reserves devices for a surge, and too few are free`;
    const nodes = pools.map((pool) => formatNodes(pool, lacking, priceOf));
    const hint = `Remove 'rollout.surge', or, in an earlier change, add ${joinNames(nodes, 3, ' and ')}`;
    const crowded = { deployment: id, pools };
    return [{ ...errorAt('no-surge-room', at, what, hint), crowded }];
  });
  if (problems.length > 0) throw new FleetwrightError(locateAll(problems, locate));
}

function listLacking(
  short: readonly SurgeWithoutRoom[],
  lacking: ReadonlyMap<string, LackingPool>,
): CrowdedSurge['pools'] {
  const places = short.flatMap(({ cluster, pools }) =>
    pools.map(({ pool }): [string, CrowdedSurge['pools'][number]] => {
      const at = `${cluster}/${pool}`;
      return [at, { cluster, pool, nodes: lacking.get(at)?.nodes ?? 0 }];
    }),
  );
  return [...new Map(places).values()];
}

interface LackingPool {
  /** The nodes that the surges of all deployments lack: what the first that yields lacks, next to all others. */
  readonly nodes: number;
  readonly deployments: readonly string[];
}

/** What pools lack, by `cluster/pool`. */
function findLackingPools(short: readonly SurgeWithoutRoom[]): Map<string, LackingPool> {
  const missing = short.flatMap(({ deployment, cluster, pools }) =>
    pools.map(({ pool, nodes }) => ({ at: `${cluster}/${pool}`, deployment, nodes })),
  );
  const groups = [...groupBy(missing, ({ at }) => at)].map(([at, all]): [string, LackingPool] => {
    const nodes = Math.max(...all.map((one) => one.nodes));
    return [at, { nodes, deployments: sortUnique(all.map(({ deployment }) => deployment)) }];
  });
  return new Map(groups);
}

type ShortPool = CrowdedSurge['pools'][number];

function nameOf({ cluster, pool }: ShortPool): string {
  return `${cluster}/${pool}`;
}

/** `2 nodes of us/h100 (+$14,600 a month)`, and which other surges need them too. */
function formatNodes(short: ShortPool, lacking: ReadonlyMap<string, LackingPool>, priceOf: PriceAddedNodes): string {
  const { cluster, pool, nodes } = short;
  const { deployments = [] } = lacking.get(nameOf(short)) ?? {};
  const shared = deployments.length > 1 ? `, which the surges of ${joinNames(deployments, 3)} need together` : '';
  const cost = priceOf(cluster, pool, nodes);
  const price = cost ? ` (${formatNodesCost(cost)})` : '';
  return `${pluralize(nodes, 'node')} of ${nameOf(short)}${price}${shared}`;
}
