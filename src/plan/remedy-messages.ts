import { CLUSTER_LABEL } from '../api/labels';
import type { MissingLoadMetrics } from '../api/load-metrics';
import { formatsOfCapabilities } from '../catalog/gpu-architectures';
import { formatSignedAmount, roundEstimate } from '../base/money';
import { groupBy, sortUnique } from '../base/order';
import { formatTaint, joinAnd, joinNames, pluralize } from '../base/text';
import type { BrokenRule } from '../fleet/policy';
import type { Accelerators } from '../scheduler/compile/shapes';
import {
  type DeclaringRemedy,
  type LostMinimum,
  type MoveRemedy,
  type NodesCost,
  onlyMovedBy,
  type Remedy,
  type RemedyMove,
  type StartedNodes,
  type StorageToDeclare,
  type SurgeRemedy,
  type UnitedReplicas,
  type VacatedClusters,
} from '../scheduler/remedy';
import { describeLeft } from './moved-minimums';
import { formatByField, nameSelector } from './rejection-messages';

/**
 * Formats a change that would give a replica a place, as one clause.
 *
 * @param flag a flag for its command, if it has one
 */
export function formatRemedy(remedy: Remedy, flag?: string): string {
  const change = formatFlaggedRemedy({ ...remedy, flag: flag === undefined ? '' : ` ${flag}` });
  if (!remedy.gateway || !('cluster' in remedy)) return change;
  return `${change}, and set spec.gateway of cluster ${remedy.cluster} so that ingress gateways reach it`;
}

/** `8 GPUs`, `16 TPU chips`. */
export function formatAccelerators({ gpus, accelerator }: Accelerators): string {
  return pluralize(gpus, accelerator ?? 'GPU');
}

/** `raise deviceQuota.most of rule 'quota' (policy.yaml:2:5) from 16 to 24`: what allows a change that policies deny. */
export function formatRuleEdits(breaks: readonly BrokenRule[]): string {
  return joinAnd(breaks.map(formatRuleEdit));
}

function formatRuleEdit({ rule, where, allow }: BrokenRule): string {
  const name = `rule '${rule}' (${where})`;
  if (!allow) return `change ${name}, which denies it`;
  if ('add' in allow) return `add ${joinAnd(allow.add)} to ${allow.field} of ${name}`;
  const { field, from, to } = allow;
  return `${to > from ? 'raise' : 'lower'} ${field} of ${name} from ${from} to ${to}`;
}

const STORAGE_FIELDS: Readonly<Record<StorageToDeclare, string>> = {
  SharedFilesystem: 'spec.storage.sharedFilesystem',
  BlockDevice: 'spec.storage.blockDevice',
  BlockSnapshots: 'spec.storage.blockDevice.manyReaders',
  S3Mounts: 'spec.storage.objectStorageMount',
  GCSMounts: 'spec.storage.objectStorageMount',
};

