import type { MoreNodes } from '../../analyze/survive/more-nodes';
import type { Diagnostic } from '../../base/diagnostic';
import { groupBy, sortUnique } from '../../base/order';
import { capitalize, joinAnd, joinNames, pluralize } from '../../base/text';
import type { FleetDiff } from '../../diff/fleet-diff';
import { isSwapped } from '../../diff/model-changes';
import type { ServiceChange } from '../../diff/route-changes';
import type { PlacedReplica, Plan } from '../../plan/plan';
import { type ReplicaChange, stopsBeforeMove } from '../../plan/replica-moves';
import { isUnchanged } from '../cost/cost-summary';
import { describePriceChanges } from '../cost/price-change-text';
import type { CiteEdits } from '../diff/change-sentences';
import { partOf } from '../../diff/traffic-share-changes';
import { escapeMarkdown, formatCode } from '../document/write-markdown';
import { describeStaying } from '../plan/drain-text';
import { describePolicyChanges } from '../plan/policy-text';
import { listKept } from '../plan/resource-error-text';
import { listAccessClauses, listReachSentences } from './access-clauses';
import {
  type Clause,
  countClause,
  describeDowntime,
  joinDeployments,
  joinServices,
  limitClauses,
  limitRanked,
  MAX_NAMES,
  rankClauses,
  toSentences,
} from './clauses';
import { listCopiesClauses } from './copies-clauses';
import { formatCostSentence } from './cost-sentence';
import { type DeploymentRow, isDown } from './deployment-rows';
import { describeEdit } from './deployment-table';
import { describeRaisedSurges } from '../diff/reserved-text';
import { listEditClauses } from './edit-clauses';
import { toCauses } from '../../diff/replica-causes';
import { describeEditedFields } from './edited-fields';
import { listOtherEdits } from './other-edits';
import { listEntranceClauses } from './entrance-clauses';
import { hasOneFate, listFateClauses } from './fate-clauses';
import { listKeptClauses } from './kept-clauses';
import { listLossClauses } from './loss-clauses';
import { listMoveClauses, type NameDrained } from './move-clauses';
import { countObjects, listObjectClauses, listPublicGateways, verbOf } from './object-clauses';
import { isSaid, listDeployed, listEvictions, listRemovals, listUnplacedClauses } from './place-clauses';
import { listPeerClauses } from './peer-clauses';
import { listPoolClauses } from './pool-clauses';
import { listRollClauses } from './roll-clauses';
import { listTrafficClauses, listUnansweredClauses, type OutsideNames } from './traffic-clauses';

/** The most clauses next to which a sentence says what other edits mean. */
const MAX_CLAUSES_WITH_EDITS = 2;

/** What of a plan the first sentences name. */
type HeadlinePlan = Pick<Plan, 'deployments' | 'services' | 'warnings' | 'cost' | 'drains'> & {
  readonly outside?: OutsideNames | undefined;
  readonly moreNodes?: MoreNodes | undefined;

  /** How edits are named. */
  readonly cite: CiteEdits;

  /** Whether a program renders the objects. What it changes after `place()` is not compared. */
  readonly isProgram?: boolean | undefined;
};

/** Says in a few sentences what a change does to requests, to replicas and to the cost. */
export function formatHeadline(
  diff: FleetDiff,
  rows: readonly DeploymentRow[],
  plan: HeadlinePlan,
  problems: readonly Diagnostic[] = [],
): string {
  const pools = listPoolClauses(diff);
  const traffic = listTrafficClauses(diff, plan.outside, plan.services);
  const objects = listObjectClauses(diff, plan);
  const found = [
    ...pools.lost,
    ...listReplicaClauses(rows, plan),
    ...rankClauses('replicas', [...listCopiesClauses(rows), ...listEmptiedClusters(diff, plan)]),
    ...listNodeClauses(rows, pools.saysDown),
    ...pools.recreated,
    ...pools.gained,
    ...objects,
    ...traffic.asked,
    ...rankClauses('access', listUnansweredClauses(diff)),
    ...listClientClauses(diff, plan),
    ...rankClauses('traffic', listEntranceClauses(diff.routes, plan.services)),
  ];
  const main = found.length > 0 ? found : traffic.following;
  const edited = { ...diff, declarations: listApplied(diff, problems) };
  const explains = main.length <= MAX_CLAUSES_WITH_EDITS;
  const explained = explains ? rankClauses('edits', listEditClauses(edited, listPublicGateways(diff))) : [];
  const said = [...main, ...explained];
  const context = { ...plan.cite, explains, namesObjects: objects.length > 0, seesAll: !plan.isProgram };
  const clauses = [...said, ...(said.length === 0 ? [] : listOtherEdits(edited, plan, context))];
  const reach = listReachSentences(diff.routes, plan.services);
  const seen = plan.isProgram ? SEEN_OF_PROGRAM : '';
  const rest = clauses.length + reach.length > 0 ? [] : [describeOthers(diff, problems, seen)];
  const terms = describeTerms(diff, plan.cost.currency);
  const what = [...reach, ...toSentences(clauses, isPriced(diff) ? 'capacity' : undefined), ...rest, ...terms];
  const cost = rest[0] === `${NOTHING}${seen}` && terms.length === 0 ? '' : describeCost(diff, rows, plan, problems);
  return [...what, ...(cost === '' ? [] : [cost])].map((one) => `${capitalize(one)}.`).join(' ');
}

