import type { MoreNodes } from '../../analyze/survive/more-nodes';
import type { Diagnostic } from '../../base/diagnostic';
import { formatCount } from '../../base/figures';
import { groupBy, sortUnique } from '../../base/order';
import { joinNames, pluralize } from '../../base/text';
import { isFixed } from '../../diff/copies-changes';
import type { FleetDiff } from '../../diff/fleet-diff';
import { isSwapped } from '../../diff/model-changes';
import type { ServiceChange } from '../../diff/route-changes';
import type { PlacedReplica, Plan } from '../../plan/plan';
import type { ReplicaChange } from '../../plan/replica-moves';
import { isUnchanged } from '../cost/cost-summary';
import { formatCopiesClause } from '../diff/copies-changes-text';
import { escapeMarkdown, formatCode } from '../document/write-markdown';
import { listAccessClauses } from './access-clauses';
import {
  type Clause,
  countReplicas,
  joinAnd,
  joinClauses,
  joinDeployments,
  joinServices,
  limitClauses,
  limitRanked,
  MAX_NAMES,
  rankClauses,
  selectClauses,
} from './clauses';
import { formatCostClause } from './cost-clause';
import { type DeploymentRow, keepsOld, type Unplaced } from './deployment-rows';
import { describeEdit, formatCounts } from './deployment-table';
import { listEditClauses } from './edit-clauses';
import { hasOneFate, listFateClauses } from './fate-clauses';
import { listMoveClauses } from './move-clauses';
import { listObjectClauses } from './object-clauses';
import { listPoolClauses } from './pool-clauses';
import { listRollClauses } from './roll-clauses';
import { listTrafficClauses, type OutsideNames } from './traffic-clauses';

/** The most clauses next to which a sentence says what other edits mean. */
const MAX_CLAUSES_WITH_EDITS = 2;

/** Says in one sentence what a change does to replicas, to requests and to the cost. */
export function formatHeadline(
  diff: FleetDiff,
  rows: readonly DeploymentRow[],
  plan: Pick<Plan, 'deployments' | 'services' | 'warnings' | 'cost'> & {
    readonly outside?: OutsideNames | undefined;
    readonly moreNodes?: MoreNodes | undefined;
  },
  problems: readonly Diagnostic[] = [],
): string {
  const pools = listPoolClauses(diff);
  const traffic = listTrafficClauses(diff, plan.outside);
  const emptied = listEmptiedClusters(diff, plan);
  const offline = pools.lost.length > 0 ? [] : countClause('takes down', rows, ({ actions }) => actions.offline);
  const found = [
    ...pools.lost,
    ...listReplicaClauses(rows),
    ...rankClauses('replicas', [...listCopiesClauses(rows), ...emptied]),
    ...rankClauses('down', offline),
    ...pools.recreated,
    ...pools.gained,
    ...listObjectClauses(diff, plan),
    ...traffic.asked,
    ...rankClauses('gone', limitClauses(listAccessClauses(diff.routes, plan.services), 'changes other access')),
  ];
  const isPriced = diff.cost !== undefined && !isUnchanged(diff.cost.delta);
  const main = selectClauses(found.length > 0 ? found : traffic.following, isPriced ? 'capacity' : undefined);
  // What else is edited is in the list of edits.
  const clauses = main.length <= MAX_CLAUSES_WITH_EDITS ? [...main, ...listEditClauses(diff)] : main;
  const what = clauses.length > 0 ? joinClauses(clauses) : describeOthers(diff, problems);
  const isChanged = clauses.length > 0 || what !== 'changes nothing';
  const cost =
    diff.cost && isChanged
      ? formatCostClause({ ...diff, cost: diff.cost, moreNodes: plan.moreNodes }, rows, plan.cost)
      : '';
  const isHidden = !diff.cost && isChanged && problems.length > 0;
  const costs = isHidden ? 'the cost is not known until the errors are corrected' : cost;
  return `${what.charAt(0).toUpperCase()}${what.slice(1)}${costs === '' ? '.' : `; ${costs}.`}`;
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
 * `removes the last replica from eu`, for clusters that stay, on which replicas were and none is. Not where no cluster has
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
  return emptied.length > 0
    ? [`removes the last replica from ${joinAnd(emptied.slice(0, MAX_NAMES).map(formatCode))}`]
    : [];
}

function formerClusterOf({ action, cluster, from, surgeFirst }: ReplicaChange): string | undefined {
  if (action === 'remove') return cluster;
  return action === 'move' && surgeFirst !== true ? from?.cluster : undefined;
}

