import type { Diagnostic } from '../../base/diagnostic';
import { formatCount } from '../../base/figures';
import { groupBy, sortedBy, sortUnique } from '../../base/order';
import { joinNames, pluralize } from '../../base/text';
import type { FleetDiff } from '../../diff/fleet-diff';
import type { ServiceChange } from '../../diff/route-changes';
import type { Plan } from '../../plan/plan';
import type { ReplicaChange } from '../../plan/replica-moves';
import { formatCopiesClause } from '../diff/copies-changes-text';
import { escapeMarkdown, formatCode } from '../document/write-markdown';
import { listAccessClauses } from './access-clauses';
import {
  countReplicas,
  describeClusterPace,
  describeDevices,
  joinAnd,
  joinClauses,
  joinDeployments,
  joinServices,
  limitClauses,
  MAX_NAMES,
} from './clauses';
import { formatCostClause } from './cost-clause';
import { type DeploymentRow, isDown, type Unplaced } from './deployment-rows';
import { describeEdit, formatCounts } from './deployment-table';
import { listEditClauses } from './edit-clauses';
import { listMoveClauses } from './move-clauses';
import { listObjectClauses } from './object-clauses';
import { listPoolClauses } from './pool-clauses';
import { listTrafficClauses, type OutsideNames } from './traffic-clauses';

/** The most clauses next to which a sentence says what other edits mean. */
const MAX_CLAUSES_WITH_EDITS = 2;

/** Says in one sentence what a change does to replicas, to requests and to the cost. */
export function formatHeadline(
  diff: FleetDiff,
  rows: readonly DeploymentRow[],
  plan: Pick<Plan, 'deployments' | 'services' | 'warnings' | 'cost'> & { readonly outside?: OutsideNames | undefined },
  problems: readonly Diagnostic[] = [],
): string {
  const pools = listPoolClauses(diff);
  const clauses = [
    ...pools.lost,
    ...listReplicaClauses(rows),
    ...listCopiesClauses(rows),
    ...(pools.lost.length > 0 ? [] : countClause('takes down', rows, ({ actions }) => actions.offline)),
    ...pools.recreated,
    ...listEmptiedClusters(diff, plan),
    ...pools.gained,
    ...limitClauses(listObjectClauses(diff, plan), 'stages or deletes others'),
    ...listTrafficClauses(diff, plan.outside),
    ...limitClauses(listAccessClauses(diff.routes, plan.services), 'changes the access to other services'),
  ];
  // What else is edited is in the list of edits.
  if (clauses.length <= MAX_CLAUSES_WITH_EDITS) clauses.push(...listEditClauses(diff));
  const what = clauses.length > 0 ? joinClauses(clauses) : describeOthers(diff, problems);
  const isChanged = clauses.length > 0 || what !== 'changes nothing';
  const cost = diff.cost && isChanged ? formatCostClause({ ...diff, cost: diff.cost }, rows, plan.cost) : '';
  const isHidden = !diff.cost && isChanged && problems.length > 0;
  const costs = isHidden ? 'the cost is not known until the errors are corrected' : cost;
  return `${what.charAt(0).toUpperCase()}${what.slice(1)}${costs === '' ? '.' : `; ${costs}.`}`;
}

/** `removes the last replica from eu`, for clusters that stay, on which replicas were and none is. */
function listEmptiedClusters({ deployments, declarations }: FleetDiff, plan: Pick<Plan, 'deployments'>): string[] {
  const used = new Set(
    plan.deployments.flatMap(({ staying = [], changes }) => [
      ...staying.map(({ placement }) => placement.cluster),
      ...changes.flatMap((change) => ('replica' in change ? [change.replica.placement.cluster] : [])),
    ]),
  );
  const former = deployments.flatMap(({ changes }) => changes.flatMap((one) => formerClusterOf(one) ?? []));
  const gone = new Set(declarations.flatMap(({ id, action }) => (action === 'removed' ? [id] : [])));
  const emptied = sortUnique(former).filter(
    (cluster) => !used.has(cluster) && !gone.has(`InferenceCluster ${cluster}`),
  );
  return emptied.length > 0
    ? [`removes the last replica from ${joinAnd(emptied.slice(0, MAX_NAMES).map(formatCode))}`]
    : [];
}

