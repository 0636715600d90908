import { groupBy } from '../order';
import type { Decision } from '../plan/decide';
import type { Workload } from '../scheduler/model';
import type { State } from '../scheduler/state';
import type { Placement } from '../scheduler/types';
import { extraNodes } from './extra-nodes';
import { type Losing, lossesOf } from './losses';
import { type Recovery, recoveryIn } from './recovery';
import { type Services, servicesIn } from './service-hits';
import type { Hit, Loss, Survival, Worst } from './survival';
import { missingAfter, placedAfter, servingIn, type Trial } from './trial';
import { worstServices } from './worst-services';

/**
 * Loses every cluster in turn, or every failure domain, and tells what stays of each deployment: at once, and after
 * what was lost has found other places. Replicas that are leaving do not count. The fleet is compiled once for all.
 *
 * @param label the cluster label of the failure domains; default: clusters are lost
 */
export function survive(decided: Decision, label?: string): Survival {
  const trial = trialOf(decided);
  const recovery = recoveryIn(decided.fleet, trial.placements);
  const minimum = new Map(
    decided.fleet.deployments.map(({ metadata, spec }) => [
      `${metadata.namespace}/${metadata.name}`,
      spec.minAvailable,
    ]),
  );
  const routed = servicesIn(decided);
  const tried = lossesOf(trial.model, label).map((losing) => {
    const state = placedAfter(trial, losing);
    return {
      losing,
      missing: missingAfter(trial, state),
      loss: lossOf(losing, state, { trial, recovery, minimum, hitsOn: routed.hitsOn }),
    };
  });
  const losses = tried.map(({ loss }) => loss);
  const services = decided.plan.services.map(({ namespace, name }) => `${namespace}/${name}`);
  return {
    ...(label !== undefined && { domain: label }),
    losses,
    deployments: worstOf(trial, losses, minimum),
    services: worstServices(services, routed.before, losses),
    ...extraNodes(placedOnly(trial), tried, decided.fleet),
  };
}

function trialOf({ model, matcher, schedule }: Decision): Trial {
  const serving = schedule.placements.filter(({ leaving }) => !leaving);
  const before = new Map(
    [...groupBy(serving, ({ deployment }) => deployment)].map(([id, own]) => [id, own.length]),
  );
  return { model, matcher, placements: schedule.placements, before };
}

/** The fleet without what has no place before anything is lost: nodes that are added are not for that. */
function placedOnly(trial: Trial): Trial {
  const { model, before } = trial;
  const workloads = model.workloads.map((one) => ({ ...one, replicas: before.get(one.id) ?? 0 }));
  return { ...trial, model: { ...model, workloads } };
}

type Minimum = ReadonlyMap<string, number | undefined>;

interface Context {
  readonly trial: Trial;
  readonly recovery: Recovery;
  readonly minimum: Minimum;
  readonly hitsOn: Services['hitsOn'];
}

function lossOf({ name, sites }: Losing, state: State, context: Context): Loss {
  const { trial, recovery, minimum, hitsOn } = context;
  const clusters = new Set([...sites].map((site) => site.name));
  const serving = trial.placements.filter(({ leaving }) => !leaving);
  const lost = groupBy(
    serving.filter(({ cluster }) => clusters.has(cluster)),
    ({ deployment }) => deployment,
  );
  const there = new Set(serving.map(identity));
  const workloads = new Map(state.model.workloads.map((workload) => [workload.id, workload]));
  const hits = [...lost].map(([deployment, own]): Hit => {
    const before = trial.before.get(deployment) ?? 0;
    const workload = workloads.get(deployment);
    const seconds = workload && secondsOf(state, workload, there, recovery);
    const minAvailable = minimum.get(deployment);
    return {
      deployment,
      before,
      atOnce: before - own.length,
      after: workload ? Math.min(before, servingIn(state, workload)) : 0,
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
function secondsOf(
  state: State,
  workload: Workload,
  there: ReadonlySet<string>,
  recovery: Recovery,
): number | undefined {
  const added = state
    .staying(workload)
    .flatMap(({ placement }) => (there.has(identity(placement)) ? [] : [placement]));
  return added.length > 0 ? Math.max(...added.map(recovery)) : undefined;
}

function worstOf({ before }: Trial, losses: readonly Loss[], minimum: Minimum): Worst[] {
  const hits = groupBy(
    losses.flatMap(({ lost, deployments }) => deployments.map((hit) => ({ lost, hit }))),
    ({ hit }) => hit.deployment,
  );
  return [...before].map(([deployment, replicas]): Worst => {
    const own = hits.get(deployment) ?? [];
    const minAvailable = minimum.get(deployment);
    const atOnce = lowest(own, replicas, ({ hit }) => hit.atOnce);
    const after = lowest(own, replicas, ({ hit }) => hit.after);
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

interface Struck {
  readonly lost: string;
  readonly hit: Hit;
}

/** The lowest number that a loss leaves below `replicas`, and the first such loss. */
function lowest(struck: readonly Struck[], replicas: number, left: (one: Struck) => number) {
  const worst = Math.min(replicas, ...struck.map(left));
  const first = worst < replicas ? struck.find((one) => left(one) === worst) : undefined;
  return { replicas: worst, lost: first?.lost };
}

function identity({ deployment, cluster, index }: Placement): string {
  return `${deployment} ${cluster}/${index}`;
}