/** Lists clauses such as `rolls ml/chat to v0.23.0 one replica at a time`. */
function listReplicaClauses(rows: readonly DeploymentRow[]): Clause[] {
  const of = (condition: (row: DeploymentRow) => boolean): DeploymentRow[] => rows.filter(condition);
  const removed = of(({ declared, renamed }) => declared === 'removed' && renamed === undefined);
  const added = of(({ declared, renamed }) => declared === 'added' && renamed === undefined);
  const renamed = of((row) => row.declared === 'removed' && row.renamed !== undefined);
  const kept = of((row) => row.declared === undefined && !hasOneFate(row));
  return [
    ...listModelClauses(rows),
    ...rankClauses('model', listAdapterClauses(rows)),
    ...listFateClauses(rows),
    ...rankClauses('gone', removed.length > 0 ? [`removes ${joinDeployments(removed)}`] : []),
    ...limitRanked(renamed.map(toRenameClause), 'renames other deployments'),
    ...rankClauses('replicas', listDeployed(added)),
    ...listRollClauses(kept.filter(({ actions }) => actions.roll > 0)),
    ...listMoveClauses(kept),
    ...rankClauses(
      'replicas',
      countClause('adds', kept, ({ actions }) => actions.place),
    ),
    ...listRemovals(kept),
    ...listEvictions(kept),
    ...rankClauses(
      'replicas',
      countClause(
        'drains',
        kept.filter((row) => !keepsOld(row)),
        ({ actions }) => actions.draining,
      ),
    ),
    ...rankClauses(
      'replicas',
      countClause('finishes the drain of', kept, ({ actions }) => actions.finish),
    ),
    ...rankClauses('gone', listKeptClauses(kept.filter(keepsOld))),
    ...rankClauses('gone', listUnplacedClauses(rows.filter((row) => !hasOneFate(row) && !isSaid(row)))),
  ];
}

/** ``deploys `ml/a` ``, ``deploys `ml/b` with 1 of 2 replicas, for the other there is no place``. */
function listDeployed(added: readonly DeploymentRow[]): string[] {
  const whole = added.filter(({ unplaced }) => !unplaced);
  const short = added.filter(({ unplaced }) => unplaced);
  const parts = short.map((row) => {
    const { missing = 0, declared = 0 } = row.unplaced ?? {};
    const others = missing === 1 ? 'the other fits' : `the other ${formatCount(missing)} fit`;
    const count = `${formatCount(declared - missing)} of ${pluralize(declared, 'replica')}`;
    return `deploys ${joinDeployments([row])} with ${count} (${others} nowhere${describeAccepted([row])})`;
  });
  return [
    ...(whole.length > 0 ? [`deploys ${joinDeployments(whole)}`] : []),
    ...limitClauses(parts, 'deploys others in part'),
  ];
}

/** Whether another clause says that replicas have no place. */
function isSaid(row: DeploymentRow): boolean {
  return keepsOld(row) || (row.declared === 'added' && row.renamed === undefined);
}

/** ``keeps the old replica of `ml/a`: the changed one fits nowhere``. */
function listKeptClauses(rows: readonly DeploymentRow[]): string[] {
  const groups = groupBy(rows, ({ drainsFor, unplaced }) => `${drainsFor} ${unplaced?.accepted}`);
  return [...groups.values()].map((group) => {
    const count = group.reduce((sum, { actions }) => sum + actions.draining, 0);
    const [one, fits] = [count === 1, count === 1 ? 'fits' : 'fit'];
    const what = one ? 'the old replica' : `${formatCount(count)} old replicas`;
    const changed = one ? 'the changed one fits nowhere' : 'the changed ones fit nowhere';
    const why = group[0]?.drainsFor === 'changed' ? `: ${changed}` : `, which ${fits} nowhere else`;
    return `keeps ${what} of ${joinDeployments(group)}${why}${describeAccepted(group)}`;
  });
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
  const downtime = isCut ? ' with **downtime**' : '';
  const edit = describeEdit(row);
  const edits = edit === undefined ? '' : ` (${escapeMarkdown(edit)})`;
  const text = `renames ${joinDeployments([row])} to ${formatCode(row.renamed ?? '')}${downtime}${edits}`;
  return { rank: isCut ? 'down' : 'replicas', text };
}

function isEmptied({ actions, replicas }: DeploymentRow): boolean {
  return actions.remove > 0 && replicas.after === 0;
}

