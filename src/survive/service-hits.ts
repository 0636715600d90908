import { qualifiedName } from '../api/resource';
import { deploymentsById } from '../deployments-by-id';
import { groupBy } from '../order';
import type { Decision } from '../plan/decide';
import { type Selection, selectTargets, type Target } from '../routing/select';
import { type RoutedReplica, unitsOf } from '../routing/units';
import type { Placement } from '../scheduler/types';
import { leastAnswering, type Reached } from './answering';
import type { ServiceHit } from './survival';

/** A loss as services see it. */
export interface Lost {
  /** The names of the clusters. */
  readonly clusters: ReadonlySet<string>;

  /** Where the replicas of each deployment that lost some are after it, by id. */
  readonly placed: ReadonlyMap<string, readonly Placement[]>;
}

/** A service with routes, and what it sends requests to before anything is lost. */
interface Routed {
  readonly id: string;
  readonly selection: Selection;

  /** The clusters of its gateways, one entry a door. */
  readonly doors: readonly string[];
}

/** The services of a fleet as losses find them. */
export interface Services {
  /** What answers each before anything is lost, those left out that nothing answers. */
  readonly before: ReadonlyMap<string, Reached>;

  /** What a loss takes of them, those that lose nothing left out. */
  readonly hitsOn: (lost: Lost) => ServiceHit[];
}

/**
 * Tells what losses take of the services of a fleet. Replicas that are leaving do not count. What a service sends
 * requests to afterwards is selected anew: a replica that is placed elsewhere need not carry the labels of an entry.
 */
export function servicesIn(decision: Decision): Services {
  const { fleet } = decision;
  const deployments = deploymentsById(fleet.deployments);
  const clusters = new Map(fleet.clusters.map((one) => [one.metadata.name, one]));
  const reachable = (placements: readonly Placement[]): RoutedReplica[] =>
    placements.flatMap(({ deployment: id, cluster: name, index, leaving }) => {
      const [deployment, cluster] = [deployments.get(id), clusters.get(name)];
      return deployment && cluster && !leaving ? [{ deployment, cluster, index }] : [];
    });
  const services = routedIn(decision, reachable(decision.schedule.placements));
  const hitsOn = ({ clusters: lost, placed }: Lost): ServiceHit[] => {
    const again = unitsOf({ ...fleet, endpoints: [] }, reachable([...placed.values()].flat()));
    return services.flatMap((service) => {
      const { selection, doors } = service;
      const left = doors.filter((cluster) => !lost.has(cluster)).length;
      const touched = selection.rules.some(({ targets }) => targets.some((target) => isLost(target, lost)));
      if (!touched && left === doors.length) return [];
      const after = touched ? selectTargets(selection.service, again, fleet.grants) : selection;
      const kept = capacityOf(service, { lost, placed, after });
      const answering = { ...NOTHING, ...leastAnswering(rulesOf(service, lost)) };
      const atDoors = { doors: { before: doors.length, atOnce: left } };
      return [{ service: service.id, ...cutOff(kept, left), ...atDoors, ...answering }];
    });
  };
  return { before: new Map(services.flatMap(reachedBefore)), hitsOn };
}

const NOTHING = { replicas: 0, endpoints: 0 };

function reachedBefore(service: Routed): [string, Reached][] {
  const answering = leastAnswering(rulesOf(service));
  return answering ? [[service.id, { doors: service.doors.length, ...answering }]] : [];
}

/** What is left of each rule that anything answered. */
function rulesOf({ selection }: Routed, lost: Lost['clusters'] = new Set()): Target[][] {
  const answered = selection.rules.filter(({ targets }) => targets.length > 0);
  return answered.map(({ targets }) => targets.filter((target) => !isLost(target, lost)));
}

function routedIn({ fleet, routing }: Decision, replicas: readonly RoutedReplica[]): Routed[] {
  if (routing.services.length === 0) return [];
  const units = unitsOf(fleet, replicas);
  const declared = new Map(fleet.services.map((service) => [qualifiedName(service), service]));
  return routing.services.flatMap(({ namespace, name, doors }): Routed[] => {
    const id = `${namespace}/${name}`;
    const service = declared.get(id);
    if (!service) return [];
    const selection = selectTargets(service, units, fleet.grants);
    return [{ id, selection, doors: doors.map(({ cluster }) => cluster) }];
  });
}

function isLost(target: Target, lost: Lost['clusters']): boolean {
  return target.kind === 'Edge' && lost.has(target.cluster.metadata.name);
}

interface After {
  readonly lost: Lost['clusters'];
  readonly placed: Lost['placed'];

  /** What it sends requests to of the deployments that lost replicas. */
  readonly after: Selection;
}

type Kept = Pick<ServiceHit, 'atOnce' | 'after' | 'fallback'>;

/** Without any gateway nobody reaches what serves. */
function cutOff(kept: Kept, doors: number): Kept {
  return doors > 0 ? kept : { atOnce: 0, after: 0 };
}

/** What stays of the rule of which the least does. */
function capacityOf({ selection }: Routed, after: After): Kept {
  const rules = selection.rules.flatMap((rule) => {
    if (rule.targets.length === 0) return [];
    const same = after.after.rules.find(
      ({ headers }) => JSON.stringify(headers) === JSON.stringify(rule.headers),
    );
    return [keptOf(rule.targets, same?.targets ?? [], after)];
  });
  const least = (of: 'atOnce' | 'after'): number => Math.min(1, ...rules.map((rule) => rule[of]));
  const fallback = rules.some((rule) => rule.fallback);
  return { atOnce: least('atOnce'), after: least('after'), ...(fallback && { fallback: true }) };
}

/** What stays of the first tier that there is. */
function keptOf(targets: readonly Target[], again: readonly Target[], { lost, placed }: After): Kept {
  const first = Math.min(...targets.map(({ tier }) => tier));
  const entries = [...groupBy(targets, ({ entry }) => entry).values()];
  const own = entries.filter(([target]) => target?.tier === first);
  const weights = own.map(([target]) => target?.weight ?? 0);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const share = (kept: (entry: readonly Target[]) => number): number =>
    rounded(
      own.reduce((sum, entry, i) => sum + (weights[i] ?? 0) * Math.min(1, kept(entry) / sizeOf(entry)), 0) /
        total,
    );
  const atOnce = share((entry) => sizeOf(entry.filter((target) => !isLost(target, lost))));
  const after = share((entry) => {
    const number = entry[0]?.entry;
    const untouched = entry.filter((target) => target.kind !== 'Edge' || !placed.has(idOf(target)));
    return sizeOf([...untouched, ...again.filter((target) => target.entry === number)]);
  });
  const others = targets.some((target) => target.tier > first && !isLost(target, lost));
  return { atOnce, after, ...(atOnce === 0 && others && { fallback: true }) };
}

function idOf({ deployment }: Extract<Target, { kind: 'Edge' }>): string {
  return qualifiedName(deployment);
}

/** How many replicas and endpoints. */
function sizeOf(targets: readonly Target[]): number {
  return targets.reduce((sum, target) => sum + (target.kind === 'Edge' ? target.replicas.length : 1), 0);
}

/** Down, so that nothing that loses something is told to be whole. */
function rounded(part: number): number {
  return Math.floor(part * 10_000 + 1e-6) / 10_000;
}
