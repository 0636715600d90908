import { qualifiedNameOf } from '../api/resource';
import { groupBy } from '../base/order';
import { pluralize } from '../base/text';
import type { Fleet } from '../fleet/fleet';
import type { LostMinimum, MoveRemedy } from '../scheduler/remedy';
import type { DeploymentPlan } from './plan';
import { clustersAfter, indexServingClusters } from './vacating-moves';

/** Adds to moves the deployments that then keep fewer replicas than `minAvailable` without one cluster, and kept enough before. */
export function judgeMinimums(
  plans: readonly DeploymentPlan[],
  { fleet }: { readonly fleet: Pick<Fleet, 'deployments'> },
): DeploymentPlan[] {
  if (!plans.some(({ shortfall }) => shortfall?.remedies.some(({ kind }) => kind === 'move'))) return [...plans];
  const minimums = new Map(fleet.deployments.map((one) => [qualifiedNameOf(one), one.spec.minAvailable]));
  const replicas = indexServingClusters(plans);
  const listMinimums = ({ moves }: Pick<MoveRemedy, 'moves'>): LostMinimum[] =>
    [...groupBy(moves, ({ deployment }) => deployment)].flatMap(([deployment, own]) => {
      const minAvailable = minimums.get(deployment);
      const before = replicas.get(deployment) ?? [];
      const [was, is] = [before, clustersAfter(before, own)].map(findWorstLoss);
      if (minAvailable === undefined || !was || !is || is.left >= minAvailable || was.left < minAvailable) return [];
      return [{ deployment, ...is, minAvailable }];
    });
  return plans.map((plan) => {
    const { shortfall } = plan;
    if (!shortfall) return plan;
    const remedies = shortfall.remedies.map((remedy) => {
      const minimums = remedy.kind === 'move' ? listMinimums(remedy) : [];
      return minimums.length > 0 ? { ...remedy, minimums } : remedy;
    });
    return { ...plan, shortfall: { ...shortfall, remedies } };
  });
}

/**
 * The cluster whose loss leaves the fewest replicas, and how many. Undefined: there are no replicas.
 *
 * @param clusters those of the replicas, one entry for each replica
 */
export function findWorstLoss(clusters: readonly string[]): ClusterLoss | undefined {
  return listLosses(clusters).reduce<ClusterLoss | undefined>((worst, one) => {
    return worst === undefined || one.left < worst.left ? one : worst;
  }, undefined);
}

/** How many replicas are left without a cluster. */
export interface ClusterLoss {
  readonly cluster: string;
  readonly left: number;
}

/**
 * Lists what the loss of each cluster leaves.
 *
 * @param clusters those of the replicas, one entry for each replica
 */
export function listLosses(clusters: readonly string[]): ClusterLoss[] {
  return [...groupBy(clusters, (name) => name)].map(([cluster, lost]) => {
    return { cluster, left: clusters.length - lost.length };
  });
}

/** `2 replicas of ml/a are left`, `no replica of ml/a is left`. */
export function describeLeft(deployment: string, left: number): string {
  const replicas = left === 0 ? 'no replica' : pluralize(left, 'replica');
  return `${replicas} of ${deployment} ${left > 1 ? 'are' : 'is'} left`;
}
