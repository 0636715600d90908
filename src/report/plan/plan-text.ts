import { redactValue } from '../../api/secret-detection';
import { type Diagnostic, formatDiagnostic } from '../../base/diagnostic';
import { formatCount } from '../../base/figures';
import { groupBy } from '../../base/order';
import { idText, joinNames, pluralize, quoteShellWord } from '../../base/text';
import type { EstimatedCost } from '../../diff/cost-estimates';
import type { FleetDiff } from '../../diff/fleet-diff';
import { isChangedDeployment } from '../../plan/deployment-plans';
import type { ClusterNeeds, DeploymentPlan, Plan } from '../../plan/plan';
import type { MissingRoutes } from '../../routing/missing-routes';
import type { RoutedService, RouteMember, RouteRule } from '../../routing/routing';
import { formatShareAsPercent, totalWeightOf } from '../../routing/weights';
import { formatCost } from '../cost/cost-summary';
import { type Block, type Item, section, strong, type Style, styledLines } from '../document/document';
import { PLAIN_STYLE, writeTerminal } from '../document/write-terminal';
import { listShortDeployments } from '../diff/shortfall-changes';
import { MAX_SINGLE_ITEMS, nameClusters, showFirstOfAlike, templateOf } from '../document/group-alike';
import { groupPolicies, groupWarnings } from '../pull-request/warning-lines';
import { formatDeployments, formatShortDeployments } from './deployments-text';
import { findFreshRemarks, type WarningsAndNotes } from './fresh-remarks';
import { formatDrains } from './drain-text';
import { formatAdvisedFinding, pointToRemedies } from './policy-text';
import type { ReleaseCount } from './releases-text';
import { formatRequiredObjects, mergeRequiredObjects } from './required-objects-text';
import { formatTotal } from './total-line';

/** What of a plan is shown. */
export interface PlanView {
  /** Whether to list what does not change. */
  readonly all: boolean;

  /** The command that lists it: `fleetwright plan fleet --all`. */
  readonly command: string;

  /** The command that says which pods restart: `fleetwright plan fleet --against REVISION`. Absent: it is not named. */
  readonly compare?: string | undefined;

  /** The command that lists equal rows one by one. Absent: they are listed. */
  readonly each?: string | undefined;

  /** The comparison that the total is of. Default: the total is of the changes since the lock. */
  readonly diff?: FleetDiff | undefined;

  /** The notes on what the plan was read from, which are listed even if nothing changes. Default: all notes are. */
  readonly read?: readonly string[];

  /** The warnings and notes of the state that the plan is compared with, which are counted. Default: all are listed. */
  readonly earlier?: WarningsAndNotes | undefined;

  /** The nodes that give all replicas without a place one. */
  readonly moreNodes?: readonly Block[];

  /** The price sources of those nodes, which are listed with those of the cost. */
  readonly prices?: readonly string[];

  /** The cost with prices of other regions. Absent: there are none, or none are needed. */
  readonly estimate?: EstimatedCost | undefined;

  /** The releases to install, where all is listed. */
  readonly releases?: readonly Item[];

  /** How many releases to install, where not all is listed. Default: they are not counted. */
  readonly releaseCount?: ReleaseCount;
}

/**
 * Formats a plan for a terminal: deployments with the changes of their replicas, every shortfall with the first reason
 * against each cluster and pool, whether drains can finish, and the totals in the last line. What does not change is
 * counted.
 *
 * @param name the name of the fleet: the path that it was read from
 * @example
 * const report = formatPlan(decision.plan, 'fleet');
 */
export function formatPlan(
  plan: Plan,
  name: string,
  {
    style = PLAIN_STYLE,
    ...nodes
  }: { readonly style?: Style } & Pick<PlanView, 'moreNodes' | 'prices' | 'estimate'> = {},
): string {
  const command = `fleetwright plan ${quoteShellWord(name)} --all`;
  const view = { all: false, command, each: command, ...nodes };
  return writeTerminal(planBlocks(plan, name, view), { style });
}

export function planBlocks(plan: Plan, name: string, view: PlanView): Block[] {
  const { clusters, pools, deployments, replicas } = plan.fleet;
  const sizes = [
    pluralize(clusters, 'cluster'),
    pluralize(pools, 'pool'),
    pluralize(deployments, 'deployment'),
    pluralize(replicas, 'replica'),
  ];
  const shown = view.all ? plan.deployments : plan.deployments.filter(isChangedDeployment);
  return [
    { text: [strong(`Fleet ${name}:`), ` ${sizes.join(', ')}`] },
    '',
    ...section(plan.missingRoutes ? formatMissingRoutes(plan.missingRoutes) : []),
    ...formatDeployments(shown, view),
    ...section(formatUnchanged(plan, view)),
    ...section(formatServices(view.all ? plan.services : selectServices(plan, shown), view.each !== undefined)),
    ...formatPlanMessages(plan, view),
  ];
}