/** ``removes 2 replicas of `ml/a` ``, ``removes the only replica of `ml/b` (replicas 1 → 0)``. */
function listRemovals(rows: readonly DeploymentRow[]): Clause[] {
  const emptied = rows.filter(isEmptied).map((row) => {
    const { before } = row.replicas;
    const what = before === 1 ? 'the only replica' : `all ${pluralize(before, 'replica')}`;
    return `removes ${what} of ${joinDeployments([row])} (replicas ${formatCounts(row.replicas)})`;
  });
  const some = rows.filter((row) => !isEmptied(row));
  return [
    ...rankClauses('down', limitClauses(emptied, 'removes all replicas of other deployments')),
    ...rankClauses(
      'gone',
      countClause('removes', some, ({ actions }) => actions.remove),
    ),
  ];
}

/** `evicts 1 of 3 replicas of ml/a and 1 of 2 replicas of ml/b, which fit nowhere else`. */
function listEvictions(rows: readonly DeploymentRow[]): Clause[] {
  const evicted = rows.filter(({ actions }) => actions.evict > 0);
  const whole = evicted.filter(({ actions, unplaced }) => actions.evict === unplaced?.missing);
  const some = evicted.filter((row) => !whole.includes(row));
  const groups = [...groupBy(whole, (row) => `${row.replicas.after === 0} ${row.unplaced?.accepted}`).values()];
  return [
    ...groups.map((group): Clause => {
      const count = group.reduce((sum, { actions }) => sum + actions.evict, 0);
      const text = `evicts ${countOfEach(group)}, which ${count === 1 ? 'fits' : 'fit'} nowhere else`;
      const isEmptied = group.some(({ replicas }) => replicas.after === 0);
      return { rank: isEmptied ? 'down' : 'gone', text: `${text}${describeAccepted(group)}` };
    }),
    ...rankClauses(
      'gone',
      countClause('evicts', some, ({ actions }) => actions.evict),
    ),
  ];
}

/** `1 of 3 replicas of ml/a and all 2 replicas of ml/b`. */
function countOfEach(rows: readonly DeploymentRow[]): string {
  if (rows.length > MAX_NAMES) {
    const missing = rows.reduce((sum, { unplaced }) => sum + (unplaced?.missing ?? 0), 0);
    return `${pluralize(missing, 'replica')} of ${joinDeployments(rows)}`;
  }
  return joinAnd(
    rows.flatMap((row) => (row.unplaced ? [`${countOfDeclared(row.unplaced)} of ${joinDeployments([row])}`] : [])),
  );
}

function describeAccepted([row]: readonly DeploymentRow[]): string {
  return row?.unplaced?.accepted ? ', as accepted' : '';
}

/** `3 of 5 replicas`, `all 3 replicas`, `the only replica`. */
function countOfDeclared({ missing, declared }: Unplaced): string {
  if (missing < declared) return `${formatCount(missing)} of ${pluralize(declared, 'replica')}`;
  return declared === 1 ? 'the only replica' : `all ${pluralize(declared, 'replica')}`;
}

/** `finds no place for 3 of 5 replicas of ml/chat`, where they are not evicted. */
function listUnplacedClauses(rows: readonly DeploymentRow[]): string[] {
  const short = rows.filter(({ actions, unplaced }) => unplaced && actions.evict !== unplaced.missing);
  const groups = [...groupBy(short, ({ unplaced }) => unplaced?.accepted).values()];
  return groups.map((group) => `finds no place for ${countOfEach(group)}${describeAccepted(group)}`);
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
      const effect = isFixed(change) ? describeCopiesEffect(row) : '';
      return { row, engine, clauseOf: (who: string) => `${formatCopiesClause(change, who, each)}${effect}` };
    }),
  );
  const groups = groupBy(changes, ({ engine, clauseOf }) => clauseOf(engine));
  const clauses = [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first ? [first.clauseOf(`${first.engine}${joinDeployments(group.map(({ row }) => row))}`)] : [];
  });
  return limitClauses(clauses, 'changes the copies of other deployments');
}

/** ` with 8 more GPUs and no restart`, of replicas to which nothing else happens. */
function describeCopiesEffect({ actions, accelerators, copies }: DeploymentRow): string {
  if (Object.values(actions).some((count) => count > 0)) return '';
  const step = accelerators.after - accelerators.before;
  const isOne = copies?.engines.length === 1 && step !== 0;
  const devices = `${formatCount(Math.abs(step))} ${step > 0 ? 'more' : 'fewer'} ${Math.abs(step) === 1 ? 'GPU' : 'GPUs'}`;
  return isOne ? ` with ${devices} and no restart` : ', without a restart';
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
