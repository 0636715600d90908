import { qualifiedNameOf } from '../../api/resource';
import { groupBy, sortedBy } from '../../base/order';
import { type Fleet, indexDeploymentsById } from '../../fleet/fleet';
import type { Decision } from '../../plan/decision';
import type { ServiceListener } from '../../routing/routing';
import { type RouteTarget, selectItems, selectTargets, type ServiceSelection } from '../../routing/select-targets';
import { joinSelectables, type SelectableReplica, toSelectable } from '../../routing/selectable-items';
import type { Placement } from '../../scheduler/placement';
import { countReachable, findLeastAnswering, type ReachableCapacity } from './service-capacity';
import type { FewestReachable, Loss, ServiceHit, WorstService } from './survival';

interface LossForServices {
  readonly clusters: ReadonlySet<string>;

  /** The placements after the loss of each deployment that lost replicas, by deployment id. */
  readonly placed: ReadonlyMap<string, readonly Placement[]>;
}

/** A service with routes, and its targets before any loss. */
interface RoutedSelection {
  readonly id: string;
  readonly selection: ServiceSelection;

  /** The rules that have targets. */
  readonly rules: readonly RoutedRule[];

  /** Its gateways, one per cluster. */
  readonly gateways: readonly Pick<ServiceListener, 'gateway' | 'cluster'>[];
}

/** The targets of a rule, and those of its first tier by entry. */
interface RoutedRule {
  readonly targets: readonly CountedTarget[];
  readonly firstTier: readonly CountedEntry[];

  /** The sum of the weights of the first tier. */
  readonly weight: number;
}

interface CountedEntry {
  /** The index of the entry. */
  readonly entry: number;
  readonly weight: number;
  readonly targets: readonly CountedTarget[];
  readonly count: number;
}

/** A target, and the number of replicas and endpoints of it. */
interface CountedTarget {
  readonly tier: number;
  readonly count: number;

  /** The deployment and the cluster of replicas. Absent: an endpoint outside the fleet. */
  readonly deployment?: string;
  readonly cluster?: string;
}

/** The capacity of the services of a fleet, and the effects of losses on it. */
export interface ServiceImpact {
  /** The capacity of each service before any loss. Services that nothing answers are left out. */
  readonly before: ReadonlyMap<string, ReachableCapacity>;

  /** Returns the services that a loss affects. */
  readonly hitsOn: (lost: LossForServices) => ServiceHit[];
}

/**
 * Prepares the calculation of what losses take from the services of a fleet. Draining replicas do not count. The targets
 * of a service are selected again after a loss: a replica that moves may no longer match the labels of an entry.
 */
export function createServiceImpact(decision: Decision): ServiceImpact {
  const { fleet } = decision;
  const selectableOf = createSelectableLookup(fleet);
  const services = routedSelectionsOf(decision, selectableOf);
  const onCluster = groupByCluster(services);
  const led = new Set(services.flatMap(({ gateways }) => gateways.map(({ cluster }) => cluster)));
  const hitsOn = (loss: LossForServices): ServiceHit[] => {
    const { clusters: lost, placed } = loss;
    // In no order: they are counted only.
    const selectables = [...placed.values()].flat().flatMap(selectableOf);
    const hit = new Set([...lost].flatMap((cluster) => [...(onCluster.get(cluster) ?? [])]));
    const losesGateways = [...lost].some((cluster) => led.has(cluster));
    const candidates = losesGateways ? services : services.filter((service) => hit.has(service));
    return candidates.flatMap((service) => {
      const { selection, rules, gateways } = service;
      const remaining = gateways.filter(({ cluster }) => !lost.has(cluster)).length;
      if (!hit.has(service) && remaining === gateways.length) return [];
      const reselected = hit.has(service)
        ? countSelected(selection.service, selectables, fleet.grants)
        : countTargetsByEntry(service);
      const kept = keptTrafficOf(rules, reselected, loss);
      const answering = { ...NOTHING, ...findLeastAnswering(rulesOf(service, lost)) };
      const reachable = { gateways: { before: gateways.length, atOnce: remaining }, ...splitByGateway(service, lost) };
      return [{ service: service.id, ...(remaining > 0 ? kept : { atOnce: 0, after: 0 }), ...reachable, ...answering }];
    });
  };
  return { before: new Map(services.flatMap(reachableBefore)), hitsOn };
}