/** Formats the other parts of a plan: what needs attention, required objects, cost and totals. */
function formatPlanMessages(plan: Plan, view: PlanView): Block[] {
  return [
    ...formatFindings(plan, view),
    ...formatRequirements(plan, view),
    ...formatCost(plan.cost, view.prices, view.estimate),
    ...styledLines('strong', [formatTotal(plan, view.diff)]),
  ];
}

/** Formats replicas without a place, drains, warnings and notes. */
export function formatFindings(plan: Plan, view: PlanView): Block[] {
  const { warnings, notes } = selectRemarks(plan, view);
  const counted = [
    ...countOf(plan.warnings.length - warnings.length, 'warning'),
    ...countOf(plan.notes.length - notes.length, 'note'),
  ];
  const hidden = plan.warnings.length - warnings.length + plan.notes.length - notes.length;
  const which = `${view.earlier ? ' that this change does not bring' : ''}: '${view.command}' lists ${hidden === 1 ? 'it' : 'them'}.`;
  return [
    ...(view.diff ? formatShortDeployments(listShortDeployments(plan, view.diff), view.each !== undefined) : []),
    ...section([...(view.moreNodes ?? [])]),
    ...section(formatDrains(plan.drains, plan.deployments)),
    ...section(formatRemarks(formatWarnings, groupWarningLines, warnings, view)),
    ...section(formatRemarks((all) => formatPolicies(all, plan), groupPolicies, plan.policies, view)),
    ...section(styledLines('faint', formatNotes(notes))),
    ...section(styledLines('faint', counted.length > 0 ? [`${counted.join(' and ')}${which}`] : [])),
  ];
}

/** Formats warnings or findings, and of many those of one kind as one line, with the command that lists them. */
function formatRemarks<T>(
  formatEach: (all: readonly T[]) => string[],
  group: (all: readonly T[]) => string[],
  all: readonly T[],
  { each }: PlanView,
): Item[] {
  if (each === undefined || all.length <= MAX_SINGLE_ITEMS) return styledLines('warn', formatEach(all));
  const lines = group(all);
  const isShort = lines.length < all.length;
  const [noun] = formatEach(all.slice(0, 1)).flatMap((text) => text.split(':', 1));
  return [
    ...styledLines('warn', isShort ? lines : formatEach(all)),
    ...styledLines('faint', isShort ? [`Each ${noun}: '${each}'.`] : []),
  ];
}

function groupWarningLines(warnings: readonly Diagnostic[]): string[] {
  return groupWarnings(warnings).map((text) => `warning: ${text}`);
}

function formatPolicies(findings: Plan['policies'], { deployments }: Plan): string[] {
  return findings.map((finding) => `${formatAdvisedFinding(finding)}${pointToRemedies(finding, deployments)}`);
}

/** What is listed: all, what a change brings, or of a plan that changes nothing the notes on what it was read from. */
function selectRemarks(plan: Plan, { all, earlier, diff, read }: PlanView): WarningsAndNotes {
  if (all) return plan;
  if (earlier) return findFreshRemarks(plan, earlier);
  if (!read || diff || plan.deployments.some(isChangedDeployment)) return plan;
  return { ...plan, notes: plan.notes.filter((note) => read.includes(note)) };
}

/** Formats the lines that give routes to services from modelplane.ai, below a warning. */
function formatMissingRoutes({ services, lines, fleet }: MissingRoutes): Block[] {
  const place =
    fleet === undefined
      ? 'Add these lines to the fleet as a file'
      : `Replace the additions of Fleet ${fleet} with these`;
  const what = `warning: ${joinNames(services)} without routes. ${place}, or run 'fleetwright migrate --from modelplane DIR':`;
  return [...styledLines('warn', [what]), '', ...lines.trimEnd().split('\n')];
}

export function formatWarnings(warnings: readonly Diagnostic[]): string[] {
  return warnings.map((warning) => `warning: ${formatDiagnostic(warning)}`);
}

export function formatNotes(notes: readonly string[]): string[] {
  return notes.map((note) => `note: ${note}`);
}

