import { qualifiedNameOf } from '../../api/resource';
import { groupBy } from '../../base/order';
import { indexDeploymentsById } from '../../fleet/fleet';
import type { Decision } from '../../plan/decision';
import { type RouteTarget, selectTargets, type ServiceSelection } from '../../routing/select-targets';
import { listSelectables, type RoutedReplica } from '../../routing/selectables';
import type { Placement } from '../../scheduler/schedule-result';
import { countReachable, findLeastAnswering, type ReachableCapacity } from './service-capacity';
import type { FewestReachable, Loss, ServiceHit, WorstService } from './survival';

/** A loss as services see it. */
export interface LossForServices {
  /** The names of the clusters. */
  readonly clusters: ReadonlySet<string>;

  /** Where the replicas of each deployment that lost some are after it, by id. */
  readonly placed: ReadonlyMap<string, readonly Placement[]>;
}

/** A service with routes, and what it sends requests to before anything is lost. */
interface RoutedSelection {
  readonly id: string;
  readonly selection: ServiceSelection;

  /** The clusters of its gateways, one entry a door. */
  readonly doors: readonly string[];
}

/** The services of a fleet as losses find them. */
export interface ServiceImpact {
  /** What answers each before anything is lost, those left out that nothing answers. */
  readonly before: ReadonlyMap<string, ReachableCapacity>;

  /** What a loss takes of them, those that lose nothing left out. */
  readonly hitsOn: (lost: LossForServices) => ServiceHit[];
}

/**
 * Tells what losses take of the services of a fleet. Replicas that are leaving do not count. What a service sends
 * requests to afterwards is selected anew: a replica that is placed elsewhere need not carry the labels of an entry.
 */
export function createServiceImpact(decision: Decision): ServiceImpact {
  const { fleet } = decision;
  const deployments = indexDeploymentsById(fleet.deployments);
  const clusters = new Map(fleet.clusters.map((one) => [one.metadata.name, one]));
  const reachable = (placements: readonly Placement[]): RoutedReplica[] =>
    placements.flatMap(({ deployment: id, cluster: name, index, leaving }) => {
      const [deployment, cluster] = [deployments.get(id), clusters.get(name)];
      return deployment && cluster && !leaving ? [{ deployment, cluster, index }] : [];
    });
  const services = routedSelectionsOf(decision, reachable(decision.schedule.placements));
  const hitsOn = ({ clusters: lost, placed }: LossForServices): ServiceHit[] => {
    const again = listSelectables({ ...fleet, endpoints: [] }, reachable([...placed.values()].flat()));
    return services.flatMap((service) => {
      const { selection, doors } = service;
      const left = doors.filter((cluster) => !lost.has(cluster)).length;
      const touched = selection.rules.some(({ targets }) => targets.some((target) => isLost(target, lost)));
      if (!touched && left === doors.length) return [];
      const after = touched ? selectTargets(selection.service, again, fleet.grants) : selection;
      const kept = keptTrafficOf(service, { lost, placed, after });
      const answering = { ...NOTHING, ...findLeastAnswering(rulesOf(service, lost)) };
      const atDoors = { doors: { before: doors.length, atOnce: left } };
      return [{ service: service.id, ...withoutGateways(kept, left), ...atDoors, ...answering }];
    });
  };
  return { before: new Map(services.flatMap(reachableBefore)), hitsOn };
}

const NOTHING = { replicas: 0, endpoints: 0 };

function reachableBefore(service: RoutedSelection): [string, ReachableCapacity][] {
  const answering = findLeastAnswering(rulesOf(service));
  return answering ? [[service.id, { doors: service.doors.length, ...answering }]] : [];
}

/** What is left of each rule that anything answered. */
function rulesOf(
  { selection }: RoutedSelection,
  lost: LossForServices['clusters'] = new Set(),
): RouteTarget[][] {
  const answered = selection.rules.filter(({ targets }) => targets.length > 0);
  return answered.map(({ targets }) => targets.filter((target) => !isLost(target, lost)));
}

function routedSelectionsOf(
  { fleet, routing }: Decision,
  replicas: readonly RoutedReplica[],
): RoutedSelection[] {
  if (routing.services.length === 0) return [];
  const units = listSelectables(fleet, replicas);
  const declared = new Map(fleet.services.map((service) => [qualifiedNameOf(service), service]));
  return routing.services.flatMap(({ namespace, name, doors }): RoutedSelection[] => {
    const id = `${namespace}/${name}`;
    const service = declared.get(id);
    if (!service) return [];
    const selection = selectTargets(service, units, fleet.grants);
    return [{ id, selection, doors: doors.map(({ cluster }) => cluster) }];
  });
}

function isLost(target: RouteTarget, lost: LossForServices['clusters']): boolean {
  return target.kind === 'Edge' && lost.has(target.cluster.metadata.name);
}