const formatFlaggedRemedy = formatByField<Remedy & { readonly flag: string }, 'kind'>('kind', {
  move: ({ moves, supposed, before, flag, ...has }) => {
    const what = `${formatMoves(moves)}${formatMovesEffect(has)}`;
    if (before !== undefined)
      return `before this change, in one of its own, ${what}: ${formatStepsBefore(moves, before)}`;
    return `${formatSupposition(supposed)}${formatMoveNow({ moves, flag, what })}`;
  },
  'nodes-and-moves': ({ cluster, pool, nodes, moves, supposed, flag, cost, ...has }) => {
    const price = cost ? `, ${formatNodesCost(cost)}` : '';
    const more = `${pluralize(nodes, 'more node')} in ${cluster} / ${pool} (${formatAccelerators(has)}${price})`;
    return `${formatSupposition(supposed)}${more}, then ${formatMoveNow({ moves, flag, what: `${formatMoves(moves)}${formatMovesEffect(has)}` })}`;
  },
  finalize: ({ cluster, drainsFirst, supposed, flag, ...has }) =>
    drainsFirst
      ? formatDrainFirst(`what drains replicas of ${cluster}`)
      : `${formatSupposition(supposed)}remove the draining replicas of ${cluster}${formatDeclaredCost(has)} with ${FINALIZE_COMMAND}${flag}; in the same change: fleetwright lock DIR`,
  nodes: ({ cluster, pool, nodes, newPool, slice, unavailable, cost, unpriced, maxNodeCount, started, ...has }) => {
    const details = [
      ...(has.gpus > 0 && !started ? [formatAccelerators(has)] : []),
      ...(cost ? [formatNodesCost(cost)] : unpriced ? ['price unknown'] : []),
    ];
    const today = cost?.autoscaled && maxNodeCount ? describeToday(maxNodeCount, has, started) : '';
    const amount = details.length > 0 ? `${details.join(', ')}${today}` : undefined;
    const suffix = formatEffects(amount, listLostMinimums(has));
    if (slice && newPool) return `another slice like ${cluster} / ${pool}${suffix}`;
    if (newPool) return `a new pool of ${pluralize(nodes, 'node')} like ${cluster} / ${pool}${suffix}`;
    const what = maxNodeCount
      ? `raise maxNodeCount of ${cluster} / ${pool} from ${maxNodeCount.from} to ${maxNodeCount.to}`
      : `${pluralize(nodes, 'more node')} in ${cluster} / ${pool}`;
    const more = `${what}${suffix}${formatInPlace(has)}`;
    if (unavailable === undefined) return more;
    const or = slice ? '' : `, or ${more}`;
    return `repair ${formatShare(nodes, unavailable)} in ${cluster} / ${pool}${or}; then record the snapshot again`;
  },
  declare: (remedy) => formatDeclaring(remedy),
  limit: ({ deployment, field, from, to, cluster, cost, minimums }) =>
    `${to > from ? 'raise' : 'lower'} placement.${field} of ${deployment} from ${from} to ${to}${formatEffects(amountOf(cost), [`the replica then goes to ${cluster}`, ...listLostMinimums({ minimums })])}`,
  packing: ({ cluster, pool, stops, restarts, ...has }) =>
    `set packing: BinPack on ${cluster} / ${pool}${formatDeclaredCost(has)}${formatInPlace(has)}${formatStopped(stops)}${formatRestarted(restarts)}, once an administrator has configured the scheduler of ${cluster} to pack pods`,
  toleration: ({ cluster, taints, ...has }) =>
    `tolerate ${taints.map(formatTaint).join(', ')} on ${cluster}${formatDeclaredCost(has)}`,
  bound: ({ cluster, pool, also = [], request, from, to, ...at }) => {
    const places = [{ cluster, pool }, ...also].map((one) => `${one.cluster} / ${one.pool}`);
    const formats = formatsOfCapabilities(to, from);
    const change = formats
      ? `${to} (supports: ${formats.has}) instead of ${from} (supports: ${formats.needs})`
      : `${to} instead of ${from}`;
    return `require ${change} in ${nameSelector(at)} of ${request}, on ${joinNames(places, MOST_PLACES)}${formatDeclaredCost(at)}`;
  },
  count: ({ cluster, pool, request, from, to, ...has }) =>
    `request ${to} devices instead of ${from} in ${request}, on ${cluster} / ${pool}${formatDeclaredCost(has)}`,
  surge: ({ cost, serving, ...has }) => {
    const effects = [...(serving ? [describeServing(serving)] : []), ...listLostMinimums(has)];
    return `remove rollout.surge${formatEffects(amountOf(cost), effects)}`;
  },
  copies: ({ cluster, pool, engine, from, to, ...has }) =>
    `lower copies.max of engine ${engine} from ${from} to ${to}, for which ${cluster} / ${pool} has room${formatDeclaredCost(has)}`,
});

/** `at least 4 of 6 replicas then serve during rollouts in waves`. */
function describeServing({ least, of }: Required<SurgeRemedy>['serving']): string {
  if (of === 1) return 'the replica then still serves during rollouts';
  if (least === of) return `all ${of} replicas then still serve during rollouts`;
  return `at least ${least} of ${of} replicas then serve during rollouts in waves`;
}

/** `once this change is declared, `: before it is, the command that follows finds nothing to do. */
function formatSupposition(supposed: true | undefined): string {
  return supposed ? 'once this change is declared, ' : '';
}