function formatPriceDate({ prices }: Plan): Item[] {
  if (!prices) return [];
  const { asOf, cluster, pool, source } = prices;
  return styledLines('faint', [
    `Prices are from ${asOf} or later. The oldest is that of ${cluster} / ${pool} (${source}).`,
  ]);
}

/**
 * Formats how many deployments and services are not listed, and the command that lists them. Their pods can restart all
 * the same, which only a comparison shows.
 */
function formatUnchanged(plan: Plan, { all, command, compare }: PlanView): Item[] {
  if (all) return [];
  const { deployments, services } = plan;
  const shown = deployments.filter(isChangedDeployment);
  const otherServices = services.length - selectServices(plan, shown).length;
  const kept = countOf(deployments.length - shown.length, 'deployment');
  const parts = [
    ...kept.map((count) => `${count} whose replicas keep their places`),
    ...countOf(otherServices, 'service'),
  ];
  if (parts.length === 0) return [];
  const isOne = kept.length === 0 && otherServices === 1;
  return styledLines('faint', [
    `${parts.join(', and ')}: '${command}' lists ${isOne ? 'it' : 'them'}.`,
    ...(compare === undefined || kept.length === 0 ? [] : [`Whether their pods restart: '${compare}'.`]),
  ]);
}

function countOf(count: number, noun: string): string[] {
  return count > 0 ? [pluralize(count, noun)] : [];
}

/** Returns the services that send requests to deployments, and those of which an entry gets none: others get its share. */
function selectServices({ services, warnings }: Plan, deployments: readonly DeploymentPlan[]): RoutedService[] {
  const ids = new Set(deployments.map(({ deployment }) => deployment));
  const unserved = new Set(warnings.flatMap(({ code, subject }) => (code === 'unserved-entry' ? [subject] : [])));
  return services.filter(
    ({ namespace, name, rules }) =>
      unserved.has(`ModelService ${idText(namespace, name)}`) ||
      rules.some(({ members }) => members.some(({ target }) => ids.has(idText(target.namespace, target.name)))),
  );
}

/** Formats what must exist before the plan is applied, and how old its prices are. */
export function formatRequirements(plan: Plan, view: PlanView): Block[] {
  return [...section(formatNeeds(plan, view)), ...formatPriceDate(plan)];
}

/** Formats the objects that must exist: all, or those that are new and how many others there are. */
function formatNeeds(
  { mustExist, mustExistNew }: Plan,
  { all, command, each, releases = [], releaseCount }: PlanView,
): Item[] {
  if (all) return [...formatRequiredObjects(mustExist), ...releases];
  const format = (title?: string): Item[] =>
    each === undefined
      ? formatRequiredObjects(mustExistNew, title)
      : mergeRequiredObjects(mustExistNew, title, command);
  const added = new Map(mustExistNew.map(({ cluster, objects }) => [cluster, objects.length]));
  const others = mustExist
    .map(({ cluster, objects }) => objects.length - (added.get(cluster) ?? 0))
    .filter((count) => count > 0);
  const count = others.reduce((sum, one) => sum + one, 0);
  const rest = describeNeeds({ count, clusters: others.length }, releaseCount);
  if (rest.length === 0) return format();
  const isNew = added.size > 0 && others.length > 0;
  const title = isNew ? 'New here, and must exist before manifests are applied:' : undefined;
  const what = isNew
    ? 'Other objects that must exist'
    : added.size > 0
      ? 'Also'
      : 'Must exist before manifests are applied';
  return [...format(title), ...styledLines('faint', [`${what}: ${rest.join(' and ')}; '${command}' lists them.`])];
}

interface ObjectCount {
  readonly count: number;
  readonly clusters: number;
}

/** `2 objects` and `3 Helm releases on 1 cluster`, with who installs those. Empty if nothing must exist. */
function describeNeeds(objects: ObjectCount, releases: ReleaseCount = { releases: 0, clusters: 0 }): string[] {
  const isShared = objects.clusters === releases.clusters;
  return [
    ...(objects.count > 0
      ? [`${pluralize(objects.count, 'object')}${isShared ? '' : ` on ${pluralize(objects.clusters, 'cluster')}`}`]
      : []),
    ...(releases.releases > 0
      ? [
          `${pluralize(releases.releases, 'Helm release')} on ${pluralize(releases.clusters, 'cluster')} (a Pulumi stack of the fleet installs ${releases.releases === 1 ? 'it' : 'these'})`,
        ]
      : []),
  ];
}

const MAX_NAMED_MEMBERS = 8;

