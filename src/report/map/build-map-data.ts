import { formatRequirements } from '../../api/label-matching';
import { compareText } from '../../base/order';
import { alignSources } from '../../cost/price-sources';
import { estimateStateCost } from '../../diff/cost-estimates';
import { listEarlierRemarks } from '../../diff/earlier-remarks';
import type { FleetDiff } from '../../diff/fleet-diff';
import type { FleetState } from '../../diff/fleet-state';
import type { Decision } from '../../plan/decision';
import type { DeploymentPlan } from '../../plan/plan';
import type { PodShape } from '../../scheduler/compile/shapes';
import type { CacheDemand, CompiledDeployment, ReplicaDemand } from '../../scheduler/compiled-fleet';
import type { Rejection } from '../../scheduler/reason';
import { formatServing } from '../diff/change-sentences';
import { formatCountedRemedy } from '../plan/remedy-text';
import { groupByReason } from '../plan/shortfall-text';
import { formatTotal } from '../plan/total-line';
import { countChanges, listDiffSections, listRemovalSections, listTrafficChanges } from './build-change-sections';
import { buildPlanMessages } from './build-message-data';
import { buildServiceData } from './build-service-data';
import { buildStateData, type MappedState } from './build-state-data';
import type { DemandData, DeploymentData, MapData, RejectionData, RequestData, ShortfallData } from './map-data';
import { ReferenceTables } from './reference-tables';
import { createDiffStatus, createPlanStatus } from './replica-status';

export interface MapComparison {
  readonly before: FleetState;
  readonly diff: FleetDiff;
}