/** What clusters declare for autoscalers. */
const MONITORING_FIELDS: Readonly<Record<MissingLoadMetrics, string>> = {
  metrics: 'spec.monitoring',
  series: 'spec.monitoring.rules: true',
};

function formatDeclaring({ cluster, storage, label, frees, ...has }: DeclaringRemedy & LostMinimums): string {
  const { monitoring, kedaHttpAddOn } = has;
  const fields = storage.map((need) => STORAGE_FIELDS[need]);
  const parts = [
    ...fields,
    ...(monitoring === undefined ? [] : [MONITORING_FIELDS[monitoring]]),
    ...(kedaHttpAddOn ? ['spec.servingStack.kedaHttpAddOn'] : []),
    ...(label === undefined ? [] : [`the label ${label}`]),
  ];
  const conditions = [
    ...(fields.length > 0 ? ['it has such storage'] : []),
    ...(monitoring === 'metrics' ? ['Prometheus runs there'] : []),
  ];
  const where = conditions.length > 0 ? `, if ${conditions.join(' and ')}` : '';
  return `declare ${parts.join(' and ')} of cluster ${cluster}${where}${formatFreed(frees)}${formatEffects(undefined, listLostMinimums(has))}`;
}

type NodesRemedy = Extract<Remedy, { kind: 'nodes' }>;

/** `: up to 3 nodes run today`, `: the replica takes 6 GPUs there, so 4 nodes run instead of 1 to 3`. */
function describeToday(
  { from, to }: Required<NodesRemedy>['maxNodeCount'],
  { accelerator }: Accelerators,
  started: StartedNodes | undefined,
): string {
  if (!started) return `: up to ${pluralize(from, 'node')} run today`;
  const takes = formatAccelerators({ gpus: started.gpus, ...(accelerator && { accelerator }) });
  const [now, then] = [formatRange(started.from, from), formatRange(started.to, to)];
  return `: the replica takes ${takes} there, so ${then} ${to === 1 ? 'node' : 'nodes'} run instead of ${now}`;
}

/** `4`, `1 to 3`. */
function formatRange(least: number, most: number): string {
  return least < most ? `${least} to ${most}` : String(most);
}

function formatFreed(deployment: string | undefined): string {
  return deployment === undefined ? '' : ` (${deployment} then has a place there, and leaves room for the replica)`;
}

/** ` ($0)`, ` (+$4 a month for cache volumes)`, and what too few replicas are left without. Empty where nothing is known. */
function formatDeclaredCost({ cost, ...has }: Pick<Extract<Remedy, { kind: 'limit' }>, 'cost'> & LostMinimums): string {
  return formatEffects(amountOf(cost), listLostMinimums(has));
}

interface LostMinimums {
  readonly minimums?: readonly LostMinimum[] | undefined;
}

function listLostMinimums({ minimums = [] }: LostMinimums): string[] {
  return minimums.map(formatLostMinimum);
}

function amountOf(cost: Extract<Remedy, { kind: 'limit' }>['cost']): string | undefined {
  if (!cost) return undefined;
  const amount = formatSignedAmount(cost.perMonth, cost.currency);
  return cost.perMonth === 0 ? amount : `${amount} a month for cache volumes`;
}

/** ` ($0; the replica then goes to eu)`: what a change costs and leads to. Empty where nothing is known. */
function formatEffects(amount: string | undefined, effects: readonly string[]): string {
  const all = [...(amount === undefined ? [] : [amount]), ...effects];
  return all.length === 0 ? '' : ` (${all.join('; ')})`;
}

/** `the unavailable node`, `1 of the 2 unavailable nodes`. */
function formatShare(some: number, all: number): string {
  if (all === 1) return 'the unavailable node';
  return `${some === all ? 'the' : `${some} of the`} ${pluralize(all, 'unavailable node')}`;
}

