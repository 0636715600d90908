import { copyBoundsOf, isAutoscaled } from '../../api/engine-copies';
import { qualifiedNameOf } from '../../api/resource';
import { groupBy } from '../../base/order';
import type { Fleet } from '../../fleet/fleet';
import type { Decision } from '../../plan/decision';
import { findAnsweringEngine } from '../../routing/health-checks';
import type { CompiledCluster } from '../../scheduler/compiled-fleet';
import { type Placement, placementKeyOf, sortPlacements } from '../../scheduler/placement';
import { RejectionFinder } from '../../scheduler/rejections';
import type { Remedy } from '../../scheduler/remedy';
import type { SchedulingState } from '../../scheduler/scheduling-state';
import { findExtraNodes, type TriedLoss } from './extra-nodes';
import { combineDowntimes } from '../../diff/downtime';
import { listWithoutOutage } from './outages';
import { createRecoveryTime, type Recovery, type RecoveryTime } from './recovery-time';
import { countReachable } from './service-capacity';
import { relaxLimits } from './relaxed-limits';
import { createServiceImpact, findWorst, findWorstServices, type ServiceImpact } from './service-impact';
import {
  type ClusterLoss,
  countMissingAfterLoss,
  createLossTrial,
  listLosses,
  type LossTrial,
  placeAfterLoss,
} from './simulate-loss';
import type { DeploymentHit, FewestReachable, Loss, Survival, WorstDeployment } from './survival';

/**
 * Simulates the loss of every cluster, or every failure domain, and reports what each deployment and service keeps:
 * right after the loss, and once the lost replicas are placed elsewhere. Draining replicas do not count.
 *
 * @param label the cluster label of the failure domains. By default, single clusters are lost.
 * @example
 * const { losses } = survive(decision, 'region');
 */
export function survive(decided: Decision, label?: string): Survival {
  return surviveReporting(decided, label, () => undefined);
}

/** Like `survive`. `progress` is called before each loss. @internal */
export function surviveReporting(
  decided: Decision,
  label: string | undefined,
  progress: (what: string) => void,
): Survival {
  const { routed, ...context } = createLossContext(decided);
  const { trial, minimum } = context;
  const explain = createRemedyFinder();
  const tried = listLosses(trial.model, label).map((losing, i, all) => {
    progress(`losing ${i + 1} of ${all.length}: ${losing.name}`);
    const state = placeAfterLoss(trial, losing);
    const loss = describeLoss(losing, state, context);
    return {
      losing,
      missing: countMissingAfterLoss(trial, state),
      loss: { ...loss, deployments: explain(loss.deployments, state) },
    };
  });
  const losses = tried.map(({ loss }) => loss);
  const named = decided.plan.services.map(({ namespace, name }) => `${namespace}/${name}`);
  const services = findWorstServices(named, routed.before, losses);
  return {
    ...(label !== undefined && { domain: label }),
    losses,
    withoutOutage: listWithoutOutage({ losses, services }),
    deployments: findWorstDeployments(trial, losses, minimum),
    services,
    ...findNodes(withoutUnplaced(trial), tried, decided),
  };
}

/** The nodes that are enough, if necessary with other limits of placement for replicas that no nodes help. */
function findNodes(
  trial: LossTrial,
  tried: readonly TriedLoss[],
  decided: Decision,
): Pick<Survival, 'extra' | 'cheaper' | 'limits' | 'stranded'> {
  const found = findExtraNodes(trial, tried, decided);
  const relaxed = relaxLimits(trial, found.stranded);
  if (!relaxed) return found;
  const again = tried.map(({ losing }) => {
    return { losing, missing: countMissingAfterLoss(relaxed.trial, placeAfterLoss(relaxed.trial, losing)) };
  });
  const forAll = findExtraNodes(relaxed.trial, again, decided);
  const isEnough = forAll.extra && forAll.stranded.every((one) => !relaxed.changed.has(one.deployment));
  return isEnough ? { ...forAll, limits: relaxed.limits } : found;
}

/** The most hits whose remedies are looked for. */
const MOST_EXPLAINED = 20;

