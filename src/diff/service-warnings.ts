import { reservedCopiesOf } from '../api/engine-copies';
import type { ModelDeployment } from '../api/model-deployment';
import { type Diagnostic, warningAt } from '../base/diagnostic';
import type { DiagnosticCode } from '../base/diagnostic-codes';
import { formatCount, formatPercent, formatRoundPercent } from '../base/figures';
import { sortUnique } from '../base/order';
import { capitalize, pluralize } from '../base/text';
import { type Fleet, indexDeploymentsById } from '../fleet/fleet';
import type { PlacedFleet } from '../plan/decision';
import { listLostClusters } from '../plan/warnings/cluster-warnings';
import type { RoutedService, RouteMember } from '../routing/routing';
import type { Placement } from '../scheduler/placement';
import { listUnreplaced } from '../scheduler/unreplaced-replicas';
import { compareAccess } from './access-changes';
import { areComparable } from './comparable-replicas';
import type { FleetDiff } from './fleet-diff';
import { placeOfLeaving } from './left-clusters';
import { findEarlierEnds, findLowerLimits } from './limit-warnings';
import { findSingleCluster } from './new-service-warnings';
import { createRoomNotes } from './room-to-add';
import type { ServicePair, ServiceWarning } from './service-pair';
import { createSpreadHint } from './spread-hint';
import { listTargetShares, partOf, type RouteMemberShare, type TrafficShare } from './traffic-share-changes';

/** The routes before and after a change. */
interface ChangedRoutes {
  readonly before: Pick<PlacedFleet, 'fleet' | 'routing' | 'schedule'>;
  readonly after: Pick<PlacedFleet, 'fleet' | 'model' | 'matcher' | 'routing' | 'schedule'>;
  readonly at: string;
}

/** What a change does to clients of services without taking their access: lower limits, less redundancy, fewer replicas. */
export function findServiceWarnings(diff: FleetDiff, { before, after, at }: ChangedRoutes): Diagnostic[] {
  const unreplaced = toLocations(listUnreplaced(after.schedule));
  const draining = { before: listDraining(before), after: listDraining(after), unreplaced };
  const [earlier, later] = [before, after].map(({ routing }) => {
    return new Map(routing.services.map((one) => [`${one.namespace}/${one.name}`, one]));
  });
  const fleets = { before: before.fleet, after: after.fleet };
  const [hintToSpread, noteRoom] = [createSpreadHint(after, before.schedule.placements), createRoomNotes(after)];
  return diff.routes.services.flatMap(({ service: id, targets, causes }) => {
    const [was, is] = [earlier?.get(id), later?.get(id)];
    if (!is) return [];
    const placesOfCauses = ({ code, leaving, about = ABOUT[code] }: ServiceWarning): string[] => {
      const place = leaving && placeOfLeaving(diff, leaving.deployments, leaving.clusters);
      if (place !== undefined) return [place];
      const own = causes.filter(({ field }) => field && about?.test(field.field));
      return sortUnique((own.length > 0 ? own : causes.slice(0, 1)).map(({ where }) => where));
    };
    const finders = [findLostRedundancy, findOpened, findLowerLimits, findEarlierEnds, findOverload, findLostReplicas];
    const found = was
      ? finders.flatMap((find) => find({ id, was, is, targets, draining, fleets, hintToSpread, noteRoom }))
      : findSingleCluster(is, after);
    return found.map((one) => {
      const [first = at, ...alsoAt] = placesOfCauses(one);
      return { ...warningAt(one.code, first, one.what, one.hint), ...(alsoAt.length > 0 && { alsoAt }) };
    });
  });
}

/** The fields that a warning is about, by its code. Default: what changes the service. */
const ABOUT: Readonly<Partial<Record<DiagnosticCode, RegExp>>> = {
  'limit-lowered': /rateLimit/i,
  'access-opened': /^spec\.auth\b/,
  'fewer-replicas': /^spec\.(replicas|endpoints)\b/,
};