/** Formats what nodes cost, rounded and with the region if its price is one of another region. */
export function formatNodesCost({ perMonth, leastPerMonth, volumes, currency, autoscaled, asIn }: NodesCost): string {
  const round = asIn === undefined ? (amount: number): number => amount : roundEstimate;
  const [least, most] = [leastPerMonth ?? 0, perMonth].map((amount) => formatSignedAmount(round(amount), currency));
  const [about, source] = asIn === undefined ? ['', ''] : ['about ', ` as in ${asIn}`];
  const counted = volumes === undefined ? '' : volumes === 'unknown' ? UNPRICED_VOLUMES : ' with cache volumes';
  if (volumes === perMonth && volumes === leastPerMonth) return `${most} a month for cache volumes`;
  if (autoscaled && leastPerMonth === undefined)
    return `${about}up to ${most} a month for these nodes${source}${counted}`;
  return `${about}${autoscaled && least !== most ? `${least} to ` : ''}${most} a month${source}${counted}`;
}

const UNPRICED_VOLUMES = ', and cache volumes without a price';

/** ` (+$10 a month; both replicas of ml/a are then on eu)`: what moves cost and lead to. Empty where nothing is known. */
export function formatMovesEffect({ cost, ...effects }: MovesEffect): string {
  return formatEffects(formatMovesCost({ cost }), listMoveEffects(effects));
}

type MovesEffect = Pick<MoveRemedy, 'unites' | 'vacates' | 'minimums'> & {
  readonly cost?: MoveRemedy['cost'] | undefined;
};

/** `$0`, `+$10 a month`. Undefined: no price is known. */
export function formatMovesCost({ cost }: Pick<MovesEffect, 'cost'>): string | undefined {
  return cost && (cost.perMonth === 0 ? formatSignedAmount(0, cost.currency) : formatNodesCost(cost));
}

/** What moves lead to, as clauses. */
export function listMoveEffects({ unites = [], vacates = [], minimums = [] }: Omit<MovesEffect, 'cost'>): string[] {
  const said = new Set(minimums.flatMap(({ deployment, left }) => (left === 0 ? [deployment] : [])));
  const united = unites.filter(({ deployment, label }) => label !== CLUSTER_LABEL || !said.has(deployment));
  return [...united.map(formatUnited), ...listLostMinimums({ minimums }), ...vacates.map(formatVacated)];
}

/** `if cluster eu then fails, 1 replica of ml/a is left, below minAvailable: 2`. */
function formatLostMinimum({ deployment, cluster, left, minAvailable }: LostMinimum): string {
  return `if cluster ${cluster} then fails, ${describeLeft(deployment, left)}, below minAvailable: ${minAvailable}`;
}

/** `clients of ml/a on us then get no answer, which the gate refuses without --accept-removals`. */
function formatVacated({ deployment, clusters }: VacatedClusters): string {
  return `clients of ${deployment} on ${joinAnd(clusters)} then get no answer, which the gate refuses without --accept-removals`;
}

function formatUnited({ deployment, replicas, label, domain }: UnitedReplicas): string {
  const all = replicas === 2 ? 'both replicas' : `all ${pluralize(replicas, 'replica')}`;
  return `${all} of ${deployment} are then ${label === CLUSTER_LABEL ? 'on' : 'in'} ${domain}`;
}

/** `, with downtime of the only replica of ml/a`. Empty where none stops. */
function formatStopped(stops: readonly string[] = []): string {
  if (stops.length === 0) return '';
  const replicas = stops.length === 1 ? 'replica' : 'replicas';
  return `, with downtime of the only ${replicas} of ${joinNames(stops, MOST_PLACES, ' and ')}`;
}

/** `, with a restart of replicas of ml/a`. Empty where none restarts. */
function formatRestarted(restarts: readonly string[] = []): string {
  return restarts.length === 0 ? '' : `, with a restart of replicas of ${joinNames(restarts, MOST_PLACES, ' and ')}`;
}

/** What becomes of the replica that runs earlier engines, behind a remedy that may count its devices as free. */
function formatInPlace({ inPlace, stopsAll }: { inPlace?: 'restart' | 'grow'; stopsAll?: true }): string {
  if (inPlace === 'grow') return ', no restart';
  if (inPlace === undefined) return '';
  return stopsAll ? ", with downtime ('rollout: Recreate')" : ', with downtime of the old replica';
}

