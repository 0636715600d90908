import { type Diagnostic, warningAt } from '../base/diagnostic';
import { formatRoundPercent } from '../base/figures';
import { groupBy, sortUnique } from '../base/order';
import { joinNames, pluralize } from '../base/text';
import type { PlacedFleet } from '../plan/decision';
import type { RouteMember, RouteRule } from '../routing/routing';
import { totalWeightOf } from '../routing/weights';
import type { DeploymentDiff, ReplicaChangeWithCauses } from './deployment-diff';
import type { FleetDiff } from './fleet-diff';
import { isEvicted, stopsBeforeMove } from '../plan/replica-moves';
import { placesOf } from './service-warnings';
import { type ApplyMode, restartsWithNodes } from './serving-during-change';
import { matchText } from './traffic-share-changes';

interface ChangedRoutes {
  readonly before: Pick<PlacedFleet, 'routing' | 'schedule'>;
  readonly after: Pick<PlacedFleet, 'routing'>;

  /** Where the change is, for what no declaration causes. */
  readonly at: string;
}

/** A replica that stops before another one serves in its place. */
interface Stop {
  /** `ml/chat us/0`. */
  readonly place: string;

  /** The rollout wave in which it stops. Absent: in each, because it stops before all of them. */
  readonly wave?: number;
  readonly change: ReplicaChangeWithCauses;

  /** The deployment whose `rollout: Recreate` accepts that it stops. Absent: nothing accepts that. */
  readonly acceptedBy?: string;
}

/**
 * Finds services of which a part of the requests loses all its replicas for some time, and what its clients get then.
 * Restarts one after the other, which leave replicas of a deployment serving, are not among them.
 */
export function findLostShares(diff: FleetDiff, { before, after, at }: ChangedRoutes): Diagnostic[] {
  const stops = diff.deployments.flatMap((one) => listStops(one));
  if (stops.length === 0) return [];
  const interruptions = findInterruptions(diff);
  return listKeptRules({ before, after }).flatMap(({ service, rule }) => {
    const worst = findWorstMoment(rule, stops);
    if (!worst) return [];
    const { what, advice } = describeLoss(toLostShare(service, rule, { ...worst, interruptions }), worst.down);
    const hint = advice(nameAccepting(worst.stops));
    const where = worst.stops.flatMap(({ change }) => change.causes)[0]?.where ?? at;
    return [warningAt('share-down', where, what, hint)];
  });
}

/** A part of the requests of a service without replicas for some time, and where it goes then. */
export interface LostShare {
  /** `namespace/name`. */
  readonly service: string;

  /** What its requests match: `x-canary: 1`. Empty: it is all other requests. */
  readonly match: string;

  /** The part of these requests, from 0 to 1. */
  readonly share: number;

  /** The deployments or endpoints that get it, with their clusters. Empty: the requests fail. */
  readonly takers: readonly string[];

  /** The number of replicas that get it, and what becomes of them: ` (3 replicas, of which 1 restarts at a time)`. */
  readonly load: string;

  /** How many times as many requests as before they get then. Undefined: tier 1 gets them, or no one. */
  readonly rise: number | undefined;

  /** Whether members of tier 1 get it. */
  readonly isFallback: boolean;

  /** Whether that is only possible: a cloud chooses which nodes go, and replicas may keep theirs. */
  readonly isPossible: boolean;
}

/**
 * Finds what a deployment without a serving replica means for requests: for each service with a part of its requests,
 * the largest part that has no replicas while those of the deployment stop.
 */
export function findSharesOf(
  deployment: string,
  diff: FleetDiff,
  { applied, ...routes }: Pick<ChangedRoutes, 'before' | 'after'> & { readonly applied: ApplyMode },
): LostShare[] {
  const stops = diff.deployments.flatMap((one) => listStops(one, applied));
  const interruptions = findInterruptions(diff, applied);
  const isOf = ({ target }: RouteMember): boolean => `${target.namespace}/${target.name}` === deployment;
  return listKeptRules(routes).flatMap(({ service, rule }) => {
    const worst = rule.members.some(isOf) ? findWorstMoment(rule, stops, isOf) : undefined;
    return worst ? [toLostShare(service, rule, { ...worst, interruptions })] : [];
  });
}

interface ServiceRule {
  readonly service: string;
  readonly rule: RouteRule;
}