/** Counts the gateways of each InferenceGateway that loses one: clients use its host name alone. Empty for a single one. */
function splitByGateway({ gateways }: RoutedSelection, lost: ReadonlySet<string>): Pick<ServiceHit, 'byGateway'> {
  const groups = [...groupBy(gateways, ({ gateway }) => gateway)];
  if (groups.length < 2) return {};
  const counted = groups.map(([gateway, all]) => {
    return { gateway, before: all.length, atOnce: all.filter(({ cluster }) => !lost.has(cluster)).length };
  });
  const losing = counted.filter(({ before, atOnce }) => atOnce < before);
  return losing.length > 0 ? { byGateway: sortedBy(losing, ({ gateway }) => gateway) } : {};
}

/** Finds a replica as services see it. None if it is draining, or its cluster has no gateway. */
type SelectableLookup = (placement: Placement) => readonly SelectableReplica[];

/** Most replicas are where they are after all losses, so that each is looked up once. */
function createSelectableLookup(fleet: Fleet): SelectableLookup {
  const deployments = indexDeploymentsById(fleet.deployments);
  const clusters = new Map(fleet.clusters.map((one) => [one.metadata.name, one]));
  const known = new Map<Placement, readonly SelectableReplica[]>();
  return (placement) => {
    const found = known.get(placement);
    if (found) return found;
    const [deployment, cluster] = [deployments.get(placement.deployment), clusters.get(placement.cluster)];
    const serves = deployment && cluster && !placement.draining;
    const selectable = serves && toSelectable({ deployment, cluster, index: placement.index });
    const all = selectable ? [selectable] : [];
    known.set(placement, all);
    return all;
  };
}

/** The services with a target on each cluster. */
function groupByCluster(services: readonly RoutedSelection[]): ReadonlyMap<string, ReadonlySet<RoutedSelection>> {
  const byCluster = new Map<string, Set<RoutedSelection>>();
  for (const service of services) {
    for (const { cluster } of service.rules.flatMap(({ targets }) => targets)) {
      if (cluster === undefined) continue;
      const known = byCluster.get(cluster) ?? new Set<RoutedSelection>();
      byCluster.set(cluster, known.add(service));
    }
  }
  return byCluster;
}

const NOTHING = { replicas: 0, endpoints: 0 };

function reachableBefore(service: RoutedSelection): [string, ReachableCapacity][] {
  const answering = findLeastAnswering(rulesOf(service));
  return answering ? [[service.id, { gateways: service.gateways.length, ...answering }]] : [];
}

/** The remaining targets of each rule that has targets before a loss. */
function rulesOf({ rules }: RoutedSelection, lost: ReadonlySet<string> = new Set()): CountedTarget[][] {
  return rules.map(({ targets }) => targets.filter((target) => !isLost(target, lost)));
}

function routedSelectionsOf({ fleet, routing, schedule }: Decision, selectableOf: SelectableLookup): RoutedSelection[] {
  if (routing.services.length === 0) return [];
  const units = joinSelectables(schedule.placements.flatMap(selectableOf), fleet.endpoints);
  const declared = new Map(fleet.services.map((service) => [qualifiedNameOf(service), service]));
  return routing.services.flatMap(({ namespace, name, gateways }): RoutedSelection[] => {
    const id = `${namespace}/${name}`;
    const service = declared.get(id);
    if (!service) return [];
    const selection = selectTargets(service, units, fleet.grants);
    const rules = selection.rules.flatMap(({ targets }) => (targets.length > 0 ? [toRoutedRule(targets)] : []));
    return [{ id, selection, rules, gateways }];
  });
}

function toRoutedRule(targets: readonly RouteTarget[]): RoutedRule {
  const first = Math.min(...targets.map(({ tier }) => tier));
  const entries = [...groupBy(targets, ({ entry }) => entry)];
  const firstTier = entries.flatMap(([entry, [one, ...others]]): CountedEntry[] => {
    if (one?.tier !== first) return [];
    const counted = [one, ...others].map(toCounted);
    return [{ entry, weight: one.weight, targets: counted, count: countTargets(counted) }];
  });
  const weight = firstTier.reduce((sum, entry) => sum + entry.weight, 0);
  return { targets: targets.map(toCounted), firstTier, weight };
}

function toCounted(target: RouteTarget): CountedTarget {
  const { tier } = target;
  if (target.kind === 'External') return { tier, count: 1 };
  const { deployment, cluster, replicas } = target;
  return { tier, count: replicas.length, deployment: qualifiedNameOf(deployment), cluster: cluster.metadata.name };
}