const MOST_PLACES = 3;

const FINALIZE_COMMAND = 'fleetwright lock DIR --finalize';

/** What follows a rebalance in which replicas serve until they are finalized. */
const FINALIZE_STEP = `when the moved replicas serve: ${FINALIZE_COMMAND}`;

/**
 * How to remove replicas that drain only by the change itself.
 *
 * @param edits what drains them
 */
export function formatDrainFirst(edits: string): string {
  return `first merge ${edits}, in a change of its own; ${FINALIZE_STEP}; then make the rest of this change`;
}

/** Moves with their commands: replicas that serve at both places are finalized before the missing one gets its place. */
function formatMoveNow({ moves, flag, what }: Pick<MoveRemedy, 'moves'> & Record<'flag' | 'what', string>): string {
  const later = moves.some(({ surgeFirst }) => surgeFirst)
    ? `; when the moved replicas serve, in one change: ${FINALIZE_COMMAND}; fleetwright lock DIR`
    : '';
  return `${what}: ${moveCommand(moves, flag)}${later}`;
}

/**
 * The same commands as steps, as sentences without full stops.
 *
 * @param flag a flag for the first command
 */
export function listMoveSteps(moves: readonly RemedyMove[], flag?: string): string[] {
  const move = `Run '${moveCommand(moves, flag === undefined ? '' : ` ${flag}`)}'`;
  const finalize = `When the moved replicas serve, run '${FINALIZE_COMMAND}' and then 'fleetwright lock DIR', in one change`;
  return moves.some(({ surgeFirst }) => surgeFirst) ? [move, finalize] : [move];
}

function moveCommand(moves: readonly RemedyMove[], flag: string): string {
  return `fleetwright lock DIR ${rebalanceFlag(moves)}${flag}`;
}

/** How replicas move before a change for which others lose their places. */
function formatStepsBefore(moves: readonly RemedyMove[], deployment: string): string {
  const steps = [
    `with this change declared: ${moveBeforeCommand(moves, deployment)}`,
    'with it undone: fleetwright lock DIR',
    ...(moves.some(({ surgeFirst }) => surgeFirst) ? [FINALIZE_STEP] : []),
    'then declare this change again',
  ];
  return steps.join('; ');
}

/**
 * The command that makes moves for which replicas of a deployment lose their places. It leaves all other deployments as
 * they are: they may lose places too.
 */
export function moveBeforeCommand(moves: readonly RemedyMove[], deployment: string): string {
  const ids = sortUnique([...moves.map((one) => one.deployment), deployment]);
  const scope = ids.map((id) => `--only ${id}`);
  return ['fleetwright lock DIR', ...scope, rebalanceFlag(moves), '--accept-unplaced'].join(' ');
}

/** Formats moves, equal ones as one: `move 2 replicas of ml/any from a to b, without downtime`. On one cluster, it names the pools. */
function formatMoves(moves: readonly RemedyMove[]): string {
  const alike = groupBy(moves, (move) => `${move.deployment} ${formatWay(move)}, ${formatDowntime(move)}`);
  return [...alike].map(([way, { length }]) => `move ${pluralize(length, 'replica')} of ${way}`).join(', ');
}

/** `from a to b`, `from a / l4 to a / h100` on one cluster. */
export function formatWay({
  from,
  to,
  fromPools,
  toPools,
}: Pick<RemedyMove, 'from' | 'to' | 'fromPools' | 'toPools'>): string {
  const [old, next] = from === to ? [`${from} / ${fromPools.join('+')}`, `${to} / ${toPools.join('+')}`] : [from, to];
  return `from ${old} to ${next}`;
}

/** `without downtime`: whether a replica that moves serves throughout. */
export function formatDowntime({ surgeFirst }: Pick<RemedyMove, 'surgeFirst'>): string {
  return surgeFirst ? 'without downtime' : 'with downtime';
}

/** The flag that makes moves. It names the deployment that moves if there is only one. */
function rebalanceFlag(moves: readonly RemedyMove[]): string {
  const only = onlyMovedBy({ moves });
  return `--rebalance${only === undefined ? '' : ` ${only}`}`;
}
