import { formatRequirements } from '../../api/label-matching';
import { formatDiagnostic } from '../../base/diagnostic';
import { compareText } from '../../base/order';
import { alignSources } from '../../cost/price-sources';
import { findOutages, type FleetDiff } from '../../diff/fleet-diff';
import type { FleetState } from '../../diff/fleet-state';
import type { Decision } from '../../plan/decision';
import type { DeploymentPlan, Plan } from '../../plan/plan';
import { formatEvictionReason, formatRemedy } from '../../plan/rejection-messages';
import type { PodShape } from '../../scheduler/compile/shapes';
import type { CompiledDeployment, EngineDemand, ReplicaDemand } from '../../scheduler/compiled-fleet';
import type { Rejection } from '../../scheduler/schedule-result';
import { formatCostChanges } from '../cost/cost-changes-text';
import { formatCacheChange, formatDiffTotals, formatOutage, formatServing } from '../diff/change-sentences';
import { formatCloudChanges } from '../diff/cloud-changes-text';
import { formatRouteChanges } from '../diff/route-changes-text';
import { terminalLines } from '../document/write-terminal';
import { formatDrain, formatPlanTotals } from '../plan/plan-text';
import { formatPolicyFinding } from '../plan/policy-text';
import { groupByReason } from '../plan/shortfall-text';
import { buildStateData, type MappedState } from './build-state-data';
import type {
  DemandData,
  DeploymentData,
  EngineData,
  MapData,
  MemberData,
  PlanMessageData,
  RejectionData,
  RequestData,
  ShortfallData,
  TextRef,
} from './map-data';
import { ReferenceTables } from './reference-tables';
import { createDiffStatus, createPlanStatus } from './replica-status';

/** A fleet as it was, and what happens since. */
export interface MapComparison {
  readonly before: FleetState;
  readonly diff: FleetDiff;
}

/**
 * What a map of a plan shows.
 *
 * @param title what the fleet is called
 * @param comparison where it is compared with an earlier state
 */
export function buildMapData(decision: Decision, title: string, comparison?: MapComparison): MapData {
  const tables = new ReferenceTables();
  const { plan } = decision;
  const states = statesOf(decision, comparison);
  const deployments = deploymentsOf(states, comparison?.diff, tables);
  const places = new Map(deployments.map(({ id }, place) => [tables.texts.values[id] ?? '', place]));
  const changes = comparison ? [`Changes of ${formatDiffTotals(comparison.diff)}`] : [];
  return {
    title,
    summary: [...changes, formatPlanTotals(plan)].join(' '),
    deployments,
    states: states.map((state) => buildStateData(state, places, tables)),
    shortfalls: buildShortfallData(plan.deployments, places, tables),
    changes: comparison ? formatChangeLines(comparison.diff) : formatRemovalLines(plan),
    remarks: buildPlanMessages(plan),
    clusters: tables.clusters.values,
    shapes: tables.shapes.values,
    demands: tables.demands.values,
    pods: tables.pods.values,
    standings: tables.standings.values,
    pools: tables.pools.values,
    refusals: tables.refusals.values,
    texts: tables.texts.values,
  };
}

function formatChangeLines(diff: FleetDiff): string[] {
  return terminalLines([
    ...(diff.cost ? formatCostChanges(diff.cost).slice(0, 1) : []),
    ...findOutages(diff, true).map((one) => `${formatOutage(one)}.`),
    ...diff.caches.map((change) => `cache ${formatCacheChange(change)}`),
    ...formatRouteChanges(diff.routes),
    ...formatCloudChanges(diff.cloud),
  ]);
}

/** Replicas that the lock has and the plan removes: the state that is drawn has none of them. */
function formatRemovalLines({ deployments }: Plan): string[] {
  return deployments.flatMap(({ deployment, changes }) =>
    changes.flatMap((change) => {
      if (change.action !== 'remove') return [];
      const { cluster, index } = change.from;
      return [`${deployment} ${cluster}/${index} is removed: ${formatEvictionReason(change.reason)}.`];
    }),
  );
}

function statesOf(decision: Decision, comparison: MapComparison | undefined): MappedState[] {
  const { cost, deployments } = decision.plan;
  if (!comparison) return [{ name: 'plan', decision, cost, standingOf: createPlanStatus(deployments) }];
  const { before, diff } = comparison;
  const standingOf = createDiffStatus(diff);
  const [is, was] = alignSources(cost, before.cost);
  return [
    { name: before.name, decision: before.decision, cost: was, standingOf },
    { name: 'plan', decision, cost: is, standingOf },
  ];
}

