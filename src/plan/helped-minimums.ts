import { qualifiedNameOf } from '../api/resource';
import { groupBy, sortUnique } from '../base/order';
import type { Fleet } from '../fleet/fleet';
import type { LostMinimum, Remedy } from '../scheduler/remedy';
import { type CheckRemedy, sortByPrice } from './best-remedies';
import { findWorstLoss } from './moved-minimums';
import type { DeploymentPlan, ShortfallPlan } from './plan';
import type { TryRemedy } from './remedy-trials';
import { indexServingClusters } from './vacating-moves';

interface Choice {
  readonly fleet: Pick<Fleet, 'deployments'>;
  readonly trialOf: TryRemedy;
  readonly check: CheckRemedy;
}

/**
 * Adds to the best remedies that the deployment which they help then keeps fewer replicas than `minAvailable` without one
 * cluster, where its replicas could be on other clusters. If all of them lead to such a loss, the cheapest of the others
 * that does not is added.
 *
 * @param all the same plans with all remedies, in the same order
 */
export function keepMinimums(
  best: readonly DeploymentPlan[],
  all: readonly DeploymentPlan[],
  { fleet, trialOf, check }: Choice,
): DeploymentPlan[] {
  if (!best.some(({ shortfall }) => shortfall && shortfall.remedies.length > 0)) return [...best];
  const minimums = new Map(fleet.deployments.map((one) => [qualifiedNameOf(one), one.spec.minAvailable]));
  const serving = indexServingClusters(best);
  return best.map((plan, i) => {
    const { deployment, replicas, shortfall } = plan;
    const further = all[i]?.shortfall?.remedies ?? [];
    const minAvailable = minimums.get(deployment) ?? 0;
    const clusters = serving.get(deployment) ?? [];
    if (!shortfall || !isWithinReach({ clusters, minAvailable, remedies: further, missing: shortfall.missing }))
      return plan;
    const judge = createJudge({ deployment, replicas, clusters, minAvailable, missing: shortfall.missing, trialOf });
    const judged = shortfall.remedies.map(judge);
    const own = judged.flatMap(({ minimums = [] }) => minimums.filter((one) => one.deployment === deployment));
    const lost = new Set(own.map(({ cluster }) => cluster));
    const isKept = lost.size === 0 || judged.some((one) => !loses(one) && !one.breaks);
    const other = isKept ? [] : findKeeping(further, lost, { judge, check: (remedy) => check(plan, remedy) });
    return { ...plan, shortfall: { ...shortfall, remedies: sortByPrice([...judged, ...other]) } };
  });
}

/** Whether a deployment keeps fewer replicas than `minAvailable` without one cluster. */
function loses({ minimums }: Remedy): boolean {
  return minimums !== undefined;
}

interface Reach extends Pick<ShortfallPlan, 'remedies' | 'missing'> {
  /** Those of the replicas that serve, one entry for each replica. */
  readonly clusters: readonly string[];
  readonly minAvailable: number;
}

/** Whether enough replicas would be left without one cluster if the missing ones were spread over all that remedies open. */
function isWithinReach({ clusters, minAvailable, remedies, missing }: Reach): boolean {
  const counts = new Map(sortUnique([...clusters, ...remedies.flatMap(listOpened)]).map((name) => [name, 0]));
  for (const name of clusters) counts.set(name, (counts.get(name) ?? 0) + 1);
  for (let i = 0; i < missing; i++) {
    const [least] = [...counts].toSorted(([, a], [, b]) => a - b);
    if (least) counts.set(least[0], least[1] + 1);
  }
  const most = Math.max(0, ...counts.values());
  return minAvailable > 0 && clusters.length + missing - most >= minAvailable;
}

/** The clusters on which a remedy may give a replica a place. */
function listOpened(remedy: Remedy): readonly string[] {
  if (remedy.kind === 'move') return remedy.moves.map(({ from }) => from);
  const also = 'also' in remedy ? (remedy.also ?? []) : [];
  return [remedy, ...also].map(({ cluster }) => cluster);
}

interface Helped extends Omit<Reach, 'remedies'> {
  readonly deployment: string;

  /** The declared number. */
  readonly replicas: number;
  readonly trialOf: TryRemedy;
}

/** What gives the only missing replica a place on one cluster, and nowhere else. */
const ON_ITS_CLUSTER: ReadonlySet<Remedy['kind']> = new Set(['nodes', 'packing', 'finalize', 'limit', 'copies']);

/** Creates a function that adds to a remedy what the loss of a cluster then leaves, if that is too little. */
function createJudge({ deployment, replicas, clusters, minAvailable, missing, trialOf }: Helped) {
  const clustersWith = (remedy: Remedy): readonly string[] | undefined => {
    if (missing === 1 && 'cluster' in remedy && ON_ITS_CLUSTER.has(remedy.kind)) return [...clusters, remedy.cluster];
    const own = trialOf(deployment, remedy)?.placements.filter((one) => one.deployment === deployment && !one.draining);
    return own && own.length > clusters.length ? own.map(({ cluster }) => cluster) : undefined;
  };
  return (remedy: Remedy): Remedy => {
    const after = clustersWith(remedy);
    const worst = after && findWorstLoss(after);
    if (!worst) return remedy;
    const { minimums: known = [], ...rest } = remedy;
    const others = known.filter((one) => one.deployment !== deployment);
    // Those that it does not help may get places on other clusters.
    const isKept = worst.left + Math.max(0, replicas - after.length) >= minAvailable;
    const minimums: LostMinimum[] = isKept ? others : [...others, { deployment, ...worst, minAvailable }];
    return { ...rest, ...(minimums.length > 0 && { minimums }) } as Remedy;
  };
}

/** The most remedies to try of a deployment: one of each kind on a cluster. */
const MOST_TRIED = 5;

/**
 * The cheapest remedy after which enough replicas are left, and that breaks no policy rule. Next to packing, which not
 * every cloud lets a cluster do, the cheapest of another kind too. Moves are not looked at.
 *
 * @param lost the clusters whose loss leaves too few with the other remedies
 */
function findKeeping(remedies: readonly Remedy[], lost: ReadonlySet<string>, { judge, check }: Tests): Remedy[] {
  const open = sortByPrice(remedies).filter((one) => 'cluster' in one && !lost.has(one.cluster) && !isInPlace(one));
  const firsts = [...groupBy(open, (one) => [one.kind, ...listOpened(one)].join(' ')).values()].flatMap(
    ([first]) => first ?? [],
  );
  const keeping = firsts.slice(0, MOST_TRIED).flatMap((one) => {
    const checked = check(one);
    return checked.breaks || loses(judge(one)) ? [] : [checked];
  });
  const [cheapest] = keeping;
  const other = cheapest?.kind === 'packing' ? keeping.find(({ kind }) => kind !== 'packing') : undefined;
  return [cheapest, other].flatMap((one) => one ?? []);
}

interface Tests {
  readonly judge: (remedy: Remedy) => Remedy;
  readonly check: (remedy: Remedy) => Remedy;
}

function isInPlace(remedy: Remedy): boolean {
  return 'moves' in remedy || ('inPlace' in remedy && remedy.inPlace !== undefined);
}
