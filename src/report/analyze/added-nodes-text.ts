import type { MoreNodes } from '../../analyze/survive/more-nodes';
import type {
  ChangedLimit,
  CheaperNodes,
  ExtraNodes,
  NodesEstimate,
  NodeSet,
  StrandedReplicas,
} from '../../analyze/survive/survival';
import { formatCount } from '../../base/figures';
import { formatSignedAmount, roundEstimate } from '../../base/money';
import { joinAnd, joinNames, pluralize } from '../../base/text';
import type { Sum } from '../../cost/sum';
import { formatAccelerators, formatRuleEdits } from '../../plan/remedy-messages';
import { formatRejectionKind } from '../../plan/rejection-messages';
import type { NodeField } from '../../scheduler/remedy';
import { formatPriceSources, formatSourceNames, listPriceSources } from '../cost/cost-summary';
import { type Block, indent, type Item, styledLines } from '../document/document';

/** ` (us: at most 1 replica may be on one cluster (maxPerCluster))`: what keeps a replica off the cluster that comes closest. */
export function formatObstacle({ nearest }: Pick<StrandedReplicas, 'nearest'>): string {
  if (!nearest) return '';
  const { cluster, pool } = nearest;
  const why = formatRejectionKind(nearest).replaceAll(/ {2,}/g, ' ');
  return ` (${pool === undefined ? cluster : `${cluster} / ${pool}`}: ${why})`;
}

/** Formats nodes to add: what fits then, the nodes by pool, their cost, and the price sources; then those that cost less. */
export function formatExtra(extra: ExtraNodes, what: string, cheaper?: CheaperNodes): Item[] {
  return [
    withPrices(formatNodes(extra, what), extra),
    ...(cheaper ? [withPrices(formatCheaper(cheaper), cheaper)] : []),
  ];
}

function withPrices({ below = [], ...item }: Item, added: NodeSet): Item {
  return { ...item, below: [...below, ...formatPriceSources([added.cost], added.sources)] };
}

/** @param where of what the set is the smallest. Default: of nodes in existing pools */
function formatNodes(extra: ExtraNodes, what: string, where = ' in existing pools'): Item {
  const { total, atLeast, method } = extra;
  const proof =
    method === 'exact' ? `the smallest set${where}` : `not proved smallest; at least ${atLeast} are necessary`;
  return { text: `With ${pluralize(total, 'more node')} ${what} (${proof}):`, below: listNodes(extra) };
}

/** `or, cheapest: 2 more nodes`. */
function formatCheaper(cheaper: CheaperNodes): Item {
  return { text: `${nameCheaper(cheaper)} ${pluralize(cheaper.total, 'more node')}:`, below: listNodes(cheaper) };
}

function nameCheaper({ method }: CheaperNodes): string {
  return method === 'exact' ? 'or, cheapest:' : 'or, cheaper:';
}

function listNodes(added: NodeSet): string[] {
  return [...added.nodes.map(formatPlace), formatHourly(added), ...listRuleEdits(added)];
}

/** `3 in us / h100 (24 GPUs)`. */
function formatPlace({ nodes, ...at }: NodeSet['nodes'][number]): string {
  return `${formatCount(nodes)} in ${nameWithAccelerators(at)}`;
}

/** `us / h100 (24 GPUs)`. */
function nameWithAccelerators({ cluster, pool, ...has }: Omit<NodeSet['nodes'][number], 'nodes'>): string {
  return `${cluster} / ${pool}${has.gpus > 0 ? ` (${formatAccelerators(has)})` : ''}`;
}

/** `about +$323,000 a month as in us-central1`. */
function formatEstimate(amount: string, { regions }: NodesEstimate): string {
  return `about ${amount} as in ${joinNames(regions)}`;
}

/** `cost an hour: +$127 and 1 pool without a price`. */
function formatHourly({ cost, estimate, currency }: NodeSet): string {
  const amount = estimate
    ? formatEstimate(formatSignedAmount(roundEstimate(estimate.perHour), currency), estimate)
    : formatAddedSum(cost, currency);
  return `cost an hour: ${amount}`;
}