function formerClusterOf({ action, cluster, from }: ReplicaChange): string | undefined {
  if (action === 'remove') return cluster;
  return action === 'move' ? from?.cluster : undefined;
}

/** Lists clauses such as `rolls ml/chat to v0.23.0 one replica at a time`, the least reversible first. */
function listReplicaClauses(rows: readonly DeploymentRow[]): string[] {
  const of = (condition: (row: DeploymentRow) => boolean): DeploymentRow[] => rows.filter(condition);
  const removed = of(({ declared, renamed }) => declared === 'removed' && renamed === undefined);
  const added = of(({ declared, renamed }) => declared === 'added' && renamed === undefined);
  const renamed = of((row) => row.declared === 'removed' && row.renamed !== undefined);
  const kept = of(({ declared }) => declared === undefined);
  return [
    ...(removed.length > 0 ? [`removes ${joinDeployments(removed)}`] : []),
    ...limitClauses(renamed.map(formatRename), 'renames other deployments'),
    ...(added.length > 0 ? [`deploys ${joinDeployments(added)}`] : []),
    ...listRollClauses(kept.filter(({ actions }) => actions.roll > 0)),
    ...listMoveClauses(kept),
    ...listModelClauses(kept.filter(({ actions }) => actions.roll === 0)),
    ...countClause('adds', kept, ({ actions }) => actions.place),
    ...listRemovals(kept),
    ...listEvictions(kept),
    ...countClause('drains', kept, ({ actions }) => actions.draining),
    ...listUnplacedClauses(rows),
  ];
}

/** ``changes the model of `ml/q` from `a` to `b` ``, of replicas that do not restart where they are. */
function listModelClauses(rows: readonly DeploymentRow[]): string[] {
  const groups = groupBy(
    rows.filter(({ model }) => model),
    ({ model }) => JSON.stringify(model),
  );
  const clauses = [...groups.values()].flatMap((group) => {
    const { before = '', after = '' } = group[0]?.model ?? {};
    return [`changes the model of ${joinDeployments(group)} from ${formatCode(before)} to ${formatCode(after)}`];
  });
  return limitClauses(clauses, 'changes the models of other deployments');
}

/** `renames ml/q to ml/p with downtime`: the replicas of the former name go at once. */
function formatRename(row: DeploymentRow): string {
  const downtime = row.replicas.before > 0 ? ' with **downtime**' : '';
  const edit = describeEdit(row);
  const edits = edit === undefined ? '' : ` (${escapeMarkdown(edit)})`;
  return `renames ${joinDeployments([row])} to ${formatCode(row.renamed ?? '')}${downtime}${edits}`;
}

function isEmptied({ actions, replicas }: DeploymentRow): boolean {
  return actions.remove > 0 && replicas.after === 0;
}

/** ``removes 2 replicas of `ml/a` ``, ``removes the only replica of `ml/b` (replicas 1 → 0)``. */
function listRemovals(rows: readonly DeploymentRow[]): string[] {
  const emptied = rows.filter(isEmptied).map((row) => {
    const { before } = row.replicas;
    const what = before === 1 ? 'the only replica' : `all ${pluralize(before, 'replica')}`;
    return `removes ${what} of ${joinDeployments([row])} (replicas ${formatCounts(row.replicas)})`;
  });
  const some = rows.filter((row) => !isEmptied(row));
  return [
    ...limitClauses(emptied, 'removes all replicas of other deployments'),
    ...countClause('removes', some, ({ actions }) => actions.remove),
  ];
}

/** `evicts 1 of 3 replicas of ml/chat, which fits nowhere else`. */
function listEvictions(rows: readonly DeploymentRow[]): string[] {
  const clauses = rows.flatMap((row) => {
    const { actions, unplaced } = row;
    if (actions.evict === 0) return [];
    if (actions.evict !== unplaced?.missing) return countClause('evicts', [row], () => actions.evict);
    const fits = actions.evict === 1 ? 'fits' : 'fit';
    const accepted = unplaced.accepted ? ', as accepted' : '';
    return [`evicts ${countOfDeclared(unplaced)} of ${joinDeployments([row])}, which ${fits} nowhere else${accepted}`];
  });
  return limitClauses(clauses, 'evicts replicas of other deployments');
}

