import type { ModelService } from '../api/model-service';
import { qualifiedNameOf } from '../api/resource';
import { sortUnique } from '../base/order';
import { indexDeploymentsById } from '../fleet/fleet';
import type { PlacedFleet } from '../plan/decision';
import type { RoutedService, RouteMember, RouteRule } from '../routing/routing';
import { totalWeightOf } from '../routing/weights';
import { type AccessChange, compareAccess } from './access-changes';
import { type DeploymentDiff, findOutages, type FleetDiff } from './fleet-diff';
import { findLostLabels, type LostLabel } from './lost-labels';
import {
  findLostModels,
  findLostNames,
  findRemovedDeployments,
  type LostModels,
  type LostName,
  type RemovedDeployment,
} from './lost-names';
import { isEvicted, listFrozen } from './replica-changes';
import type { ApplyMode } from './serving-during-change';
import { findServiceOutages, findSilentServices, type ServiceOutage, type SilentService } from './service-outages';
import { findSurgeNeeds, type SurgeNeed } from './surge-needs';

/** A part of a change that `plan --gate` refuses. */
export type GateFinding =
  | OutageFinding
  | TooFewServingFinding
  | EntryLostFinding
  | ShareStepFinding
  | NoneLeftFinding
  | AddressGoneFinding
  | AccessLostFinding
  | ServiceOutageFinding
  | ModelGoneFinding
  | ({ readonly kind: 'service-silent' } & SilentService)
  | ({ readonly kind: 'names-gone' } & LostModels)
  | ({ readonly kind: 'renamed' } & LostName)
  | ({ readonly kind: 'removed' } & RemovedDeployment);

/** A deployment that has no serving replica for some time. */
interface OutageFinding {
  readonly kind: 'outage';
  readonly change: DeploymentDiff;
  readonly applied: ApplyMode;

  /** What a surge of its gangs needs. Empty if it has none that restart in place. */
  readonly surge: readonly SurgeNeed[];
}

/** A deployment of which fewer replicas serve for some time than its `minAvailable`. */
interface TooFewServingFinding {
  readonly kind: 'too-few-serving';
  readonly change: DeploymentDiff;
  readonly serving: number;
  readonly minAvailable: number;
  readonly applied: ApplyMode;
  readonly surge: readonly SurgeNeed[];
}

/** An entry of a service that had members and now selects none. */
interface EntryLostFinding {
  readonly kind: 'entry-lost';
  readonly service: ModelService;

  /** The index in `spec.endpoints`, from 0. */
  readonly entry: number;

  /** Whether other entries still get requests. */
  readonly others: boolean;

  /** The largest part of the requests of a rule that it had, from 0 to 1. 0 for a fallback. */
  readonly share: number;

  /** The labels that resources lose, although the entry selects by them. */
  readonly lost: readonly LostLabel[];

  /** The entry above it that selects everything that it selects. */
  readonly shadowedBy?: ShadowingEntry;
}

/** An entry of a service that takes the requests of another below it. */
interface ShadowingEntry {
  /** The index in `spec.endpoints`, from 0. */
  readonly entry: number;

  /** What the entry at this place was before, with its part of the requests. Absent if it selected the same. */
  readonly replaced?: { readonly service: ModelService; readonly share: number };
}

/** An entry of a service whose share of requests changes by more than `spec.maxShareChange`. */
interface ShareStepFinding {
  readonly kind: 'share-step';
  readonly service: ModelService;
  readonly entry: number;

  /** The deployment or endpoint whose share changes, `namespace/name`, where the entry selects others than before. */
  readonly target?: string;

  /** Parts of the requests of a rule, from 0 to 1. */
  readonly before: number;
  readonly after: number;
}

/** A deployment of which no replica has a place any more. */
interface NoneLeftFinding {
  readonly kind: 'none-left';
  readonly change: DeploymentDiff;
}

/** Addresses at which clients no longer reach a service. */
interface AddressGoneFinding {
  readonly kind: 'address-gone';

  /** `namespace/name`. */
  readonly id: string;

  /** Absent: the service is no longer declared. */
  readonly service?: ModelService;
  readonly urls: readonly string[];
}

/** Clients of a service that can no longer use it. */
interface AccessLostFinding extends Pick<AccessChange, 'lostClients' | 'movedClients' | 'refused'> {
  readonly kind: 'access-lost';
  readonly service: ModelService;
}

