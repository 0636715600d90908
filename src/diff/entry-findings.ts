import { resourceIdOf } from '../api/kinds';
import { findUnmetRequirement } from '../api/label-matching';
import type { ModelDeployment } from '../api/model-deployment';
import type { ModelService } from '../api/model-service';
import { sortUnique } from '../base/order';
import { toPermanentSelector } from '../routing/checks/nearest-labels';
import type { RoutedService, RouteMember, RouteRule } from '../routing/routing';
import { selectableLabelsOf } from '../routing/selectable-items';
import { totalWeightOf } from '../routing/weights';
import type { DeclarationChange } from './declaration-changes';
import type { DeploymentDiff } from './deployment-diff';
import type { LostLabel } from './lost-labels';
import { findPassingWeight, type PassingWeight } from './passing-weight';

/** An entry of a service that had members and now selects none. */
export interface EntryLostFinding {
  readonly kind: 'entry-lost';
  readonly service: ModelService;

  /** The index in `spec.endpoints`, from 0. */
  readonly entry: number;

  /** Whether other entries still get requests. */
  readonly others: boolean;

  /** What gets its requests, `namespace/name`. Empty: others of which not all are known, or none. */
  readonly heirs: readonly string[];

  /** The largest part of the requests of a rule that it had, from 0 to 1. 0 for a fallback. */
  readonly share: number;

  /** The labels that resources lose, although the entry selects by them. */
  readonly lost: readonly LostLabel[];

  /** What it selected and still would, with 'replicas: 0'. Absent: something else is why it selects nothing. */
  readonly scaledToZero?: readonly string[];

  /** What it selected and still would, where some of it declares replicas. Absent: something else is why. */
  readonly stillSelected?: readonly string[];

  /** Those of which all replicas lose their places. Absent: there are none. */
  readonly evicted?: readonly DeploymentDiff[];

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

/** The entries of a service whose shares of requests change by more than `spec.maxShareChange`. */
export interface ShareStepFinding {
  readonly kind: 'share-step';
  readonly service: ModelService;

  /** In the order of the entries. Never empty. */
  readonly steps: readonly ShareStep[];

  /** A weight that one of the entries can have. Absent: it is not known. */
  readonly passing?: PassingWeight;
}

/** A change of a part of the requests of a rule, from 0 to 1. */
interface ShareChange {
  readonly before: number;
  readonly after: number;

  /** The deployment or endpoint whose share changes, `namespace/name`, where the entry selects others than before. */
  readonly target?: string;
}

interface ShareStep extends ShareChange {
  /** The index in `spec.endpoints`, from 0. */
  readonly entry: number;
}

export interface ServiceTransition {
  readonly service: ModelService;

  /** The earlier declaration. */
  readonly declared: ModelService;
  readonly was: RoutedService;

  /** Absent: the service has no routes any more. */
  readonly is: RoutedService | undefined;