/** Ways to a place that add no nodes and leave the requests of a deployment as they are. A taint has a reason. */
const NODELESS: readonly Remedy['kind'][] = ['declare', 'limit', 'packing', 'toleration'];

/** Adds to the first deployments that lack places after a loss what helps them in place of nodes. */
function createRemedyFinder(): (hits: readonly DeploymentHit[], state: SchedulingState) => readonly DeploymentHit[] {
  let left = MOST_EXPLAINED;
  return (hits, state) => {
    const finder = new RejectionFinder(state);
    return hits.map((hit) => {
      const deployment = hit.after < hit.before && left > 0 ? state.deployments.get(hit.deployment) : undefined;
      if (!deployment) return hit;
      left--;
      const found = finder.of(deployment).remedies;
      const remedies = NODELESS.flatMap((kind) => found.filter((one) => one.kind === kind));
      return remedies.length > 0 ? { ...hit, remedies } : hit;
    });
  };
}

/** What each deployment and service keeps when clusters of the fleet are lost together. */
export function loseTogether(decided: Decision, clusters: ReadonlySet<CompiledCluster>): Loss {
  const context = createLossContext(decided);
  const losing = { name: [...clusters].map(({ name }) => name).join(', '), clusters };
  return describeLoss(losing, placeAfterLoss(context.trial, losing), context);
}

function createLossContext(decided: Decision): LossContext & { readonly routed: ServiceImpact } {
  const trial = trialOf(decided);
  const recovery = createRecoveryTime(decided.fleet, trial.placements);
  const minimum = new Map(decided.fleet.deployments.map((one) => [qualifiedNameOf(one), one.spec.minAvailable]));
  const fewest = findFewestCopies(decided.fleet);
  const routed = createServiceImpact(decided);
  const serving = trial.placements.filter(({ draining }) => !draining);
  const byCluster = groupBy(serving, ({ cluster }) => cluster);
  const served = { servedBefore: new Set(serving), placedBefore: new Set(serving.map(placementKeyOf)) };
  return { trial, byCluster, ...served, recovery, minimum, fewest, hitsOn: routed.hitsOn, routed };
}

function trialOf({ model, matcher, schedule }: Decision): LossTrial {
  const serving = schedule.placements.filter(({ draining }) => !draining);
  const byDeployment = groupBy(serving, ({ deployment }) => deployment);
  const before = new Map([...byDeployment].map(([id, placements]) => [id, placements.length]));
  return createLossTrial({ model, matcher, placements: schedule.placements, before });
}

/** Removes replicas that have no place before a loss: extra nodes are not meant for them. */
function withoutUnplaced(trial: LossTrial): LossTrial {
  const { model, before } = trial;
  const deployments = model.deployments.map((one) => ({ ...one, replicas: before.get(one.id) ?? 0 }));
  return createLossTrial({ ...trial, model: { ...model, deployments } });
}

/** The fewest copies of a replica that answer requests, by deployment whose number of copies changes. */
function findFewestCopies({ deployments }: Fleet): ReadonlyMap<string, number> {
  return new Map(
    deployments.flatMap((deployment) => {
      const { engines } = deployment.spec.template.spec;
      const engine = engines.length > 0 ? findAnsweringEngine(deployment) : undefined;
      return engine && isAutoscaled(engine) ? [[qualifiedNameOf(deployment), copyBoundsOf(engine).min] as const] : [];
    }),
  );
}

type MinimumAvailable = ReadonlyMap<string, number | undefined>;

interface LossContext {
  readonly trial: LossTrial;

  /** The replicas that serve before a loss, by cluster. */
  readonly byCluster: ReadonlyMap<string, readonly Placement[]>;

  /** The replicas that serve before a loss, most of which a loss leaves as they are, and their keys. */
  readonly servedBefore: ReadonlySet<Placement>;
  readonly placedBefore: ReadonlySet<string>;
  readonly recovery: RecoveryTime;
  readonly minimum: MinimumAvailable;
  readonly fewest: ReadonlyMap<string, number>;
  readonly hitsOn: ServiceImpact['hitsOn'];
}