/** `3 of 5 replicas`, `all 3 replicas`, `the only replica`. */
function countOfDeclared({ missing, declared }: Unplaced): string {
  if (missing < declared) return `${formatCount(missing)} of ${pluralize(declared, 'replica')}`;
  return declared === 1 ? 'the only replica' : `all ${pluralize(declared, 'replica')}`;
}

/** `finds no place for 3 of 5 replicas of ml/chat`, where they are not evicted. */
function listUnplacedClauses(rows: readonly DeploymentRow[]): string[] {
  const clauses = rows.flatMap((row) => {
    const { actions, unplaced } = row;
    if (!unplaced || actions.evict === unplaced.missing) return [];
    const accepted = unplaced.accepted ? ', as accepted' : '';
    return [`finds no place for ${countOfDeclared(unplaced)} of ${joinDeployments([row])}${accepted}`];
  });
  return limitClauses(clauses, 'finds no place for replicas of other deployments');
}

function listRollClauses(rows: readonly DeploymentRow[]): string[] {
  const groups = groupBy(rows, (row) =>
    JSON.stringify([row.image?.pods, row.image?.after, row.model, row.atATime, isDown(row), row.clusters]),
  );
  // A change of the model is rare, and is not left out.
  const sorted = sortedBy([...groups.values()], ([first]) => (first?.model ? '0' : '1'));
  const clauses = sorted.map((group, i) => {
    const image = group[0]?.image;
    const rolled = group.reduce((sum, { actions }) => sum + actions.roll, 0);
    const names = joinDeployments(group, i > 0 ? 'other deployments' : 'deployments');
    const verb = image
      ? `rolls ${image.pods ? `only the ${image.pods} of ` : ''}${names} to ${formatCode(image.after)}`
      : `restarts ${countReplicas(group, ({ actions }) => actions.roll)}`;
    const cause = describeCause(group);
    const how = `${describeDevices(group)}${describePace(group, rolled)}${cause}`;
    const isExplained = image !== undefined || cause !== '' || group[0]?.model !== undefined;
    return `${verb}${how}${describeModel(group[0])}${isExplained ? '' : describeSteps(group)}${describeOddOnes(group)}`;
  });
  return limitClauses(clauses, 'rolls other deployments');
}

/** ` (model a → b)`. */
function describeModel(row: DeploymentRow | undefined): string {
  const { model } = row ?? {};
  return model ? ` (model ${formatCode(model.before)} → ${formatCode(model.after)})` : '';
}

/** ` (max-model-len 8192 → 16384)`, where that is all that restarts the replicas of one deployment. */
function describeSteps([row, ...others]: readonly DeploymentRow[]): string {
  return row?.steps === undefined || others.length > 0 ? '' : ` (${escapeMarkdown(row.steps)})`;
}

/** `, of these ml/a with max-model-len 8192 → 2048`, for those that do not share a row with the others. */
function describeOddOnes(rows: readonly DeploymentRow[]): string {
  const odd = rows.filter(({ deployments }) => deployments.length === 1);
  if (odd.length === 0 || odd.length === rows.length) return '';
  if (odd.length > MAX_NAMES) return `, of these ${joinDeployments(odd)} with other edits too`;
  const named = odd.map((row) => `${joinDeployments([row])} with ${escapeMarkdown(row.steps ?? 'other edits')}`);
  return `, of these ${joinAnd(named)}`;
}

function describePace(rows: readonly DeploymentRow[], rolled: number): string {
  if (rows.some(isDown)) return ' with **downtime**';
  const [first] = rows;
  const { atATime = 0 } = first ?? {};
  if (!first || atATime === 0) return ' without downtime';
  if (rolled === rows.reduce((sum, { deployments }) => sum + deployments.length, 0)) return '';
  const each = rows.some(({ deployments }) => deployments.length > 1) || rows.length > 1 ? ' of each' : '';
  const pace = describeClusterPace(first);
  if (atATime === 1 && first.clusters === 'inTurn') return ` one replica${each} after the other${pace}`;
  return ` ${atATime === 1 ? 'one replica' : pluralize(atATime, 'replica')}${each} at a time${pace}`;
}