/**
 * Formats the services of a plan: the URLs of each, and the share of requests of each target, in declared order.
 *
 * @param isGrouped whether one of many that are alike stands for all. Default: false
 */
export function formatServices(services: readonly RoutedService[], isGrouped = false): Item[] {
  const below = isGrouped
    ? showFirstOfAlike(services, {
        keyOf: (service) =>
          templateOf(
            service.rules.flatMap((rule) => formatRule(rule)),
            namesOfService(service),
          ),
        nameOf: ({ namespace, name }) => `${namespace}/${name}`,
        blocksOf: (service) => [formatService(service, isGrouped)],
      })
    : services.map((service) => formatService(service, isGrouped));
  return services.length > 0 ? [{ look: 'strong', text: 'Services:', below }] : [];
}

function formatService({ namespace, name, gateways, rules }: RoutedService, isGrouped: boolean): Item {
  const urls = [...new Set(gateways.map(({ url }) => url))].join(', ');
  const below = rules.flatMap((rule) => formatRule(rule, isGrouped));
  return { text: [strong(`${namespace}/${name}`), `   ${urls}`], below };
}

/** The names in the rules of a service: its own, and those of the deployments and clusters behind it. */
function namesOfService({ namespace, name, rules }: RoutedService): string[] {
  const members = rules.flatMap((rule) => rule.members);
  const targets = members.map(({ target }) => `${target.namespace}/${target.name}`);
  return [`${namespace}/${name}`, ...targets, ...members.flatMap(({ cluster = '' }) => cluster)];
}

/** @param isGrouped whether the clusters of a target are one line, where there are many. Default: false */
function formatRule(rule: RouteRule, isGrouped = false): Block[] {
  const conditions = formatConditions(rule);
  const declared = [...rule.members].sort((a, b) => a.entry - b.entry);
  const isMany = isGrouped && declared.length > MAX_SINGLE_ITEMS;
  const lines = isMany ? formatTargets(declared, rule) : declared.map((member) => formatMember(member, rule));
  const more = lines.length - MAX_NAMED_MEMBERS;
  const members = [...lines.slice(0, MAX_NAMED_MEMBERS), ...(more > 0 ? [`${formatCount(more)} more`] : [])];
  return conditions.length > 0 ? [{ text: `with ${conditions.join(', ')}`, below: members }] : members;
}

/** `90 %   ml/q on 200 clusters (400 replicas)`: what the clusters of each target get together. */
function formatTargets(members: readonly RouteMember[], rule: RouteRule): string[] {
  const targets = groupBy(members, ({ entry, target, tier }) => JSON.stringify([entry, target, tier]));
  return [...targets.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const all = [first, ...others];
    const sum = {
      ...first,
      weight: all.reduce((total, { weight }) => total + weight, 0),
      replicas: all.flatMap(({ replicas }) => replicas),
    };
    const clusters = all.flatMap(({ cluster = [] }) => cluster);
    return [formatMember(sum, rule, clusters.length > 0 ? nameClusters(clusters) : undefined)];
  });
}

/** Formats the conditions for requests to follow a rule: `x-tenant: a`, `model qwen3`. */
export function formatConditions({ headers, model }: RouteRule): string[] {
  return [
    ...headers.map(({ name, value }) => `${name}: ${redactValue(value, name)}`),
    ...(model === undefined ? [] : [`model ${model}`]),
  ];
}

/** Formats the share of a member of a rule, and where it is: `50 %   ml/q on us (2 replicas)`. */
export function formatMember(member: RouteMember, { members }: RouteRule, clusters = member.cluster): string {
  const { weight, tier, target, replicas } = member;
  const share = formatShareAsPercent(weight, totalWeightOf(members, tier));
  const name = `${target.namespace}/${target.name}`;
  const where =
    clusters === undefined ? `endpoint ${name}` : `${name} on ${clusters} (${pluralize(replicas.length, 'replica')})`;
  return `${share}   ${where}${tier === 1 ? ', only while nothing of tier 0 serves' : ''}`;
}

/** Formats how many objects and releases must exist on clusters, and the command that lists them. */
export function countRequiredObjects(
  needs: readonly ClusterNeeds[],
  command: string,
  releases?: ReleaseCount,
  what = 'Must exist before manifests are applied',
): Item[] {
  const count = needs.reduce((sum, { objects }) => sum + objects.length, 0);
  const parts = describeNeeds({ count, clusters: needs.length }, releases);
  if (parts.length === 0) return [];
  return styledLines('faint', [`${what}: ${parts.join(' and ')}; '${command}' lists them.`]);
}