function formatAddedSum(cost: Sum, currency: string): string {
  const { perHour, unknown } = cost;
  if (perHour === undefined) return 'unknown';
  return `${formatSignedAmount(perHour, currency)}${unknown > 0 ? ` and ${pluralize(unknown, 'pool')} without a price` : ''}`;
}

/** Formats what nodes add to the cost of a month, as an estimate where one of their prices is unknown. */
export function formatAddedCost({ cost: { perMonth, unknown }, estimate, currency }: NodeSet): string {
  if (estimate) {
    return formatEstimate(`${formatSignedAmount(roundEstimate(estimate.perMonth), currency)} a month`, estimate);
  }
  if (perMonth === undefined) return 'price unknown';
  const amount = `${formatSignedAmount(perMonth, currency)} a month`;
  return unknown > 0 ? `at least ${amount}` : amount;
}

/** The price sources of nodes that give replicas a place. */
export function listPricesOfMoreNodes({ extra, cheaper, newPool }: MoreNodes): string[] {
  return [newPool, extra, cheaper].flatMap((one) => (one ? listPriceSources([one.cost], one.sources) : []));
}

/**
 * Formats the nodes that give all replicas without a place one, and the replicas that no nodes help.
 *
 * @param prices whether to name the price sources. Where costs follow, `listPricesOfMoreNodes` adds them to those.
 */
export function formatMoreNodes(more: MoreNodes, { prices = true } = {}): Block[] {
  const { extra, cheaper, stranded, newPools, newPool, limits } = more;
  const names = stranded.map(
    (one) => `${pluralize(one.replicas, 'replica')} of ${one.deployment}${formatObstacle(one)}`,
  );
  const fit = `${formatLimitsToo(limits)}${countFitting(more)}`;
  const sources = prices ? formatSourceNames(listPricesOfMoreNodes(more)) : [];
  return [
    ...styledLines('warn', names.length > 0 ? [`More nodes do not help ${joinNames(names)}.`] : []),
    ...(newPool ? [formatNewPool(newPool, fit)] : []),
    ...(extra
      ? [newPools || newPool ? formatNodes(extra, `in existing pools ${fit}`, '') : formatNodes(extra, fit)]
      : []),
    ...(cheaper ? [formatCheaper(cheaper)] : []),
    ...indent(styledLines('faint', sources)),
  ];
}

/** Formats a further pool of the class of another, and its cost. */
function formatNewPool(pool: NodeSet, what: string): Item {
  return { text: `With ${namePool(pool)} ${what}:`, below: [formatHourly(pool), ...listRuleEdits(pool)] };
}

/** What has to change in policy rules that deny nodes, as a line. */
function listRuleEdits({ breaks }: NodeSet): string[] {
  return breaks ? [`and ${formatRuleEdits(breaks)}`] : [];
}

function formatRulesToo(extra: NodeSet): string {
  return listRuleEdits(extra)
    .map((edits) => `, ${edits}`)
    .join('');
}

/** `a new pool of 2 nodes like us / h100 (16 GPUs)`. */
function namePool({ nodes, total }: NodeSet): string {
  return `a new pool of ${pluralize(total, 'node')} like ${nodes.map(nameWithAccelerators).join()}`;
}

/**
 * Formats nodes for replicas without a place as a line: `With 3 more nodes all 6 fit: 3 nodes in us / h100; +$1 a month`.
 *
 * @param said the deployments of which something else says what keeps their replicas off. Default: none
 * @param lostOn the lost clusters that had these replicas. Default: they are not distinguished
 */