/** Without a comparison, the map shows only the plan. */
export function buildMapData(decision: Decision, title: string, comparison?: MapComparison): MapData {
  const tables = new ReferenceTables();
  const { plan } = decision;
  const states = statesOf(decision, comparison);
  const deployments = deploymentsOf(states, comparison?.diff, tables);
  const traffic = comparison ? listTrafficChanges(comparison.diff) : [];
  const places = new Map(deployments.map(({ id }, place) => [tables.texts.values[id] ?? '', place]));
  return {
    title,
    summary: comparison ? `Compared with ${shortNameOf(comparison.before.name)}` : 'The fleet as planned',
    deployments,
    states: states.map((state) => buildStateData(state, places, tables)),
    shortfalls: buildShortfallData(plan.deployments, places, tables),
    services: buildServiceData(
      states.map(({ decision }) => decision.routing),
      tables,
    ),
    total: formatTotal(plan, comparison?.diff),
    counts: countChanges(plan, comparison?.diff),
    ...(comparison ? listDiffSections(comparison.diff) : { changes: listRemovalSections(plan) }),
    ...(traffic.length > 0 && { traffic: traffic.map(tables.text) }),
    remarks: buildPlanMessages(plan, comparison && listEarlierRemarks(comparison.before).warnings),
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

/** The last two parts of a path, because the page is read elsewhere; any other name as it is. */
function shortNameOf(name: string): string {
  return name.startsWith('/') ? name.split('/').slice(-2).join('/') : name;
}

function statesOf(decision: Decision, comparison: MapComparison | undefined): MappedState[] {
  const { cost, deployments } = decision.plan;
  const estimate = estimateStateCost(decision);
  if (!comparison) {
    return [{ name: 'plan', decision, cost: { cost, estimate }, statusOf: createPlanStatus(deployments) }];
  }
  const { before, diff } = comparison;
  const statuses = createDiffStatus(diff);
  const [costAfter, costBefore] = alignSources(cost, before.cost);
  const earlier = { cost: costBefore, estimate: estimateStateCost(before.decision) };
  return [
    { name: before.name, decision: before.decision, cost: earlier, statusOf: statuses.before },
    { name: 'plan', decision, cost: { cost: costAfter, estimate, changes: diff.cost }, statusOf: statuses.after },
  ];
}

/** Returns every deployment of any state, as declared in the last state that contains it. */
function deploymentsOf(
  states: readonly MappedState[],
  diff: FleetDiff | undefined,
  tables: ReferenceTables,
): DeploymentData[] {
  const current = new Set(states.at(-1)?.decision.model.deployments);
  const declared = new Map(
    states.flatMap(({ decision }) =>
      decision.model.deployments.map((deployment) => [deployment.id, deployment] as const),
    ),
  );
  const placed = states.flatMap(({ decision }) => decision.schedule.placements.map(({ deployment }) => deployment));
  const ids = [...new Set([...declared.keys(), ...placed])].sort(compareText);
  const changes = new Map(diff?.deployments.map((one) => [one.deployment, formatServing(one)]));
  return ids.map((id): DeploymentData => {
    const deployment = declared.get(id);
    const change = changes.get(id);
    return {
      id: tables.text(id),
      replicas: deployment && current.has(deployment) ? deployment.replicas : 0,
      ...(!(deployment && current.has(deployment)) && { removed: true }),
      priority: deployment?.priority ?? 0,
      ...(deployment && { demand: tables.demands.of(buildDemandData(deployment, tables)) }),
      ...(change !== undefined && { change: tables.text(change) }),
    };
  });
}

/** Builds the requests of the replicas of a deployment, its placement policy and its cluster constraints. */
function buildDemandData({ demand, placement }: CompiledDeployment, tables: ReferenceTables): DemandData {
  return {
    policy: placement.policy,
    engines: demand.engines.map(({ name, members }) => ({
      name,
      members: members.map(({ role, pods, surge, scaled, pod }) => {
        return { role, pods, surge, ...(scaled !== undefined && { scaled }), requests: buildRequestData(pod, tables) };
      }),
    })),
    where: [...describeClusters(demand), ...describeSpread(placement)].map(tables.text),
  };
}

/** Returns a request for each alternative, named after the alternative if it has a name. */
function buildRequestData({ requests }: PodShape, tables: ReferenceTables): RequestData[] {
  return requests.flatMap(({ name, alternatives }) =>
    alternatives.map((alternative) => ({
      name: alternative.name === undefined ? name : `${name}, as ${alternative.name}`,
      count: alternative.count,
      selectors: alternative.selectors.map(({ expression }) => tables.text(expression)),
    })),
  );
}

function describeClusters({ selector, caches }: ReplicaDemand): string[] {
  return [
    ...formatRequirements(selector).map((requirement) => `clusters with ${requirement}`),
    ...caches.map(({ name, needs }) => `clusters that ${cacheVerbOf(needs)} cache ${name}`),
  ];
}

function cacheVerbOf(needs: CacheDemand['needs']): string {
  if (needs === undefined) return 'have';
  return needs === 'SharedFilesystem' ? 'can stage' : 'can mount';
}

function describeSpread(placement: CompiledDeployment['placement']): string[] {
  const { domainKey, minDomains, maxPerDomain, maxPerCluster } = placement;
  return [
    ...(domainKey === undefined ? [] : [`spread over ${domainKey}`]),
    ...(minDomains === undefined ? [] : [`in at least ${minDomains} domains`]),
    ...(maxPerDomain === undefined ? [] : [`at most ${maxPerDomain} in a domain`]),
    ...(maxPerCluster === undefined ? [] : [`at most ${maxPerCluster} on a cluster`]),
  ];
}

/** Builds the replicas without a place, and why. Deployments with the same rejections share one entry. */
function buildShortfallData(
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
    const { missing, accepted, waiting } = shortfall;
    const waits = waiting === missing && { waits: true as const };
    const refusals = refusalsOf(shortfall.rejections);
    const remedies = shortfall.remedies.map((remedy) => tables.text(formatCountedRemedy(remedy, shortfall)));
    return [{ deployment: deployments.get(deployment) ?? -1, missing, accepted, ...waits, refusals, remedies }];
  });
}

/** Groups rejections by reason, the most frequent first, each with all of its clusters or pools. */
function buildRejectionData(rejections: readonly Rejection[], { text }: ReferenceTables): RejectionData[] {
  return groupByReason(rejections).map(({ filter, why, places }) => {
    const refs = places.map(text);
    return [text(filter), text(why), refs];
  });
}