/** The earlier rules of services that stay, without replicas of lost clusters. */
function listKeptRules({ before, after }: Pick<ChangedRoutes, 'before' | 'after'>): ServiceRule[] {
  const lost = new Set(before.schedule.placements.flatMap((one) => (one.lost ? [one.cluster] : [])));
  const kept = new Set(after.routing.services.map(({ namespace, name }) => `${namespace}/${name}`));
  return before.routing.services.flatMap(({ namespace, name, rules }) => {
    const service = `${namespace}/${name}`;
    return kept.has(service) ? rules.map((rule) => ({ service, rule: withoutLost(rule, lost) })) : [];
  });
}

function withoutLost(rule: RouteRule, lost: ReadonlySet<string>): RouteRule {
  return { ...rule, members: rule.members.filter(({ cluster = '' }) => !lost.has(cluster)) };
}

function toLostShare(
  service: string,
  rule: RouteRule,
  { down, stops, interruptions }: Moment & { readonly interruptions: Interruptions },
): LostShare {
  const others = rule.members.filter((one) => one.tier === 0 && !down.includes(one));
  const isFallback = others.length === 0;
  const takers = isFallback ? rule.members.filter(({ tier }) => tier === 1) : others;
  const share = totalWeightOf(down, 0) / totalWeightOf(rule.members, 0);
  return {
    service,
    match: matchText(rule),
    share,
    takers: nameMembers(takers),
    rise: isFallback ? undefined : 1 / (1 - share),
    load: isFallback ? '' : describeSize(others, interruptions),
    isFallback,
    isPossible: stops.some(({ change }) => change.mayStay),
  };
}

/** @param applied how the change is applied. Unless wave by wave, replicas restart without waiting for each other */
function listStops({ deployment, changes, serving }: DeploymentDiff, applied: ApplyMode = 'withWaves'): Stop[] {
  const isOut = serving.before > 0 && serving[applied] === 0;
  return changes.flatMap((change): Stop[] => {
    const { from = change } = change;
    const wave = applied === 'withWaves' ? (change.wave ?? 1) : 1;
    const place = `${deployment} ${from.cluster}/${from.index}`;
    if (isGone(change)) return [{ place, change }];
    const accepted = serving.recreate && { acceptedBy: deployment };
    if (!isOut) return [];
    if (isRestarted(change)) return [{ place, wave, change, ...accepted }];
    return change.nodes === 'roll' ? [{ place, change, ...accepted }] : [];
  });
}

/** `'rollout: Recreate' of ml/chat`, where that accepts that all of these stop. */
function nameAccepting(stops: readonly Stop[]): string | undefined {
  const names = sortUnique(stops.flatMap(({ acceptedBy = [] }) => acceptedBy));
  if (stops.some(({ acceptedBy }) => acceptedBy === undefined)) return undefined;
  return `'rollout: Recreate' of ${joinNames(names, MAX_NAMED)}`;
}

function isGone(change: ReplicaChangeWithCauses): boolean {
  return change.nodes === 'replace' || isEvicted(change) || stopsBeforeMove(change);
}

function isRestarted(change: ReplicaChangeWithCauses): boolean {
  return change.action === 'roll' && change.down === true && !restartsWithNodes(change);
}

/** A replica that stops serving for some time: those with the same key of a cluster at the same time. Without one: for good. */
interface Interruption {
  readonly cluster: string;
  readonly key: string | undefined;
}

/** What of the replicas that stop is known when some of them serve others. */
interface Interruptions {
  readonly byPlace: ReadonlyMap<string, Interruption>;
  readonly applied: ApplyMode;
}

function findInterruptions({ deployments }: FleetDiff, applied: ApplyMode = 'withWaves'): Interruptions {
  const found = deployments.flatMap(({ deployment, changes }) =>
    changes.flatMap((change): [string, Interruption][] => {
      const { cluster, index } = change.from ?? change;
      const place = `${deployment} ${cluster}/${index}`;
      if (isGone(change) || change.action === 'remove') return [[place, { cluster, key: undefined }]];
      if (isRestarted(change)) return [[place, { cluster, key: `wave ${change.wave ?? 1}` }]];
      return change.nodes === 'roll' ? [[place, { cluster, key: place }]] : [];
    }),
  );
  return { byPlace: new Map(found), applied };
}

/** How many replicas restart at the same time. Clusters that are applied independently do not wait for each other. */
function countTogether(restarts: readonly Interruption[], applied: ApplyMode): number {
  if (applied === 'withWaves') return countLargest(restarts);
  const clusters = groupBy(restarts, ({ cluster }) => cluster);
  return [...clusters.values()].reduce((sum, all) => sum + countLargest(all), 0);
}

