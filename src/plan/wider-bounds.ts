import type { Remedy } from '../scheduler/remedy';
import { sortByPrice } from './best-remedies';
import type { DeploymentPlan } from './plan';
import type { TryRemedy } from './remedy-trials';

type BoundRemedy = Extract<Remedy, { kind: 'bound' }>;

/**
 * Joins bounds of one selector: one that gives more of the missing replicas a place, and some of them on the pool of
 * another bound, stands for both.
 */
export function joinBounds(plans: readonly DeploymentPlan[], trialOf: TryRemedy): DeploymentPlan[] {
  return plans.map((plan) => {
    const { shortfall } = plan;
    const bounds = shortfall?.remedies.filter((one) => one.kind === 'bound') ?? [];
    if (!shortfall || bounds.length < 2) return plan;
    const widest = new Map(bounds.map((one) => [one, findWider(one, bounds, plan, trialOf)]));
    const remedies = shortfall.remedies.flatMap((remedy): Remedy[] => {
      if (remedy.kind !== 'bound') return [remedy];
      if (widest.get(remedy)) return [];
      const narrower = bounds.filter((one) => widest.get(one) === remedy);
      return [narrower.reduce(join, remedy)];
    });
    return { ...plan, shortfall: { ...shortfall, remedies: sortByPrice(remedies) } };
  });
}

/** The bound that helps the most replicas, if these are more than those that a bound helps. */
function findWider(
  bound: BoundRemedy,
  bounds: readonly BoundRemedy[],
  { deployment }: DeploymentPlan,
  trialOf: TryRemedy,
): BoundRemedy | undefined {
  const placedBy = (one: BoundRemedy) => trialOf(deployment, one)?.added ?? [];
  const own = placedBy(bound).length;
  const wider = bounds.filter((one) => {
    if (!isSameSelector(one, bound) || own === 0 || one.breaks) return false;
    const placed = placedBy(one);
    const takesPool = placed.some(({ cluster, pools }) => {
      return cluster === bound.cluster && pools[bound.engine] === bound.pool;
    });
    return placed.length > own && takesPool;
  });
  return wider.reduce<BoundRemedy | undefined>((best, one) => {
    return best && placedBy(best).length >= placedBy(one).length ? best : one;
  }, undefined);
}

function isSameSelector(a: BoundRemedy, b: BoundRemedy): boolean {
  return a.engine === b.engine && a.request === b.request && a.selector === b.selector;
}

/** A bound with the places of another one, and the volumes that replicas need on clusters of both. */
function join({ cost, ...wider }: BoundRemedy, narrower: BoundRemedy): BoundRemedy {
  const places = [narrower, ...(narrower.also ?? [])].map(({ cluster, pool }) => ({ cluster, pool }));
  const clusters = new Set([wider, ...(wider.also ?? [])].map(({ cluster }) => cluster));
  const isElsewhere = places.some(({ cluster }) => !clusters.has(cluster));
  const added = isElsewhere ? narrower.cost?.perMonth : 0;
  const total = cost && added !== undefined && { ...cost, perMonth: cost.perMonth + added };
  return { ...wider, also: [...(wider.also ?? []), ...places], ...(total && { cost: total }) };
}