/** `, because class h100 changed`, where one change of another declaration is the cause of all restarts. */
function describeCause(rows: readonly DeploymentRow[]): string {
  const [cause, ...others] = new Set(rows.map(({ restartsFor }) => restartsFor));
  const parsed = others.length > 0 ? undefined : /^(?<kind>[A-Z]\w+) (?<name>\S+)$/.exec(cause ?? '')?.groups;
  const word = CAUSE_WORDS[parsed?.['kind'] ?? ''];
  return word === undefined ? '' : `, because ${word} ${formatCode(parsed?.['name'] ?? '')} changed`;
}

/** How a sentence names a kind that replicas refer to. */
const CAUSE_WORDS: Readonly<Record<string, string>> = {
  InferenceClass: 'class',
  InferenceCluster: 'cluster',
  ModelCache: 'cache',
  ModelService: 'service',
};

function countClause(verb: string, rows: readonly DeploymentRow[], countOf: (row: DeploymentRow) => number): string[] {
  const changed = rows.filter((row) => countOf(row) > 0);
  const total = changed.reduce((sum, row) => sum + countOf(row), 0);
  return total === 0 ? [] : [`${verb} ${countReplicas(changed, countOf)}`];
}

/** `lets ml/chat grow to 6 copies instead of 4`, one clause for engines in which the same changes. */
function listCopiesClauses(rows: readonly DeploymentRow[]): string[] {
  const changes = rows.flatMap((row) =>
    // Copies of replicas that have no place do not grow.
    (row.replicas.after === 0 ? [] : (row.copies?.engines ?? [])).map((change) => {
      const each = row.replicas.after > row.deployments.length ? ' in each replica' : '';
      const engine = row.copies?.several ? `engine ${formatCode(change.engine)} of ` : '';
      return { row, engine, clauseOf: (who: string) => formatCopiesClause(change, who, each) };
    }),
  );
  const groups = groupBy(changes, ({ engine, clauseOf }) => clauseOf(engine));
  const clauses = [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first ? [first.clauseOf(`${first.engine}${joinDeployments(group.map(({ row }) => row))}`)] : [];
  });
  return limitClauses(clauses, 'changes the copies of other deployments');
}

/** Whether only the SLO of a service changes, which decides alerts and no routes. */
function isAboutObjectives({ action, fields, members }: ServiceChange): boolean {
  return action === 'change' && members.length === 0 && fields.every(({ path }) => path[0] === 'objectives');
}

/** Describes a change that moves no replica and no share of requests. */
function describeOthers(
  { objects, cloud, declarations, routes, caches }: FleetDiff,
  problems: readonly Diagnostic[],
): string {
  const aims = routes.services.filter(isAboutObjectives);
  const routed = routes.services.filter((one) => !isAboutObjectives(one));
  const parts = [
    ...(caches.length > 0 ? [pluralize(caches.length, 'cache')] : []),
    ...(routed.length > 0 ? [`the routes of ${pluralize(routed.length, 'service')}`] : []),
    ...(aims.length > 0 ? [`the SLO of ${joinServices(aims.map(({ service }) => service))}`] : []),
    ...(cloud.length > 0 ? [pluralize(cloud.length, 'cloud resource')] : []),
    ...(objects.length > 0 ? [pluralize(objects.length, 'object')] : []),
  ];
  if (parts.length > 0) return `changes ${joinAnd(parts)}, but no replica and no share of requests`;
  if (declarations.length === 0) return 'changes nothing';
  if (problems.length === 0) return 'changes declarations, but nothing that runs';
  const removed = declarations.filter(({ action }) => action === 'removed').map(({ id }) => formatCode(id));
  const then = removed.length > 0 ? `, then removes ${joinNames(removed, MAX_NAMES)}` : '';
  return `changes nothing that runs until ${problems.length === 1 ? 'the error is' : 'the errors are'} corrected${then}`;
}