function isLost({ cluster }: CountedTarget, lost: ReadonlySet<string>): boolean {
  return cluster !== undefined && lost.has(cluster);
}

type KeptTraffic = Pick<ServiceHit, 'atOnce' | 'after' | 'fallback'>;

/** The number of replicas and endpoints that each entry of a service selects, by the index of the entry. */
type EntryCounts = ReadonlyMap<number, number>;

function countSelected(...selected: Parameters<typeof selectItems>): EntryCounts {
  const entries = selectItems(...selected).flatMap((rule) => rule.entries);
  return new Map(entries.map(({ entry, selected: items }) => [entry.entry, items.length]));
}

function countTargetsByEntry({ rules }: RoutedSelection): EntryCounts {
  return new Map(rules.flatMap(({ firstTier }) => firstTier.map(({ entry, count }) => [entry, count])));
}

/** The part of the requests whose targets are left, of the rule that loses most. */
function keptTrafficOf(rules: readonly RoutedRule[], reselected: EntryCounts, loss: LossForServices): KeptTraffic {
  const kept = rules.map((rule) => keptTrafficOfRule(rule, reselected, loss));
  const least = (of: 'atOnce' | 'after'): number => Math.min(1, ...kept.map((rule) => rule[of]));
  const fallback = kept.some((rule) => rule.fallback);
  return { atOnce: least('atOnce'), after: least('after'), ...(fallback && { fallback: true }) };
}

/** The part of the requests whose targets are left, in the first tier of a rule. */
function keptTrafficOfRule(
  { targets, firstTier, weight: total }: RoutedRule,
  reselected: EntryCounts,
  { clusters: lost, placed }: LossForServices,
): KeptTraffic {
  const share = (kept: (entry: CountedEntry) => number): number =>
    roundDown(firstTier.reduce((sum, entry) => sum + entry.weight * Math.min(1, kept(entry) / entry.count), 0) / total);
  const atOnce = share((entry) => countTargets(entry.targets.filter((target) => !isLost(target, lost))));
  const after = share((entry) => {
    const untouched = entry.targets.filter(({ deployment }) => deployment === undefined || !placed.has(deployment));
    return countTargets(untouched) + (reselected.get(entry.entry) ?? 0);
  });
  const first = Math.min(...targets.map(({ tier }) => tier));
  const others = targets.some((target) => target.tier > first && !isLost(target, lost));
  return { atOnce, after, ...(atOnce === 0 && others && { fallback: true }) };
}

function countTargets(targets: readonly CountedTarget[]): number {
  return targets.reduce((sum, { count }) => sum + count, 0);
}

/** Rounds down to four digits, so that a partial loss never shows as no loss. */
function roundDown(part: number): number {
  return Math.floor(part * 10_000 + 1e-6) / 10_000;
}

/** Finds the worst effect of any single loss on each service. */
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
    const serviceHits = hits.get(service) ?? [];
    const [atOnce, after] = [findWorst(serviceHits, 'atOnce', 1), findWorst(serviceHits, 'after', 1)];
    const reached = before.get(service);
    return {
      service,
      atOnce: atOnce?.atOnce ?? 1,
      ...(atOnce && { when: atOnce.lost }),
      after: after?.after ?? 1,
      ...(after && { whenAfter: after.lost }),
      ...(reached && { fewest: findFewestReachable(reached, serviceHits) }),
    };
  });
}

interface LostService extends ServiceHit {
  readonly lost: string;
}

/** The first loss that leaves the least. `undefined` if no loss leaves less than there is `before`. */
export function findWorst<Hit extends Pick<ServiceHit, 'atOnce' | 'after'>>(
  hits: readonly Hit[],
  of: 'atOnce' | 'after',
  before: number,
): Hit | undefined {
  const least = Math.min(before, ...hits.map((hit) => hit[of]));
  return least < before ? hits.find((hit) => hit[of] === least) : undefined;
}

/** The least reachable capacity that any loss leaves, with the first such loss. */
function findFewestReachable(before: ReachableCapacity, hits: readonly LostService[]): FewestReachable {
  const capacities = hits.map(({ lost: when, gateways, replicas, endpoints }): FewestReachable => {
    return { gateways: gateways.atOnce, replicas, endpoints, when };
  });
  return capacities.reduce<FewestReachable>(
    (least, one) => (countReachable(one) < countReachable(least) ? one : least),
    before,
  );
}
