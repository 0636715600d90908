import { groupBy } from '../../base/order';
import type { Decision } from '../../plan/decision';
import type { CompiledDeployment } from '../../scheduler/compiled-fleet';
import { placementKeyOf } from '../../scheduler/placement';
import type { SchedulingState } from '../../scheduler/scheduling-state';
import { findExtraNodes } from './extra-nodes';
import { createRecoveryTime, type RecoveryTime } from './recovery-time';
import { createServiceImpact, findWorstServices, type ServiceImpact } from './service-impact';
import {
  type ClusterLoss,
  countMissingAfterLoss,
  countServingReplicas,
  listLosses,
  type LossTrial,
  placeAfterLoss,
} from './simulate-loss';
import type { DeploymentHit, Loss, Survival, WorstDeployment } from './survival';

/**
 * Loses every cluster in turn, or every failure domain, and tells what stays of each deployment: at once, and after
 * what was lost has found other places. Replicas that are leaving do not count. The fleet is compiled once for all.
 *
 * @param label the cluster label of the failure domains; default: clusters are lost
 */
export function survive(decided: Decision, label?: string): Survival {
  const trial = trialOf(decided);
  const recovery = createRecoveryTime(decided.fleet, trial.placements);
  const minimum = new Map(
    decided.fleet.deployments.map(({ metadata, spec }) => [
      `${metadata.namespace}/${metadata.name}`,
      spec.minAvailable,
    ]),
  );
  const routed = createServiceImpact(decided);
  const tried = listLosses(trial.model, label).map((losing) => {
    const state = placeAfterLoss(trial, losing);
    return {
      losing,
      missing: countMissingAfterLoss(trial, state),
      loss: describeLoss(losing, state, { trial, recovery, minimum, hitsOn: routed.hitsOn }),
    };
  });
  const losses = tried.map(({ loss }) => loss);
  const services = decided.plan.services.map(({ namespace, name }) => `${namespace}/${name}`);
  return {
    ...(label !== undefined && { domain: label }),
    losses,
    deployments: findWorstDeployments(trial, losses, minimum),
    services: findWorstServices(services, routed.before, losses),
    ...findExtraNodes(withoutUnplaced(trial), tried, decided.fleet),
  };
}

function trialOf({ model, matcher, schedule }: Decision): LossTrial {
  const serving = schedule.placements.filter(({ leaving }) => !leaving);
  const before = new Map(
    [...groupBy(serving, ({ deployment }) => deployment)].map(([id, own]) => [id, own.length]),
  );
  return { model, matcher, placements: schedule.placements, before };
}

/** The fleet without what has no place before anything is lost: nodes that are added are not for that. */
function withoutUnplaced(trial: LossTrial): LossTrial {
  const { model, before } = trial;
  const workloads = model.deployments.map((one) => ({ ...one, replicas: before.get(one.id) ?? 0 }));
  return { ...trial, model: { ...model, deployments: workloads } };
}

type MinimumAvailable = ReadonlyMap<string, number | undefined>;

interface LossContext {
  readonly trial: LossTrial;
  readonly recovery: RecoveryTime;
  readonly minimum: MinimumAvailable;
  readonly hitsOn: ServiceImpact['hitsOn'];
}

function describeLoss({ name, sites }: ClusterLoss, state: SchedulingState, context: LossContext): Loss {
  const { trial, recovery, minimum, hitsOn } = context;
  const clusters = new Set([...sites].map((site) => site.name));
  const serving = trial.placements.filter(({ leaving }) => !leaving);
  const lost = groupBy(
    serving.filter(({ cluster }) => clusters.has(cluster)),
    ({ deployment }) => deployment,
  );
  const there = new Set(serving.map(placementKeyOf));
  const workloads = new Map(state.model.deployments.map((workload) => [workload.id, workload]));
  const hits = [...lost].map(([deployment, own]): DeploymentHit => {
    const before = trial.before.get(deployment) ?? 0;
    const workload = workloads.get(deployment);
    const seconds = workload && recoverySecondsOf(state, workload, there, recovery);
    const minAvailable = minimum.get(deployment);
    return {
      deployment,
      before,
      atOnce: before - own.length,
      after: workload ? Math.min(before, countServingReplicas(state, workload)) : 0,
      ...(seconds !== undefined && { seconds }),
      ...(minAvailable !== undefined && { minAvailable }),
    };
  });
  const placed = new Map(
    [...lost.keys()].map((id) => {
      const workload = workloads.get(id);
      return [id, workload ? state.staying(workload).map(({ placement }) => placement) : []];
    }),
  );
  const services = hitsOn({ clusters, placed });
  return { lost: name, clusters: [...clusters], deployments: hits, services };
}

/** How long until the last of the replicas that were placed anew serves. */
function recoverySecondsOf(
  state: SchedulingState,
  workload: CompiledDeployment,
  there: ReadonlySet<string>,
  recovery: RecoveryTime,
): number | undefined {
  const added = state
    .staying(workload)
    .flatMap(({ placement }) => (there.has(placementKeyOf(placement)) ? [] : [placement]));
  return added.length > 0 ? Math.max(...added.map(recovery)) : undefined;
}

function findWorstDeployments(
  { before }: LossTrial,
  losses: readonly Loss[],
  minimum: MinimumAvailable,
): WorstDeployment[] {
  const hits = groupBy(
    losses.flatMap(({ lost, deployments }) => deployments.map((hit) => ({ lost, hit }))),
    ({ hit }) => hit.deployment,
  );
  return [...before].map(([deployment, replicas]): WorstDeployment => {
    const own = hits.get(deployment) ?? [];
    const minAvailable = minimum.get(deployment);
    const atOnce = findLowest(own, replicas, ({ hit }) => hit.atOnce);
    const after = findLowest(own, replicas, ({ hit }) => hit.after);
    return {
      deployment,
      before: replicas,
      ...(minAvailable !== undefined && { minAvailable }),
      atOnce: atOnce.replicas,
      ...(atOnce.lost !== undefined && { when: atOnce.lost }),
      after: after.replicas,
      ...(after.lost !== undefined && { whenAfter: after.lost }),
    };
  });
}

interface LostDeployment {
  readonly lost: string;
  readonly hit: DeploymentHit;
}

/** The lowest number that a loss leaves below `replicas`, and the first such loss. */
function findLowest(
  struck: readonly LostDeployment[],
  replicas: number,
  left: (one: LostDeployment) => number,
) {
  const worst = Math.min(replicas, ...struck.map(left));
  const first = worst < replicas ? struck.find((one) => left(one) === worst) : undefined;
  return { replicas: worst, lost: first?.lost };
}
