import { countReachable } from '../../analyze/survive/service-capacity';
import type { MoreNodes } from '../../analyze/survive/more-nodes';
import type {
  NodesEstimate,
  DeploymentHit,
  ExtraNodes,
  Loss,
  ServiceHit,
  StrandedReplicas,
  Survival,
} from '../../analyze/survive/survival';
import { formatCount } from '../../base/figures';
import { formatSignedAmount, roundEstimate } from '../../base/money';
import { joinNames, pluralize } from '../../base/text';
import type { Sum } from '../../cost/sum';
import { formatRejectionKind } from '../../plan/rejection-messages';
import { formatPriceSources } from '../cost/cost-summary';
import { type Block, type Item, section, styledLines } from '../document/document';

/** With more losses, deployments that keep serving are counted. */
const MAX_LISTED_LOSSES = 8;

/**
 * Formats how a fleet survives each loss: the deployments and services that it affects, replicas that have no place
 * with any number of nodes, the extra nodes that would help, and the total.
 *
 * @param all the command that lists every deployment. Absent: every one is listed
 */
export function formatSurvival(survival: Survival, all?: string): Block[] {
  const { losses, extra, stranded } = survival;
  const isCounted = all !== undefined && losses.length > MAX_LISTED_LOSSES;
  return [
    ...losses.flatMap((loss) => [formatLoss(loss, isCounted), '']),
    ...section(isCounted ? styledLines('faint', [`Every deployment: '${all}'.`]) : []),
    ...section(styledLines('warn', stranded.length > 0 ? [formatStranded(survival)] : [])),
    ...section(
      extra ? [formatExtra(extra, `${stranded.length > 0 ? 'all other' : 'all'} replicas fit after any one loss`)] : [],
    ),
    ...section(
      styledLines('warn', isUnsolved(survival) ? ['No set of nodes was found with which all replicas fit.'] : []),
    ),
    ...styledLines('strong', [formatSurvivalTotal(survival)]),
  ];
}

function formatLoss({ lost, clusters, deployments, services }: Loss, isCounted: boolean): Block {
  const names = clusters.length === 1 && clusters[0] === lost ? '' : ` (${joinNames(clusters)})`;
  if (deployments.length + services.length === 0) return `lose ${lost}${names}: no replica is there`;
  const counted = isCounted ? deployments.filter(recovers) : [];
  const below = [
    ...deployments
      .filter((hit) => !counted.includes(hit))
      .map((hit): Item => {
        const item = { cells: [hit.deployment], text: formatHit(hit) };
        return hit.after < hit.before || isBelow(hit) ? { ...item, look: 'warn' } : item;
      }),
    ...(counted.length > 0 ? [formatRecovering(counted)] : []),
    ...services.map((hit): Item => {
      const item = { text: `service ${hit.service}   ${formatServiceHit(hit)}` };
      return hit.after < 1 ? { ...item, look: 'warn' } : item;
    }),
  ];
  return { look: 'strong', text: `lose ${lost}${names}`, below };
}

/** Whether a deployment keeps enough replicas, and all others find a place. */
function recovers(hit: DeploymentHit): boolean {
  return hit.atOnce > 0 && hit.after >= hit.before && !isBelow(hit);
}

function formatRecovering(hits: readonly DeploymentHit[]): string {
  const slowest = hits.reduce((most, { seconds = 0 }) => Math.max(most, seconds), 0);
  const keep = hits.length === 1 ? 'keeps' : 'keep';
  const within = slowest > 0 ? ` in at most ${formatMinutes(slowest)}` : '';
  return `${pluralize(hits.length, 'deployment')} ${keep} serving, and all replicas serve again${within}`;
}

/** `1 of 2 replicas keeps serving; the other serves again in at most 60 min`. */
function formatHit(hit: DeploymentHit): string {
  const { before, atOnce, minAvailable, fewestCopies } = hit;
  const copies =
    fewestCopies === undefined
      ? ''
      : `, with at least ${fewestCopies === 1 ? '1 copy' : `${fewestCopies} copies`} each`;
  const below = isBelow(hit) ? `; below minAvailable ${minAvailable}` : '';
  if (before === 1) return `its only replica stops serving; it ${formatFate(hit)}${below}`;
  const kept = atOnce === 0 ? 'none' : atOnce;
  const keeps = atOnce > 1 ? 'keep' : 'keeps';
  return `${kept} of ${pluralize(before, 'replica')} ${keeps} serving${copies}; ${formatOthers(hit)}${below}`;
}