/** A service that has no serving replica for some time, because all that it selects is new. */
interface ServiceOutageFinding extends ServiceOutage {
  readonly kind: 'service-outage';
}

/** A model name that clients of a service can no longer request. */
interface ModelGoneFinding {
  readonly kind: 'model-gone';
  readonly service: ModelService;
  readonly model: string;
}

/** The two states of a change, and how it is applied. */
export interface GateContext {
  readonly before: PlacedFleet;
  readonly after: PlacedFleet;

  readonly applied: ApplyMode;

  /** Whether it is intended that models, names and addresses are removed. */
  readonly acceptRemovals: boolean;
}

/** Lists what the gate refuses: labels that entries lose first, then outages, then what happens to the requests of services, by service. */
export function findGateFindings(diff: FleetDiff, context: GateContext): GateFinding[] {
  const { before, after } = context;
  const earlier = new Map(before.routing.services.map((one) => [idOf(one), one]));
  const later = new Map(after.routing.services.map((one) => [idOf(one), one]));
  const declaredBefore = new Map(before.fleet.services.map((one) => [qualifiedNameOf(one), one]));
  const frozen = listFrozen(after);
  const isFrozen = ({ rules }: RoutedService): boolean =>
    rules.some(({ members }) => members.some(({ target }) => frozen.has(idOf(target))));
  const services = after.fleet.services.flatMap((service) => {
    const id = qualifiedNameOf(service);
    const [was, declared] = [earlier.get(id), declaredBefore.get(id)];
    if (!was || !declared || isFrozen(was)) return [];
    const change: ServiceTransition = { service, declared, was, is: later.get(id) };
    if (context.acceptRemovals) return findEntryFindings(change);
    return [...findEntryFindings(change), ...findLostAccess(change), ...findGoneModels(change)];
  });
  const { applied } = context;
  const outages = findOutages(diff, applied).map((change): GateFinding => {
    return { kind: 'outage', change, applied, surge: findSurgeNeeds(change, after) };
  });
  const withCauses = services.map((one) =>
    one.kind === 'entry-lost' ? { ...one, lost: findLostLabels(one.service, one.entry, diff) } : one,
  );
  const emptied = context.acceptRemovals ? [] : diff.deployments.filter(losesEveryPlace);
  const lost = emptied.map((change): GateFinding => ({ kind: 'none-left', change }));
  const cut = context.acceptRemovals ? [] : findServiceOutages(diff, context);
  // A lost label is why the pods restart, too.
  const isCause = (one: GateFinding): boolean => one.kind === 'entry-lost' && one.lost.length > 0;
  return [
    ...withCauses.filter(isCause),
    ...findSilentServices(diff, context).map((one): GateFinding => ({ kind: 'service-silent', ...one })),
    ...outages,
    ...cut.map((one): GateFinding => ({ kind: 'service-outage', ...one })),
    ...lost,
    ...findTooFewServing(diff, context),
    ...findGoneAddresses(diff, context),
    ...(context.acceptRemovals ? [] : findNamesGone(diff, context, cut)),
    ...withCauses.filter((one) => !isCause(one)),
  ];
}

/** A rename that takes down a service is a finding of that service. */
function findNamesGone(diff: FleetDiff, context: GateContext, cut: readonly ServiceOutage[]): GateFinding[] {
  const reported = new Set(cut.flatMap(({ targets }) => targets.map(({ former }) => former)));
  const renamed = findLostNames(diff, context).filter(({ former }) => !reported.has(former));
  return [
    ...renamed.map((one): GateFinding => ({ kind: 'renamed', ...one })),
    ...findRemovedDeployments(diff, context).map((one): GateFinding => ({ kind: 'removed', ...one })),
    ...findLostModels(diff, context).map((one): GateFinding => ({ kind: 'names-gone', ...one })),
  ];
}

/** Whether all replicas of a deployment go although it still declares them. Other removals are declared. */
export function losesEveryPlace({ serving, changes }: DeploymentDiff): boolean {
  return serving.before > 0 && serving.after === 0 && changes.some(isEvicted);
}