export function formatMoreNodesLine(
  more: MoreNodes,
  { said = new Set(), lostOn = [] }: { readonly said?: ReadonlySet<string>; readonly lostOn?: readonly string[] } = {},
): string | undefined {
  const { extra, cheaper, stranded, newPools, newPool, limits } = more;
  if (!extra) return undefined;
  const { total } = extra;
  const unhelped = stranded
    .filter(({ deployment }) => !said.has(deployment))
    .map((one) => `${pluralize(one.replicas, 'replica')} of ${one.deployment}${formatObstacle(one)}`);
  const rest = unhelped.length > 0 ? `; more nodes do not help ${joinNames(unhelped)}` : '';
  const orCheaper = `${cheaper ? `; ${nameCheaper(cheaper)} ${formatNodesLine(cheaper)}` : ''}${rest}`;
  const which = `${formatLimitsToo(limits)}${countFitting(more, lostOn)}`;
  if (newPool) {
    const [cost, costOfMore] = [newPool, extra].map(formatAddedCost);
    const more = `in existing pools they need ${pluralize(total, 'more node')}`;
    if (cost === costOfMore)
      return `With ${namePool(newPool)} ${which}; ${more}; ${cost}${formatRulesToo(newPool)}${orCheaper}`;
    return `With ${namePool(newPool)} ${which}: ${cost}${formatRulesToo(newPool)}; ${more}: ${costOfMore}${orCheaper}`;
  }
  const where = newPools ? ' in existing pools' : '';
  return `With ${pluralize(total, 'more node')}${where} ${which}: ${formatNodesLine(extra)}${orCheaper}`;
}

/** `all 3 missing replicas fit`, `the 1 other missing replica fits`, `the 1 missing replica of us fits`. */
function countFitting({ replicas, stranded }: MoreNodes, lostOn: readonly string[] = []): string {
  const of = lostOn.length > 0 ? ` of ${joinAnd(lostOn)}` : '';
  const isRest = stranded.length > 0 || of === '';
  if (replicas === 1) return `the 1 ${isRest ? 'other ' : ''}missing replica${of} fits`;
  return `${stranded.length > 0 ? 'all other' : 'all'} ${pluralize(replicas, 'missing replica')}${of} fit`;
}

/** `and 'minDomains: 1' instead of 2 of ml/chat `. Empty: no limit has to change. */
export function formatLimitsToo(limits: MoreNodes['limits']): string {
  return limits ? `and ${joinNames(limits.map(formatLimit))} ` : '';
}

/** `'minDomains: 1' instead of 2 of ml/chat`. */
export function formatLimit({ deployment, field, from, to }: ChangedLimit): string {
  return `'${field}: ${to}' instead of ${from} of ${deployment}`;
}

/** `3 nodes in us / h100 (24 GPUs); +$1 a month`: replicas are counted next to it. */
function formatNodesLine(added: NodeSet): string {
  const places = added.nodes.map(({ nodes, ...at }) => `${pluralize(nodes, 'node')} in ${nameWithAccelerators(at)}`);
  return `${places.join(', ')}; ${formatAddedCost(added)}${formatRulesToo(added)}`;
}

/**
 * Formats nodes to add as one of several choices: `2 more nodes in eu / h100 (16 GPUs, +$129,196 a month), that is
 * 'nodeCount: 4' instead of 2`.
 */
export function describeAddedNodes(extra: NodeSet, isNewPool = false): string {
  const { nodes, total } = extra;
  const gpus = nodes.reduce((sum, one) => sum + one.gpus, 0);
  const details = [...(gpus > 0 ? [formatAccelerators({ ...nodes[0], gpus })] : []), formatAddedCost(extra)].join(', ');
  const places = nodes.map(({ cluster, pool, nodes: count }) => {
    return `${nodes.length > 1 ? `${formatCount(count)} ` : ''}${isNewPool ? 'like' : 'in'} ${cluster} / ${pool}`;
  });
  const what = isNewPool ? `a new pool of ${pluralize(total, 'node')}` : pluralize(total, 'more node');
  const [only, ...others] = nodes;
  const field = only && others.length === 0 && !isNewPool ? formatNodeField(only) : '';
  return `${what}${nodes.length > 1 ? ':' : ''} ${joinNames(places)} (${details})${field}${formatRulesToo(extra)}`;
}

/** `, that is 'nodeCount: 4' instead of 3`. Empty where they are a pool of their own. */
export function formatNodeField({ nodeCount, maxNodeCount }: NodeField): string {
  const [name, change] = nodeCount ? ['nodeCount', nodeCount] : ['maxNodeCount', maxNodeCount];
  return change ? `, that is '${name}: ${change.to}' instead of ${change.from}` : '';
}