/** What becomes of the replicas that are lost: `the other 2 find no place`. */
function formatOthers(hit: DeploymentHit): string {
  const { before, atOnce, after } = hit;
  const lost = before - atOnce;
  const which = atOnce === 0 ? `all ${lost}` : lost === 1 ? 'the other' : `the other ${lost}`;
  if (after <= atOnce || after >= before) return `${which} ${formatFate(hit, lost)}`;
  const again = after - atOnce;
  return `${again} of ${which} ${formatFate(hit, again)}, ${before - after} ${findVerb(before - after)} no place`;
}

function formatFate({ atOnce, after, seconds }: DeploymentHit, count = 1): string {
  if (after <= atOnce) return `${findVerb(count)} no place`;
  const within = seconds === undefined ? '' : ` in at most ${formatMinutes(seconds)}`;
  return `${count === 1 ? 'serves' : 'serve'} again${within}`;
}

function findVerb(count: number): string {
  return count === 1 ? 'finds' : 'find';
}

/** Formats what is left of a deployment that lost a replica: `1 of 3 replicas serves`. */
export function formatServing({ before, atOnce }: Pick<DeploymentHit, 'before' | 'atOnce'>): string {
  if (before === 1 && atOnce === 0) return 'its 1 replica stops serving';
  return `${atOnce} of ${pluralize(before, 'replica')} ${atOnce === 1 ? 'serves' : 'serve'}`;
}

/** What of a fleet serves: its deployments and services. */
export interface ServingParts {
  readonly deployments: readonly unknown[];
  readonly services: readonly unknown[];
}

/**
 * Formats what serves right after clusters are lost together, before anything is placed again: one line for each
 * deployment and service that loses something, and how many lose nothing.
 */
export function formatImmediateLoss(
  { deployments, services }: Pick<Loss, 'deployments' | 'services'>,
  all: ServingParts,
): Block {
  const others = [
    ...countOf(all.deployments.length - deployments.length, 'deployment'),
    ...countOf(all.services.length - services.length, 'service'),
  ];
  const below = [
    ...deployments.map((hit): Item => ({ cells: [hit.deployment], text: formatServing(hit), look: 'warn' })),
    ...services.map(
      (hit): Item => ({ cells: [`service ${hit.service}`], text: formatCapacityLeft(hit), look: 'warn' }),
    ),
    ...(others.length > 0 ? [`as before: ${others.join(' and ')}`] : []),
  ];
  return { look: 'strong', text: 'Right after the loss:', below };
}

function countOf(count: number, noun: string): string[] {
  return count > 0 ? [pluralize(count, `other ${noun}`)] : [];
}

/** Formats the effect on a service: `50 % of its capacity is left at once, 100 % later; 1 of 2 gateways left`. */
function formatServiceHit(hit: ServiceHit): string {
  const { atOnce, after } = hit;
  const later = after > atOnce ? `${formatPercent(after)} later` : 'no more later';
  return formatCapacityLeft(hit, atOnce === 1 ? '' : ` at once, ${later}`);
}

/** Gateways send all requests to what is left: a part of the capacity does not mean that the rest of them fail. */
function formatCapacityLeft({ atOnce, gateways, fallback }: ServiceHit, when = ''): string {
  if (gateways.atOnce === 0) return 'cut off: no gateway is left';
  const remaining = gateways.atOnce < gateways.before ? `; ${gateways.atOnce} of ${gateways.before} gateways left` : '';
  const next = fallback ? '; its next tier takes over' : '';
  return `${formatPercent(atOnce)} of its capacity is left${when}${remaining}${next}`;
}

/** Formats a part in percent. A part of something is neither 0 % nor 100 %. */
function formatPercent(part: number): string {
  const percent = Math.round(part * 100);
  if (part <= 0 || part >= 1) return `${percent} %`;
  return `${Math.min(99, Math.max(1, percent))} %`;
}

