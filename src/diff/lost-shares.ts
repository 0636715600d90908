import { type Diagnostic, warningAt } from '../base/diagnostic';
import { formatRoundPercent } from '../base/figures';
import { groupBy, sortUnique } from '../base/order';
import { joinNames, pluralize } from '../base/text';
import type { PlacedFleet } from '../plan/decision';
import type { RouteMember, RouteRule } from '../routing/routing';
import { totalWeightOf } from '../routing/weights';
import type { DeploymentDiff, ReplicaChangeWithCauses } from './deployment-diff';
import type { FleetDiff } from './fleet-diff';
import { isEvicted } from './replica-changes';
import { placesOf } from './service-warnings';
import { restartsWithNodes } from './serving-during-change';
import { matchText } from './traffic-share-changes';

interface ChangedRoutes {
  readonly before: Pick<PlacedFleet, 'routing'>;
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
}

/**
 * Finds services of which a part of the requests loses all its replicas for some time, and what its clients get then.
 * Restarts one after the other, which leave replicas of a deployment serving, are not among them.
 */
export function findLostShares(diff: FleetDiff, { before, after, at }: ChangedRoutes): Diagnostic[] {
  const stops = diff.deployments.flatMap(listStops);
  if (stops.length === 0) return [];
  const kept = new Set(after.routing.services.map(({ namespace, name }) => `${namespace}/${name}`));
  return before.routing.services.flatMap((service) => {
    const id = `${service.namespace}/${service.name}`;
    if (!kept.has(id)) return [];
    return service.rules.flatMap((rule) => {
      const worst = findWorstMoment(rule, stops);
      if (!worst) return [];
      const { what, hint } = describeLoss(rule, worst.down, findInterruptions(diff));
      const where = worst.stops.flatMap(({ change }) => change.causes)[0]?.where ?? at;
      return [warningAt('share-down', where, `${id}: ${what}`, hint)];
    });
  });
}

function listStops({ deployment, changes, serving }: DeploymentDiff): Stop[] {
  const isOut = serving.before > 0 && serving.withWaves === 0;
  return changes.flatMap((change): Stop[] => {
    const { wave = 1, from = change } = change;
    const place = `${deployment} ${from.cluster}/${from.index}`;
    if (isGone(change)) return [{ place, change }];
    return isOut && isRestarted(change) ? [{ place, wave, change }] : [];
  });
}

function isGone(change: ReplicaChangeWithCauses): boolean {
  const { action, surgeFirst, nodes } = change;
  return nodes === 'replace' || isEvicted(change) || (action === 'move' && surgeFirst !== true);
}

function isRestarted(change: ReplicaChangeWithCauses): boolean {
  return change.action === 'roll' && change.down === true && !restartsWithNodes(change);
}

/** The replicas that stop serving for some time, by place: those with the same key at the same time, null for good. */
type Interruptions = ReadonlyMap<string, string | null>;

function findInterruptions({ deployments }: FleetDiff): Interruptions {
  const found = deployments.flatMap(({ deployment, changes }) =>
    changes.flatMap((change): [string, string | null][] => {
      const { cluster, index } = change.from ?? change;
      const place = `${deployment} ${cluster}/${index}`;
      if (isGone(change) || change.action === 'remove') return [[place, null]];
      if (isRestarted(change)) return [[place, `wave ${change.wave ?? 1}`]];
      return change.nodes === 'roll' ? [[place, place]] : [];
    }),
  );
  return new Map(found);
}

/** ` (2 replicas, of which 1 restarts at a time)`. Empty for endpoints outside the fleet. */
function describeSize(members: readonly RouteMember[], interruptions: Interruptions): string {
  const places = members.flatMap(placesOf);
  if (places.length === 0) return '';
  const found = places.flatMap((place) => {
    const key = interruptions.get(place);
    return key === undefined ? [] : [key];
  });
  const gone = found.filter((key) => key === null).length;
  const together = groupBy(found, (key) => key ?? '');
  together.delete('');
  const most = Math.max(0, ...[...together.values()].map((group) => group.length));
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

/** The time at which the largest part of the requests of a rule has no replicas. Undefined: each part has some. */
function findWorstMoment(rule: RouteRule, stops: readonly Stop[]): Moment | undefined {
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
    return totalWeightOf(one.down, 0) > totalWeightOf(most?.down ?? [], 0) ? one : most;
  }, undefined);
}

const MAX_NAMED = 3;

/** What happens to requests whose members are down: the others of their tier get them, then those of tier 1. */
function describeLoss(
  rule: RouteRule,
  down: readonly RouteMember[],
  interruptions: Interruptions,
): { readonly what: string; readonly hint: string } {
  const match = matchText(rule);
  const share = formatRoundPercent(totalWeightOf(down, 0) / totalWeightOf(rule.members, 0));
  const lost = joinNames(down.map(nameOf), MAX_NAMED);
  const what = `${share} of the requests${match === '' ? '' : ` with ${match}`} lose their replicas (${lost}) with the change`;
  const others = rule.members.filter((one) => one.tier === 0 && !down.includes(one));
  const fallback = rule.members.filter(({ tier }) => tier === 1);
  const takers = joinNames(sortUnique((others.length > 0 ? others : fallback).map(nameOf)), MAX_NAMED);
  if (others.length > 0) {
    const hint = 'Requests beyond what these can take get 429. Check their load, or let new replicas serve first';
    return { what: `${what}; they go to ${takers}${describeSize(others, interruptions)}`, hint };
  }
  if (takers !== '') {
    return { what: `${what}; they go to ${takers} (tier 1)`, hint: 'Check what tier 1 can take, and what it costs' };
  }
  return {
    what: `${what}; no other member gets them: they fail`,
    hint: 'Let new replicas serve first, or tell clients',
  };
}

function nameOf({ target, cluster }: RouteMember): string {
  return `${target.namespace}/${target.name}${cluster === undefined ? '' : ` on ${cluster}`}`;
}