  /** The later deployments, by `namespace/name`. */
  readonly deployments: ReadonlyMap<string, ModelDeployment>;
}

/** Lists the entries of a service that select nothing any more, and those whose shares change by too large a step. */
export function findEntryFindings(change: ServiceTransition): (EntryLostFinding | ShareStepFinding)[] {
  const { service, declared, was, is } = change;
  const former = matchEntries(declared, service);
  const steps: ShareStep[] = [];
  const lost = service.spec.endpoints.flatMap((_, entry): EntryLostFinding[] => {
    const old = former.get(entry);
    const sharesBefore = old === undefined ? undefined : sharesOf(was, isOfEntry(old));
    if (old === undefined || !sharesBefore || sharesBefore.size === 0) return [];
    const sharesAfter = is ? sharesOf(is, isOfEntry(entry)) : NO_SHARES;
    if (sharesAfter.size > 0) {
      steps.push(...findShareStep(change, entry, old));
      return [];
    }
    const share = Math.max(...sharesBefore.values());
    const shadowedBy = is && findEntryAbove(change, entry);
    const found = { kind: 'entry-lost', service, entry, others: is !== undefined, share, lost: [] } as const;
    const heirs = is ? listHeirs(was, is, old) : [];
    if (shadowedBy) return [{ ...found, heirs, shadowedBy }];
    return [{ ...found, heirs, ...findStillSelected(change, entry, old) }];
  });
  const passing = findPassingWeight(declared, service, steps);
  return steps.length === 0 ? lost : [...lost, { kind: 'share-step', service, steps, ...(passing && { passing }) }];
}

/** Whether an entry selects nothing any more because labels were lost. */
export function isLabelLost(finding: { readonly kind: string } | EntryLostFinding): finding is EntryLostFinding {
  return finding.kind === 'entry-lost' && 'lost' in finding && finding.lost.length > 0;
}

/** Leaves out that entries get more requests because others lost labels, in services that stay as they were declared. */
export function omitHeirSteps<T extends { readonly kind: string }>(
  findings: readonly (T | EntryLostFinding | ShareStepFinding)[],
  { declarations }: { readonly declarations: readonly Pick<DeclarationChange, 'id'>[] },
): (T | EntryLostFinding | ShareStepFinding)[] {
  const services = new Set(findings.filter(isLabelLost).map(({ service }) => resourceIdOf(service)));
  for (const { id } of declarations) services.delete(id);
  return findings.flatMap((one) => {
    if (!isShareStep(one) || !services.has(resourceIdOf(one.service))) return [one];
    const steps = one.steps.filter(({ before, after }) => after < before);
    return steps.length === 0 ? [] : [{ ...one, steps }];
  });
}

function isShareStep(finding: { readonly kind: string } | ShareStepFinding): finding is ShareStepFinding {
  return finding.kind === 'share-step' && 'steps' in finding;
}

/** The deployments of an entry with an unchanged selector, if all of them are declared. */
function findStillSelected(
  { service, declared, was, deployments }: ServiceTransition,
  entry: number,
  old: number,
): Pick<EntryLostFinding, 'scaledToZero' | 'stillSelected'> {
  const [former, now] = [declared.spec.endpoints[old], service.spec.endpoints[entry]];
  if (!former || !now || keyOfEntry(former) !== keyOfEntry(now)) return {};
  const targets = sortUnique(membersOfEntry(was, old).map(({ target }) => idOf(target)));
  if (!targets.every((id) => isStillSelected(deployments.get(id), now))) return {};
  const areScaled = targets.every((id) => deployments.get(id)?.spec.replicas === 0);
  return areScaled ? { scaledToZero: targets } : { stillSelected: targets };
}

function isStillSelected(
  deployment: ModelDeployment | undefined,
  { selector }: ModelService['spec']['endpoints'][number],
): boolean {
  if (!deployment) return false;
  return findUnmetRequirement(toPermanentSelector(selector), selectableLabelsOf(deployment)) === undefined;
}

/** An entry with another selector may keep its share while all of it goes to others: then their shares count too. */
function findShareStep({ service, declared, was, is }: ServiceTransition, entry: number, old: number): ShareStep[] {
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
  return largest && stepOf(largest) * 100 > service.spec.maxShareChange + ROUNDING ? [{ ...largest, entry }] : [];
}

function listSteps(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): ShareChange[] {
  return [...before].map(([rule, share]) => ({ before: share, after: after.get(rule) ?? 0 }));
}

const NO_SHARES: ReadonlyMap<string, number> = new Map();

type MemberTest = (member: RouteMember) => boolean;

function isOfEntry(entry: number): MemberTest {
  return (member) => member.entry === entry;
}

/** What gets the requests of the rules of an entry that is gone. Empty where one of these rules is gone too. */
function listHeirs(was: RoutedService, is: RoutedService, old: number): string[] {
  const later = new Map(is.rules.map((rule) => [keyOfRule(rule), rule]));
  const rules = was.rules
    .filter(({ members }) => members.some(isOfEntry(old)))
    .map((rule) => later.get(keyOfRule(rule)));
  if (rules.includes(undefined)) return [];
  const heirs = rules.flatMap((rule) => rule?.members.filter(({ tier, weight }) => tier === 0 && weight > 0) ?? []);
  return sortUnique(heirs.map(({ target }) => idOf(target)));
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

function stepOf({ before, after }: ShareChange): number {
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

function idOf({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}