function isBelow({ atOnce, minAvailable = 0 }: Pick<DeploymentHit, 'atOnce' | 'minAvailable'>): boolean {
  return atOnce < minAvailable;
}

function formatMinutes(seconds: number): string {
  return `${Math.ceil(seconds / 60)} min`;
}

function formatStranded({ stranded }: Survival): string {
  const names = stranded.map((one) => {
    return `${pluralize(one.replicas, 'replica')} of ${one.deployment} after the loss of ${one.lost}${formatObstacle(one)}`;
  });
  return `More nodes do not help ${joinNames(names)}.`;
}

/** ` (us: at most 1 replica may be on one cluster (maxPerCluster))`: what keeps a replica off the cluster that comes closest. */
function formatObstacle({ nearest }: Pick<StrandedReplicas, 'nearest'>): string {
  if (!nearest) return '';
  const { cluster, pool } = nearest;
  const why = formatRejectionKind(nearest).replaceAll(/ {2,}/g, ' ');
  return ` (${pool === undefined ? cluster : `${cluster} / ${pool}`}: ${why})`;
}

/**
 * Formats nodes to add: what fits then, the nodes by pool, and their cost.
 *
 * @param where of what the set is the smallest. Default: of nodes in existing pools
 */
export function formatExtra(extra: ExtraNodes, what: string, where = ' in existing pools'): Item {
  const { nodes, total, atLeast, method, cost, sources } = extra;
  const proof =
    method === 'exact' ? `the smallest set${where}` : `not proved smallest; at least ${atLeast} are necessary`;
  return {
    text: `With ${pluralize(total, 'more node')} ${what} (${proof}):`,
    below: [...nodes.map(formatPlace), formatHourly(extra), ...formatPriceSources([cost], sources)],
  };
}

/** `3 in us / h100 (24 GPUs)`. */
function formatPlace({ cluster, pool, nodes, gpus }: ExtraNodes['nodes'][number]): string {
  return `${formatCount(nodes)} in ${cluster} / ${pool}${gpus > 0 ? ` (${pluralize(gpus, 'GPU')})` : ''}`;
}

/** `about +$323,000 a month as in us-central1`. */
function formatEstimate(amount: string, { regions }: NodesEstimate): string {
  return `about ${amount} as in ${joinNames(regions)}`;
}

/** `cost an hour: +$127 and 1 without a price`. */
function formatHourly({ cost, estimate, currency }: ExtraNodes): string {
  const amount = estimate
    ? formatEstimate(formatSignedAmount(roundEstimate(estimate.perHour), currency), estimate)
    : formatAddedSum(cost, currency);
  return `cost an hour: ${amount}`;
}

function formatAddedSum(cost: Sum, currency: string): string {
  const { perHour, unknown } = cost;
  if (perHour === undefined) return 'unknown';
  return `${formatSignedAmount(perHour, currency)}${unknown > 0 ? ` and ${unknown} without a price` : ''}`;
}

/** Formats what nodes add to the cost of a month, as an estimate where one of their prices is unknown. */
export function formatAddedCost({ cost: { perMonth, unknown }, estimate, currency }: ExtraNodes): string {
  if (estimate) {
    return formatEstimate(`${formatSignedAmount(roundEstimate(estimate.perMonth), currency)} a month`, estimate);
  }
  if (perMonth === undefined) return 'price unknown';
  const amount = `${formatSignedAmount(perMonth, currency)} a month`;
  return unknown > 0 ? `at least ${amount}` : amount;
}

/** Formats the nodes that give all replicas without a place one, and the replicas that no nodes help. */
export function formatMoreNodes({ replicas, extra, stranded, newPools, newPool }: MoreNodes): Block[] {
  const names = stranded.map(
    (one) => `${pluralize(one.replicas, 'replica')} of ${one.deployment}${formatObstacle(one)}`,
  );
  const which = `${stranded.length > 0 ? 'all other' : 'all'} ${pluralize(replicas, 'missing replica')}`;
  const fit = replicas === 1 ? 'the 1 other missing replica fits' : `${which} fit`;
  return [
    ...styledLines('warn', names.length > 0 ? [`More nodes do not help ${joinNames(names)}.`] : []),
    ...(newPool ? [formatNewPool(newPool, fit)] : []),
    ...(extra
      ? [newPools || newPool ? formatExtra(extra, `in existing pools ${fit}`, '') : formatExtra(extra, fit)]
      : []),
  ];
}