function listClientClauses(diff: FleetDiff, { services }: Pick<HeadlinePlan, 'services'>): Clause[] {
  return [...listAccessClauses(diff.routes, services), ...listPeerClauses(diff)];
}

function isPriced({ cost }: FleetDiff): boolean {
  return cost !== undefined && !isUnchanged(cost.delta);
}

/** The changes of declarations without those of resources that stay as they are because of errors. */
function listApplied({ declarations }: FleetDiff, problems: readonly Diagnostic[]): FleetDiff['declarations'] {
  const kept = new Set(listKept(problems));
  return declarations.filter(({ id }) => !kept.has(id));
}

/** What happens to replicas whose nodes go. Where people choose the nodes, others of a deployment serve meanwhile. */
function listNodeClauses(rows: readonly DeploymentRow[], isOfflineSaid: boolean): Clause[] {
  const [chosen, others] = [true, false].map((one) => rows.filter((row) => isChosen(row) === one));
  return [
    ...rankClauses('down', isOfflineSaid ? [] : countClause('takes down', rows, ({ actions }) => actions.offline)),
    ...rankClauses('down', listRestarts(others ?? [])),
    ...rankClauses('replicas', listRestarts(chosen ?? [])),
  ];
}

/** Whether people choose the nodes on which replicas may restart, and others serve meanwhile. */
function isChosen(row: DeploymentRow): boolean {
  return row.drained?.replicas === row.actions.mayRestart && !isDown(row);
}

function listRestarts(rows: readonly DeploymentRow[]): string[] {
  return countClause('may restart', rows, ({ actions }) => actions.mayRestart);
}

/** What holds otherwise from now on, although nothing runs otherwise: rules, what rollouts reserve, and prices. */
function describeTerms({ policies = [], surges, prices }: FleetDiff, currency: string): string[] {
  return [
    ...describePolicyChanges(policies, formatCode),
    ...describeRaisedSurges(surges, formatCode),
    ...describePriceChanges(prices, currency, formatCode),
  ];
}

const NOTHING = 'changes nothing';

const SEEN_OF_PROGRAM = ` that ${formatCode('place()')} renders; what the program changes after it is not compared`;

/** What a change costs, as a sentence of its own. Empty where that is not counted. */
function describeCost(
  { cost, ...priced }: Pick<FleetDiff, 'cost' | 'cloud' | 'finalizedCost' | 'idleAccelerators' | 'deployments'>,
  rows: readonly DeploymentRow[],
  plan: HeadlinePlan,
  problems: readonly Diagnostic[],
): string {
  if (cost) return formatCostSentence({ ...priced, cost, moreNodes: plan.moreNodes }, rows, plan.cost);
  return problems.length > 0 ? `the cost is not known until ${nameErrors(problems)} corrected` : '';
}

/** The clusters with a replica, those that drain left out unless `draining` is true. */
export function listUsedClusters(plan: Pick<Plan, 'deployments'>, draining = false): Set<string> {
  const isUsing = ({ placement }: PlacedReplica): boolean => draining || !placement.draining;
  const used = plan.deployments.flatMap(({ staying = [], changes }) => [
    ...staying,
    ...changes.flatMap((change) => ('replica' in change ? [change.replica] : [])),
  ]);
  return new Set(used.filter(isUsing).map(({ placement }) => placement.cluster));
}

