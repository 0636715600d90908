import type { Diagnostic } from '../../base/diagnostic';
import { formatCount } from '../../base/figures';
import { formatSignedAmount } from '../../base/money';
import { groupBy, sortedBy, sortUnique } from '../../base/order';
import { joinNames, pluralize } from '../../base/text';
import type { CostChanges } from '../../cost/cost-changes';
import type { FleetDiff } from '../../diff/fleet-diff';
import type { ServiceChange } from '../../diff/route-changes';
import type { Plan } from '../../plan/plan';
import type { ReplicaChange } from '../../plan/replica-moves';
import { formatDifferenceBounds, formatKnownRise, sumRangeChanges } from '../cost/cost-difference';
import { isUnchanged } from '../cost/cost-summary';
import { nameUnpricedChanges } from '../cost/unpriced-changes';
import { formatCopiesClause } from '../diff/copies-changes-text';
import { escapeMarkdown, formatCode } from '../document/write-markdown';
import { listAccessClauses } from './access-clauses';
import { joinAnd, joinClauses, joinServices, limitClauses, MAX_NAMES } from './clauses';
import type { DeploymentRow, Unplaced } from './deployment-rows';
import { listObjectClauses } from './object-clauses';
import { listPoolClauses } from './pool-clauses';
import { listTrafficClauses } from './traffic-clauses';

/** Says in one sentence what a change does to replicas, to requests and to the cost. */
export function formatHeadline(
  diff: FleetDiff,
  rows: readonly DeploymentRow[],
  plan: Pick<Plan, 'deployments' | 'services' | 'warnings' | 'cost'>,
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
    ...listTrafficClauses(diff),
    ...limitClauses(listAccessClauses(diff.routes, plan.services), 'changes the access to other services'),
  ];
  const what = clauses.length > 0 ? joinClauses(clauses) : describeOthers(diff, problems);
  const isChanged = clauses.length > 0 || what !== 'changes nothing';
  const cost = diff.cost && isChanged ? (formatUse(diff.cost, rows) ?? formatCost(diff.cost, plan.cost)) : '';
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
  const rowOf = (id = ''): DeploymentRow | undefined => rows.find(({ deployments }) => deployments.includes(id));
  return [
    ...(removed.length > 0 ? [`removes ${joinDeployments(removed)}`] : []),
    ...limitClauses(
      renamed.map((row) => formatRename(row, rowOf(row.renamed))),
      'renames other deployments',
    ),
    ...(added.length > 0 ? [`deploys ${joinDeployments(added)}`] : []),
    ...listRollClauses(kept.filter(({ actions }) => actions.roll > 0)),
    ...listMoveClauses(kept.filter(({ actions }) => actions.move > 0)),
    ...listModelClauses(kept.filter(({ actions }) => actions.roll === 0)),
    ...countClause('adds', kept, ({ actions }) => actions.place),
    ...countClause('removes', kept, ({ actions }) => actions.remove),
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
function formatRename(row: DeploymentRow, later: DeploymentRow | undefined): string {
  const downtime = row.replicas.before > 0 ? ' with **downtime**' : '';
  return `renames ${joinDeployments([row])} to ${formatCode(row.renamed ?? '')}${downtime}${describeModel(later)}`;
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
    JSON.stringify([row.image?.pods, row.image?.after, row.model, row.atATime, isDown(row), row.eachCluster]),
  );
  // A change of the model is rare, and is not left out.
  const sorted = sortedBy([...groups.values()], ([first]) => (first?.model ? '0' : '1'));
  const clauses = sorted.map((group) => {
    const image = group[0]?.image;
    const rolled = group.reduce((sum, { actions }) => sum + actions.roll, 0);
    const verb = image
      ? `rolls ${image.pods ? `only the ${image.pods} of ` : ''}${joinDeployments(group)} to ${formatCode(image.after)}`
      : `restarts ${countReplicas(group, ({ actions }) => actions.roll)}`;
    const how = `${describeDevices(group)}${describePace(group, rolled)}${describeCause(group)}`;
    return `${verb}${how}${describeModel(group[0])}${describeOddOnes(group)}`;
  });
  return limitClauses(clauses, 'rolls other deployments');
}

/** ` (model a → b)`. */
function describeModel(row: DeploymentRow | undefined): string {
  const { model } = row ?? {};
  return model ? ` (model ${formatCode(model.before)} → ${formatCode(model.after)})` : '';
}

/** `, of these ml/a with other edits too`, for those that do not share a row with the others. */
function describeOddOnes(rows: readonly DeploymentRow[]): string {
  const odd = rows.filter(({ deployments }) => deployments.length === 1);
  return odd.length === 0 || odd.length === rows.length
    ? ''
    : `, of these ${joinDeployments(odd)} with other edits too`;
}

/** Whether a deployment that served has no serving replica for some time, even with waves. */
function isDown({ serving, replicas }: DeploymentRow): boolean {
  return replicas.before > 0 && serving?.withWaves === 0;
}