/** Finds whether one cluster must serve what several served: with its replicas, or with its ingress gateway. */
function findLostRedundancy({ id, was, is, draining, fleets, hintToSpread }: ServicePair): ServiceWarning[] {
  const lostClusters = listLostClusters(fleets.after);
  const [servedBy, served] = [membersOf(was, draining.before), membersOf(is, draining.after)];
  const isDraining = membersOf(is, NONE).some((one) => !served.includes(one) && !lostClusters.has(one));
  const members = is.rules.flatMap((rule) => rule.members);
  const isKept = members.flatMap(placesOf).some((place) => draining.unreplaced.has(place));
  const when = isDraining ? ` once the old ones are ${isKept ? 'replaced' : 'finalized'}` : '';
  const [enteredAt, entered] = [gatewaysOf(was, lostClusters), gatewaysOf(is, lostClusters)];
  const replicas = servedBy.length > 1 && served.length === 1;
  const gateways = enteredAt.length > 1 && entered.length === 1;
  const parts = [
    ...(replicas ? [`replicas on ${served[0]} only (before: ${servedBy.join(', ')})${when}`] : []),
    ...(gateways ? [`an ingress gateway on ${entered[0]} only (before: ${enteredAt.join(', ')})`] : []),
  ];
  if (parts.length === 0) return [];
  const what = `${nameService(id, was)} has ${parts.join(' and ')}: nothing serves it while ${sortUnique([...(replicas ? served : []), ...(gateways ? entered : [])]).join(' or ')} is down`;
  const lost = servedBy.filter((one) => !served.includes(one));
  const staying = members.flatMap((member) => stayingOf(member, draining.after));
  const deployments = members.map(targetIdOf);
  const hint = replicas
    ? hintToSpread({ deployments, left: lost, isDraining, replicas: new Set(staying).size })
    : 'Keep the gateway on two clusters';
  return [{ code: 'lost-redundancy', what, hint, ...(replicas && { leaving: { deployments, clusters: lost } }) }];
}

const NONE: ReadonlySet<string> = new Set();

/** A service that has the name of a deployment and is not the same as its replicas is called a service. */
function nameService(id: string, was: RoutedService): string {
  const targets = was.rules.flatMap(({ members }) => members.map(targetIdOf));
  return targets.includes(id) && targets.some((one) => one !== id) ? `the service ${id}` : id;
}

/** The locations of draining replicas: `ml/chat us/0`. */
export function listDraining({ schedule }: Pick<PlacedFleet, 'schedule'>): ReadonlySet<string> {
  return toLocations(schedule.placements.filter(({ draining }) => draining));
}

function toLocations(lines: readonly Placement[]): ReadonlySet<string> {
  return new Set(lines.map(({ deployment, cluster, index }) => `${deployment} ${cluster}/${index}`));
}

/** The clusters with replicas that stay, and the endpoints outside the fleet, that get requests or take over. */
function membersOf({ rules }: RoutedService, draining: ReadonlySet<string>): string[] {
  const members = rules
    .flatMap((rule) => rule.members)
    .filter((member) => member.kind === 'External' || stayingOf(member, draining).length > 0);
  return sortUnique(members.map(({ cluster, target }) => cluster ?? `endpoint ${target.namespace}/${target.name}`));
}

/** The replicas of a member that stay, by location. */
function stayingOf(member: RouteMember, draining: ReadonlySet<string>): string[] {
  return placesOf(member).filter((place) => !draining.has(place));
}

/** The replicas of a member, by location: `ml/chat us/0`. */
export function placesOf({ cluster, target, replicas }: RouteMember): string[] {
  return replicas.map((index) => `${target.namespace}/${target.name} ${cluster}/${index}`);
}

/** The clusters with an ingress gateway, without lost ones. */
function gatewaysOf({ gateways }: RoutedService, lost: ReadonlySet<string>): string[] {
  return sortUnique(gateways.map(({ cluster }) => cluster)).filter((one) => !lost.has(one));
}

function findOpened({ id, was, is }: ServicePair): ServiceWarning[] {
  if (!compareAccess(was, is).opened) return [];
  const what = `${id} accepts requests without authentication, which it refused before`;
  return [{ code: 'access-opened', what, hint: 'Set auth of the service or of its gateway, unless that is intended' }];
}

/** From which part of the requests on a step to one deployment is a warning, however little its replicas get more. */
const LARGE_STEP = 0.5;