/**
 * `leaves eu without replicas`, for clusters that stay, on which replicas were and none is. Not where no cluster has
 * a replica any more: clauses on deployments say so.
 */
function listEmptiedClusters({ deployments, declarations }: FleetDiff, plan: Pick<Plan, 'deployments'>): string[] {
  const used = listUsedClusters(plan, true);
  if (used.size === 0) return [];
  const former = deployments.flatMap(({ changes }) => changes.flatMap((one) => formerClusterOf(one) ?? []));
  const gone = new Set(declarations.flatMap(({ id, action }) => (action === 'removed' ? [id] : [])));
  const emptied = sortUnique(former).filter(
    (cluster) => !used.has(cluster) && !gone.has(`InferenceCluster ${cluster}`),
  );
  return emptied.length > 0 ? [`leaves ${joinAnd(emptied.slice(0, MAX_NAMES).map(formatCode))} without replicas`] : [];
}

function formerClusterOf(change: ReplicaChange): string | undefined {
  if (change.action === 'remove') return change.cluster;
  return stopsBeforeMove(change) ? change.from?.cluster : undefined;
}

/** Lists clauses such as `rolls ml/chat to v0.23.0 one replica at a time`. */
function listReplicaClauses(rows: readonly DeploymentRow[], plan: HeadlinePlan): Clause[] {
  const of = (condition: (row: DeploymentRow) => boolean): DeploymentRow[] => rows.filter(condition);
  const removed = of(({ declared, renamed }) => declared === 'removed' && renamed === undefined);
  const added = of(({ declared, renamed }) => declared === 'added' && renamed === undefined);
  const renamed = of((row) => row.declared === 'removed' && row.renamed !== undefined);
  const kept = of((row) => row.declared === undefined && !hasOneFate(row));
  const moving = listDrainedPlaces(kept);
  const nameDrained: NameDrained = (cluster) => nameWithStaying(cluster, plan.drains);
  return [
    ...listLossClauses(rows),
    ...listModelClauses(rows),
    ...rankClauses('model', listAdapterClauses(rows)),
    ...listFateClauses(rows),
    ...rankClauses('gone', removed.length > 0 ? [`removes ${joinDeployments(removed)}`] : []),
    ...limitRanked(renamed.map(toRenameClause), 'renames other deployments'),
    ...rankClauses('replicas', listDeployed(added)),
    ...listRollClauses(kept.filter(({ actions }) => actions.roll > 0)),
    ...listMoveClauses(kept, nameDrained),
    ...rankClauses(
      'replicas',
      countClause('adds', kept, ({ actions }) => actions.place),
    ),
    ...listRemovals(kept),
    ...listEvictions(kept),
    ...rankClauses(
      'replicas',
      countClause('drains', kept, ({ actions }) => actions.draining),
    ),
    ...rankClauses(
      'replicas',
      countClause('finishes the drain of', kept, ({ actions }) => actions.finish),
    ),
    ...rankClauses('gone', listKeptClauses(kept, { moving, nameDrained, plan })),
    ...rankClauses('gone', listUnplacedClauses(rows.filter((row) => !hasOneFate(row) && !isSaid(row)))),
  ];
}

/** The clusters and pools that replicas drain from while they serve. */
function listDrainedPlaces(rows: readonly DeploymentRow[]): ReadonlySet<string> {
  const moves = rows.flatMap((row) => row.moves.filter(({ lost }) => !lost));
  return new Set(moves.flatMap(({ drains }) => drains ?? []));
}

/** `` `hpc` (`code/r1` tolerates the taint and stays) ``, as far as something stays. */
function nameWithStaying(cluster: string, drains: Plan['drains']): string {
  const { staying = [] } = drains.find((one) => one.cluster === cluster) ?? {};
  return `${formatCode(cluster)}${staying.length === 0 ? '' : ` (${describeStaying(staying, formatCode)})`}`;
}

/**
 * ``serves `b` instead of `a` under the name `chat` ``, of which clients notice nothing but other answers. Other models
 * of replicas that restart where they are stand next to these.
 */
function listModelClauses(rows: readonly DeploymentRow[]): Clause[] {
  const changed = rows.filter(({ model, actions }) => model && (isSwapped(model) || actions.roll === 0));
  const clauses = [...groupBy(changed, ({ model }) => JSON.stringify(model)).values()].flatMap(([first, ...others]) => {
    if (!first?.model) return [];
    const { before, after, name = '' } = first.model;
    const [was, is] = [formatCode(before), formatCode(after)];
    if (isSwapped(first.model)) return [`serves ${is} instead of ${was} under the name ${formatCode(name)}`];
    return [`changes the model of ${joinDeployments([first, ...others])} from ${was} to ${is}`];
  });
  return rankClauses('model', limitClauses(clauses, 'changes the models of other deployments'));
}

