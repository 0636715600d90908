import { withSameSources } from '../cost/same-sources';
import type { FleetDiff } from '../diff/fleet-diff';
import type { State } from '../diff/state';
import { cloudLines } from '../diff/cloud-text';
import { routeLines } from '../diff/route-text';
import { cacheText, diffTotals, outages, outageText, servingText } from '../diff/words';
import { compareText } from '../order';
import type { Decision } from '../plan/decide';
import { formatCostChanges } from '../plan/cost-changes-text';
import type { Plan } from '../plan/plan';
import { formatEviction } from '../plan/reasons';
import { formatTotals } from '../plan/text';
import { demandData } from './demand-data';
import type { DeploymentData, MapData } from './map-data';
import { remarkData } from './remark-data';
import { shortfallData } from './shortfall-data';
import { compared, planned } from './standing';
import { type MappedState, stateData } from './state-data';
import { Tables } from './tables';

/** A fleet as it was, and what happens since. */
export interface Comparison {
  readonly before: State;
  readonly diff: FleetDiff;
}

/**
 * What a map of a plan shows.
 *
 * @param title what the fleet is called
 * @param comparison where it is compared with an earlier state
 */
export function mapDataOf(decision: Decision, title: string, comparison?: Comparison): MapData {
  const tables = new Tables();
  const { plan } = decision;
  const states = statesOf(decision, comparison);
  const deployments = deploymentsOf(states, comparison?.diff, tables);
  const places = new Map(deployments.map(({ id }, place) => [tables.texts.values[id] ?? '', place]));
  const changes = comparison ? [`Changes of ${diffTotals(comparison.diff)}`] : [];
  return {
    title,
    summary: [...changes, formatTotals(plan)].join(' '),
    deployments,
    states: states.map((state) => stateData(state, places, tables)),
    shortfalls: shortfallData(plan.deployments, places, tables),
    changes: comparison ? changeLines(comparison.diff) : removalLines(plan),
    remarks: remarkData(plan),
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

function changeLines(diff: FleetDiff): string[] {
  return [
    ...(diff.cost ? formatCostChanges(diff.cost).slice(0, 1) : []),
    ...outages(diff, true).map((one) => `${outageText(one)}.`),
    ...diff.caches.map((change) => `cache ${cacheText(change)}`),
    ...routeLines(diff.routes),
    ...cloudLines(diff.cloud),
  ].filter((line) => line.trim() !== '');
}

/** Replicas that the lock has and the plan removes: the state that is drawn has none of them. */
function removalLines({ deployments }: Plan): string[] {
  return deployments.flatMap(({ deployment, changes }) =>
    changes.flatMap((change) => {
      if (change.action !== 'remove') return [];
      const { cluster, index } = change.from;
      return [`${deployment} ${cluster}/${index} is removed: ${formatEviction(change.reason)}.`];
    }),
  );
}

function statesOf(decision: Decision, comparison: Comparison | undefined): MappedState[] {
  const { cost, deployments } = decision.plan;
  if (!comparison) return [{ name: 'plan', decision, cost, standingOf: planned(deployments) }];
  const { before, diff } = comparison;
  const standingOf = compared(diff);
  const [is, was] = withSameSources(cost, before.cost);
  return [
    { name: before.name, decision: before.decision, cost: was, standingOf },
    { name: 'plan', decision, cost: is, standingOf },
  ];
}

/** Every deployment of any state, as it is in the last that has it. */
function deploymentsOf(
  states: readonly MappedState[],
  diff: FleetDiff | undefined,
  { text, demands }: Tables,
): DeploymentData[] {
  const current = new Set(states.at(-1)?.decision.model.workloads);
  const workloads = new Map(
    states.flatMap(({ decision }) =>
      decision.model.workloads.map((workload) => [workload.id, workload] as const),
    ),
  );
  const gone = states.flatMap(({ decision }) =>
    decision.schedule.placements.map(({ deployment }) => deployment),
  );
  const ids = [...new Set([...workloads.keys(), ...gone])].sort(compareText);
  const changes = new Map(diff?.deployments.map((one) => [one.deployment, servingText(one)]));
  return ids.map((id): DeploymentData => {
    const workload = workloads.get(id);
    const change = changes.get(id);
    return {
      id: text(id),
      replicas: workload && current.has(workload) ? workload.replicas : 0,
      priority: workload?.priority ?? 0,
      ...(workload && { demand: demands.of(demandData(workload, text)) }),
      ...(change !== undefined && { change: text(change) }),
    };
  });
}