function describePace(rows: readonly DeploymentRow[], rolled: number): string {
  if (rows.some(isDown)) return ' with **downtime**';
  const [{ atATime } = { atATime: 0 }] = rows;
  if (atATime === 0) return ' without downtime';
  if (rolled === rows.reduce((sum, { deployments }) => sum + deployments.length, 0)) return '';
  const scope = rows.some(({ eachCluster }) => eachCluster) ? ' on each cluster' : '';
  return ` ${atATime === 1 ? 'one replica' : pluralize(atATime, 'replica')} at a time${scope}`;
}

/** ` on 2 GPUs instead of 1`, where the same replicas of one deployment take others. */
function describeDevices(rows: readonly DeploymentRow[]): string {
  const [row, ...others] = rows;
  if (!row || others.length > 0 || row.replicas.before !== row.replicas.after) return '';
  // GPUs are those of all replicas.
  if (![row.actions.roll, row.actions.move].includes(row.replicas.after)) return '';
  const { before, after } = row.accelerators;
  return before === after ? '' : ` on ${pluralize(after, 'GPU')} instead of ${formatCount(before)}`;
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

/** `moves 2 replicas of ml/q from eu to us`, `moves 1 replica of ml/q within us with downtime of 1 replica`. */
function listMoveClauses(rows: readonly DeploymentRow[]): string[] {
  const total = rows.reduce((sum, { actions }) => sum + actions.move, 0);
  if (total === 0) return [];
  const moves = sortUnique(rows.flatMap((row) => row.moves));
  const [move = '', ...others] = moves;
  const between = move.includes(' → ') ? ` from ${move.replace(' → ', ' to ')}` : ` ${move}`;
  // The clause about their node pool counts the others.
  const down = rows.reduce((sum, row) => sum + row.movedWithDowntime - row.movedOffPool, 0);
  const downtime = down === 0 ? '' : ` with **downtime of ${pluralize(down, 'replica')}**`;
  const what = `moves ${countReplicas(rows, ({ actions }) => actions.move)}${others.length > 0 ? '' : between}`;
  return [`${what}${describeDevices(rows)}${downtime}`];
}

/** `3 replicas of ml/a`, `1 replica each of ml/a and ml/b`. */
function countReplicas(rows: readonly DeploymentRow[], countOf: (row: DeploymentRow) => number): string {
  const total = rows.reduce((sum, row) => sum + countOf(row), 0);
  const named = rows.reduce((sum, { deployments }) => sum + deployments.length, 0);
  const isEach = named > 1 && rows.every((row) => countOf(row) === row.deployments.length);
  return isEach
    ? `1 replica each of ${joinDeployments(rows)}`
    : `${pluralize(total, 'replica')} of ${joinDeployments(rows)}`;
}

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

function joinDeployments(rows: readonly DeploymentRow[]): string {
  const names = rows.flatMap(({ deployments }) => deployments);
  if (names.length > MAX_NAMES) return `${formatCount(names.length)} deployments`;
  return joinAnd(names.map(formatCode));
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

/**
 * What the copies of deployments use more or less, where no replica of them changes and the nodes of the fleet stay:
 * `+$1,461 a month at the most for nodes in use, cost of the fleet unchanged`.
 */
function formatUse({ delta, currency }: CostChanges, rows: readonly DeploymentRow[]): string | undefined {
  const scaled = rows.filter(({ copies, actions }) => copies && Object.values(actions).every((count) => count === 0));
  const change = sumRangeChanges(scaled.flatMap((row) => row.cost));
  const [least, most] = [change.delta.least.perMonth, change.delta.most.perMonth];
  if (!isUnchanged(delta) || isUnchanged(change.delta) || least === undefined || most === undefined) return undefined;
  const bound = least === 0 ? ' at the most' : most === 0 ? ' at the least' : '';
  const amount = bound === '' ? formatDifferenceBounds(change, currency) : formatSignedAmount(least + most, currency);
  return `**${escapeMarkdown(amount)} a month**${bound} for nodes in use, cost of the fleet unchanged`;
}

/** `+$40,179 a month (+25 %)`. */
function formatCost(cost: CostChanges, later: Plan['cost']): string {
  const { before, after, delta, currency } = cost;
  if (isUnchanged(delta)) return 'cost unchanged';
  const unpriced = escapeMarkdown(nameUnpricedChanges(cost, later));
  const amount = formatDifferenceBounds(cost, currency);
  if (amount === 'unknown') {
    const rise = formatKnownRise(cost, currency);
    const known = rise === undefined ? '' : `**${escapeMarkdown(rise)} a month** and `;
    return `the cost changes by ${known}an unknown amount${unpriced === '' ? '' : `: no price for ${unpriced}`}`;
  }
  const [was = 0, is = 0] = [before.most.perMonth, after.most.perMonth];
  const isKnown = before.most.unknown + after.most.unknown === 0;
  const percent = isKnown && was > 0 && is !== was ? Math.round(((is - was) / was) * 100) : 0;
  const unknown = delta.most.unknown;
  const notes = [
    ...(percent === 0 ? [] : [`${percent > 0 ? '+' : ''}${percent} %`]),
    ...(unknown > 0
      ? [unpriced === '' ? `${pluralize(unknown, 'part')} without a price` : `no price for ${unpriced}`]
      : []),
  ];
  return `**${escapeMarkdown(amount)} a month**${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
}