/** ``serves `a/v2` instead of `a/v1` as the adapter `sql` ``: clients get other answers by the same name. */
function listAdapterClauses(rows: readonly DeploymentRow[]): string[] {
  const texts = rows.flatMap(({ adapters = [] }) =>
    adapters.map(({ name, before, after }) => {
      return `serves ${formatCode(after)} instead of ${formatCode(before)} as the adapter ${formatCode(name)}`;
    }),
  );
  return limitClauses(sortUnique(texts), 'replaces other adapters');
}

/** `renames ml/q to ml/p with downtime`: the replicas of the former name go at once. */
function toRenameClause(row: DeploymentRow): Clause {
  const isCut = row.replicas.before > 0;
  const howLong = describeDowntime([row]);
  const downtime = isCut ? ` with **downtime${howLong === undefined ? '' : ` of ${howLong}`}**` : '';
  const edit = describeEdit(row);
  const edits = edit === undefined ? '' : ` (${escapeMarkdown(edit)})`;
  const text = `renames ${joinDeployments([row])} to ${formatCode(row.renamed ?? '')}${downtime}${edits}`;
  return { rank: isCut ? 'down' : 'replicas', text };
}

/** Whether only the SLO of a service changes, which decides alerts and no routes. */
function isAboutObjectives({ action, fields, members }: ServiceChange): boolean {
  return action === 'change' && members.length === 0 && fields.every(({ path }) => path[0] === 'objectives');
}

/**
 * Describes a change that moves no replica and no share of requests.
 *
 * @param seen what of all that runs is compared. Empty: all of it
 */
function describeOthers(diff: FleetDiff, problems: readonly Diagnostic[], seen: string): string {
  const { objects, declarations, policies = [], prices = [] } = diff;
  const parts = listOtherParts(diff);
  if (parts.length > 0) {
    const verb = parts.length === 1 ? verbOf(objects) : 'changes';
    const but = `but ${verb === 'changes' ? '' : 'changes '}no replica`;
    return `${verb} ${joinAnd(parts)}, ${but} and no share of requests${describeSmallShares(diff.routes)}`;
  }
  if (declarations.length + policies.length + prices.length === 0) return `${NOTHING}${seen}`;
  // Sentences of their own say what changes of policies and prices.
  const edited = describeEditedFields(declarations.flatMap(toCauses));
  const what = edited === '' ? NOTHING : `${edited}, but ${NOTHING}`;
  if (problems.length === 0) return `${what}${seen === '' ? ' that runs' : seen}`;
  const removed = declarations.filter(({ action }) => action === 'removed').map(({ id }) => formatCode(id));
  const then = removed.length > 0 ? `, then removes ${joinNames(removed, MAX_NAMES)}` : '';
  return `${NOTHING} that runs until ${nameErrors(problems)} corrected${then}`;
}

/** Where shares change all the same, how little. */
function describeSmallShares({ services }: FleetDiff['routes']): string {
  const changes = services.flatMap(({ targets, members }) => [...targets, ...members]);
  return changes.some(({ before, after }) => partOf(before) !== partOf(after)) ? ' by a percentage point or more' : '';
}

/** `2 caches`, `the routes of 1 service`: what changes besides replicas and shares of requests. */
function listOtherParts({ objects, cloud, routes, caches }: FleetDiff): string[] {
  const aims = routes.services.filter(isAboutObjectives);
  const routed = routes.services.filter((one) => !isAboutObjectives(one));
  return [
    ...(caches.length > 0 ? [pluralize(caches.length, 'cache')] : []),
    ...(routed.length > 0 ? [`the routes of ${pluralize(routed.length, 'service')}`] : []),
    ...(aims.length > 0 ? [`the SLO of ${joinServices(aims.map(({ service }) => service))}`] : []),
    ...(cloud.length > 0 ? [pluralize(cloud.length, 'cloud resource')] : []),
    ...(objects.length > 0 ? [countObjects(objects)] : []),
  ];
}

function nameErrors({ length }: readonly Diagnostic[]): string {
  return length === 1 ? 'the error is' : 'the errors are';
}