/** The most that have the same key. */
function countLargest(restarts: readonly Interruption[]): number {
  return Math.max(0, ...[...groupBy(restarts, ({ key = '' }) => key).values()].map((group) => group.length));
}

/** ` (2 replicas, of which 1 restarts at a time)`. Empty for endpoints outside the fleet. */
function describeSize(members: readonly RouteMember[], { byPlace, applied }: Interruptions): string {
  const places = members.flatMap(placesOf);
  if (places.length === 0) return '';
  const found = places.flatMap((place) => byPlace.get(place) ?? []);
  const restarts = found.filter(({ key }) => key !== undefined);
  const [gone, most] = [found.length - restarts.length, countTogether(restarts, applied)];
  const parts = [
    ...(gone > 0 ? [`${gone} ${gone === 1 ? 'goes' : 'go'} with it`] : []),
    ...(most > 0 ? [`${most} ${most === 1 ? 'restarts' : 'restart'} at a time`] : []),
  ];
  return ` (${[pluralize(places.length, 'replica'), ...(parts.length > 0 ? [`of which ${parts.join(' and ')}`] : [])].join(', ')})`;
}

interface Moment {
  readonly down: readonly RouteMember[];
  readonly stops: readonly Stop[];
}

/**
 * The time at which the largest part of the requests of a rule has no replicas. Undefined: each part has some.
 *
 * @param isMeant of a member that is among those without replicas then. Default: any
 */
function findWorstMoment(
  rule: RouteRule,
  stops: readonly Stop[],
  isMeant: (member: RouteMember) => boolean = () => true,
): Moment | undefined {
  const waves = new Set(stops.map(({ wave = 0 }) => wave));
  const moments = [...waves]
    .sort((a, b) => a - b)
    .map((now) => {
      const stopped = new Map(
        stops.filter(({ wave }) => wave === undefined || wave === now).map((one) => [one.place, one]),
      );
      const down = rule.members.filter((one) => {
        return one.tier === 0 && one.kind === 'Edge' && placesOf(one).every((place) => stopped.has(place));
      });
      return { down, stops: down.flatMap(placesOf).flatMap((place) => stopped.get(place) ?? []) };
    });
  return moments.reduce<Moment | undefined>((most, one) => {
    return one.down.some(isMeant) && totalWeightOf(one.down, 0) > totalWeightOf(most?.down ?? [], 0) ? one : most;
  }, undefined);
}

const MAX_NAMED = 3;

/** What happens to requests whose members are down: the others of their tier get them, then those of tier 1. */
function describeLoss(
  { service, match, share, takers, load, isFallback, isPossible }: LostShare,
  down: readonly RouteMember[],
): { readonly what: string; readonly advice: (accepting: string | undefined) => string } {
  const lost = joinNames(nameMembers(down), MAX_NAMED);
  const which = `${formatRoundPercent(share)} of the requests${match === '' ? '' : ` with ${match}`}`;
  const [lose, when, then] = isPossible
    ? ['may lose', 'when nodes are removed', 'then ']
    : ['lose', 'with the change', ''];
  const what = `${service}: ${which} ${lose} their replicas (${lost}) ${when}`;
  if (takers.length === 0) {
    return {
      what: `${what}; no other target gets them: they ${then}fail`,
      advice: (accepting) =>
        accepting === undefined
          ? 'Let new replicas serve first, or tell clients'
          : `${accepting} accepts that; tell clients when`,
    };
  }
  const others = joinNames(takers, MAX_NAMED);
  return isFallback
    ? {
        what: `${what}; they ${then}go to ${others} (tier 1)`,
        advice: () => 'Check what tier 1 can take, and what it costs',
      }
    : {
        what: `${what}; they ${then}go to ${others}${load}`,
        advice: (accepting) =>
          `Requests beyond what these can take get 429. Check their load${accepting === undefined ? ', or let new replicas serve first' : `: ${accepting} accepts that the replicas stop`}`,
      };
}

/** `ml/chat on eu and us`, `ml/outside`: members with one target together. */
function nameMembers(members: readonly RouteMember[]): string[] {
  const targets = groupBy(members, ({ target }) => `${target.namespace}/${target.name}`);
  const names = [...targets].map(([name, all]) => {
    const clusters = sortUnique(all.flatMap(({ cluster }) => cluster ?? []));
    return clusters.length === 0 ? name : `${name} on ${joinNames(clusters, MAX_NAMED, ' and ')}`;
  });
  return sortUnique(names);
}