/** Every deployment of any state, as it is in the last that has it. */
function deploymentsOf(
  states: readonly MappedState[],
  diff: FleetDiff | undefined,
  { text, demands }: ReferenceTables,
): DeploymentData[] {
  const current = new Set(states.at(-1)?.decision.model.deployments);
  const workloads = new Map(
    states.flatMap(({ decision }) =>
      decision.model.deployments.map((workload) => [workload.id, workload] as const),
    ),
  );
  const gone = states.flatMap(({ decision }) =>
    decision.schedule.placements.map(({ deployment }) => deployment),
  );
  const ids = [...new Set([...workloads.keys(), ...gone])].sort(compareText);
  const changes = new Map(diff?.deployments.map((one) => [one.deployment, formatServing(one)]));
  return ids.map((id): DeploymentData => {
    const workload = workloads.get(id);
    const change = changes.get(id);
    return {
      id: text(id),
      replicas: workload && current.has(workload) ? workload.replicas : 0,
      priority: workload?.priority ?? 0,
      ...(workload && { demand: demands.of(buildDemandData(workload, text)) }),
      ...(change !== undefined && { change: text(change) }),
    };
  });
}

type Text = (text: string) => TextRef;

/** What the replicas of a deployment ask for, and which of the clusters that have it are taken first. */
export function buildDemandData({ demand, placement }: CompiledDeployment, text: Text): DemandData {
  return {
    policy: placement.policy,
    engines: demand.engines.map((engine) => buildEngineData(engine, text)),
    where: [...describeClusters(demand), ...describeSpread(placement)].map(text),
  };
}

function buildEngineData({ name, members }: EngineDemand, text: Text): EngineData {
  return {
    name,
    members: members.map(({ role, pods, surge, pod }): MemberData => {
      return { role, pods, surge, requests: buildRequestData(pod, text) };
    }),
  };
}

/** Every form of a request that has several is one of its own. */
function buildRequestData({ requests }: PodShape, text: Text): RequestData[] {
  return requests.flatMap(({ name, alternatives }) =>
    alternatives.map((form) => ({
      name: form.name === undefined ? name : `${name}, as ${form.name}`,
      count: form.count,
      selectors: form.selectors.map(({ expression }) => text(expression)),
    })),
  );
}

function describeClusters({ selector, caches }: ReplicaDemand): string[] {
  return [
    ...formatRequirements(selector).map((requirement) => `clusters with ${requirement}`),
    ...caches.map(({ name, staged }) => `clusters that ${staged ? 'can stage' : 'have'} cache ${name}`),
  ];
}

function describeSpread({
  domainKey,
  minDomains,
  maxPerDomain,
  maxPerCluster,
}: CompiledDeployment['placement']): string[] {
  return [
    ...(domainKey === undefined ? [] : [`spread over ${domainKey}`]),
    ...(minDomains === undefined ? [] : [`in at least ${minDomains} domains`]),
    ...(maxPerDomain === undefined ? [] : [`at most ${maxPerDomain} in a domain`]),
    ...(maxPerCluster === undefined ? [] : [`at most ${maxPerCluster} on a cluster`]),
  ];
}

/** Replicas without a place, and why. Deployments that ask for the same share their reasons. */
export function buildShortfallData(
  plans: readonly DeploymentPlan[],
  deployments: ReadonlyMap<string, number>,
  tables: ReferenceTables,
): ShortfallData[] {
  const known = new Map<readonly Rejection[], number>();
  const refusalsOf = (rejections: readonly Rejection[]): number => {
    const place = known.get(rejections) ?? tables.refusals.of(buildRejectionData(rejections, tables));
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
function buildRejectionData(rejections: readonly Rejection[], { text }: ReferenceTables): RejectionData[] {
  return groupByReason(rejections).map(({ filter, why, places }) => {
    const refs = places.map(text);
    return [text(filter), text(why), refs];
  });
}

/** What a plan says besides what happens to replicas, the gravest first. */
export function buildPlanMessages({ policies, warnings, drains, notes }: Plan): PlanMessageData[] {
  const denied = policies.filter(({ severity }) => severity === 'error');
  const warned = policies.filter(({ severity }) => severity === 'warning');
  return [
    ...toPlanMessages('denied', denied.map(formatPolicyFinding)),
    ...toPlanMessages('warning', [...warned.map(formatPolicyFinding), ...warnings.map(formatDiagnostic)]),
    ...toPlanMessages('drain', drains.map(formatDrain)),
    ...toPlanMessages('note', notes),
  ];
}

function toPlanMessages(kind: PlanMessageData['kind'], texts: readonly string[]): PlanMessageData[] {
  return texts.map((text) => ({ kind, text }));
}