/** From which factor a rise of the requests of a replica is a warning. */
const LARGE_RISE = 1.5;

/** Finds deployments whose replicas each get more requests than any replica got before: many more, or most of all. */
function findOverload(pair: ServicePair): ServiceWarning[] {
  const shares = listTargetShares(pair.was).filter(({ external }) => !external);
  return pair.targets.flatMap(({ target, match, external, before, after }): ServiceWarning[] => {
    const earlier = shares.filter((one) => one.match === match && partOf(one.portion) > 0);
    // Draining replicas go once others replace them: what each of those gets without them is the measure.
    const lasting = earlier.map((one) => withoutDraining(pair, one));
    const busiest = mostBy(lasting, ({ portion }) => perReplica(portion));
    const main = mostBy(earlier, ({ portion }) => partOf(portion));
    if (!after || external || !busiest || !main) return [];
    const rise = perReplica(after) / perReplica(busiest.portion);
    const note = (added: number): string => pair.noteRoom(target, added);
    const gets = `${pair.id}: ${target} gets ${formatRequests(after, match)} with ${pluralize(after.replicas, 'replica')}`;
    if (partOf(after) - partOf(before) > LARGE_STEP && rise > 1) {
      const what = `${gets}; until now ${main.target === pair.id ? 'the deployment ' : ''}${main.target} got ${formatRoundPercent(partOf(main.portion))} with ${pluralize(main.portion.replicas, 'replica')}`;
      return [
        {
          code: 'fewer-replicas',
          what,
          hint: `Change the weights in smaller steps, and ${hintToAdd({ after }, busiest.portion, note)}`,
        },
      ];
    }
    if (countLost(pair, target)) return [];
    const more = isLarge(rise)
      ? `${formatRise(rise)} what a replica of ${busiest.target} gets ${earlier.includes(busiest) ? 'today' : 'without the draining ones'} (${formatPercent(perReplica(busiest.portion))})`
      : describeOwnRise({ target, before, after }, lasting, pair.fleets.after);
    if (more === undefined) return [];
    const what = `${gets}: ${after.replicas === 1 ? '' : 'each gets '}${more}`;
    const hint = `Requests beyond what ${after.replicas === 1 ? 'it' : 'they'} can take get 429. ${capitalize(hintToAdd({ before, after }, busiest.portion, note))}`;
    return [{ code: 'fewer-replicas', what, hint }];
  });
}

/** The share of a deployment before, of the replicas that stay. That of all replicas where none drains, or all do. */
function withoutDraining({ was, draining }: ServicePair, share: RouteMemberShare): RouteMemberShare {
  const { target, portion } = share;
  const replicas = countStaying(was, target, draining.before);
  return replicas === 0 || replicas === portion.replicas ? share : { ...share, portion: { ...portion, replicas } };
}

/**
 * `add 2 replicas first (room on us/h100; cost unchanged): each of 3 then gets no more than one gets today`: than one of the busiest, or one of its own where
 * those of the busiest get as many.
 */
function hintToAdd(
  { before, after }: Pick<RisingTarget, 'after'> & { before?: TrafficShare | undefined },
  busiest: TrafficShare,
  noteRoom: (added: number) => string,
): string {
  const isAboveBusiest = isLarge(perReplica(after) / perReplica(busiest));
  const today = perReplica(isAboveBusiest ? busiest : (before ?? busiest));
  // Shares are rounded.
  const needed = Math.max(after.replicas + 1, Math.ceil(partOf(after) / today - 0.01));
  const added = needed - after.replicas;
  return `add ${pluralize(added, 'replica')} first${noteRoom(added)}: each of ${formatCount(needed)} then gets no more than one gets today`;
}

/** What part of its requests a replica of another engine, or on other devices, shows that a replica can take. */
const SHOWN_BY_OTHERS = 0.5;

interface RisingTarget {
  readonly target: string;
  readonly before: TrafficShare | undefined;
  readonly after: TrafficShare;
}

