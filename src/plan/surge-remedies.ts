import { copyBoundsOf } from '../api/engine-copies';
import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedNameOf } from '../api/resource';
import { groupBy } from '../base/order';
import type { Fleet } from '../fleet/fleet';
import type { Placement } from '../scheduler/placement';
import type { Remedy, SurgeRemedy } from '../scheduler/remedy';
import type { DeploymentPlan } from './plan';
import type { TryRemedy } from './remedy-trials';

/**
 * Adds to the removal of a surge how many replicas then serve during rollouts, and where those that get a place are.
 * Drops it where too few would serve: fewer than `minAvailable`, or none.
 */
export function judgeSurges(
  plans: readonly DeploymentPlan[],
  { deployments }: Pick<Fleet, 'deployments'>,
  trialOf: TryRemedy,
): DeploymentPlan[] {
  const declared = new Map(deployments.map((one) => [qualifiedNameOf(one), one]));
  return plans.map((plan) => {
    const { deployment: id, shortfall } = plan;
    const deployment = declared.get(id);
    if (!deployment || !shortfall?.remedies.some(({ kind }) => kind === 'surge')) return plan;
    const remedies = shortfall.remedies.flatMap((remedy): Remedy[] => {
      return remedy.kind === 'surge' ? judgeSurge(remedy, deployment, trialOf) : [remedy];
    });
    return { ...plan, shortfall: { ...shortfall, remedies } };
  });
}

function judgeSurge(remedy: SurgeRemedy, deployment: ModelDeployment, trialOf: TryRemedy): SurgeRemedy[] {
  const id = qualifiedNameOf(deployment);
  const trial = trialOf(id, remedy);
  if (!trial || trial.added.length === 0) return [];
  const replicas = trial.placements.filter((one) => one.deployment === id && !one.draining);
  const least = countServingInWaves(deployment, replicas);
  if (least < Math.max(1, deployment.spec.minAvailable ?? 0)) return [];
  const places = trial.added.flatMap(({ cluster, pools }) => {
    return Object.values(pools).map((pool) => ({ cluster, pool }));
  });
  return [{ ...remedy, places, serving: { least, of: replicas.length } }];
}

/** The replicas that serve while each cluster replaces as many as `parallel` at a time, independently of the others. */
function countServingInWaves({ spec }: ModelDeployment, replicas: readonly Placement[]): number {
  const fewest = new Set(spec.template.spec.engines.map((engine) => copyBoundsOf(engine).min));
  // Requests wait for the next copy of an engine without one.
  const goesDown = !fewest.has(0) && fewest.has(1);
  if (!goesDown) return replicas.length;
  const onClusters = [...groupBy(replicas, ({ cluster }) => cluster).values()];
  return onClusters.reduce((sum, all) => sum + Math.max(0, all.length - spec.rollout.parallel), 0);
}