/** Formats a further pool of the class of another, and its cost. */
function formatNewPool(pool: ExtraNodes, what: string): Item {
  const { cost, sources } = pool;
  return {
    text: `With ${namePool(pool)} ${what}:`,
    below: [formatHourly(pool), ...formatPriceSources([cost], sources)],
  };
}

/** `a new pool of 2 nodes like us / h100 (16 GPUs)`. */
function namePool({ nodes, total }: ExtraNodes): string {
  const like = nodes.map(({ cluster, pool, gpus }) => {
    return `${cluster} / ${pool}${gpus > 0 ? ` (${pluralize(gpus, 'GPU')})` : ''}`;
  });
  return `a new pool of ${pluralize(total, 'node')} like ${like.join()}`;
}

/** Formats nodes for replicas without a place as a line: `With 3 more nodes all 6 fit: 3 in us / h100; +$1 a month`. */
export function formatMoreNodesLine({ replicas, extra, stranded, newPools, newPool }: MoreNodes): string | undefined {
  if (!extra) return undefined;
  const { nodes, total } = extra;
  const which = `${stranded.length > 0 ? 'all other' : 'all'} ${pluralize(replicas, 'missing replica')}`;
  if (newPool) {
    const [cost, costOfMore] = [newPool, extra].map(formatAddedCost);
    const more = `in existing pools they need ${pluralize(total, 'more node')}`;
    if (cost === costOfMore) return `With ${namePool(newPool)} ${which} fit; ${more}; ${cost}`;
    return `With ${namePool(newPool)} ${which} fit: ${cost}; ${more}: ${costOfMore}`;
  }
  const places = nodes.map(formatPlace);
  const where = newPools ? ' in existing pools' : '';
  return `With ${pluralize(total, 'more node')}${where} ${which} fit: ${places.join(', ')}; ${formatAddedCost(extra)}`;
}

/** Reports whether more nodes would give some replicas a place, but no sufficient set of nodes was found. */
function isUnsolved({ losses, extra, stranded }: Survival): boolean {
  const missing = losses.flatMap(({ deployments }) => deployments.map(({ before, after }) => before - after));
  const unplaceable = stranded.reduce((sum, { replicas }) => sum + replicas, 0);
  return !extra && missing.reduce((sum, replicas) => sum + replicas, 0) > unplaceable;
}

/** Formats the last line: how many losses leave a place for every replica, and how much may serve nothing until then. */
export function formatSurvivalTotal({ losses, deployments, services, extra }: Survival): string {
  const survived = losses.filter((loss) => loss.deployments.every(({ before, after }) => after === before)).length;
  const below = deployments.filter(isBelow).length;
  const cutOff = services.filter(({ fewest }) => !fewest || countReachable(fewest) === 0).length;
  return [
    `Survive: ${extra ? 'without more nodes, ' : ''}after ${survived} of ${losses.length} losses all replicas fit again`,
    ...(deployments.length > 0 ? [formatDown(deployments)] : []),
    ...(services.length > 0 ? [`${cutOff} of ${pluralize(services.length, 'service')} may take no requests`] : []),
    ...(below > 0 ? [`${below} may fall below minAvailable`] : []),
  ]
    .join('; ')
    .concat('.');
}

const MAX_NAMED_DOWN = 20;

function formatDown(deployments: Survival['deployments']): string {
  const down = deployments.filter(({ atOnce }) => atOnce === 0).map(({ deployment }) => deployment);
  const all = deployments.length;
  if (down.length > 0)
    return `${down.length} of ${pluralize(all, 'deployment')} may serve nothing for a while: ${joinNames(down, MAX_NAMED_DOWN)}`;
  return all === 1 ? 'the 1 deployment keeps at least one replica' : `all ${all} deployments keep at least one replica`;
}