function idOf({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}

function findTooFewServing(diff: FleetDiff, { after: state, applied }: GateContext): GateFinding[] {
  const declared = indexDeploymentsById(state.fleet.deployments);
  const outages = new Set(findOutages(diff, applied));
  return diff.deployments.flatMap((change): GateFinding[] => {
    const { serving, deployment } = change;
    const { minAvailable = 0 } = declared.get(deployment)?.spec ?? {};
    const least = serving[applied];
    const isNew = serving.before < minAvailable;
    if (serving.recreate || isNew || losesEveryPlace(change) || least >= minAvailable || outages.has(change)) return [];
    const surge = findSurgeNeeds(change, state);
    return [{ kind: 'too-few-serving', change, serving: least, minAvailable, applied, surge }];
  });
}

interface ServiceTransition {
  readonly service: ModelService;

  /** The earlier declaration. */
  readonly declared: ModelService;
  readonly was: RoutedService;

  /** Absent: the service has no routes any more. */
  readonly is: RoutedService | undefined;
}

function findEntryFindings(change: ServiceTransition): GateFinding[] {
  const { service, declared, was, is } = change;
  const former = matchEntries(declared, service);
  return service.spec.endpoints.flatMap((_, entry): GateFinding[] => {
    const old = former.get(entry);
    const sharesBefore = old === undefined ? undefined : sharesOf(was, isOfEntry(old));
    if (old === undefined || !sharesBefore || sharesBefore.size === 0) return [];
    const sharesAfter = is ? sharesOf(is, isOfEntry(entry)) : NO_SHARES;
    if (sharesAfter.size > 0) return findShareStep(change, entry, old);
    const share = Math.max(...sharesBefore.values());
    const shadowedBy = is && findEntryAbove(change, entry);
    const found = { kind: 'entry-lost', service, entry, others: is !== undefined, share, lost: [] } as const;
    return [{ ...found, ...(shadowedBy && { shadowedBy }) }];
  });
}

/** An entry with another selector may keep its share while all of it goes to others: then their shares count too. */
function findShareStep({ service, declared, was, is }: ServiceTransition, entry: number, old: number): GateFinding[] {
  const selects = [declared.spec.endpoints[old], service.spec.endpoints[entry]].map((one) => one && keyOfEntry(one));
  const members = [...membersOfEntry(was, old), ...membersOfEntry(is, entry)];
  const targets = selects[0] === selects[1] ? [] : sortUnique(members.map(({ target }) => idOf(target)));
  const steps = [
    ...listSteps(sharesOf(was, isOfEntry(old)), is ? sharesOf(is, isOfEntry(entry)) : NO_SHARES),
    ...targets.flatMap((target) => {
      const isTarget: MemberTest = (member) => idOf(member.target) === target;
      const steps = listSteps(sharesOf(was, isTarget), is ? sharesOf(is, isTarget) : NO_SHARES);
      return steps.map((step) => ({ ...step, target }));
    }),
  ];
  const [first, ...others] = steps;
  const largest = others.reduce((most, step) => (most && stepOf(step) > stepOf(most) ? step : most), first);
  return largest && stepOf(largest) * 100 > service.spec.maxShareChange + ROUNDING
    ? [{ kind: 'share-step', service, entry, ...largest }]
    : [];
}

interface ShareStep {
  readonly before: number;
  readonly after: number;
  readonly target?: string;
}

function listSteps(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): ShareStep[] {
  return [...before].map(([rule, share]) => ({ before: share, after: after.get(rule) ?? 0 }));
}

const NO_SHARES: ReadonlyMap<string, number> = new Map();

type MemberTest = (member: RouteMember) => boolean;

function isOfEntry(entry: number): MemberTest {
  return (member) => member.entry === entry;
}

function membersOfEntry(service: RoutedService | undefined, entry: number): RouteMember[] {
  return (service?.rules ?? []).flatMap(({ members }) => members.filter(isOfEntry(entry)));
}

/** The first entry above another, for requests with the same headers, whose labels are all among those of the other. */
function findEntryAbove({ service, declared, was }: ServiceTransition, entry: number): ShadowingEntry | undefined {
  const { endpoints } = service.spec;
  const own = endpoints[entry];
  const labels = own?.selector.matchLabels ?? {};
  const headers = JSON.stringify(own?.match?.headers ?? {});
  const found = endpoints.slice(0, entry).findIndex(({ selector, match }) => {
    const isSubset = Object.entries(selector.matchLabels).every(([key, value]) => labels[key] === value);
    return isSubset && JSON.stringify(match?.headers ?? {}) === headers;
  });
  const [above, former] = [endpoints[found], declared.spec.endpoints[found]];
  if (!above) return undefined;
  const share = Math.max(0, ...sharesOf(was, isOfEntry(found)).values());
  const isReplaced = former && keyOfEntry(former) !== keyOfEntry(above) && share > 0;
  return { entry: found, ...(isReplaced && { replaced: { service: declared, share } }) };
}

/** Shares are quotients of integers: a step of exactly the limit passes. */
const ROUNDING = 1e-9;

function stepOf({ before, after }: ShareStep): number {
  return Math.abs(after - before);
}

/** The earlier index of each entry: that with the same selector and headers, else that at the same position. */
function matchEntries(before: ModelService, after: ModelService): ReadonlyMap<number, number> {
  const [keys, wanted] = [before, after].map(({ spec }) => spec.endpoints.map(keyOfEntry));
  const former = new Map<number, number>();
  const free = new Set(keys?.keys());
  const match = (entry: number, old: number | undefined): void => {
    if (old === undefined || former.has(entry) || !free.delete(old)) return;
    former.set(entry, old);
  };
  const findSame = (key: string): number | undefined => [...free].find((old) => keys?.[old] === key);
  wanted?.forEach((key, entry) => match(entry, keys?.[entry] === key ? entry : undefined));
  wanted?.forEach((key, entry) => match(entry, findSame(key)));
  wanted?.forEach((_, entry) => match(entry, entry));
  return former;
}

/** The selector and the headers of an entry, by which entries of two states are the same. */
export function keyOfEntry({ selector, match }: ModelService['spec']['endpoints'][number]): string {
  return JSON.stringify([Object.entries(selector.matchLabels).sort(), match?.headers ?? {}]);
}

/** The share of some members by rule. Members of tier 1 have the share 0. Empty: there are no such members. */
function sharesOf({ rules }: RoutedService, isCounted: MemberTest): ReadonlyMap<string, number> {
  return new Map(
    rules.flatMap((rule): [string, number][] => {
      const members = rule.members.filter(isCounted);
      if (members.length === 0) return [];
      const weight = members.reduce((sum, member) => sum + (member.tier === 0 ? member.weight : 0), 0);
      return [[keyOfRule(rule), weight / (totalWeightOf(rule.members, 0) || 1)]];
    }),
  );
}

function keyOfRule({ headers, model }: RouteRule): string {
  return JSON.stringify([headers, model]);
}

/** Compares addresses, and leaves out services of which all entries are lost, which are findings of their own. */
function findGoneAddresses({ routes }: FleetDiff, { before, after, acceptRemovals }: GateContext): GateFinding[] {
  if (acceptRemovals) return [];
  const changed = new Map(routes.services.map((one) => [one.service, one]));
  const declared = new Map(after.fleet.services.map((one) => [qualifiedNameOf(one), one]));
  return before.routing.services.flatMap((was): GateFinding[] => {
    const id = idOf(was);
    const [change, service] = [changed.get(id), declared.get(id)];
    if (!change || (service && change.action === 'remove')) return [];
    const later = new Set(change.action === 'remove' ? [] : change.urls);
    const urls = sortUnique(was.gateways.map(({ url }) => url)).filter((url) => !later.has(url));
    return urls.length > 0 ? [{ kind: 'address-gone', id, ...(service && { service }), urls }] : [];
  });
}

function findLostAccess({ service, was, is }: ServiceTransition): GateFinding[] {
  if (!is) return [];
  const { lostClients, movedClients, refused } = compareAccess(was, is);
  const isKept = lostClients.length + movedClients.length + refused.length === 0;
  return isKept ? [] : [{ kind: 'access-lost', service, lostClients, movedClients, refused }];
}

function findGoneModels({ service, was, is }: ServiceTransition): GateFinding[] {
  if (!is) return [];
  // An empty list says that the models are unknown.
  const models = new Set(is.models);
  const gone = models.size === 0 ? [] : was.models.filter((model) => !models.has(model));
  return gone.map((model) => ({ kind: 'model-gone', service, model }));
}