interface SelectionAfterLoss {
  readonly lost: LossForServices['clusters'];
  readonly placed: LossForServices['placed'];

  /** What it sends requests to of the deployments that lost replicas. */
  readonly after: ServiceSelection;
}

type KeptTraffic = Pick<ServiceHit, 'atOnce' | 'after' | 'fallback'>;

/** Without any gateway nobody reaches what serves. */
function withoutGateways(kept: KeptTraffic, doors: number): KeptTraffic {
  return doors > 0 ? kept : { atOnce: 0, after: 0 };
}

/** What stays of the rule of which the least does. */
function keptTrafficOf({ selection }: RoutedSelection, after: SelectionAfterLoss): KeptTraffic {
  const rules = selection.rules.flatMap((rule) => {
    if (rule.targets.length === 0) return [];
    const same = after.after.rules.find(
      ({ headers }) => JSON.stringify(headers) === JSON.stringify(rule.headers),
    );
    return [keptTrafficOfRule(rule.targets, same?.targets ?? [], after)];
  });
  const least = (of: 'atOnce' | 'after'): number => Math.min(1, ...rules.map((rule) => rule[of]));
  const fallback = rules.some((rule) => rule.fallback);
  return { atOnce: least('atOnce'), after: least('after'), ...(fallback && { fallback: true }) };
}

/** What stays of the first tier that there is. */
function keptTrafficOfRule(
  targets: readonly RouteTarget[],
  again: readonly RouteTarget[],
  { lost, placed }: SelectionAfterLoss,
): KeptTraffic {
  const first = Math.min(...targets.map(({ tier }) => tier));
  const entries = [...groupBy(targets, ({ entry }) => entry).values()];
  const own = entries.filter(([target]) => target?.tier === first);
  const weights = own.map(([target]) => target?.weight ?? 0);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const share = (kept: (entry: readonly RouteTarget[]) => number): number =>
    roundDown(
      own.reduce(
        (sum, entry, i) => sum + (weights[i] ?? 0) * Math.min(1, kept(entry) / countTargets(entry)),
        0,
      ) / total,
    );
  const atOnce = share((entry) => countTargets(entry.filter((target) => !isLost(target, lost))));
  const after = share((entry) => {
    const number = entry[0]?.entry;
    const untouched = entry.filter((target) => target.kind !== 'Edge' || !placed.has(idOf(target)));
    return countTargets([...untouched, ...again.filter((target) => target.entry === number)]);
  });
  const others = targets.some((target) => target.tier > first && !isLost(target, lost));
  return { atOnce, after, ...(atOnce === 0 && others && { fallback: true }) };
}

function idOf({ deployment }: Extract<RouteTarget, { kind: 'Edge' }>): string {
  return qualifiedNameOf(deployment);
}

/** How many replicas and endpoints. */
function countTargets(targets: readonly RouteTarget[]): number {
  return targets.reduce((sum, target) => sum + (target.kind === 'Edge' ? target.replicas.length : 1), 0);
}

/** Down, so that nothing that loses something is told to be whole. */
function roundDown(part: number): number {
  return Math.floor(part * 10_000 + 1e-6) / 10_000;
}

/**
 * The worst that any one loss does to each of some services.
 *
 * @param before what answers each before anything is lost
 */
export function findWorstServices(
  services: readonly string[],
  before: ReadonlyMap<string, ReachableCapacity>,
  losses: readonly Loss[],
): WorstService[] {
  const hits = groupBy(
    losses.flatMap(({ lost, services: hit }) => hit.map((one): LostService => ({ ...one, lost }))),
    ({ service }) => service,
  );
  return services.map((service) => {
    const own = hits.get(service) ?? [];
    const [atOnce, after] = [findWorst(own, 'atOnce'), findWorst(own, 'after')];
    const reached = before.get(service);
    return {
      service,
      atOnce: atOnce?.atOnce ?? 1,
      ...(atOnce && { when: atOnce.lost }),
      after: after?.after ?? 1,
      ...(after && { whenAfter: after.lost }),
      ...(reached && { fewest: findFewestReachable(reached, own) }),
    };
  });
}

interface LostService extends ServiceHit {
  readonly lost: string;
}

/** The first that leaves the least; nothing where all leave everything. */
function findWorst(hits: readonly LostService[], of: 'atOnce' | 'after'): LostService | undefined {
  const least = Math.min(1, ...hits.map((hit) => hit[of]));
  return least < 1 ? hits.find((hit) => hit[of] === least) : undefined;
}

/** The first that leaves the least to answer. */
function findFewestReachable(before: ReachableCapacity, hits: readonly LostService[]): FewestReachable {
  const left = hits.map(({ lost: when, doors, replicas, endpoints }): FewestReachable => {
    return { doors: doors.atOnce, replicas, endpoints, when };
  });
  return left.reduce<FewestReachable>(
    (least, one) => (countReachable(one) < countReachable(least) ? one : least),
    before,
  );
}