/** `2.5 times as many as today (10 %)`, where no replica that is comparable gets that many. */
function describeOwnRise(
  { target, before, after }: RisingTarget,
  earlier: readonly RouteMemberShare[],
  { deployments }: Pick<Fleet, 'deployments'>,
): string | undefined {
  if (!before || partOf(before) === 0) return undefined;
  const [own, declared] = [perReplica(before), indexDeploymentsById(deployments)];
  const is = declared.get(target);
  const shown = earlier.map((one) => {
    const other = declared.get(one.target);
    return perReplica(one.portion) * (is && other && areComparable(is, other) ? 1 : SHOWN_BY_OTHERS);
  });
  const rise = perReplica(after) / own;
  if (!isLarge(rise) || !isLarge(perReplica(after) / Math.max(...shown))) return undefined;
  return `${formatRise(rise)} as many as today (${formatRoundPercent(own)})`;
}

/** The first of those with the most. */
function mostBy<T>(all: readonly T[], by: (one: T) => number): T | undefined {
  return all.reduce<T | undefined>((most, one) => (most === undefined || by(one) > by(most) ? one : most), undefined);
}

/** `80 % of the requests with x-canary: 1`. */
function formatRequests(share: TrafficShare, match: string | undefined): string {
  return `${formatRoundPercent(partOf(share))} of the requests${match === undefined ? '' : ` with ${match}`}`;
}

/** `1.6 times`. */
export function formatRise(rise: number): string {
  return `${Number(rise.toFixed(1))} times`;
}

/** Whether a rise is a warning. Shares are rounded, so that 3 replicas instead of 2 can be a little below 1.5. */
export function isLarge(rise: number): boolean {
  return Number(rise.toFixed(3)) >= LARGE_RISE;
}

/** Finds deployments whose remaining replicas each get many more requests, because others of them go. */
function findLostReplicas(pair: ServicePair): ServiceWarning[] {
  return pair.targets.flatMap(({ target, match, external, before, after }): ServiceWarning[] => {
    if (external || !before || !after || partOf(before) === 0) return [];
    const lost = countLost(pair, target);
    if (!lost) return [];
    const rise = perReplica({ ...after, replicas: lost.now }) / perReplica({ ...before, replicas: lost.old });
    if (!isLarge(rise) || canAddCopies(pair, target, lost)) return [];
    const count = `${pluralize(lost.now, 'replica')} instead of ${formatCount(lost.old)}`;
    const what = `${pair.id}: ${target} gets ${formatRequests(after, match)} with ${count}: each gets ${formatRise(rise)} as many`;
    const keep = `Keep ${formatCount(lost.old)}, unless ${formatCount(lost.now)} can take the requests at their peak`;
    return [{ code: 'fewer-replicas', what, hint: `Requests beyond what they can take get 429. ${keep}` }];
  });
}

/** Whether fewer replicas of the same engines have as many copies as before once an autoscaler adds all it may. */
function canAddCopies({ fleets }: ServicePair, target: string, { old, now }: { old: number; now: number }): boolean {
  const [was, is] = [fleets.before, fleets.after].map(({ deployments }) =>
    indexDeploymentsById(deployments).get(target),
  );
  if (!was || !is || !areComparable(was, is)) return false;
  return now * countMostCopies(is) >= old * countMostCopies(was);
}

/** The most copies that every engine of a replica can have. */
function countMostCopies({ spec }: ModelDeployment): number {
  return Math.min(...spec.template.spec.engines.map(reservedCopiesOf));
}

/** The replicas of a deployment behind a service before and after, without draining ones. Undefined: none go, or all. */
function countLost({ was, is, draining }: ServicePair, target: string): { old: number; now: number } | undefined {
  const [old, now] = [countStaying(was, target, draining.before), countStaying(is, target, draining.after)];
  return now > 0 && now < old ? { old, now } : undefined;
}

/** The replicas of a deployment behind a service that stay. */
function countStaying({ rules }: RoutedService, target: string, draining: ReadonlySet<string>): number {
  const members = rules.flatMap((rule) => rule.members).filter((one) => targetIdOf(one) === target);
  return new Set(members.flatMap((member) => stayingOf(member, draining))).size;
}

function targetIdOf({ target }: RouteMember): string {
  return `${target.namespace}/${target.name}`;
}

function perReplica(traffic: TrafficShare): number {
  return partOf(traffic) / Math.max(1, traffic.replicas);
}
