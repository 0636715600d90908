import { groupBy } from '../order';
import { formatReason } from '../plan/reasons';
import { formatRemedy } from '../plan/remedy-text';
import type { DeploymentPlan } from '../plan/plan';
import type { Rejection } from '../scheduler/types';
import type { RefusalData, ShortfallData } from './map-data';
import type { Tables } from './tables';

/** Replicas without a place, and why. Deployments that ask for the same share their reasons. */
export function shortfallData(
  plans: readonly DeploymentPlan[],
  deployments: ReadonlyMap<string, number>,
  tables: Tables,
): ShortfallData[] {
  const known = new Map<readonly Rejection[], number>();
  const refusalsOf = (rejections: readonly Rejection[]): number => {
    const place = known.get(rejections) ?? tables.refusals.of(refusalData(rejections, tables));
    known.set(rejections, place);
    return place;
  };
  return plans.flatMap(({ deployment, shortfall }): ShortfallData[] => {
    if (!shortfall) return [];
    const { missing, accepted, rejections, remedies } = shortfall;
    return [
      {
        deployment: deployments.get(deployment) ?? -1,
        missing,
        accepted,
        refusals: refusalsOf(rejections),
        remedies: remedies.map((remedy) => tables.text(formatRemedy(remedy))),
      },
    ];
  });
}

/** By reason, the most frequent first, with every cluster or pool that it is against. */
function refusalData(rejections: readonly Rejection[], { text }: Tables): RefusalData[] {
  const groups = groupBy(rejections, ({ reason }) => `${reason.filter} ${formatReason(reason)}`);
  return [...groups.values()]
    .toSorted((a, b) => b.length - a.length)
    .flatMap((alike) => {
      const places = alike.map(({ cluster, pool }) =>
        text(pool === undefined ? cluster : `${cluster} / ${pool}`),
      );
      return alike.slice(0, 1).map(({ reason }): RefusalData => {
        return [text(reason.filter), text(formatReason(reason)), places];
      });
    });
}