function describeLoss({ name, clusters }: ClusterLoss, state: SchedulingState, context: LossContext): Loss {
  const { trial, byCluster, servedBefore, placedBefore, recovery, minimum, fewest, hitsOn } = context;
  const clusterNames = new Set([...clusters].map((cluster) => cluster.name));
  const onLost = [...clusterNames].flatMap((cluster) => byCluster.get(cluster) ?? []);
  const lost = groupBy(sortPlacements(onLost), ({ deployment }) => deployment);
  const placed = new Map<string, readonly Placement[]>();
  const hits = [...lost].map(([id, lostPlacements]): DeploymentHit => {
    const before = trial.before.get(id) ?? 0;
    const deployment = state.deployments.get(id);
    const staying = deployment ? state.staying(deployment).map(({ placement }) => placement) : [];
    placed.set(id, staying);
    const added = staying.filter((one) => !servedBefore.has(one) && !placedBefore.has(placementKeyOf(one)));
    const minAvailable = minimum.get(id);
    const copies = fewest.get(id);
    return {
      deployment: id,
      before,
      atOnce: before - lostPlacements.length,
      after: Math.min(before, staying.length),
      ...describeRecovery(added.map(recovery)),
      ...(minAvailable !== undefined && { minAvailable }),
      ...(copies !== undefined && { fewestCopies: copies }),
    };
  });
  const services = hitsOn({ clusters: clusterNames, placed });
  return { lost: name, clusters: [...clusterNames], deployments: hits, services };
}

/** The time until the last of some replicas serves. */
function describeRecovery(all: readonly Recovery[]): Pick<DeploymentHit, 'seconds' | 'start'> {
  if (all.length === 0) return {};
  const start = combineDowntimes(all.map((one) => one.start));
  return { seconds: Math.max(...all.map(({ seconds }) => seconds)), ...(start && { start }) };
}

function findWorstDeployments(
  { before }: LossTrial,
  losses: readonly Loss[],
  minimum: MinimumAvailable,
): WorstDeployment[] {
  const hits = groupBy(
    losses.flatMap(({ lost, deployments }) => deployments.map((hit) => ({ ...hit, lost }))),
    ({ deployment }) => deployment,
  );
  return [...before].map(([deployment, replicas]): WorstDeployment => {
    const deploymentHits = hits.get(deployment) ?? [];
    const minAvailable = minimum.get(deployment);
    const atOnce = findWorst(deploymentHits, 'atOnce', replicas);
    const after = findWorst(deploymentHits, 'after', replicas);
    return {
      deployment,
      before: replicas,
      ...(minAvailable !== undefined && { minAvailable }),
      atOnce: atOnce?.atOnce ?? replicas,
      ...(atOnce && { when: atOnce.lost }),
      after: after?.after ?? replicas,
      ...(after && { whenAfter: after.lost }),
    };
  });
}

/** A service that the gate refuses, and the least capacity that a loss leaves at once. */
export interface RefusedService extends FewestReachable {
  /** `namespace/name`. */
  readonly service: string;
}

/** Deployments and services that keep too little capacity right after a loss, each with that loss. */
export interface SurvivalRefusals {
  /** Deployments that keep fewer replicas than required. */
  readonly refused: readonly WorstDeployment[];

  /**
   * Services that keep no gateway, or too few replicas behind it. A service that an endpoint outside the fleet answers
   * always has enough.
   */
  readonly refusedServices: readonly RefusedService[];
}

/** What must serve right after any one loss: a number of replicas, or the `minAvailable` that deployments declare. */
export type RequiredReplicas = number | 'minAvailable';

/**
 * Finds what has fewer than the required replicas right after a loss, or before any loss. With `minAvailable`, only
 * deployments that declare it have to keep any.
 */
export function findRefusals(required: RequiredReplicas, { deployments, services }: Survival): SurvivalRefusals {
  if (required === 'minAvailable') {
    return {
      refused: deployments.filter(({ atOnce, minAvailable = 0 }) => atOnce < minAvailable),
      refusedServices: [],
    };
  }
  return {
    refused: deployments.filter(({ atOnce }) => atOnce < required),
    refusedServices: services.flatMap(({ service, fewest }) =>
      fewest && countReachable(fewest) < required ? [{ service, ...fewest }] : [],
    ),
  };
}
