import { formatCount } from '../../base/figures';
import { sortUnique } from '../../base/order';
import { joinNames } from '../../base/text';
import type { ReplicaChangeWithCauses } from '../../diff/deployment-diff';
import { formatAddedCost } from '../../diff/added-cost';
import type { ExtraReplicas } from '../../diff/extra-replicas';
import type { UnloweredReplicas } from '../../diff/unlowered-replicas';
import type { ApplyMode, LowestServing } from '../../diff/serving-during-change';
import type { Choice } from './choices';
import { listEdits } from './earlier-edits';

/** The most pools to name. */
const MAX_NAMED = 3;

/** What else is said of the change itself. */
interface LaterChange {
  readonly serving?: string;

  /** The number of replicas to declare in it. Undefined: what it declares. */
  readonly later?: number | undefined;
}

/** `and apply this change when it serves`, behind what an earlier change adds. */
function applyWhen(serves: string, { serving = '', later }: LaterChange = {}): string {
  const [which, undo] =
    later === undefined ? ['', 'undo the earlier one'] : [` with 'replicas: ${later}'`, "lower 'replicas'"];
  return `and apply this change${which} when ${serves}${serving} (you can ${undo} afterwards)`;
}

/** `leave 'replicas: 3' in this change, and lower it in a later one (cost unchanged until then): at least 2 of 3 serve`. */
export function leaveReplicas(unlowered: UnloweredReplicas, applied: ApplyMode): Choice {
  const { replicas, [applied]: least } = unlowered;
  const serving = `${describeLeast(replicas, least)}${describeLoad({ ...unlowered, added: 0 }, applied)}`;
  const text = `leave 'replicas: ${replicas}' in this change, and lower it in a later one (cost unchanged until then): ${serving}`;
  return { text, cost: 0, ...(empties(unlowered, applied) && { isDown: true }) };
}

/** `at least 1 of 3 serves`. */
function describeLeast(replicas: number, least: number): string {
  return `at least ${formatCount(least)} of ${formatCount(replicas)} ${least === 1 ? 'serves' : 'serve'}`;
}

/** A replica of an earlier change, where it is not known which one is enough. */
export function addElsewhere(changes: readonly ReplicaChangeWithCauses[]): Choice {
  const unused = nameUnusedPools(changes);
  const why = unused === undefined ? '' : ` (${unused})`;
  const text = `in an earlier change, add a replica on another node pool or cluster${why}, ${applyWhen('it serves')}`;
  return { text, isEarlier: true };
}

/** `no replica serves on eks-us/h100-a before this change`, where replicas go to a pool that was there before. */
function nameUnusedPools(changes: readonly ReplicaChangeWithCauses[]): string | undefined {
  const created = new Set(
    changes.flatMap(({ causes }) => causes.flatMap(({ field }) => (field?.before === undefined ? [field?.field] : []))),
  );
  const pools = changes.flatMap(({ from, cluster, pools }) => {
    if (!from) return [];
    const old = new Set(Object.values(from.pools));
    const entered = Object.values(pools).filter((pool) => from.cluster === cluster && !old.has(pool));
    return entered.filter((pool) => !created.has(`spec.nodePools[${pool}]`)).map((pool) => `${cluster}/${pool}`);
  });
  return pools.length > 0
    ? `no replica serves on ${joinNames(sortUnique(pools), MAX_NAMED)} before this change`
    : undefined;
}

/**
 * `in an earlier change, set 'replicas: 3' and declare a node pool 'a-h100' like us/h100 with 1 node (+$24,747 a month;
 * the new replica runs on us/a-h100, whose name comes first), and apply this change when it serves: at least 1 of 3 serves
 * then (you can undo the earlier one afterwards)`. `in the earlier change for ml/a, also set 'replicas: 3' (cost unchanged; the new replica runs on
 * us/a-h100), ...`, where that change declares nodes for both.
 */
export function describeExtra(
  extra: ExtraReplicas,
  changes: readonly ReplicaChangeWithCauses[],
  applied: ApplyMode,
): Choice {
  const { added, joins, cost, replicas, later, [applied]: least } = extra;
  const when = joins ? `in the earlier change for ${joins.deployment}, also` : 'in an earlier change,';
  const serves = added === 1 ? 'it serves' : 'they serve';
  const unused = nameUnusedPools(changes);
  // One replica at a time is what a reader expects.
  const isOne = replicas - least < 2 && !empties(extra, applied);
  const serving = isOne ? '' : `: ${describeLeast(replicas, least)} then${describeLoad(extra, applied)}`;
  const details = [formatAddedCost(cost), describeNew(extra, changes), ...(unused === undefined ? [] : [unused])];
  return {
    text: `${when} ${listEdits(extra)} (${details.join('; ')}), ${applyWhen(serves, { serving, later })}`,
    cost: cost?.most,
    isEarlier: true,
    ...(empties(extra, applied) && { isDown: true }),
  };
}

/** Whether clients of a cluster reach no replica for a time. */
export function empties({ emptied }: LowestServing, applied: ApplyMode): boolean {
  return (emptied?.[applied] ?? []).length > 0;
}

/** `, but for a time none on eu, where clients then get no answer`. Empty: some serve on each cluster, or serve all clients. */
export function describeEmptied({ emptied }: LowestServing, applied: ApplyMode): string {
  const clusters = emptied?.[applied] ?? [];
  if (clusters.length === 0) return '';
  return `, but for a time none on ${joinNames(clusters, MAX_NAMED, ' or ')}, where clients then get no answer`;
}

/** What else to know of those that serve: `, with up to 2 times the requests of a replica today`. Empty: nothing. */
function describeLoad(serving: Pick<ExtraReplicas, 'added' | 'replicas'> & LowestServing, applied: ApplyMode): string {
  const { added, replicas, emptied, [applied]: least } = serving;
  // No service sends the requests of one cluster to others.
  if (emptied) return describeEmptied(serving, applied);
  const times = (replicas - added) / least;
  return least > 0 && times > 1 ? `, with up to ${Number(times.toFixed(1))} times the requests of a replica today` : '';
}

/** Where new replicas run, and why one of them serves throughout the change. */
function describeNew({ added, pools, newPool }: ExtraReplicas, changes: readonly ReplicaChangeWithCauses[]): string {
  const where = joinNames(pools, MAX_NAMED, ' and ');
  const runs = added === 1 ? `the new replica runs on ${where}` : `new replicas run on ${where}`;
  if (newPool) {
    const own = pools.length === 1 ? 'whose name comes first' : `where the name '${newPool.name}' comes first`;
    return `${runs}, ${own}`;
  }
  const rolled = new Set(
    changes.flatMap(({ nodes, cluster, pools }) =>
      nodes === 'roll' ? Object.values(pools).map((pool) => `${cluster}/${pool}`) : [],
    ),
  );
  return pools.some((pool) => rolled.has(pool)) ? `${runs}, where one replica at a time stops` : runs;
}
